//! Positional arguments that may be in another order.

use crate::exit::UsageError;

/// Positional arguments of a command, which people give in more orders than clap knows. Each command has to say what it
/// takes: one that is forgotten does not compile.
pub(super) trait Positional {
    /// Moves arguments to their places. Returns notes on ambiguous ones.
    fn sort(&mut self) -> Result<Vec<String>, UsageError>;
}
