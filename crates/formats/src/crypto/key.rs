use crate::wire::NotText;
use crate::wire::counted;
use std::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// An AES-256 key. Wiped when dropped; cannot be printed.
///
/// ```
/// # use uncask_formats as uncask;
/// use uncask::crypto::AesKey;
///
/// let key = AesKey::new([7; 32]);
/// assert_eq!(format!("{key:?}"), "AesKey(..)");
/// ```
#[doc(alias = "FAES::FAESKey")]
#[derive(Clone, PartialEq, Eq)]
pub struct AesKey([u8; Self::LEN]);

impl AesKey {
    /// Length of a key in bytes.
    pub const LEN: usize = 32;

    /// Creates a key from its bytes.
    #[must_use]
    pub const fn new(bytes: [u8; Self::LEN]) -> Self {
        Self(bytes)
    }

    /// Returns the secret bytes, for the cipher only.
    pub(super) const fn bytes(&self) -> &[u8; Self::LEN] {
        &self.0
    }
}

impl Drop for AesKey {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl ZeroizeOnDrop for AesKey {}

impl fmt::Debug for AesKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AesKey(..)")
    }
}

/// Errors from parsing keys. They contain the kind and length of the input, never the input itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The key is empty.
    #[error("the key is empty, expected 64 hex digits or base64 of 32 bytes")]
    Empty,
    /// 32 hex digits: the id of a key, not a key.
    #[error("this is a GUID, not a key, expected 64 hex digits or base64 of 32 bytes")]
    LooksLikeGuid,
    /// The text before `=` in `GUID=KEY`, or beside a key in a file, is not a GUID.
    #[error("the name of the key is not a GUID, expected 32 hex digits")]
    BadGuid,
    /// Hex digits, but not 64.
    #[error("the key has {}, expected 64", counted(*digits as u64, "hex digit", "hex digits"))]
    HexLength {
        /// Number of hex digits after `0x`.
        digits: usize,
    },
    /// Base64, but not of 32 bytes.
    #[error("the key has {} in base64, expected 32", counted(*bytes as u64, "byte", "bytes"))]
    Base64Length {
        /// Decoded length in bytes.
        bytes: usize,
    },
    /// Neither hex nor base64.
    #[error(
        "the key is neither hex nor base64 ({}), expected 64 hex digits or base64 of 32 bytes",
        counted(*characters as u64, "character", "characters")
    )]
    NotAKey {
        /// Length of the text in characters.
        characters: usize,
    },
    /// The file is too large for a key file.
    #[error("the key file has {len} bytes, expected at most {limit}")]
    FileTooLarge {
        /// Length of the file in bytes.
        len: usize,
        /// Limit in bytes.
        limit: usize,
    },
    /// The file is not text.
    #[error("the key file is {0}")]
    FileNotText(NotText),
    /// The file starts like JSON but is not valid, or has values of unexpected types.
    #[error("the key file is not valid JSON, or of an unknown form: line {line}, column {column}")]
    Json {
        /// Line, counted from 1.
        line: usize,
        /// Column, counted from 1.
        column: usize,
    },
    /// An entry of a file is invalid.
    #[error("{error}: {place}")]
    InFile {
        /// Place of the entry: a line or a JSON path, without content of the file.
        place: String,
        /// Error in the entry.
        error: Box<KeyError>,
    },
}

impl KeyError {
    /// Adds a place in a key file to the error.
    pub(super) fn at(self, place: impl Into<String>) -> Self {
        Self::InFile { place: place.into(), error: Box::new(self) }
    }
}
