//! Stored facts about the rotations, translations and scales of tracks, without their keys.

use super::values::with_w;
use crate::wire::{Fault, FaultKind, Reader};

/// The rotations, translations or scales of all tracks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PartTable<'a> {
    pub(super) form: PartForm,
    /// Number of animated parts.
    pub(super) animated: usize,
    /// Number of the format that the first animated part has.
    pub(super) first_format: usize,
    /// Two bits for each track; empty if all parts are defaults.
    kinds: &'a [u8],
    constant: usize,
    constants: &'a [u8],
    ranges: &'a [u8],
}

/// Storage of all rotations, all translations or all scales.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartForm {
    /// Rotations of four floats.
    Quaternions,
    /// Rotations without w, which is not negative.
    Rotations { is_packed: bool },
    /// Translations and scales.
    Vectors { is_packed: bool },
}

/// Storage of one part of one track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartKind {
    /// Not stored: the default pose.
    Default,
    /// One value for the whole clip.
    Constant,
    /// One value per key.
    Animated,
}

/// Cursors over tables that hold rotations, then translations, then scales.
pub(super) struct PartTables<'a> {
    pub(super) kinds: Reader<'a>,
    pub(super) constants: Reader<'a>,
    pub(super) ranges: Reader<'a>,
    /// Number of formats so far.
    pub(super) formats: usize,
}

/// Lowest value and width of a range.
pub(super) type PartRange = [[f32; 3]; 2];

const SCALES_PACKED: u32 = 1 << 2;
const TRANSLATIONS_PACKED: u32 = 1 << 3;
/// Tracks in a word of kinds.
const PER_WORD: usize = 16;
/// Values in a full group of columns.
pub(super) const COLUMNS: usize = 4;

impl PartForm {
    /// Returns the forms of rotations, translations and scales.
    pub(super) fn all(flags: u32, r: &Reader<'_>) -> Result<[Self; 3], Fault> {
        // Other forms are refused: no clip with them is known.
        let rotations = match flags >> 4 & 15 {
            0 => Self::Quaternions,
            2 => Self::Rotations { is_packed: false },
            3 => Self::Rotations { is_packed: true },
            found => {
                return Err(r.fault("form of rotations", FaultKind::Unsupported { found: found.into() }));
            }
        };
        let vectors = |flag| Self::Vectors { is_packed: flags & flag != 0 };
        Ok([rotations, vectors(TRANSLATIONS_PACKED), vectors(SCALES_PACKED)])
    }

    pub(super) const fn is_packed(self) -> bool {
        matches!(self, Self::Rotations { is_packed: true } | Self::Vectors { is_packed: true })
    }

    /// True if values lie in groups of columns: one component of up to four values, then the next component.
    pub(super) const fn has_columns(self) -> bool {
        matches!(self, Self::Rotations { .. })
    }

    /// Floats of a value.
    pub(super) const fn floats(self) -> usize {
        if matches!(self, Self::Quaternions) { 4 } else { 3 }
    }
}

impl<'a> PartTable<'a> {
    /// Table whose parts are all defaults.
    pub(super) const fn empty(form: PartForm) -> Self {
        Self { form, animated: 0, first_format: 0, kinds: &[], constant: 0, constants: &[], ranges: &[] }
    }

    /// Reads this kind's share of the tables, checking the recorded numbers of animated and constant parts.
    pub(super) fn read(
        &mut self,
        tables: &mut PartTables<'a>,
        tracks: u32,
        [animated, constant]: [u32; 2],
        is_stored: bool,
    ) -> Result<(), Fault> {
        let at = tables.kinds.clone();
        // Scales have no kinds at all in a clip without scale: `bits` is then 0 for every track.
        if is_stored {
            let words = (tracks as usize).div_ceil(PER_WORD);
            self.kinds = tables.kinds.bytes("kinds of parts", words.saturating_mul(4))?;
        }
        // The counts are recorded as well as implied by the kinds: a difference would shift every table after
        // this one.
        let mut found = [0_u32; 2];
        for track in 0..tracks as usize {
            match self.bits(track) {
                0 => {}
                1 => found[1] += 1,
                2 => found[0] += 1,
                kind => {
                    return Err(at.fault("kind of a part", FaultKind::Unsupported { found: kind.into() }));
                }
            }
        }
        for (found, expected) in found.into_iter().zip([animated, constant]) {
            if found != expected {
                let kind = FaultKind::Unexpected { found: found.into(), expected: expected.into() };
                return Err(at.fault("kinds of parts", kind));
            }
        }
        // Equal to what was counted, so at most the number of tracks: the products below cannot overflow.
        (self.animated, self.constant) = (animated as usize, constant as usize);
        self.constants = tables.constants.bytes("constants", 4 * self.form.floats() * self.constant)?;
        self.first_format = tables.formats;
        if self.form.is_packed() {
            self.ranges = tables.ranges.bytes("ranges", 24 * self.animated)?;
            // Formats of rotations are padded to whole groups of four; their ranges and constants are not.
            let columns = if self.form.has_columns() { COLUMNS } else { 1 };
            tables.formats += self.animated.next_multiple_of(columns);
        }
        Ok(())
    }

    pub(super) fn kind(&self, track: usize) -> PartKind {
        match self.bits(track) {
            1 => PartKind::Constant,
            2 => PartKind::Animated,
            _ => PartKind::Default,
        }
    }

    fn bits(&self, track: usize) -> u32 {
        let word = self.kinds.as_chunks().0.get(track / PER_WORD).copied().map_or(0, u32::from_le_bytes);
        // The first track of a word has its highest two bits.
        word >> (2 * (PER_WORD - 1 - track % PER_WORD)) & 3
    }

    /// Returns a constant; its fourth float is 0 unless it is a rotation.
    pub(super) fn constant(&self, index: usize) -> [f32; 4] {
        match self.form {
            PartForm::Quaternions => {
                std::array::from_fn(|component| float(self.constants, 4 * index + component))
            }
            PartForm::Rotations { .. } => with_w(column(self.constants, (index, self.constant), (0, 3))),
            PartForm::Vectors { .. } => {
                let [x, y, z] = std::array::from_fn(|axis| float(self.constants, 3 * index + axis));
                [x, y, z, 0.0]
            }
        }
    }

    /// Returns the clip's range of an animated, packed part.
    pub(super) fn range(&self, index: usize) -> PartRange {
        if self.form.has_columns() {
            [0, 3].map(|first| column(self.ranges, (index, self.animated), (first, 6)))
        } else {
            [0, 3].map(|first| std::array::from_fn(|axis| float(self.ranges, 6 * index + first + axis)))
        }
    }
}

/// Returns three floats from `first` on, of a value with `floats` floats, stored in groups of columns. The
/// last group has only as many columns as values are left.
fn column(bytes: &[u8], (index, count): (usize, usize), (first, floats): (usize, usize)) -> [f32; 3] {
    let start = index - index % COLUMNS;
    let width = (count - start).min(COLUMNS);
    std::array::from_fn(|axis| float(bytes, floats * start + (first + axis) * width + index % COLUMNS))
}

fn float(bytes: &[u8], index: usize) -> f32 {
    bytes.as_chunks().0.get(index).copied().map_or(0.0, f32::from_le_bytes)
}
