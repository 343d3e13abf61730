//! Content of edited packages, until all of them are known to be sound and are written.

use super::change::{Edited, Editing, Files};
use crate::asset::texture::FileKey;
use crate::error::Result;
use crate::source::Shelved;
use crate::values::inputs::PackageInput;
use crate::values::load::RawPackage;
use std::collections::BTreeMap;

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
    /// A zen package, and the position of its container.
    pub(super) const fn zen(&self) -> Option<(&Shelved, Option<usize>)> {
        match &self.form {
            KeptForm::Zen(chunk, container) => Some((chunk, *container)),
            KeptForm::Legacy(..) => None,
        }
    }
}

impl Editing {
    /// Keeps a package in which nothing is said to have changed yet.
    pub(super) fn keep(&self, item: PackageInput, raw: RawPackage, files: Files) -> Result<Edited> {
        let form = match raw {
            RawPackage::Zen(zen) => KeptForm::Zen(self.shelf.keep(zen.chunk)?, zen.container),
            RawPackage::Legacy(header, exports) => KeptForm::Legacy(
                self.shelf.keep(header)?,
                exports.map(|exports| self.shelf.keep(exports)).transpose()?,
            ),
        };
        let keep = |(key, bytes)| Ok((key, self.shelf.keep(bytes)?));
        let files = files.into_iter().map(keep).collect::<Result<_>>()?;
        Ok(Edited {
            path: item.name.clone(),
            changes: Vec::new(),
            cut: false,
            is_of_other_build: false,
            exports: 0,
            names: 0,
            unchecked: Vec::new(),
            missing: 0,
            content: KeptPackage { form, files },
            item,
        })
    }
}
