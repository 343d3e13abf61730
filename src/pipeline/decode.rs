//! Decrypts and decompresses the blocks of a piece.

use super::batch::{Batch, BlockPlan, Piece, PiecePlace};
use super::input::Input;
use crate::codec;
use crate::crypto::Cipher;
use crate::error::{Error, Result};
use crate::source::Buffer;
use crate::table::Table;
use std::path::Path;

/// Fills a piece's place in the raw buffer, if its bytes go there.
pub(super) fn decode_piece(
    input: &Input,
    batch: &Batch,
    piece: &Piece,
    stored: &[Buffer],
    (raw, plain): (&mut [u8], &mut Buffer),
    scratch: &mut codec::Scratch,
) -> Result<()> {
    let PiecePlace::Raw(place) = &piece.place else { return Ok(()) };
    let (path, table, cipher) = (&*input.path, &*input.table, input.cipher.as_ref());
    let decoder = BlockDecoder { path, table, cipher };
    let mut rest = raw.get_mut(place.clone()).unwrap_or_default();
    for block in batch.blocks.get(piece.blocks.clone()).unwrap_or_default() {
        let bytes = stored.get(block.extent).and_then(|extent| extent.get(block.stored.clone()));
        // The plan derived the places from the same numbers as the buffers, so both halves exist.
        let (to, left) = rest.split_at_mut_checked(block.raw_len).unwrap_or_default();
        decoder.decode(block, bytes.unwrap_or_default(), (to, plain), scratch)?;
        rest = left;
    }
    Ok(())
}

/// Decoder of the blocks of one container.
#[derive(Clone, Copy)]
pub(crate) struct BlockDecoder<'a> {
    /// Path of the container, for messages.
    pub path: &'a Path,
    pub table: &'a Table,
    /// Cipher; without it nothing is decrypted.
    pub cipher: Option<&'a Cipher>,
}

impl BlockDecoder<'_> {
    /// Fills `to` with the content of a block. `plain` is a buffer for decrypted bytes.
    pub(crate) fn decode(
        &self,
        block: &BlockPlan,
        stored: &[u8],
        (to, plain): (&mut [u8], &mut Buffer),
        scratch: &mut codec::Scratch,
    ) -> Result<()> {
        let path = || self.path.to_owned();
        let stored = match self.cipher.filter(|_| block.is_encrypted) {
            None => stored,
            Some(cipher) => {
                // Decrypted into a separate buffer, since a hash may cover the stored bytes as they are.
                plain.set_len(stored.len());
                let iv = self.table.block_iv(block.chunk, block.index);
                cipher.decrypt_part(iv, stored, plain).map_err(|source| Error::Decrypt {
                    block: block.index.0,
                    source,
                    path: path(),
                })?;
                plain
            }
        };
        // Encrypted blocks are padded to whole AES blocks.
        let stored = stored.get(..block.stored_len).unwrap_or(stored);
        self.table.methods().decode(block.method, stored, to, scratch).map_err(|source| Error::Decode {
            block: block.index.0,
            offset: block.offset,
            source,
            path: path(),
        })
    }
}

/// Returns the bytes of a decoded piece.
pub(super) fn bytes_of<'a>(piece: &Piece, stored: &'a [Buffer], raw: &'a [u8]) -> &'a [u8] {
    match &piece.place {
        PiecePlace::Raw(range) => raw.get(range.clone()),
        PiecePlace::Stored { extent, range } => {
            stored.get(*extent).and_then(|extent| extent.get(range.clone()))
        }
    }
    .unwrap_or_default()
}
