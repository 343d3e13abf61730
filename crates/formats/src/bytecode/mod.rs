//! Blueprint bytecode ("Kismet"): scripts of functions as trees, listings and pseudo-code, and back.
//!
//! ```text
//! function export   properties │ super, children, fields │ i32 size in memory │ i32 n, n bytes script │ flags …
//! script            statement │ statement │ … │ Return │ EndOfScript
//! statement         u8 token │ operands, among them more expressions
//! ```
//!
//! A script has two measures: its bytes in the file, and its size in memory, where a name takes 12 bytes, and
//! a reference to an object or property 8. Jumps are offsets in memory. [`Token`] has the one table from
//! which everything follows.
//!
//! Verified on 2,186 functions of 4.5 to 5.8. Sources: the bytecode sheet, whose rules come from real files;
//! CUE4Parse, UAssetAPI, kismet-analyzer.

mod class;
mod decode;
mod dialect;
mod edit;
mod encode;
mod function;
mod json;
mod listing;
mod pseudo;
mod relocate;
mod summary;
mod symbols;
mod token;
mod tree;
mod tree_json;
mod variable;

pub use class::{BlueprintClass, Component};
pub use decode::TableSizes;
pub use dialect::{CastKind, Casts, Dialect};
pub use edit::{ChangedFunction, CodeEditor, CodeError, CodePlace, CodePlaceError, CodeValueChange};
pub use function::Function;
pub(crate) use function::function_flag_words;
pub use json::{ScriptJson, Scripts};
pub use listing::{Listing, ListingError, assemble};
pub use pseudo::{CodeLink, Decompiler, Pseudocode, identifier};
pub use relocate::{RelocateError, Relocation};
pub use summary::BlueprintSummary;
pub use symbols::Symbols;
pub use token::{OperandShape, Token};
pub use tree::{Case, Damage, Expression, Operand, Script};
pub use tree_json::FunctionJson;
pub use variable::Variable;

#[cfg(test)]
mod tests;
