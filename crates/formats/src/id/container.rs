use super::hash;
use std::{fmt, str::FromStr};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A container id (`FIoContainerId`): the hash of a container's base name; all ones for `global`.
#[doc(alias = "FIoContainerId")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContainerId(
    /// The hash.
    pub u64,
);

impl ContainerId {
    /// The id of `global.utoc`.
    pub const GLOBAL: Self = Self(u64::MAX);

    /// Hashes a base name, such as `pakchunk0-Windows`, without regard to case.
    #[must_use]
    pub fn from_name(base_name: &str) -> Self {
        Self(hash::lower_utf16(base_name))
    }
}

impl fmt::Display for ContainerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#018x}", self.0)
    }
}

/// A GUID (`FGuid`): four `u32`, written as 32 hex digits in that order. Zero means "none", or the main
/// encryption key.
#[doc(alias = "FGuid")]
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    FromBytes,
    IntoBytes,
    Immutable,
    KnownLayout,
    Unaligned,
)]
#[repr(transparent)]
pub struct Guid(
    /// Stored bytes: each group of four is little-endian.
    pub [u8; 16],
);

impl Guid {
    /// The zero GUID.
    pub const ZERO: Self = Self([0; 16]);

    /// Returns true for the zero GUID: none, or the main key.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    /// Reverses each group of four bytes: file order to text order, and back.
    const fn swapped(self) -> [u8; 16] {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = self.0;
        [d, c, b, a, h, g, f, e, l, k, j, i, p, o, n, m]
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&hex::encode_upper(self.swapped()))
    }
}

/// Error for a text that is not a GUID.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseGuidError;

impl fmt::Display for ParseGuidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a GUID is 32 hex digits, with or without hyphens and braces")
    }
}

impl std::error::Error for ParseGuidError {}

impl FromStr for Guid {
    type Err = ParseGuidError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(text);
        // Hyphens carry no information.
        let digits: String = text.chars().filter(|c| *c != '-').collect();
        let mut bytes = [0; 16];
        hex::decode_to_slice(digits, &mut bytes).map_err(|_| ParseGuidError)?;
        Ok(Self(Self(bytes).swapped()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_vectors() {
        for (name, id) in [
            ("CUE4ParseFixtures-Minimal-Oodle-Windows", 0x4987_5BB3_CB76_703D),
            ("WayOfTheNinja-Windows", 0x3E4C_1234_B9B4_52EB),
            ("new1v1-windows", 0xBD60_A78A_FD31_80F9),
        ] {
            assert_eq!(ContainerId::from_name(name), ContainerId(id), "{name}");
        }
    }

    #[test]
    fn a_guid_is_four_numbers() {
        let guid = Guid([1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0xEF, 0xBE, 0xAD, 0xDE]);
        assert_eq!(guid.to_string(), "000000010000000200000003DEADBEEF");
        for text in ["000000010000000200000003deadbeef", "{00000001-0000-0002-0000-0003DEADBEEF}"] {
            assert_eq!(text.parse(), Ok(guid), "{text}");
        }
        assert_eq!("0000".parse::<Guid>(), Err(ParseGuidError));
    }
}
