//! Places in functions: `Open@0x1F3`.

use std::fmt;
use std::str::FromStr;

/// A place in a function, as its listing numbers them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodePlace {
    /// Name of the function, or its path in the package.
    pub function: String,
    /// Offset in memory.
    pub at: u32,
}

impl fmt::Display for CodePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@0x{:04X}", self.function, self.at)
    }
}

/// Error of a text that is no place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}: expected a function, @ and a place in hexadecimal, such as Open@0x1F3")]
pub struct CodePlaceError {
    text: String,
}

impl FromStr for CodePlace {
    type Err = CodePlaceError;

    fn from_str(text: &str) -> Result<Self, CodePlaceError> {
        let malformed = || CodePlaceError { text: text.to_owned() };
        // The last one, since names may have any characters.
        let (function, at) =
            text.rsplit_once('@').filter(|(name, _)| !name.is_empty()).ok_or_else(malformed)?;
        let at = at.strip_prefix("0x").or_else(|| at.strip_prefix("0X")).unwrap_or(at);
        let at = u32::from_str_radix(at, 16).map_err(|_| malformed())?;
        Ok(Self { function: function.to_owned(), at })
    }
}
