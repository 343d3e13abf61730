//! A package with big-endian numbers, for an old console: recognised, but not read.

use super::format::{Detected, File, Finding, Format, Input, Sureness};
use crate::package::legacy::{SWAPPED_TAG, TAG};
use crate::wire::{Fault, FaultKind};

pub(super) struct Swapped;

impl Format for Swapped {
    fn detect(&self, file: &File<'_>) -> Option<Detected> {
        let is_swapped = file.start.starts_with(&SWAPPED_TAG.to_le_bytes());
        is_swapped.then(|| Detected::new(Sureness::Mark, format!("tag {TAG:#x} in reverse order")))
    }

    fn read<'a>(&self, _input: &Input<'a>) -> Finding<'a> {
        // The fault names the byte order, so that the reader is not sent to look for damage.
        let kind = FaultKind::Unsupported { found: SWAPPED_TAG.into() };
        let fault = Fault { offset: 0, field: "byte order", kind };
        Finding { kind: "package with big-endian numbers".to_owned(), ..Finding::unread("package", fault) }
    }
}
