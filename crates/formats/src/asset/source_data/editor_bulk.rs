//! Bulk data of the editor: identified by a hash in the package's trailer, or located by an offset in the
//! file.
//!
//! ```text
//! u32 flags │ GUID │ 20 bytes of a hash │ i64 raw size │ unless flag 0x200: i64 offset in the file
//! ```

use super::compressed::unwrap;
use super::error::{SourceError, unexpected};
use crate::id::Guid;
use crate::package::legacy::{PayloadAccess, Trailer};
use crate::wire::{Fault, FaultKind, Reader};

/// `FEditorBulkData`: data that only the editor needs.
#[doc(alias = "FEditorBulkData")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditorBulk {
    /// Flags, which decide about the location.
    pub flags: u32,
    /// Identifier.
    pub id: Guid,
    /// First bytes of the content's hash, which identify it in a trailer; zero if there is none.
    pub hash: [u8; 20],
    /// Size after decompression, in bytes.
    pub raw_len: u64,
    /// Offset in the file, unless the trailer of the package has the data.
    pub offset: Option<u64>,
}

/// Reasons that the data are in no readable file of the project, by flags.
const OBSTACLES: [(u32, &str); 4] = [
    (0x1, "its source is kept on a server, and not in the package"),
    (0x2, "its source is in a .upayload file, which is not read"),
    (0x4, "its source is in a form of an older release, which is not read"),
    (0x100, "its source is in another package of the project, which is not read"),
];
const IN_TRAILER: u32 = 0x200;

impl EditorBulk {
    pub(crate) fn read(r: &mut Reader<'_>) -> Result<Self, Fault> {
        let flags = r.u32("flags of editor bulk data")?;
        let id = Guid(r.array("id of editor bulk data")?);
        let hash = r.array("hash of editor bulk data")?;
        let raw_len = r.long_size("size of editor bulk data")?;
        let at = r.clone();
        let offset = r.when(flags & IN_TRAILER == 0, |r| r.i64("offset of editor bulk data"))?;
        let offset = match offset {
            // -1 stands for no offset.
            None | Some(-1) => None,
            Some(found) => Some(
                u64::try_from(found)
                    .map_err(|_| at.fault("offset of editor bulk data", FaultKind::Negative { found }))?,
            ),
        };
        Ok(Self { flags, id, hash, raw_len, offset })
    }

    /// Returns the data, at most `limit` bytes. `file` is the whole file of the package.
    pub fn bytes(&self, file: &[u8], trailer: Option<&Trailer>, limit: u64) -> Result<Vec<u8>, SourceError> {
        if self.raw_len == 0 {
            return Err(SourceError::Obstacle("it has no source"));
        }
        if let Some((_, why)) = OBSTACLES.iter().find(|(flag, _)| self.flags & flag != 0) {
            return Err(SourceError::Obstacle(why));
        }
        // Checked before decompression: the header of the buffer repeats this number, but is further away.
        if self.raw_len > limit {
            let kind = FaultKind::TooLarge { found: self.raw_len, limit };
            return Err(Fault { offset: 0, field: "size of editor bulk data", kind }.into());
        }
        let stored = match self.offset {
            Some(offset) => Reader::at(file, offset, "editor bulk data")?.rest(),
            None => self.in_trailer(file, trailer)?,
        };
        let bytes = unwrap(stored, limit)?;
        if bytes.len() as u64 != self.raw_len {
            let kind = unexpected(bytes.len() as u64, self.raw_len);
            return Err(Fault { offset: 0, field: "size of editor bulk data", kind }.into());
        }
        Ok(bytes)
    }

    fn in_trailer<'f>(&self, file: &'f [u8], trailer: Option<&Trailer>) -> Result<&'f [u8], SourceError> {
        let entry = trailer.and_then(|trailer| {
            let entry = trailer.entries.iter().find(|entry| entry.id == self.hash)?;
            Some((trailer, entry))
        });
        let (trailer, entry) =
            entry.ok_or(SourceError::Obstacle("its source is not in the trailer of its package"))?;
        // Only local payloads are in this file.
        match entry.access {
            PayloadAccess::Local => {}
            PayloadAccess::Referenced => {
                return Err(SourceError::Obstacle(
                    "its source is in another package of the project, which is not read",
                ));
            }
            PayloadAccess::Virtualized => {
                return Err(SourceError::Obstacle("its source is kept on a server, and not in the package"));
            }
        }
        let field = "payload of a package trailer";
        let fault = |kind| Fault { offset: trailer.payloads_offset, field, kind };
        let offset =
            u64::try_from(entry.offset).map_err(|_| fault(FaultKind::Negative { found: entry.offset }))?;
        // An entry must stay inside the trailer's own payloads, not only inside the file.
        let end = offset.saturating_add(entry.stored_len);
        if end > trailer.payloads_len {
            return Err(fault(FaultKind::TooLarge { found: end, limit: trailer.payloads_len }).into());
        }
        let mut r = Reader::at(file, trailer.payloads_offset.saturating_add(offset), field)?;
        Ok(r.bytes64(field, entry.stored_len)?)
    }
}
