//! Keys of the engine's own codecs: three numbers each, packed in one of several forms. Rotations leave out
//! w, which is never negative.

use crate::wire::{Fault, FaultKind, Reader};

/// Part that keys belong to: forms differ by part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyPart {
    Translation,
    Rotation,
    Scale,
}

/// Packing of keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Form {
    /// A float for each number that the mask names; others are zero.
    Floats(u8),
    /// 16 bits for each number that the mask names: minus an offset, times a factor.
    Words { mask: u8, offset: i16, factor: f32 },
    /// All numbers in 32 bits, each from its shift on; the range, if any, precedes all keys.
    Packed { shifts: [u32; 3], range: Option<Range> },
    /// Zero.
    Identity,
}

/// Layout of a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Range {
    /// Lowest and width of each number that the mask names.
    Masked(u8),
    /// Three lowest values, then three widths.
    Whole,
}

const ALL: u8 = 7;
/// Shifts of rotations: 11, 11 and 10 bits, x highest.
const ROTATION: [u32; 3] = [21, 10, 0];
/// Shifts of translations and scales: 10, 11 and 11 bits, z highest.
const TRANSLATION: [u32; 3] = [0, 10, 21];

impl Form {
    /// Returns the form of a track that has a form to itself; `None` if it is unknown.
    pub(super) const fn per_track(part: KeyPart, form: u32, mask: u8) -> Option<Self> {
        let is_rotation = matches!(part, KeyPart::Rotation);
        Some(match form {
            // Rotations always store all three floats; an empty mask means all three as well.
            0 | 1 => Self::Floats(if is_rotation || mask == 0 { ALL } else { mask }),
            2 if is_rotation => Self::Words { mask, offset: i16::MAX, factor: 1.0 / 32_767.0 },
            // Translations are rounded to whole units here.
            2 => Self::Words { mask, offset: 255, factor: 1.0 },
            3 => Self::packed(part, Some(Range::Masked(mask))),
            4 if is_rotation => Self::packed(part, None),
            6 => Self::Identity,
            _ => return None,
        })
    }

    /// Returns the form that all tracks share; `None` if it is unknown.
    pub(super) const fn of_all(part: KeyPart, form: u8) -> Option<Self> {
        let is_rotation = matches!(part, KeyPart::Rotation);
        Some(match form {
            // Uncompressed rotations have four numbers, which this reader does not expect.
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

/// Reads keys. If keys take no bytes, they are all alike, and one is enough.
pub(super) fn read(r: &mut Reader<'_>, form: Form, count: usize) -> Result<Vec<[f32; 3]>, Fault> {
    let range = match form {
        Form::Packed { range: Some(range), .. } => self::range(r, range)?,
        _ => [(0.0, 1.0); 3],
    };
    // Without this a count of 2³¹ would cost memory, though no bytes.
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
                // A number that is not stored has width 0, and stays 0.
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

/// Unpacks a number from -1 to 1 that starts at bit `shift`. The lowest one has 10 bits, others 11.
fn unpacked(word: u32, shift: u32) -> f32 {
    let (bits, half) = if shift == 0 { (10, 511.0) } else { (11, 1023.0) };
    let number = u16::try_from(word >> shift & ((1 << bits) - 1)).unwrap_or_default();
    (f32::from(number) - half) / half
}

/// Restores w of a rotation.
pub(super) fn with_w([x, y, z]: [f32; 3]) -> [f32; 4] {
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    [x, y, z, w]
}
