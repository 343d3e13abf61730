//! Oodle by the vendor's own library, through `oodle-safe`, which links `oo2core` when it is built.

use super::{DecodeError, Method};

/// Decodes `src` into exactly `dst`. Checksums, which Unreal does not write, are not checked.
pub(super) fn decompress(src: &[u8], dst: &mut [u8]) -> Result<(), DecodeError> {
    if dst.is_empty() {
        return DecodeError::check_end(Method::Oodle, src.len());
    }
    let malformed =
        |_| DecodeError::Malformed { method: Method::Oodle, reason: "the library refuses it".to_owned() };
    let expected = dst.len();
    let found = oodle_safe::decompress(src, dst, None, None, None, None).map_err(malformed)?;
    DecodeError::check_len(Method::Oodle, found, expected)
}
