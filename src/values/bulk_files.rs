use crate::error::Error;
use crate::package::bulk::BulkPlace;
use std::sync::OnceLock;

/// The files and chunks with bulk data beside a package, each read once.
#[derive(Debug, Default)]
pub(super) struct BulkFiles {
    separate: Slot,
    optional: Slot,
    memory_mapped: Slot,
    /// What is wrong with the content of one of them.
    pub(super) mismatch: OnceLock<Error>,
}

/// All bytes of a file, once they were read; `None` if there is no such file.
pub(super) type Slot = OnceLock<Option<Vec<u8>>>;

impl BulkFiles {
    /// Where a kind of bulk data is kept, if it is one that lies in files of its own.
    pub(super) const fn slot(&self, place: BulkPlace) -> Option<&Slot> {
        match place {
            BulkPlace::Separate => Some(&self.separate),
            BulkPlace::Optional => Some(&self.optional),
            BulkPlace::MemoryMapped => Some(&self.memory_mapped),
            _ => None,
        }
    }
}
