use crate::error::Error;
use crate::package::bulk::BulkPlace;
use std::sync::OnceLock;

/// Cache of the bulk data files and chunks of a package, each read once.
#[derive(Debug, Default)]
pub(super) struct BulkFiles {
    separate: Slot,
    optional: Slot,
    memory_mapped: Slot,
    /// The hash mismatch of one of them.
    pub(super) mismatch: OnceLock<Error>,
}

/// Content of a file, filled on first use; `None` if there is no such file.
pub(super) type Slot = OnceLock<Option<Vec<u8>>>;

impl BulkFiles {
    /// The cache slot of a kind of bulk data; `None` for kinds without their own file.
    pub(super) const fn slot(&self, place: BulkPlace) -> Option<&Slot> {
        match place {
            BulkPlace::Separate => Some(&self.separate),
            BulkPlace::Optional => Some(&self.optional),
            BulkPlace::MemoryMapped => Some(&self.memory_mapped),
            _ => None,
        }
    }
}
