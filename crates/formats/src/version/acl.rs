/// Version of a clip of the Animation Compression Library. Numbers 6 and those above 10 were never released.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AclVersion {
    /// Library 1.3: curves, and clips with the tag of the older library.
    V5,
    /// Library 2.0.
    V7,
    /// Before 2.1: loops omit their last key.
    V8,
    /// Before 2.1: keys can be omitted.
    V9,
    /// Library 2.1 and later.
    V10,
}

impl AclVersion {
    /// Returns the version with this number, if it is known.
    #[must_use]
    pub const fn from_wire(number: u16) -> Option<Self> {
        Some(match number {
            5 => Self::V5,
            7 => Self::V7,
            8 => Self::V8,
            9 => Self::V9,
            10 => Self::V10,
            _ => return None,
        })
    }

    /// Headers have a word of flags, and offsets count from the end of the header.
    #[must_use]
    pub fn has_flags(self) -> bool {
        self >= Self::V7
    }

    /// The last key of a loop may be omitted, and flags mark trivial defaults.
    #[must_use]
    pub fn has_loops(self) -> bool {
        self >= Self::V8
    }

    /// Any key may be omitted.
    #[must_use]
    pub fn has_stripped_keys(self) -> bool {
        self >= Self::V9
    }

    /// Returns the bit count that marks the components of a key as floats.
    #[must_use]
    pub fn raw_bits(self) -> u8 {
        if self >= Self::V9 { 31 } else { 32 }
    }

    /// Returns the smallest and largest bit count of a key's components, other than floats.
    #[must_use]
    pub fn bits(self) -> (u8, u8) {
        if self >= Self::V8 { (1, 23) } else { (3, 19) }
    }

    /// Returns the bit count of a curve's components by its index in the list of all: 0 of a constant, 32 of
    /// floats.
    #[must_use]
    pub fn listed_bits(self, place: u8) -> Option<u8> {
        let (least, most) = self.bits();
        // The list starts with 0 for constants, hence the step back by one.
        match place.checked_sub(1) {
            None => Some(0),
            Some(place) if place <= most - least => Some(least + place),
            // One entry after the last bit count stands for floats.
            Some(place) if place == most - least + 1 => Some(32),
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_of_bits_are_those_of_the_sheet() {
        let list = |version: AclVersion| {
            (0..=u8::MAX).map_while(|place| version.listed_bits(place)).collect::<Vec<_>>()
        };
        let old = [0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 32];
        assert_eq!((list(AclVersion::V5), list(AclVersion::V7)), (old.to_vec(), old.to_vec()));
        let new: Vec<u8> = (0..=23).chain([32]).collect();
        assert!(
            [AclVersion::V8, AclVersion::V9, AclVersion::V10].into_iter().all(|version| list(version) == new)
        );
        assert!((0..=u16::MAX).filter_map(AclVersion::from_wire).count() == 5);
    }
}
