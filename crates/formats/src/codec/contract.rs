//! The contract between blocks and codecs.

use super::error::{DecodeProblem, EncodeProblem};
use std::any::Any;
use std::fmt;

/// A codec for the blocks of one compression method. Built-in and user-supplied codecs implement it alike, and only
/// [`decode`](Self::decode) has to be there.
///
/// Workers call a codec at the same time, each with a [`Scratch`] of its own: what is reused from block to block lies there.
///
/// ```
/// # use uncask_formats as uncask;
/// use uncask::codec::{Codec, Codecs, DecodeProblem, MethodTable, Scratch};
///
/// /// Blocks whose bytes are inverted.
/// #[derive(Debug)]
/// struct Inverted;
///
/// impl Codec for Inverted {
///     fn decode(&self, block: &[u8], out: &mut [u8], _: &mut Scratch) -> Result<(), DecodeProblem> {
///         DecodeProblem::check_len(block.len(), out.len())?;
///         for (to, from) in out.iter_mut().zip(block) {
///             *to = !from;
///         }
///         Ok(())
///     }
/// }
///
/// let codecs = Codecs::default().with("MyGame", Inverted);
/// let table = MethodTable::new(["MyGame"]).with_codecs(&codecs);
/// let (method, mut out, mut scratch) = (table.lookup(1)?, [0; 2], Scratch::default());
/// table.decode(method, &[0xFF, 0xF0], &mut out, &mut scratch)?;
/// assert_eq!(out, [0x00, 0x0F]);
///
/// let error = table.decode(method, &[0xFF], &mut out, &mut scratch).unwrap_err();
/// assert_eq!(error.to_string(), "MyGame block decodes to 1 byte, expected 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[expect(unused_variables, reason = "the defaults use no argument, but the documentation shows their names")]
pub trait Codec: fmt::Debug + Send + Sync {
    /// Decodes one block into all of `out`, whose length is that of the decoded block.
    ///
    /// Blocks come from files: nothing in them can be relied on. A block that is damaged, or gives fewer or more bytes, is an
    /// error, after which `out` may hold anything.
    fn decode(&self, block: &[u8], out: &mut [u8], scratch: &mut Scratch) -> Result<(), DecodeProblem>;

    /// Appends `bytes` as one block to `out`, which is empty. The level is one of [`levels`](Self::levels), or 0 without any.
    fn encode(
        &self,
        bytes: &[u8],
        level: i32,
        out: &mut Vec<u8>,
        scratch: &mut Scratch,
    ) -> Result<(), EncodeProblem> {
        Err(EncodeProblem::OnlyDecodes)
    }

    /// Compression levels to choose from, if there are any.
    fn levels(&self) -> Option<LevelRange> {
        None
    }

    /// Bytes of memory that decoding takes beside the blocks themselves, of which the longest has `raw_len` bytes.
    fn scratch_len(&self, raw_len: usize) -> usize {
        0
    }

    /// Bytes of memory that encoding takes at most, beside the blocks themselves.
    fn encoder_len(&self, level: i32) -> usize {
        0
    }
}

/// The levels of a codec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelRange {
    /// The fastest level.
    pub lowest: i32,
    /// The level that compresses best, or decodes slowest.
    pub highest: i32,
    /// The level if none is asked for.
    pub usual: i32,
}

impl LevelRange {
    /// The level that a codec with these levels uses if `level` is asked for.
    pub(super) fn choose(range: Option<Self>, level: Option<i32>) -> Result<i32, EncodeProblem> {
        let Some(Self { lowest, highest, usual }) = range else {
            return if level.is_some() { Err(EncodeProblem::NoLevels) } else { Ok(0) };
        };
        match level.unwrap_or(usual) {
            found if (lowest..=highest).contains(&found) => Ok(found),
            found => Err(EncodeProblem::Level { found, lowest, highest }),
        }
    }
}

/// Memory that codecs reuse between blocks: one per thread.
///
/// It starts empty. Each codec keeps tables and windows in types of its own, which are made when they are first used.
#[derive(Default)]
pub struct Scratch {
    kept: Vec<Box<dyn Any + Send>>,
}

impl Scratch {
    /// Lends the value of a type, as it was after its last use. Codecs that use the same type share the value, so what nobody
    /// else may change needs a type of its own.
    ///
    /// ```
    /// # use uncask_formats as uncask;
    /// let mut scratch = uncask::codec::Scratch::default();
    /// scratch.with(|seen: &mut Vec<u8>| seen.push(7));
    /// assert_eq!(scratch.with(|seen: &mut Vec<u8>| seen.len()), 1);
    /// ```
    pub fn with<T: Any + Send + Default, R>(&mut self, work: impl FnOnce(&mut T) -> R) -> R {
        // What was used last is at the end, and blocks of one method follow each other.
        let known = self.kept.iter().rposition(|value| value.is::<T>());
        // The value leaves the list while it is lent, box and all: nothing is allocated but for the first block.
        let value = known.and_then(|at| self.kept.swap_remove(at).downcast::<T>().ok());
        let mut value = value.unwrap_or_default();
        let result = work(&mut value);
        self.kept.push(value);
        result
    }
}
