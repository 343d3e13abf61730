//! Shared by both directions; depends on neither.

pub(crate) mod flags;
pub(crate) mod header_len;
