//! What a parse gives: literals and matches in turn, and the distances that are known from the last ones.

/// Matches are never nearer.
pub(super) const MIN_DISTANCE: usize = 8;

/// Literals, then a match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sequence {
    pub(super) run: usize,
    pub(super) len: usize,
    pub(super) distance: usize,
    /// Which recent distance that is, or [`NEW`].
    pub(super) index: usize,
}

/// Recent distances, most recent first.
pub(super) type Recent = [usize; 3];

/// What recent distances are at the start of a chunk.
pub(super) const FIRST_RECENT: Recent = [MIN_DISTANCE; 3];

/// The index of a distance that is not recent.
pub(super) const NEW: usize = 3;

/// Moves a distance to the front; returns where it was, or [`NEW`].
pub(super) fn touch(recent: &mut Recent, distance: usize) -> usize {
    let [a, b, c] = *recent;
    let index = [a, b, c].iter().position(|known| *known == distance).unwrap_or(NEW);
    *recent = match index {
        0 => [a, b, c],
        1 => [b, a, c],
        _ => [distance, a, b],
    };
    index
}
