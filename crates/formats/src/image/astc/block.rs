//! A block: its parts, and its pixels.

use super::bits::field;
use super::endpoints::Endpoints;
use super::mode::Mode;
use super::partitions::Pattern;
use super::sequence::{Digit, MOST, Range};
use super::weights::Grid;
use super::{floats, unquantize};

/// A valid block of several colours.
#[derive(Debug, Clone)]
pub(super) struct Block {
    grid: Grid,
    /// Endpoints of each partition.
    endpoints: [Endpoints; 4],
    /// Partitions of the pixels, if there are several.
    pattern: Option<Pattern>,
    /// Channel whose weights are those of the second plane.
    second: Option<usize>,
}

/// Ranges of the values of endpoints, the widest first.
const RANGES: [Range; 17] = [
    Range::new(Digit::None, 8),
    Range::new(Digit::Trit, 6),
    Range::new(Digit::Quint, 5),
    Range::new(Digit::None, 7),
    Range::new(Digit::Trit, 5),
    Range::new(Digit::Quint, 4),
    Range::new(Digit::None, 6),
    Range::new(Digit::Trit, 4),
    Range::new(Digit::Quint, 3),
    Range::new(Digit::None, 5),
    Range::new(Digit::Trit, 3),
    Range::new(Digit::Quint, 2),
    Range::new(Digit::None, 4),
    Range::new(Digit::Trit, 2),
    Range::new(Digit::Quint, 1),
    Range::new(Digit::None, 3),
    Range::new(Digit::Trit, 1),
];

/// The most values of all endpoints.
const MOST_VALUES: u32 = 18;

impl Block {
    /// Reads a block; `None` if it is not valid.
    pub(super) fn parse(bits: u128, footprint: [u32; 2]) -> Option<Self> {
        let mode = Mode::parse(field(bits, 0, 11))?;
        let (weights, weight_bits) = (mode.count(), mode.range.len(mode.count()));
        let is_inside = mode.grid.iter().zip(footprint).all(|(grid, whole)| *grid <= whole);
        let partitions = field(bits, 11, 2) + 1;
        let is_valid = is_inside
            && weights <= 64
            && (24..=96).contains(&weight_bits)
            && !(mode.is_dual && partitions == 4);
        if !is_valid {
            return None;
        }
        let mut end = 128 - weight_bits;
        let forms = forms(bits, partitions, &mut end);
        let second = mode.is_dual.then(|| {
            end -= 2;
            field(bits, end, 2) as usize
        });
        let start = if partitions == 1 { 17 } else { 29 };
        let endpoints = endpoints(bits, start, end, forms.get(..partitions as usize)?)?;
        let pattern = (partitions > 1).then(|| Pattern::new(field(bits, 13, 10), partitions, footprint));
        // Weights are stored backwards.
        let mut grid = Grid { mode, weights: [0; MOST], footprint };
        let numbers = mode.range.read(bits.reverse_bits(), weights);
        for (weight, number) in grid.weights.iter_mut().zip(numbers) {
            *weight = unquantize::weight(mode.range, number);
        }
        Some(Self { grid, endpoints, pattern, second })
    }

    /// Writes its pixels, row by row.
    pub(super) fn fill(&self, tile: &mut [[u16; 4]]) {
        let Self { grid, endpoints, pattern, second } = self;
        let [width, height] = grid.footprint;
        let second = *second;
        let places = (0..height).flat_map(|y| (0..width).map(move |x| [x, y]));
        for (pixel, [x, y]) in tile.iter_mut().zip(places) {
            let partition = pattern.map_or(0, |pattern| pattern.partition(x, y));
            let Some(own) = endpoints.get(partition) else { continue };
            let weight = grid.weight([x, y], 0);
            let other = if second.is_some() { grid.weight([x, y], 1) } else { weight };
            let [low, high] = own.ends;
            for (channel, ((value, low), high)) in pixel.iter_mut().zip(low).zip(high).enumerate() {
                let weight = if second == Some(channel) { other } else { weight };
                let is_hdr = if channel == 3 { own.has_hdr_alpha } else { own.is_hdr };
                *value = mixed([low, high], weight, is_hdr);
            }
        }
    }
}

/// A value between two.
fn mixed(ends: [i32; 2], weight: u32, is_hdr: bool) -> u16 {
    let [low, high] = ends.map(|end| u32::try_from(end).unwrap_or(0) * if is_hdr { 16 } else { 257 });
    let value = (low * (64 - weight) + high * weight + 32) >> 6;
    if is_hdr { floats::of_logarithm(value) } else { floats::of_fraction(value) }
}

/// True for a block of one colour.
pub(super) fn is_plain(bits: u128) -> bool {
    field(bits, 0, 9) == 0x1FC
}

/// The colour of a block of one colour; `None` if it is not valid.
pub(super) fn plain(bits: u128) -> Option<[u16; 4]> {
    // Where the colour goes on in the picture; all ones say nothing about it.
    let [left, right, top, bottom] = [12, 25, 38, 51].map(|at| field(bits, at, 13));
    let is_unsaid = [left, right, top, bottom] == [0x1FFF; 4];
    let is_valid = field(bits, 10, 2) == 3 && (is_unsaid || (left < right && top < bottom));
    let is_float = field(bits, 9, 1) == 1;
    let value = |at| {
        let value = field(bits, at, 16);
        if is_float { u16::try_from(value).unwrap_or(0) } else { floats::of_fraction(value) }
    };
    is_valid.then(|| [64, 80, 96, 112].map(value))
}

/// The forms of the endpoints of each partition. What does not fit in front is before `end`.
fn forms(bits: u128, partitions: u32, end: &mut u32) -> [u32; 4] {
    if partitions == 1 {
        return [field(bits, 13, 4); 4];
    }
    let classes = field(bits, 23, 2);
    if classes == 0 {
        return [field(bits, 25, 4); 4];
    }
    let more = 3 * partitions - 4;
    *end -= more;
    let packed = field(bits, 25, 4) | field(bits, *end, more) << 4;
    // A bit for each: which of two classes; then two bits for each: the form in its class.
    let form = |at: u32| (classes - 1 + (packed >> at & 1)) << 2 | packed >> (partitions + 2 * at) & 3;
    [0, 1, 2, 3].map(form)
}

/// The endpoints of each partition, between two bits; `None` if they do not fit.
fn endpoints(bits: u128, start: u32, end: u32, forms: &[u32]) -> Option<[Endpoints; 4]> {
    let values_of = |form: u32| 2 * ((form >> 2) + 1);
    let count: u32 = forms.iter().map(|form| values_of(*form)).sum();
    let room = end.checked_sub(start)?;
    let range = RANGES.into_iter().find(|range| range.len(count) <= room).filter(|_| count <= MOST_VALUES)?;
    let numbers = range.read(bits >> start, count);
    let values = numbers.map(|number| u8::try_from(unquantize::color(range, number)).unwrap_or(u8::MAX));
    let (mut made, mut at) = ([Endpoints::new(0, &[]); 4], 0);
    for (endpoints, form) in made.iter_mut().zip(forms) {
        let next = at + values_of(*form) as usize;
        *endpoints = Endpoints::new(*form, values.get(at..next).unwrap_or_default());
        at = next;
    }
    Some(made)
}
