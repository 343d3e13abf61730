//! Content of edited packages, until all of them are known to be sound and are written.

use crate::asset::texture::FileKey;
use crate::error::Result;
use crate::source::{Shelf, Shelved};
use crate::values::load::RawPackage;
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
    /// A zen package, and the position of its container.
    Zen(Shelved, Option<usize>),
    /// A legacy package: the header, and the `.uexp` if it has one.
    Legacy(Shelved, Option<Shelved>),
}

impl KeptPackage {
    /// Keeps a package and the files beside it.
    pub(super) fn new(shelf: &Shelf, raw: RawPackage, files: Files) -> Result<Self> {
        let form = match raw {
            RawPackage::Zen(zen) => KeptForm::Zen(shelf.keep(zen.chunk)?, zen.container),
            RawPackage::Legacy(header, exports) => {
                KeptForm::Legacy(shelf.keep(header)?, exports.map(|exports| shelf.keep(exports)).transpose()?)
            }
        };
        let keep = |(key, bytes)| Ok((key, shelf.keep(bytes)?));
        Ok(Self { form, files: files.into_iter().map(keep).collect::<Result<_>>()? })
    }

    /// A zen package, and the position of its container.
    pub(super) const fn zen(&self) -> Option<(&Shelved, Option<usize>)> {
        match &self.form {
            KeptForm::Zen(chunk, container) => Some((chunk, *container)),
            KeptForm::Legacy(..) => None,
        }
    }
}
