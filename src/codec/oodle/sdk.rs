//! The vendor's own library, by `oodle-safe`, which links `oo2core` when it is built.

use super::OodleError;

/// The library allocates what it needs itself.
#[derive(Default)]
pub(super) struct Scratch;

/// Decodes `src` and says how many bytes it gave. Checksums, which Unreal does not write, are not checked.
pub(super) fn decompress(src: &[u8], dst: &mut [u8], _: &mut Scratch) -> Result<usize, OodleError> {
    oodle_safe::decompress(src, dst, None, None, None, None).map_err(|_| OodleError::Malformed)
}
