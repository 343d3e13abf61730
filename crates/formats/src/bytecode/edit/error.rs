//! Reasons why functions cannot be changed.

use super::place::CodePlace;
use crate::bytecode::listing::ListingError;
use crate::bytecode::relocate::RelocateError;
use crate::bytecode::token::Token;
use crate::bytecode::tree::Damage;

/// Errors from changes of functions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodeError {
    /// The package is uncooked.
    #[error(
        "the package is uncooked: the editor compiles its functions anew from their graphs, and the change would be lost"
    )]
    Uncooked,
    /// No function has this name.
    #[error("there is no function {wanted}; the package has {}", if names.is_empty() { "none".to_owned() } else { names.join(", ") })]
    NoFunction {
        /// The name.
        wanted: String,
        /// Names of the functions that are there.
        names: Vec<String>,
    },
    /// Several functions have this name.
    #[error("several functions are called {wanted}: {}", there.join(", "))]
    Ambiguous {
        /// The name.
        wanted: String,
        /// Paths of two of them.
        there: [String; 2],
    },
    /// The function is damaged.
    #[error("{function} is damaged: {damage}")]
    Damaged {
        /// The function.
        function: String,
        /// The damage.
        damage: Damage,
    },
    /// No token starts at a place.
    #[error("{place}: no token starts there")]
    NoToken {
        /// The place.
        place: CodePlace,
    },
    /// No statement starts at a place.
    #[error("{place}: no statement starts there")]
    NoStatement {
        /// The place.
        place: CodePlace,
    },
    /// A token is no constant.
    #[error("{place}: found {token}, expected a constant or a conditional jump", token = token.name())]
    NotConstant {
        /// The place.
        place: CodePlace,
        /// The token.
        token: Token,
    },
    /// A statement cannot be left out.
    #[error("{place}: {token} cannot be left out, since the flow depends on it", token = token.name())]
    NotRemovable {
        /// The place.
        place: CodePlace,
        /// The token.
        token: Token,
    },
    /// Another value is there.
    #[error("{place}: found {found}, expected {expected}")]
    AnotherValue {
        /// The place.
        place: CodePlace,
        /// The value.
        found: String,
        /// The expected value.
        expected: String,
    },
    /// A text is no value of the constant.
    #[error("{place}: found {text:?}, expected {expected}")]
    Value {
        /// The place.
        place: CodePlace,
        /// The text.
        text: String,
        /// Form of its values.
        expected: &'static str,
    },
    /// A listing cannot be assembled.
    #[error("{function}: {source}")]
    Listing {
        /// The function.
        function: String,
        /// The fault.
        source: ListingError,
    },
    /// A script cannot be laid out anew.
    #[error("{function}: {source}")]
    Relocate {
        /// The function.
        function: String,
        /// The reason.
        source: RelocateError,
    },
    /// An event would enter its graph where there is no statement any more.
    #[error("{function} enters the event graph at {at:04X}, where no statement is any more")]
    LostEntry {
        /// The event.
        function: String,
        /// The old offset.
        at: i32,
    },
    /// A game would run the result into an error.
    #[error("{function}: {what}")]
    Unsound {
        /// The function.
        function: String,
        /// The fault.
        what: &'static str,
    },
}
