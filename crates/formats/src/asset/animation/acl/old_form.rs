//! Forms in which version 1 stores parts of bones: of all rotations, all translations and all scales, and of each in a segment.

use crate::version::AclVersion;
use crate::wire::{Fault, FaultKind, Reader};

/// Storage of rotations, translations or scales.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct OldForm {
    /// Floats of a value: 4 for whole quaternions, 3 otherwise.
    pub(super) components: usize,
    pub(super) is_packed: bool,
    pub(super) has_range: bool,
    pub(super) has_own_range: bool,
}

/// Storage of the keys of a part in one segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OldFormat {
    Constant,
    Packed(u32),
    Raw,
    /// Floats of a part that is not packed.
    Floats,
}

impl OldForm {
    pub(super) const PACKED: Self =
        Self { components: 3, is_packed: true, has_range: false, has_own_range: false };

    /// Returns the forms of all three kinds of parts: rotations have forms 0 to 4, others 0 to 3, and the
    /// last one is packed.
    pub(super) fn all([rotation, translation, scale]: [u8; 3], at: &Reader<'_>) -> Result<[Self; 3], Fault> {
        let form =
            |components, is_packed| Self { components, is_packed, has_range: false, has_own_range: false };
        let unsupported =
            |found: u8| at.fault("form of a part", FaultKind::Unsupported { found: found.into() });
        // The forms of 48 and 32 bits (2 and 3; 1 and 2 of vectors) were never Unreal's default, and no file
        // with them was seen.
        let rotation = match rotation {
            0 => form(4, false),
            1 => form(3, false),
            4 => form(3, true),
            found => return Err(unsupported(found)),
        };
        let vector = |number| match number {
            0 => Ok(form(3, false)),
            3 => Ok(form(3, true)),
            found => Err(unsupported(found)),
        };
        Ok([rotation, vector(translation)?, vector(scale)?])
    }
}

impl OldFormat {
    /// Returns a format by its number, which is an index into a list of bit counts. Parts that are not packed
    /// have none.
    pub(super) fn new(byte: Option<u8>) -> Option<Self> {
        let Some(byte) = byte else { return Some(Self::Floats) };
        Some(match AclVersion::V5.listed_bits(byte)? {
            0 => Self::Constant,
            32 => Self::Raw,
            bits => Self::Packed(bits.into()),
        })
    }

    /// Bits of a part in a key.
    pub(super) fn width(self, form: OldForm, is_mixed: bool) -> u64 {
        let bits: u64 = match self {
            Self::Constant => 0,
            Self::Packed(bits) => 3 * u64::from(bits),
            Self::Raw => 96,
            Self::Floats => return 32 * form.components as u64,
        };
        if is_mixed { bits.next_multiple_of(16) } else { bits }
    }
}
