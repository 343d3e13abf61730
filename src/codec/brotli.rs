//! Brotli streams (RFC 7932): a safe decoder in Rust. No container has them; type mappings do.

use brotli_decompressor::{BrotliResult, brotli_decode};

/// Whether a stream that is all of `src` gives all of `dst`, which it then holds.
pub(crate) fn decompress(src: &[u8], dst: &mut [u8]) -> bool {
    let expected = dst.len();
    let info = brotli_decode(src, dst);
    matches!(info.result, BrotliResult::ResultSuccess) && info.decoded_size == expected
}
