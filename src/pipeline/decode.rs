//! Decrypts and decompresses the blocks of a piece.

use super::batch::{Batch, BlockPlan, Piece, Place};
use super::input::Input;
use crate::codec;
use crate::error::{Error, Result};
use crate::source::Buffer;

/// Fills a piece's place in the raw buffer, if that is where its bytes will be.
pub(super) fn decode_piece(
    input: &Input,
    batch: &Batch,
    piece: &Piece,
    stored: &[Buffer],
    (raw, plain): (&mut [u8], &mut Buffer),
    scratch: &mut codec::Scratch,
) -> Result<()> {
    let Place::Raw(place) = &piece.place else { return Ok(()) };
    let mut rest = raw.get_mut(place.clone()).unwrap_or_default();
    for block in batch.blocks.get(piece.blocks.clone()).unwrap_or_default() {
        let bytes = stored.get(block.extent).and_then(|extent| extent.get(block.stored.clone()));
        // The plan made the places from the same numbers as the buffers, so both halves exist.
        let (to, left) = rest.split_at_mut_checked(block.raw_len).unwrap_or_default();
        decode_block(input, block, bytes.unwrap_or_default(), (to, plain), scratch)?;
        rest = left;
    }
    Ok(())
}

fn decode_block(
    input: &Input,
    block: &BlockPlan,
    stored: &[u8],
    (to, plain): (&mut [u8], &mut Buffer),
    scratch: &mut codec::Scratch,
) -> Result<()> {
    let damaged = |source| Error::Decode {
        block: block.index.0,
        offset: block.offset,
        source,
        path: input.path.clone(),
    };
    let stored = match &input.cipher {
        _ if !block.is_encrypted => stored,
        None => stored,
        Some(cipher) => {
            plain.set_len(stored.len());
            cipher.decrypt_part(input.table.block_iv(block.chunk, block.index), stored, plain).map_err(
                |source| Error::Decrypt { block: block.index.0, source, path: input.path.clone() },
            )?;
            plain
        }
    };
    let stored = stored.get(..block.stored_len).unwrap_or(stored);
    input.table.methods().decode(block.method, stored, to, scratch).map_err(damaged)
}

/// The bytes of a decoded piece.
pub(super) fn bytes_of<'a>(piece: &Piece, stored: &'a [Buffer], raw: &'a [u8]) -> &'a [u8] {
    match &piece.place {
        Place::Raw(range) => raw.get(range.clone()),
        Place::Stored { extent, range } => stored.get(*extent).and_then(|extent| extent.get(range.clone())),
    }
    .unwrap_or_default()
}
