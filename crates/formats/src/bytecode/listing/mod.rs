//! Listing: one line per token, complete enough to assemble the same bytes.
//!
//! ```text
//! 0000 LocalFinalFunction "BP_Test_C.ExecuteUbergraph_BP_Test"
//! 0009   IntConst 105
//! 000E   EndFunctionParms
//! 000F Return
//! 0010   Nothing
//! 0011 EndOfScript
//! │    │ └ operands; expressions among them are the lines below, one step further to the right
//! │    └ token
//! └ place in memory
//! ```

mod assemble;
mod operands;
mod text;

pub use assemble::{ListingError, assemble};
pub use text::Listing;
