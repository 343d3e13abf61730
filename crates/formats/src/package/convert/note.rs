//! The length of the cooker's header, noted in a legacy header that is longer.
//!
//! ```text
//! … tables │ uncaskCH │ u32 length │ end of the header
//! ```
//!
//! Names that stand for unknown ones make a header longer than the cooker's, whose length a zen package records and, up to 5.1,
//! offsets in export data count on. No table reaches into the note, so that readers pass over it as over padding.

const TAG: [u8; 8] = *b"uncaskCH";

/// Bytes of a note.
pub(super) const NOTE_LEN: usize = TAG.len() + size_of::<u32>();

/// Writes it over the last bytes of a header, which must be free.
pub(super) fn put(header: &mut [u8], cooked_header_len: u32) {
    let note = TAG.into_iter().chain(cooked_header_len.to_le_bytes());
    let free = header.last_chunk_mut::<NOTE_LEN>().into_iter().flatten();
    free.zip(note).for_each(|(byte, new)| *byte = new);
}

/// The length in the note of a header, if it has one.
#[must_use]
pub fn cooked_header_len(header: &[u8]) -> Option<u32> {
    let (rest, len) = header.split_last_chunk::<4>()?;
    rest.ends_with(&TAG).then(|| u32::from_le_bytes(*len))
}
