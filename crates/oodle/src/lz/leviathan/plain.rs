//! Plain command loop of Leviathan.

use super::streams::{MIN_DISTANCE, Model, Progress, Streams};
use crate::error::{Error, Result, StreamPart};
use crate::lz::chunk::Window;
use crate::lz::plain::Output;

/// Decodes the rest of a chunk.
pub(super) fn finish(
    streams: &Streams<'_>,
    model: Model,
    window: &mut Window<'_>,
    progress: &mut Progress,
) -> Result<()> {
    let start = window.start;
    let mut out = Output::new(window, progress.pos);
    let lists = streams.literals.lists(&progress.literals).ok_or(Error::Malformed(StreamPart::Literals))?;
    let mut literals = Literals { lists, model, start };
    let mut commands =
        streams.commands.lists(&progress.commands).ok_or(Error::Malformed(StreamPart::Commands))?;
    // The fast loop may have used some of each list: the plain one continues there.
    let mut offsets = streams.values.offsets.iter().take(streams.values.offset_count).skip(progress.offset);
    let mut lengths = streams.values.lengths.get(progress.front..progress.back).unwrap_or_default().iter();
    let early = Error::Malformed(StreamPart::Lengths);
    let mut recent = progress.recent.map(|distance| distance as usize);
    for _ in progress.done..streams.commands.array.len() {
        // In records of 2, 4 or 8 bytes, the next command depends on the position in the record, so each
        // position has a list.
        let list = if streams.multi_commands { (out.pos() - start) & 7 } else { 0 };
        let command = next(&mut commands, list, StreamPart::Commands)?;
        let run = match usize::from(command >> 3 & 3) {
            3 => *lengths.next().ok_or(early)? as usize,
            short => short,
        };
        let len = match usize::from(command & 7) {
            7 => (*lengths.next_back().ok_or(early)? as usize).saturating_add(6),
            short => short + 2,
        };
        literals.copy(&mut out, run, recent[0])?;
        // As in Kraken, but with seven recent distances: the one used moves to the front, and a new one drops
        // the last.
        let index = usize::from(command >> 5);
        let distance = match recent.get(index) {
            Some(distance) => *distance,
            None => *offsets.next().ok_or(Error::Malformed(StreamPart::Offsets))? as usize,
        };
        recent.copy_within(..index.min(6), 1);
        recent[0] = distance;
        // Encoders use distances below 8 only for matches that do not overlap themselves, and never with
        // delta literals.
        if distance < MIN_DISTANCE && (model.is_delta() || distance < len) {
            return Err(Error::Malformed(StreamPart::Match));
        }
        out.copy_match(distance, len)?;
    }
    // Literals without a command fill the rest of the chunk.
    let tail = out.left();
    literals.copy(&mut out, tail, recent[0])?;
    let used_up = offsets.next().is_none() && lengths.next().is_none();
    let literals_used_up = literals.lists.iter().all(|list| list.is_empty());
    if used_up && literals_used_up { Ok(()) } else { Err(Error::Malformed(StreamPart::Commands)) }
}

fn next(lists: &mut [&[u8]; 16], list: usize, part: StreamPart) -> Result<u8> {
    let list = lists.get_mut(list & 15).ok_or(Error::Malformed(part))?;
    list.split_off_first().copied().ok_or(Error::Malformed(part))
}

struct Literals<'a> {
    lists: [&'a [u8]; 16],
    model: Model,
    start: usize,
}

impl Literals<'_> {
    fn copy(&mut self, out: &mut Output<'_>, run: usize, distance: usize) -> Result<()> {
        const PART: StreamPart = StreamPart::Literals;
        // The model chooses the list by what is known already: the position, the byte before, or the place in
        // the run.
        let [list, ..] = &mut self.lists;
        match self.model {
            Model::Raw => return out.literals::<false>(list, run, distance),
            Model::Delta => return out.literals::<true>(list, run, distance),
            Model::Nibble => {
                let mut before = out.back(1)?;
                for _ in 0..run {
                    before = next(&mut self.lists, usize::from(before >> 4), PART)?;
                    out.push(before)?;
                }
            }
            Model::DeltaFirst => {
                for count in 0..run {
                    let value = next(&mut self.lists, usize::from(count == 0), PART)?;
                    out.push(value.wrapping_add(out.back(distance)?))?;
                }
            }
            Model::Delta4 | Model::Delta16 => {
                let mask = if self.model == Model::Delta4 { 3 } else { 15 };
                for _ in 0..run {
                    let value = next(&mut self.lists, (out.pos() - self.start) & mask, PART)?;
                    out.push(value.wrapping_add(out.back(distance)?))?;
                }
            }
        }
        Ok(())
    }
}
