//! Brotli streams (RFC 7932): a safe decoder in Rust. Only type mappings use them, containers do not.

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

/// True if all of `src` is one stream that decodes to all of `dst`, which then holds the output.
pub(crate) fn decompress(src: &[u8], dst: &mut [u8]) -> bool {
    let alloc = StandardAlloc::default();
    // The strict decoder keeps to the 16 MiB windows of the RFC; the large-window extension allows up to a
    // GiB.
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
    // The decoder stops at the end of its stream: bytes left on either side mean that a recorded length is
    // wrong.
    matches!(result, BrotliResult::ResultSuccess) && left_in == 0 && left_out == 0
}
