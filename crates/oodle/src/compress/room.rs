//! State that encoders keep from input to input, and memory that they reuse from chunk to chunk.

use alloc::vec::Vec;

use super::candidates::Candidates;
use super::compressor::Effort;
use super::matcher::Places;
use super::optimal::Paths;
use super::sequence::Sequence;
use super::{lists, literals::Literals, near};

/// Working memory of [`compress`](super::compress): keep one per thread and use it for every block.
#[derive(Debug, Default)]
pub struct Matcher {
    pub(super) places: Places,
    pub(super) effort: Effort,
    pub(super) room: Room,
}

impl Matcher {
    /// Sets the effort from the next input on.
    pub fn set_effort(&mut self, effort: Effort) {
        self.effort = effort;
    }
}

/// Working memory for one chunk. Only its capacity outlives the chunk.
#[derive(Debug, Default)]
pub(super) struct Room {
    pub(super) sequences: Vec<Sequence>,
    pub(super) literals: Literals,
    pub(super) kraken: lists::Lists,
    pub(super) mermaid: near::Lists,
    pub(super) candidates: Candidates,
    pub(super) paths: Paths,
}
