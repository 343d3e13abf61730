//! Raw LZ4 blocks: `lz4_flex` in its safe modes. The table of contents knows the sizes, so there is no frame.

use super::{DecodeError, EncodeError, Method};
use lz4_flex::block::{
    CompressTable, DecompressError, compress_into_with_table, decompress_into, get_maximum_output_size,
};

/// A reusable hash table. It is the large one for every input, so that a block does not depend on those before it.
#[derive(Default)]
pub(super) struct Scratch(Option<CompressTable>);

/// Decodes a block that is all of `src` and gives all of `dst`.
pub(super) fn decompress(src: &[u8], dst: &mut [u8]) -> Result<(), DecodeError> {
    let method = Method::Lz4;
    match decompress_into(src, dst) {
        Ok(found) => DecodeError::check_len(method, found, dst.len()),
        Err(DecompressError::OutputTooSmall { .. }) => Err(DecodeError::Long { method, expected: dst.len() }),
        Err(DecompressError::ExpectedAnotherByte) => Err(DecodeError::Truncated { method, len: src.len() }),
        Err(error) => Err(DecodeError::Malformed { method, reason: error.to_string() }),
    }
}

/// Appends `src` as one block to `out`, which is empty.
pub(super) fn compress(src: &[u8], out: &mut Vec<u8>, scratch: &mut Scratch) -> Result<(), EncodeError> {
    let table = scratch.0.get_or_insert_with(CompressTable::large);
    out.resize(get_maximum_output_size(src.len()), 0);
    let len = compress_into_with_table(src, out, table)
        .map_err(|error| EncodeError::Failed { method: Method::Lz4, reason: error.to_string() })?;
    out.truncate(len);
    Ok(())
}
