//! Brotli streams (RFC 7932): a safe decoder in Rust. No container has them; type mappings do.

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

/// Whether a stream that is all of `src` gives all of `dst`, which it then holds.
pub(crate) fn decompress(src: &[u8], dst: &mut [u8]) -> bool {
    let alloc = StandardAlloc::default();
    // Windows of the RFC have 16 MiB at most; those of the extension could have a GiB.
    let mut state = BrotliState::new_strict(alloc, alloc, alloc);
    let (mut left_in, mut at_in, mut left_out, mut at_out, mut total) = (src.len(), 0, dst.len(), 0, 0);
    let result = BrotliDecompressStream(
        &mut left_in,
        &mut at_in,
        src,
        &mut left_out,
        &mut at_out,
        dst,
        &mut total,
        &mut state,
    );
    matches!(result, BrotliResult::ResultSuccess) && left_in == 0 && left_out == 0
}
