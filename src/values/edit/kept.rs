//! Content of edited packages, until all of them are known to be sound and are written.

use crate::asset::texture::FileKey;
use crate::error::Result;
use crate::id::PackageId;
use crate::source::{Shelf, Shelved};
use crate::values::raw_package::{RawPackage, ZenPackage};
use std::collections::BTreeMap;

/// New content of the files beside a package.
pub(super) type Files = BTreeMap<FileKey, Vec<u8>>;

/// Content of an edited package.
#[derive(Debug)]
pub(super) struct KeptPackage {
    pub form: KeptForm,
    /// New content of the files beside it.
    pub files: BTreeMap<FileKey, Shelved>,
}

/// Content of the package itself.
#[derive(Debug)]
pub(super) enum KeptForm {
    /// A zen package.
    Zen(KeptZen),
    /// A legacy package: the header, and the `.uexp` if it has one.
    Legacy(Shelved, Option<Shelved>),
}

/// A zen package, as stored in its chunk.
#[derive(Debug)]
pub(super) struct KeptZen {
    pub chunk: Shelved,
    /// Position of its container.
    pub container: Option<usize>,
    /// The packages that it imports, if they are not those that the container lists.
    pub imported: Option<Vec<PackageId>>,
}

impl KeptPackage {
    /// Keeps a package and the files beside it.
    pub(super) fn new(shelf: &Shelf, raw: RawPackage, files: Files) -> Result<Self> {
        let form = match raw {
            RawPackage::Zen(zen) => KeptForm::Zen(KeptZen {
                chunk: shelf.keep(zen.chunk)?,
                container: zen.container,
                imported: zen.imported,
            }),
            RawPackage::Legacy(header, exports) => {
                KeptForm::Legacy(shelf.keep(header)?, exports.map(|exports| shelf.keep(exports)).transpose()?)
            }
        };
        let keep = |(key, bytes)| Ok((key, shelf.keep(bytes)?));
        Ok(Self { form, files: files.into_iter().map(keep).collect::<Result<_>>()? })
    }

    pub(super) const fn zen(&self) -> Option<&KeptZen> {
        match &self.form {
            KeptForm::Zen(zen) => Some(zen),
            KeptForm::Legacy(..) => None,
        }
    }
}

impl KeptZen {
    /// The package as it is.
    pub(super) fn raw(&self) -> Result<ZenPackage> {
        let mut zen = ZenPackage::new(self.chunk.bytes()?.into(), self.container);
        zen.imported.clone_from(&self.imported);
        Ok(zen)
    }
}
