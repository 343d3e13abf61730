//! The contract between block readers and codecs.

use super::error::{DecodeProblem, EncodeProblem};
use std::any::Any;
use std::fmt;

/// A codec for the blocks of one compression method. Built-in and user-supplied codecs implement the same
/// trait; only [`decode`](Self::decode) is required.
///
/// Worker threads call a codec concurrently, each with its own [`Scratch`], which holds everything that is
/// reused from block to block.
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
    /// Decodes one block into all of `out`, whose length is the decoded length of the block.
    ///
    /// Blocks come from files and are untrusted. A damaged block, or one with fewer or more bytes than
    /// `out`, is an error; `out` is unspecified after it.
    fn decode(&self, block: &[u8], out: &mut [u8], scratch: &mut Scratch) -> Result<(), DecodeProblem>;

    /// Appends `bytes` as one block to `out`, which is empty. `level` is within [`levels`](Self::levels),
    /// or 0 for a codec without levels.
    fn encode(
        &self,
        bytes: &[u8],
        level: i32,
        out: &mut Vec<u8>,
        scratch: &mut Scratch,
    ) -> Result<(), EncodeProblem> {
        Err(EncodeProblem::OnlyDecodes)
    }

    /// The supported compression levels; `None` if there is only one.
    fn levels(&self) -> Option<LevelRange> {
        None
    }

    /// Memory in bytes for decoding, without the blocks themselves; the longest block decodes to `raw_len`
    /// bytes.
    fn scratch_len(&self, raw_len: usize) -> usize {
        0
    }

    /// Upper bound, in bytes, on the memory for encoding, without the blocks themselves.
    fn encoder_len(&self, level: i32) -> usize {
        0
    }
}

/// The compression levels of a codec, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelRange {
    /// The fastest level.
    pub lowest: i32,
    /// The level with the smallest output, or the slowest to decode.
    pub highest: i32,
    /// The default level.
    pub usual: i32,
}

impl LevelRange {
    /// Returns the level to use where the caller asked for `level`; `None` means the usual one.
    pub(super) fn choose(range: Option<Self>, level: Option<i32>) -> Result<i32, EncodeProblem> {
        let Some(Self { lowest, highest, usual }) = range else {
            // A level for a codec without any is an error rather than ignored: the caller would not get the
            // file it asked for.
            return if level.is_some() { Err(EncodeProblem::NoLevels) } else { Ok(0) };
        };
        match level.unwrap_or(usual) {
            found if (lowest..=highest).contains(&found) => Ok(found),
            found => Err(EncodeProblem::Level { found, lowest, highest }),
        }
    }
}

/// Memory that codecs reuse between blocks: use one per thread.
///
/// Starts empty. Each codec keeps its tables and windows in its own type, created on first use.
#[derive(Default)]
pub struct Scratch {
    kept: Vec<Box<dyn Any + Send>>,
}

impl Scratch {
    /// Lends the value of a type, in the state of its last use. Codecs that name the same type share its
    /// value, so private state needs a private type.
    ///
    /// ```
    /// # use uncask_formats as uncask;
    /// let mut scratch = uncask::codec::Scratch::default();
    /// scratch.with(|seen: &mut Vec<u8>| seen.push(7));
    /// assert_eq!(scratch.with(|seen: &mut Vec<u8>| seen.len()), 1);
    /// ```
    pub fn with<T: Any + Send + Default, R>(&mut self, work: impl FnOnce(&mut T) -> R) -> R {
        // The last value used is at the end, and blocks of one method usually follow each other.
        let known = self.kept.iter().rposition(|value| value.is::<T>());
        // The value leaves the list while it is lent, with its box: only the first block allocates.
        let value = known.and_then(|at| self.kept.swap_remove(at).downcast::<T>().ok());
        let mut value = value.unwrap_or_default();
        let result = work(&mut value);
        self.kept.push(value);
        result
    }
}
