use crate::wire::counted;
use std::fmt;
use uncask_oodle::Error as OodleError;

/// Why a block cannot be decoded. It names the codec, not the block: the caller adds where that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    /// Name of the compression method; of a user-supplied codec, the one that it was registered for.
    pub method: String,
    /// What is wrong with the block.
    pub problem: DecodeProblem,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            // One names the codec itself, and the other has none to name.
            DecodeProblem::Oodle(error) => error.fmt(f),
            DecodeProblem::NoCodec => self.problem.fmt(f),
            problem => write!(f, "{} block {problem}", self.method),
        }
    }
}

impl std::error::Error for DecodeError {}

/// A problem of a block, in the words of its codec, which does not know the name that it goes by.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeProblem {
    /// The block breaks the rules of its format.
    #[error("is malformed: {reason}")]
    Malformed {
        /// What the codec says.
        reason: String,
    },
    /// The block ends before its stream does.
    #[error("is cut off after {}", bytes(*len))]
    Truncated {
        /// Stored length of the block.
        len: usize,
    },
    /// The block gives fewer bytes than it should.
    #[error("decodes to {}, expected {expected}", bytes(*found))]
    Short {
        /// Bytes decoded.
        found: usize,
        /// Bytes expected.
        expected: usize,
    },
    /// The block gives more bytes than it should.
    #[error("decodes to more than {}", bytes(*expected))]
    Long {
        /// Bytes expected.
        expected: usize,
    },
    /// The stream ends before the block does.
    #[error("has {} after its end", bytes(*left))]
    Trailing {
        /// Bytes that belong to nothing.
        left: usize,
    },
    /// An Oodle block, in the words of its own decoder.
    #[error(transparent)]
    Oodle(#[from] OodleError),
    /// The block needs a user-supplied codec that was not registered.
    #[error("no codec is registered for the block")]
    NoCodec,
}

/// A length in a message.
fn bytes(len: usize) -> String {
    counted(len as u64, "byte", "bytes")
}

impl DecodeProblem {
    /// A block that breaks the rules of its format.
    #[must_use]
    pub fn malformed(reason: impl fmt::Display) -> Self {
        Self::Malformed { reason: reason.to_string() }
    }

    /// Compares the number of bytes that a codec gave with the number it should give.
    pub const fn check_len(found: usize, expected: usize) -> Result<(), Self> {
        if found < expected {
            Err(Self::Short { found, expected })
        } else if found > expected {
            Err(Self::Long { expected })
        } else {
            Ok(())
        }
    }

    /// Checks that nothing of a block is left when its stream has ended.
    pub const fn check_end(left: usize) -> Result<(), Self> {
        if left == 0 { Ok(()) } else { Err(Self::Trailing { left }) }
    }
}

/// Why bytes cannot be compressed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{method} {problem}")]
pub struct EncodeError {
    /// Name of the compression method; of a user-supplied codec, the one that it was registered for.
    pub method: String,
    /// What the codec cannot do.
    pub problem: EncodeProblem,
}

/// A problem of an encoder, which does not know the name that its codec goes by.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeProblem {
    /// The encoder was left out of this build.
    #[error("blocks cannot be written: this build lacks the feature `{feature}`")]
    NotBuilt {
        /// The feature that brings it.
        feature: &'static str,
    },
    /// The codec has no encoder.
    #[error("blocks cannot be written: the codec only decodes")]
    OnlyDecodes,
    /// The method needs a user-supplied codec that was not registered.
    #[error("blocks cannot be written: no codec is registered for them")]
    NoCodec,
    /// The codec has no such level.
    #[error("has no level {found}, expected {lowest} to {highest}")]
    Level {
        /// The level asked for.
        found: i32,
        /// The fastest level.
        lowest: i32,
        /// The level that compresses best.
        highest: i32,
    },
    /// The codec has one level.
    #[error("has no levels")]
    NoLevels,
    /// The codec failed.
    #[error("encoder failed: {reason}")]
    Failed {
        /// What the codec says.
        reason: String,
    },
}

impl EncodeProblem {
    /// A failure of an encoder.
    #[must_use]
    pub fn failed(reason: impl fmt::Display) -> Self {
        Self::Failed { reason: reason.to_string() }
    }
}
