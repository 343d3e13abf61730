//! A note of the cooker's header length in a legacy header that is longer.
//!
//! ```text
//! … tables │ uncaskCH │ u32 length │ end of the header
//! ```
//!
//! Placeholder names make a header longer than the cooker's, whose length a zen package records and on which
//! offsets in export data rely up to 5.1. No table reaches into the note, so readers treat it as padding.

const TAG: [u8; 8] = *b"uncaskCH";

/// Length of a note in bytes.
pub(super) const NOTE_LEN: usize = TAG.len() + size_of::<u32>();

/// Writes a note over the last bytes of a header, which must be free.
pub(super) fn put(header: &mut [u8], cooked_header_len: u32) {
    let note = TAG.into_iter().chain(cooked_header_len.to_le_bytes());
    let free = header.last_chunk_mut::<NOTE_LEN>().into_iter().flatten();
    free.zip(note).for_each(|(byte, new)| *byte = new);
}

/// Reads the note of a header, if it has one.
#[must_use]
pub fn cooked_header_len(header: &[u8]) -> Option<u32> {
    let (rest, len) = header.split_last_chunk::<4>()?;
    rest.ends_with(&TAG).then(|| u32::from_le_bytes(*len))
}
