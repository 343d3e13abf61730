//! What both directions know: neither of them is known here.

pub(crate) mod flags;
pub(crate) mod header_len;
