//! Keys: three numbers each, packed in one of several forms. Rotations leave out w, which is never negative.

use crate::wire::{Fault, FaultKind, Reader};

/// What keys are of: forms differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyPart {
    Translation,
    Rotation,
    Scale,
}

/// How keys are packed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Form {
    /// Each number that the mask has, as a float; the others are zero.
    Floats(u8),
    /// Each number that the mask has, in 16 bits: less by an offset, times a factor.
    Words { mask: u8, offset: i16, factor: f32 },
    /// All in 32 bits, each from some bit on; in a range that stands in front of all keys.
    Packed { shifts: [u32; 3], range: Option<Range> },
    /// Zero.
    Identity,
}

/// How ranges are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Range {
    /// Lowest and range of each number that the mask has.
    Masked(u8),
    /// The lowest of all, then the ranges of all.
    Whole,
}

const ALL: u8 = 7;
/// Numbers of 11, 11 and 10 bits: x has the highest ones.
const ROTATION: [u32; 3] = [21, 10, 0];
/// Numbers of 10, 11 and 11 bits: z has the highest ones.
const TRANSLATION: [u32; 3] = [0, 10, 21];

impl Form {
    /// A form of a track that has its own; `None` if it is not known.
    pub(super) const fn per_track(part: KeyPart, form: u32, mask: u8) -> Option<Self> {
        let is_rotation = matches!(part, KeyPart::Rotation);
        Some(match form {
            0 | 1 => Self::Floats(if is_rotation || mask == 0 { ALL } else { mask }),
            2 if is_rotation => Self::Words { mask, offset: i16::MAX, factor: 1.0 / 32_767.0 },
            2 => Self::Words { mask, offset: 255, factor: 1.0 },
            3 => Self::packed(part, Some(Range::Masked(mask))),
            4 if is_rotation => Self::packed(part, None),
            6 => Self::Identity,
            _ => return None,
        })
    }

    /// A form of all tracks; `None` if it is not known.
    pub(super) const fn of_all(part: KeyPart, form: u8) -> Option<Self> {
        let is_rotation = matches!(part, KeyPart::Rotation);
        Some(match form {
            // Without compression rotations have four numbers.
            0 if is_rotation => return None,
            0 | 1 => Self::Floats(ALL),
            2 if is_rotation => Self::Words { mask: ALL, offset: i16::MAX, factor: 1.0 / 32_767.0 },
            2 => Self::Words { mask: ALL, offset: i16::MAX, factor: 128.0 / 32_767.0 },
            3 => Self::packed(part, Some(Range::Whole)),
            4 if is_rotation => Self::packed(part, None),
            6 => Self::Identity,
            _ => return None,
        })
    }

    const fn packed(part: KeyPart, range: Option<Range>) -> Self {
        let shifts = if matches!(part, KeyPart::Rotation) { ROTATION } else { TRANSLATION };
        Self::Packed { shifts, range }
    }

    /// Bytes of a key.
    const fn len(self) -> usize {
        match self {
            Self::Floats(mask) => 4 * mask.count_ones() as usize,
            Self::Words { mask, .. } => 2 * mask.count_ones() as usize,
            Self::Packed { .. } => 4,
            Self::Identity => 0,
        }
    }
}

/// Reads keys. Those that take no bytes are all alike: one is enough.
pub(super) fn read(r: &mut Reader<'_>, form: Form, count: usize) -> Result<Vec<[f32; 3]>, Fault> {
    let range = match form {
        Form::Packed { range: Some(range), .. } => self::range(r, range)?,
        _ => [(0.0, 1.0); 3],
    };
    let count = if form.len() == 0 { count.min(1) } else { count };
    if count.saturating_mul(form.len()) > r.remaining() {
        let kind =
            FaultKind::TooLarge { found: count as u64, limit: (r.remaining() / form.len().max(1)) as u64 };
        return Err(r.fault("keys of a track", kind));
    }
    (0..count).map(|_| key(r, form, range)).collect()
}

fn range(r: &mut Reader<'_>, form: Range) -> Result<[(f32, f32); 3], Fault> {
    let mut range = [(0.0, 0.0); 3];
    match form {
        Range::Masked(mask) => {
            for (axis, (lowest, width)) in range.iter_mut().enumerate() {
                if mask >> axis & 1 == 1 {
                    (*lowest, *width) = (r.f32("lowest key")?, r.f32("range of keys")?);
                }
            }
        }
        Range::Whole => {
            for (lowest, _) in &mut range {
                *lowest = r.f32("lowest key")?;
            }
            for (_, width) in &mut range {
                *width = r.f32("range of keys")?;
            }
        }
    }
    Ok(range)
}

fn key(r: &mut Reader<'_>, form: Form, range: [(f32, f32); 3]) -> Result<[f32; 3], Fault> {
    let mut key = [0.0; 3];
    match form {
        Form::Floats(mask) => {
            for (_, number) in of_mask(&mut key, mask) {
                *number = r.f32("key")?;
            }
        }
        Form::Words { mask, offset, factor } => {
            for (_, number) in of_mask(&mut key, mask) {
                *number = (f32::from(r.u16("key")?) - f32::from(offset)) * factor;
            }
        }
        Form::Packed { shifts, .. } => {
            let word = r.u32("key")?;
            let all = key.iter_mut().zip(shifts).zip(range);
            for ((number, shift), (lowest, width)) in all {
                *number = unpacked(word, shift) * width + lowest;
            }
        }
        Form::Identity => {}
    }
    Ok(key)
}

fn of_mask(key: &mut [f32; 3], mask: u8) -> impl Iterator<Item = (usize, &mut f32)> {
    key.iter_mut().enumerate().filter(move |(axis, _)| mask >> axis & 1 == 1)
}

/// A number from −1 to 1 whose lowest bit is at `shift`: it has 10 bits if it is the lowest of all, and 11 if not.
fn unpacked(word: u32, shift: u32) -> f32 {
    let (bits, half) = if shift == 0 { (10, 511.0) } else { (11, 1023.0) };
    let number = u16::try_from(word >> shift & ((1 << bits) - 1)).unwrap_or_default();
    (f32::from(number) - half) / half
}

/// A rotation with its w.
pub(super) fn with_w([x, y, z]: [f32; 3]) -> [f32; 4] {
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    [x, y, z, w]
}
