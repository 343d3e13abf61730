//! Stored facts about rotations, translations and scales of tracks, apart from keys.

use super::values::with_w;
use crate::wire::{Fault, FaultKind, Reader};

/// The rotations, translations or scales of all tracks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PartTable<'a> {
    pub(super) form: PartForm,
    /// Number of animated ones.
    pub(super) animated: usize,
    /// Number of the first one's format.
    pub(super) first_format: usize,
    /// Two bits for each track; none if all are the default.
    kinds: &'a [u8],
    constant: usize,
    constants: &'a [u8],
    ranges: &'a [u8],
}

/// Storage of the values of all rotations, translations or scales.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartForm {
    /// Rotations of four floats.
    Quaternions,
    /// Rotations without w, which is not negative.
    Rotations { is_packed: bool },
    /// Translations and scales.
    Vectors { is_packed: bool },
}

/// Kind of change of a part of a track in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartKind {
    /// It is not stored.
    Default,
    /// It has one value.
    Constant,
    /// It has keys.
    Animated,
}

/// Cursors over tables in which rotations, translations and scales follow each other.
pub(super) struct PartTables<'a> {
    pub(super) kinds: Reader<'a>,
    pub(super) constants: Reader<'a>,
    pub(super) ranges: Reader<'a>,
    /// Formats of keys so far.
    pub(super) formats: usize,
}

/// The lowest value, and how wide the range is.
pub(super) type PartRange = [[f32; 3]; 2];

const SCALES_PACKED: u32 = 1 << 2;
const TRANSLATIONS_PACKED: u32 = 1 << 3;
/// Tracks in a word of kinds.
const PER_WORD: usize = 16;
/// Values in a whole group of columns.
pub(super) const COLUMNS: usize = 4;

impl PartForm {
    /// The forms of rotations, translations and scales.
    pub(super) fn all(flags: u32, r: &Reader<'_>) -> Result<[Self; 3], Fault> {
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

    /// Values lie in groups of columns: each component of up to four, then the next component.
    pub(super) const fn has_columns(self) -> bool {
        matches!(self, Self::Rotations { .. })
    }

    /// Floats of a value.
    pub(super) const fn floats(self) -> usize {
        if matches!(self, Self::Quaternions) { 4 } else { 3 }
    }
}

impl<'a> PartTable<'a> {
    /// One whose parts are all the default.
    pub(super) const fn empty(form: PartForm) -> Self {
        Self { form, animated: 0, first_format: 0, kinds: &[], constant: 0, constants: &[], ranges: &[] }
    }

    /// Takes its share of the tables: that of so many animated and constant parts, where there are any.
    pub(super) fn read(
        &mut self,
        tables: &mut PartTables<'a>,
        tracks: u32,
        [animated, constant]: [u32; 2],
        is_stored: bool,
    ) -> Result<(), Fault> {
        let at = tables.kinds.clone();
        if is_stored {
            let words = (tracks as usize).div_ceil(PER_WORD);
            self.kinds = tables.kinds.bytes("kinds of parts", words.saturating_mul(4))?;
        }
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
        // No more than there are tracks.
        (self.animated, self.constant) = (animated as usize, constant as usize);
        self.constants = tables.constants.bytes("constants", 4 * self.form.floats() * self.constant)?;
        self.first_format = tables.formats;
        if self.form.is_packed() {
            self.ranges = tables.ranges.bytes("ranges", 24 * self.animated)?;
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
        word >> (2 * (PER_WORD - 1 - track % PER_WORD)) & 3
    }

    /// A constant; three floats of one that is no rotation.
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

    /// The range of an animated part that is packed.
    pub(super) fn range(&self, index: usize) -> PartRange {
        if self.form.has_columns() {
            [0, 3].map(|first| column(self.ranges, (index, self.animated), (first, 6)))
        } else {
            [0, 3].map(|first| std::array::from_fn(|axis| float(self.ranges, 6 * index + first + axis)))
        }
    }
}

/// Three floats from `first` on of a value that has so many, in groups of columns. The last group has only as many columns as values.
fn column(bytes: &[u8], (index, count): (usize, usize), (first, floats): (usize, usize)) -> [f32; 3] {
    let start = index - index % COLUMNS;
    let width = (count - start).min(COLUMNS);
    std::array::from_fn(|axis| float(bytes, floats * start + (first + axis) * width + index % COLUMNS))
}

fn float(bytes: &[u8], index: usize) -> f32 {
    bytes.as_chunks().0.get(index).copied().map_or(0.0, f32::from_le_bytes)
}
