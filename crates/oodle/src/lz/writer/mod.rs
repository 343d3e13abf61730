//! Where the command loops write.
//!
//! ```text
//!   … decoded already │ run │ match │ . . . . . . . . . . │ 32 bytes │      exact: byte by byte, up to the last one
//!                     ↑ position                          ↑ room ends      whole words up to here
//! ```
//!
//! Runs and matches are short, so a loop over their bytes would mostly mispredict its own end. A writer copies whole words
//! instead, more of them than are needed, and what is too much is overwritten by what follows. Near the end of the output,
//! where nothing follows, it copies exactly. The loops need not know which of the two is done.
//!
//! No call of a writer can do harm, whatever a stream says: it copies what is asked for, or nothing, and says which. So the
//! loops have no `unsafe`; all of that is in [`Pointers`]. [`Slices`] has none either, and pays for it with checks.

mod exact;
mod interface;
mod lists;
#[cfg(not(feature = "safe-only"))]
mod pointers;
mod slices;
#[cfg(test)]
mod tests;
#[cfg(not(feature = "safe-only"))]
mod words;

pub(super) use interface::Writer;
pub(super) use lists::{FIRST_FAR, ShortLists, Source};
#[cfg(not(feature = "safe-only"))]
pub(super) use pointers::Pointers;
pub(super) use slices::Slices;
