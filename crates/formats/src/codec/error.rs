use super::{Method, OodleError};

/// Why a block gives no bytes. It knows the codec, not the block: whoever read the block adds where it lies.
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
    #[error("{method} block is cut off after {len} bytes")]
    Truncated {
        /// The codec.
        method: Method,
        /// Stored length of the block.
        len: usize,
    },
    /// The block gives fewer bytes than it should.
    #[error("{method} block gives {found} bytes, expected {expected}")]
    Short {
        /// The codec.
        method: Method,
        /// Bytes decoded.
        found: usize,
        /// Bytes expected.
        expected: usize,
    },
    /// The block gives more bytes than it should.
    #[error("{method} block gives more than {expected} bytes, expected no more")]
    Long {
        /// The codec.
        method: Method,
        /// Bytes expected.
        expected: usize,
    },
    /// The stream ends before the block does.
    #[error("{method} block goes on for {left} bytes after its end")]
    Trailing {
        /// The codec.
        method: Method,
        /// Bytes that belong to nothing.
        left: usize,
    },
    /// An Oodle block, in the words of its own decoder.
    #[error(transparent)]
    Oodle(#[from] OodleError),
    /// A block of a codec that the user of the library brought along.
    #[error("{name} block is malformed: {reason}")]
    Custom {
        /// The name that the codec was given for.
        name: String,
        /// What the codec says.
        reason: String,
    },
    /// The block needs a codec of the user's that is not here.
    #[error("the codec of the block is not known here")]
    NoCodec,
    /// The codec was left out of this build.
    #[error("{method} blocks cannot be decoded: this build is without the feature {feature:?}")]
    NotBuilt {
        /// The codec.
        method: Method,
        /// The feature that brings it.
        feature: &'static str,
    },
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

/// Why bytes give no block.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The codec was left out of this build.
    #[error("{method} blocks cannot be written: this build is without the feature {feature:?}")]
    NotBuilt {
        /// The codec.
        method: Method,
        /// The feature that brings it.
        feature: &'static str,
    },
    /// The codec has no such level.
    #[error("{method} level {found} does not exist, expected {lowest} to {highest}")]
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
    #[error("{method} has no levels, expected none to be given")]
    NoLevels {
        /// The codec.
        method: Method,
    },
    /// A codec of the user's only decodes.
    #[error("blocks of this codec can only be read")]
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
        Method::Oodle => (1, 3, 3),
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
