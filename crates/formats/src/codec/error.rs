use crate::wire::counted;
use std::fmt;
use uncask_oodle::Error as OodleError;

/// An error from decoding a block. It names the codec; the caller adds the file and offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    /// Name of the compression method; for a user-supplied codec, the name it was registered for.
    pub method: String,
    /// The problem with the block.
    pub problem: DecodeProblem,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            // The Oodle message names its codec already, and without a codec there is no name worth adding.
            DecodeProblem::Oodle(error) => error.fmt(f),
            DecodeProblem::NoCodec => self.problem.fmt(f),
            problem => write!(f, "{} block {problem}", self.method),
        }
    }
}

impl std::error::Error for DecodeError {}

/// A problem with a block. A codec does not know its registered name, so [`DecodeError`] adds it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeProblem {
    /// The block breaks the rules of its format.
    #[error("is malformed: {reason}")]
    Malformed {
        /// The codec's message.
        reason: String,
    },
    /// The block ends before its stream does.
    #[error("is cut off after {}", bytes(*len))]
    Truncated {
        /// Stored length of the block.
        len: usize,
    },
    /// The block decodes to fewer bytes than expected.
    #[error("decodes to {}, expected {expected}", bytes(*found))]
    Short {
        /// Bytes decoded.
        found: usize,
        /// Bytes expected.
        expected: usize,
    },
    /// The block decodes to more bytes than expected.
    #[error("decodes to more than {}", bytes(*expected))]
    Long {
        /// Bytes expected.
        expected: usize,
    },
    /// The stream ends before the block does.
    #[error("has {} after its end", bytes(*left))]
    Trailing {
        /// Unused bytes after the stream.
        left: usize,
    },
    /// An error from the Oodle decoder.
    #[error(transparent)]
    Oodle(#[from] OodleError),
    /// The block needs a user-supplied codec that was not registered.
    #[error("no codec is registered for the block")]
    NoCodec,
}

/// A byte count in a message, with its unit.
fn bytes(len: usize) -> String {
    counted(len as u64, "byte", "bytes")
}

impl DecodeProblem {
    /// A block that breaks the rules of its format.
    #[must_use]
    pub fn malformed(reason: impl fmt::Display) -> Self {
        Self::Malformed { reason: reason.to_string() }
    }

    /// Checks that a codec decoded exactly the expected number of bytes.
    pub const fn check_len(found: usize, expected: usize) -> Result<(), Self> {
        if found < expected {
            Err(Self::Short { found, expected })
        } else if found > expected {
            Err(Self::Long { expected })
        } else {
            Ok(())
        }
    }

    /// Checks that no bytes of a block follow its stream.
    pub const fn check_end(left: usize) -> Result<(), Self> {
        if left == 0 { Ok(()) } else { Err(Self::Trailing { left }) }
    }
}

/// An error from compressing a block.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{method} {problem}")]
pub struct EncodeError {
    /// Name of the compression method; for a user-supplied codec, the name it was registered for.
    pub method: String,
    /// The problem of the encoder.
    pub problem: EncodeProblem,
}

/// A problem of an encoder. A codec does not know its registered name, so [`EncodeError`] adds it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeProblem {
    /// The encoder was left out of this build.
    #[error("blocks cannot be written: this build lacks the feature `{feature}`")]
    NotBuilt {
        /// The Cargo feature that adds the encoder.
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
        /// The level with the smallest output.
        highest: i32,
    },
    /// The codec has only one level, so none can be chosen.
    #[error("has no levels")]
    NoLevels,
    /// The codec failed.
    #[error("encoder failed: {reason}")]
    Failed {
        /// The codec's message.
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
