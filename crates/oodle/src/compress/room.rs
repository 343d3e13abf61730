//! What encoders keep from input to input, and memory that they use again from chunk to chunk.

use alloc::vec::Vec;

use super::candidates::Candidates;
use super::compressor::Effort;
use super::matcher::Places;
use super::optimal::Paths;
use super::sequence::Sequence;
use super::{lists, literals::Literals, near};

/// What [`compress`](super::compress) works with: keep one per thread and use it for every block.
#[derive(Debug, Default)]
pub struct Matcher {
    pub(super) places: Places,
    pub(super) effort: Effort,
    pub(super) room: Room,
}

impl Matcher {
    /// Sets how hard to look from the next input on.
    pub fn set_effort(&mut self, effort: Effort) {
        self.effort = effort;
    }
}

/// What the encoder of a chunk works with. Nothing in it outlives the chunk but its capacity.
#[derive(Debug, Default)]
pub(super) struct Room {
    pub(super) sequences: Vec<Sequence>,
    pub(super) literals: Literals,
    pub(super) kraken: lists::Lists,
    pub(super) mermaid: near::Lists,
    pub(super) candidates: Candidates,
    pub(super) paths: Paths,
}
