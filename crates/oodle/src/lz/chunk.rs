//! Parts that the three codecs share: the place of a chunk in the output, and the steps from its bytes to
//! that output.

use crate::backend::Backend;
use crate::error::{Error, Result, StreamPart};
use crate::scratch::Parts;
use crate::views::Input;

/// Place of a chunk in the output.
///
/// `dst` starts at the oldest byte that a match may reach; `dst[..start]` is decoded, `dst[start..end]` is
/// this chunk, and bytes after `end` are written later, so kernels may overwrite them.
pub(crate) struct Window<'d> {
    pub(crate) dst: &'d mut [u8],
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Window<'_> {
    /// Returns the bytes of this chunk.
    pub(crate) fn chunk(&mut self) -> &mut [u8] {
        self.dst.get_mut(self.start..self.end).unwrap_or_default()
    }

    /// Returns the number of bytes in this chunk.
    pub(crate) fn chunk_len(&self) -> usize {
        self.end - self.start
    }
}

/// Lists of one chunk: literals, commands, offsets and lengths, in the order and coding of one codec.
pub(super) trait Lists<'a>: Sized {
    /// Interpretation of literals.
    type Literals: FromMode;

    /// Reads the lists from the bytes of a chunk, which must be used up.
    fn read(
        chunk: Input<'a>,
        literals: Self::Literals,
        window: &Window<'_>,
        parts: Parts<'a>,
    ) -> Result<Self>;

    /// True if the commands ask for exactly as many offsets and lengths as there are. The kernels rely on it:
    /// they do not look for the end of these lists.
    fn is_consistent(&self, backend: Backend) -> bool;

    /// Runs all commands; the output of the chunk starts at `first`.
    fn run(
        &self,
        literals: Self::Literals,
        backend: Backend,
        window: &mut Window<'_>,
        first: usize,
    ) -> Result<()>;
}

/// Decodes a chunk: reads its lists, checks them against each other, and runs its commands.
pub(super) fn decode<'a, L: Lists<'a>>(
    mut chunk: Input<'a>,
    mode: u8,
    window: &mut Window<'_>,
    parts: Parts<'a>,
) -> Result<()> {
    let first = first_bytes(&mut chunk, window)?;
    let literals = L::Literals::from_mode(mode).ok_or(Error::Malformed(StreamPart::ChunkHeader))?;
    let backend = parts.backend;
    let lists = L::read(chunk, literals, window, parts)?;
    // One pass over the commands, so that no loop over them has to check the ends of lists.
    if !lists.is_consistent(backend) {
        return Err(Error::Malformed(StreamPart::Commands));
    }
    lists.run(literals, backend, window, first)
}

/// Raw bytes at the start of a history, so that every recent distance (8 at first) has a target.
const FIRST_BYTES: usize = 8;

/// Copies the raw bytes at the start of a history, and returns the position where LZ data start.
fn first_bytes(chunk: &mut Input<'_>, window: &mut Window<'_>) -> Result<usize> {
    if window.start > 0 {
        return Ok(window.start);
    }
    let raw: [u8; FIRST_BYTES] = chunk.array(StreamPart::ChunkHeader)?;
    let out = window.chunk().first_chunk_mut().ok_or(Error::Malformed(StreamPart::ChunkHeader))?;
    *out = raw;
    Ok(FIRST_BYTES)
}

/// Meaning of the mode in a chunk header.
pub(super) trait FromMode: Copy {
    /// Returns the meaning of a mode; `None` if it does not exist.
    fn from_mode(mode: u8) -> Option<Self>;
}

/// Literals of Kraken and Mermaid.
#[derive(Clone, Copy)]
pub(super) enum Literals {
    /// Relative to the byte at the last distance: for samples and tables, which change little from record to
    /// record.
    Delta,
    /// Unchanged.
    Raw,
}

/// Command loops that are compiled twice, once for each kind of literals.
pub(super) trait Commands {
    /// Runs all commands; the output of the chunk starts at `first`.
    fn run_commands<const DELTA: bool>(
        &self,
        backend: Backend,
        window: &mut Window<'_>,
        first: usize,
    ) -> Result<()>;
}

impl Literals {
    /// Runs the loop that is compiled for these literals.
    pub(super) fn run(
        self,
        commands: &impl Commands,
        backend: Backend,
        window: &mut Window<'_>,
        first: usize,
    ) -> Result<()> {
        match self {
            Self::Delta => commands.run_commands::<true>(backend, window, first),
            Self::Raw => commands.run_commands::<false>(backend, window, first),
        }
    }
}

impl FromMode for Literals {
    fn from_mode(mode: u8) -> Option<Self> {
        match mode {
            0 => Some(Self::Delta),
            1 => Some(Self::Raw),
            _ => None,
        }
    }
}

/// Counts the list entries that commands ask for, up to two per command.
pub(super) fn count(backend: Backend, commands: &[u8], entries: impl Fn(u8) -> u8) -> usize {
    // Sums of bytes first: the compiler then counts a whole vector of commands at a time. 96 commands with
    // two entries each fit into a byte.
    let small_sum = |commands: &[u8]| commands.iter().map(|command| entries(*command)).sum::<u8>();
    backend.run(
        #[inline(always)]
        || commands.chunks(96).map(|commands| usize::from(small_sum(commands))).sum(),
    )
}
