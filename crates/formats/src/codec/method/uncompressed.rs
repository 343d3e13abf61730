//! Uncompressed blocks.

use crate::codec::{Codec, DecodeProblem, EncodeProblem, Scratch};

/// Uncompressed bytes.
#[derive(Debug)]
pub(super) struct Uncompressed;

impl Codec for Uncompressed {
    fn decode(&self, block: &[u8], out: &mut [u8], _: &mut Scratch) -> Result<(), DecodeProblem> {
        DecodeProblem::check_len(block.len(), out.len())?;
        out.copy_from_slice(block);
        Ok(())
    }

    fn encode(&self, bytes: &[u8], _: i32, out: &mut Vec<u8>, _: &mut Scratch) -> Result<(), EncodeProblem> {
        out.extend_from_slice(bytes);
        Ok(())
    }
}
