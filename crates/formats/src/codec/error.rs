use super::{Method, OodleError};
use crate::wire::counted;

/// Why a block cannot be decoded. It names the codec, not the block: the caller adds where that is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The block breaks the rules of its format.
    #[error("{method} block is malformed: {reason}")]
    Malformed {
        /// The codec.
        method: Method,
        /// What the codec says.
        reason: String,
    },
    /// The block ends before its stream does.
    #[error("{method} block is cut off after {}", bytes(*len))]
    Truncated {
        /// The codec.
        method: Method,
        /// Stored length of the block.
        len: usize,
    },
    /// The block gives fewer bytes than it should.
    #[error("{method} block decodes to {}, expected {expected}", bytes(*found))]
    Short {
        /// The codec.
        method: Method,
        /// Bytes decoded.
        found: usize,
        /// Bytes expected.
        expected: usize,
    },
    /// The block gives more bytes than it should.
    #[error("{method} block decodes to more than {}", bytes(*expected))]
    Long {
        /// The codec.
        method: Method,
        /// Bytes expected.
        expected: usize,
    },
    /// The stream ends before the block does.
    #[error("{method} block has {} after its end", bytes(*left))]
    Trailing {
        /// The codec.
        method: Method,
        /// Bytes that belong to nothing.
        left: usize,
    },
    /// An Oodle block, in the words of its own decoder.
    #[error(transparent)]
    Oodle(#[from] OodleError),
    /// A block of a user-supplied codec.
    #[error("{name} block is malformed: {reason}")]
    Custom {
        /// The name that the codec was given for.
        name: String,
        /// What the codec says.
        reason: String,
    },
    /// The block needs a user-supplied codec that was not registered.
    #[error("no codec is registered for the block")]
    NoCodec,
}

/// A length in a message.
fn bytes(len: usize) -> String {
    counted(len as u64, "byte", "bytes")
}

impl DecodeError {
    /// Compares the number of bytes that a codec gave with the number it should give.
    pub(super) const fn check_len(method: Method, found: usize, expected: usize) -> Result<(), Self> {
        if found < expected {
            Err(Self::Short { method, found, expected })
        } else if found > expected {
            Err(Self::Long { method, expected })
        } else {
            Ok(())
        }
    }

    /// Checks that nothing of a block is left when its stream has ended.
    pub(super) const fn check_end(method: Method, left: usize) -> Result<(), Self> {
        if left == 0 { Ok(()) } else { Err(Self::Trailing { method, left }) }
    }
}

/// Why bytes cannot be compressed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The encoder was left out of this build.
    #[error("{method} blocks cannot be written: this build lacks the feature `{feature}`")]
    NotBuilt {
        /// The codec.
        method: Method,
        /// The feature that brings it.
        feature: &'static str,
    },
    /// The codec has no such level.
    #[error("{method} has no level {found}, expected {lowest} to {highest}")]
    Level {
        /// The codec.
        method: Method,
        /// The level asked for.
        found: i32,
        /// The fastest level.
        lowest: i32,
        /// The level that compresses best.
        highest: i32,
    },
    /// The codec has one level.
    #[error("{method} has no levels")]
    NoLevels {
        /// The codec.
        method: Method,
    },
    /// User-supplied codecs only decode.
    #[error("user-supplied codecs cannot compress")]
    OnlyRead,
    /// The codec failed.
    #[error("the {method} encoder failed: {reason}")]
    Failed {
        /// The codec.
        method: Method,
        /// What the codec says.
        reason: String,
    },
}

/// The level to use: the one asked for, if the codec has it, or its default.
pub(super) fn checked_level(method: Method, level: Option<i32>) -> Result<i32, EncodeError> {
    let (lowest, highest, default) = match method {
        Method::Zlib | Method::Gzip => (0, 9, 6),
        Method::Zstd => (1, 22, 3),
        Method::Oodle => (0, 4, 3),
        Method::None | Method::Lz4 | Method::Custom(_) if level.is_some() => {
            return Err(EncodeError::NoLevels { method });
        }
        Method::None | Method::Lz4 | Method::Custom(_) => return Ok(0),
    };
    match level.unwrap_or(default) {
        found if (lowest..=highest).contains(&found) => Ok(found),
        found => Err(EncodeError::Level { method, found, lowest, highest }),
    }
}
