//! The crate `oozextract`: safe code that checks less than it should, and panics on some malformed streams.

use super::{OodleError, guard};
use ::oozextract::Extractor;

/// Tables and buffers of the crate, 770 KiB.
#[derive(Default)]
pub(super) struct Scratch(Option<Extractor>);

/// Decodes `src` and says how many bytes it gave. It never writes outside `dst`, and needs no room after it.
pub(super) fn decompress(src: &[u8], dst: &mut [u8], scratch: &mut Scratch) -> Result<usize, OodleError> {
    // Taken out of the scratch, so that a panic leaves no half-updated tables behind.
    let mut extractor = scratch.0.take().unwrap_or_else(Extractor::new);
    let (extractor, result) = guard::guarded(move || {
        let result = extractor.read_from_slice(src, dst);
        (extractor, result)
    })
    .ok_or(OodleError::Malformed)?;
    scratch.0 = Some(extractor);
    result.map_err(|_| OodleError::Malformed)
}
