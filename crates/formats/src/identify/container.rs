//! A container: a `.utoc` and the `.ucas` files described by it.
//!
//! Its content takes several files to read, so that is left to callers that can open files. This format only
//! recognises them.

use super::format::{Detected, File, Finding, Format, Input, Sureness, has_extension};
use crate::container::toc::raw::MAGIC;
use std::path::Path;

pub(super) struct Container;

impl Format for Container {
    fn detect(&self, file: &File<'_>) -> Option<Detected> {
        if file.start.starts_with(&MAGIC) {
            return Some(Detected::new(Sureness::Mark, "the magic of a table of contents"));
        }
        let reason = "the extension .ucas; the .utoc beside it describes it";
        is_data(file.name).then(|| Detected::new(Sureness::Name, reason))
    }

    // No view: bytes of one file are not enough for it.
    fn read<'a>(&self, _input: &Input<'a>) -> Finding<'a> {
        Finding { kind: "container: table of contents".to_owned(), view: None, fault: None, warning: None }
    }

    /// Bulk data of a container may have any size and has no header, so its name alone is enough.
    fn enough(&self, name: &Path) -> Option<u64> {
        is_data(name).then_some(0)
    }

    fn is_container(&self) -> bool {
        true
    }
}

fn is_data(name: &Path) -> bool {
    has_extension(name, &["ucas"])
}
