//! Memory that pictures may take.

/// Share of the memory that a decoded picture may take, as its inverse: the texture that is made of it takes at least as much.
pub(super) const BEFORE_ENCODING: u64 = 2;
