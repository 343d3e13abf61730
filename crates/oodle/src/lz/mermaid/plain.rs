//! Plain command loops of Mermaid: short commands, which are nearly all, in a tight loop; any other one at a
//! time.

use super::streams::{Half, MIN_DISTANCE, Progress, Streams};
use crate::error::{Error, Result, StreamPart};
use crate::lz::chunk::Window;
use crate::lz::plain::{Output, match_step, sum, word};

/// First command with literals; those below are far matches, or have a length in the list.
const FIRST_SHORT: u8 = 0x18;

/// First command that is a far match with a fixed length.
const FIRST_FAR: u8 = 3;

/// Difference between the length of such a match and its command.
const FAR_LEN: usize = 5;

/// Lists that the commands consume.
#[derive(Clone, Copy)]
struct Lists<'a> {
    literals: &'a [u8],
    near: &'a [[u8; 2]],
    /// Number of near offsets used so far.
    near_at: usize,
    far: &'a [u32],
    /// Number of far offsets used so far.
    far_at: usize,
    /// Position that far offsets count back from.
    far_base: usize,
    lengths: &'a [u8],
    /// Distance of the last match.
    recent: usize,
}

/// Decodes the rest of a half.
pub(super) fn finish_half<const DELTA: bool>(
    streams: &Streams<'_>,
    half: &Half<'_>,
    window: &mut Window<'_>,
    progress: &mut Progress,
) -> Result<()> {
    let mut lists = Lists {
        literals: streams.literals.bytes().get(progress.literal..).unwrap_or_default(),
        near: streams.near.bytes().as_chunks().0,
        near_at: progress.near,
        far: half.far.get(..half.far_count).unwrap_or_default(),
        far_at: progress.far,
        far_base: half.start,
        lengths: streams.lengths.bytes().get(progress.length..).unwrap_or_default(),
        recent: progress.recent,
    };
    let mut half_window = Window { dst: window.dst, start: half.start, end: half.end };
    let mut out = Output::new(&mut half_window, progress.pos);
    let mut commands = half.commands.bytes().get(progress.command..).unwrap_or_default();
    loop {
        // The tight loop stops at anything that it cannot do; the general command decides whether that is a
        // fault.
        let done = short_commands::<DELTA>(commands, &mut lists, &mut out);
        let Some((command, rest)) = commands.get(done..).and_then(<[u8]>::split_first) else { break };
        lists.command::<DELTA>(*command, &mut out)?;
        commands = rest;
    }
    // The half ends with literals that no command names.
    let tail = out.left();
    out.literals::<DELTA>(&mut lists.literals, tail, lists.recent)?;
    *progress = Progress {
        pos: half.end,
        command: 0,
        literal: streams.literals.len() - lists.literals.len(),
        near: lists.near_at,
        far: 0,
        length: streams.lengths.len() - lists.lengths.len(),
        recent: lists.recent,
    };
    Ok(())
}

/// Runs short commands as long as whole words can be copied for them, and returns their number.
///
/// All but the rare long forms are one byte that is taken apart by shifts: hence this codec is faster than
/// Kraken, and compresses less. The state of the loop is copied to locals, so that it stays in registers.
#[inline(never)]
fn short_commands<const DELTA: bool>(
    commands: &[u8],
    lists: &mut Lists<'_>,
    output: &mut Output<'_>,
) -> usize {
    let Lists { mut literals, near, mut near_at, far, mut far_at, far_base, mut recent, .. } = *lists;
    let (dst, mut pos) = output.parts();
    let mut done = 0;
    for command in commands.iter().copied() {
        if command >= FIRST_SHORT {
            // Which of the two distances is used cannot be predicted, so both are loaded before one is
            // chosen.
            let new = near.get(near_at).map_or(0, |near| usize::from(u16::from_le_bytes(*near)));
            let is_new = command < 0x80;
            let distance = core::hint::select_unpredictable(is_new, new, recent);
            let run = usize::from(command & 7);
            // Order matters: the match may copy the literals just written.
            if eight_literals::<DELTA>(dst, pos, literals, recent).is_none()
                || match_step(dst, pos + run, distance).is_none()
            {
                break;
            }
            literals = literals.get(run..).unwrap_or_default();
            near_at += usize::from(is_new);
            recent = distance;
            pos += run + usize::from(command >> 3 & 15);
        } else {
            let Some(offset) = far.get(far_at).filter(|_| command >= FIRST_FAR) else { break };
            let distance = *offset as usize + (pos - far_base);
            if distance < MIN_DISTANCE
                || match_step(dst, pos, distance).is_none()
                // A far match has up to 28 bytes: two steps.
                || match_step(dst, pos + 16, distance).is_none()
            {
                break;
            }
            far_at += 1;
            recent = distance;
            pos += usize::from(command) + FAR_LEN;
        }
        done += 1;
    }
    // Only complete commands are recorded; the one that stopped the loop has had no effect but bytes that are
    // overwritten.
    output.moved_to(pos);
    *lists = Lists { literals, near_at, far_at, recent, ..*lists };
    done
}

/// Copies, or adds, eight literals, more than a short command has, if list and output have room for them.
#[expect(clippy::inline_always, reason = "a part of the loop")]
#[inline(always)]
fn eight_literals<const DELTA: bool>(dst: &mut [u8], pos: usize, source: &[u8], last: usize) -> Option<()> {
    let literals = *source.first_chunk()?;
    let literals = if DELTA { sum(literals, word(dst, pos.checked_sub(last)?)?) } else { literals };
    *dst.get_mut(pos..)?.first_chunk_mut()? = literals;
    Some(())
}

impl Lists<'_> {
    /// Runs any command, at any position of the output.
    #[inline(never)]
    fn command<const DELTA: bool>(&mut self, command: u8, out: &mut Output<'_>) -> Result<()> {
        match usize::from(command) {
            0 => {
                let run = self.length()? + 64;
                out.literals::<DELTA>(&mut self.literals, run, self.recent)
            }
            1 => {
                let len = self.length()? + 91;
                self.recent = self.near()?;
                self.copy_match(out, len)
            }
            command @ 2..0x18 => {
                let len = if command == 2 { self.length()? + 29 } else { command + FAR_LEN };
                // A far offset counts from the start of the half, so the same source has the same offset
                // throughout the half.
                let offset = self.far.get(self.far_at).ok_or(Error::Malformed(StreamPart::Offsets))?;
                self.far_at += 1;
                self.recent = *offset as usize + (out.pos() - self.far_base);
                self.copy_match(out, len)
            }
            command => {
                out.literals::<DELTA>(&mut self.literals, command & 7, self.recent)?;
                if command < 0x80 {
                    self.recent = self.near()?;
                }
                self.copy_match(out, command >> 3 & 15)
            }
        }
    }

    /// Reads a length: one byte up to 251; above, two more bytes, which count in fours.
    fn length(&mut self) -> Result<usize> {
        const EARLY: Error = Error::Malformed(StreamPart::Lengths);
        let first = usize::from(*self.lengths.split_off_first().ok_or(EARLY)?);
        if first <= 251 {
            return Ok(first);
        }
        let (word, rest) = self.lengths.split_first_chunk().ok_or(EARLY)?;
        self.lengths = rest;
        Ok(first + 4 * usize::from(u16::from_le_bytes(*word)))
    }

    fn near(&mut self) -> Result<usize> {
        let word = self.near.get(self.near_at).ok_or(Error::Malformed(StreamPart::Offsets))?;
        self.near_at += 1;
        Ok(usize::from(u16::from_le_bytes(*word)))
    }

    fn copy_match(&self, out: &mut Output<'_>, len: usize) -> Result<()> {
        // A short command may consist of literals only; the distance that it names is recorded all the same.
        if len == 0 {
            return Ok(());
        }
        if self.recent < MIN_DISTANCE {
            return Err(Error::Malformed(StreamPart::Match));
        }
        out.copy_match(self.recent, len)
    }
}
