//! Result of a parse: literals and matches in turn, and the recent distances.

/// Smallest distance of a match.
pub(super) const MIN_DISTANCE: usize = 8;

/// Literals, followed by a match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sequence {
    pub(super) run: usize,
    pub(super) len: usize,
    pub(super) distance: usize,
    /// Index of the distance among the recent ones, or [`NEW`].
    pub(super) index: usize,
}

/// Recent distances, the most recent first.
pub(super) type Recent = [usize; 3];

/// Recent distances at the start of a chunk.
pub(super) const FIRST_RECENT: Recent = [MIN_DISTANCE; 3];

/// Index of a distance that is not recent.
pub(super) const NEW: usize = 3;

/// Moves a distance to the front, and returns its previous index, or [`NEW`].
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
