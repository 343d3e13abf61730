use crate::wire::NotText;
use crate::wire::counted;
use std::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// An AES-256 key. It is wiped when dropped, and cannot be printed.
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
    /// Bytes in a key.
    pub const LEN: usize = 32;

    /// A key from its bytes.
    #[must_use]
    pub const fn new(bytes: [u8; Self::LEN]) -> Self {
        Self(bytes)
    }

    /// The secret itself: for the cipher, and nothing else.
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

/// Why a text or a file gives no key. It says what kind of thing was found and how long it is, never the thing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// Nothing where a key should be.
    #[error("the key is empty, expected 64 hex digits or base64 of 32 bytes")]
    Empty,
    /// 32 hex digits: the name of a key.
    #[error("this is a GUID, not a key, expected 64 hex digits or base64 of 32 bytes")]
    LooksLikeGuid,
    /// What stands before `=` in `GUID=KEY`, or beside a key in a file, names nothing.
    #[error("the name of the key is not a GUID, expected 32 hex digits")]
    BadGuid,
    /// Hex digits, but not 64 of them.
    #[error("the key has {}, expected 64", counted(*digits as u64, "hex digit", "hex digits"))]
    HexLength {
        /// Hex digits after `0x`.
        digits: usize,
    },
    /// Base64, but not of 32 bytes.
    #[error("the key has {} in base64, expected 32", counted(*bytes as u64, "byte", "bytes"))]
    Base64Length {
        /// Bytes that the text decodes to.
        bytes: usize,
    },
    /// Neither hex nor base64.
    #[error(
        "the key is neither hex nor base64 ({}), expected 64 hex digits or base64 of 32 bytes",
        counted(*characters as u64, "character", "characters")
    )]
    NotAKey {
        /// Length of the text.
        characters: usize,
    },
    /// The file is no key file: nobody writes keys by the megabyte.
    #[error("the key file has {len} bytes, expected at most {limit}")]
    FileTooLarge {
        /// Bytes in the file.
        len: usize,
        /// The largest length that is read.
        limit: usize,
    },
    /// The file is no text.
    #[error("the key file is {0}")]
    FileNotText(NotText),
    /// The file starts like JSON, but does not go on like it, or has values of other types than keys have.
    #[error("the key file is not valid JSON, or of an unknown form: line {line}, column {column}")]
    Json {
        /// Line, counted from 1.
        line: usize,
        /// Column, counted from 1.
        column: usize,
    },
    /// One entry of a file is wrong.
    #[error("{error}: {place}")]
    InFile {
        /// Which entry: a line or a JSON path, without anything that the file says.
        place: String,
        /// What is wrong with it.
        error: Box<KeyError>,
    },
}

impl KeyError {
    /// Adds the place in a key file to an error.
    pub(super) fn at(self, place: impl Into<String>) -> Self {
        Self::InFile { place: place.into(), error: Box::new(self) }
    }
}
