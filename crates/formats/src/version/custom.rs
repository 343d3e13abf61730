use super::{CustomVersionKey, Release};

/// Numbers of an engine part by release, for telling releases apart.
type Steps = &'static [(&'static str, i32)];

impl CustomVersionKey {
    /// Sub-paths of soft object paths are UTF-8 since this number of [`FORTNITE_MAIN`](Self::FORTNITE_MAIN).
    #[must_use]
    pub(crate) const fn soft_paths_are_utf8(fortnite_main: i32) -> bool {
        fortnite_main >= 192
    }

    /// World tile positions have three numbers since this number of [`FORTNITE_MAIN`](Self::FORTNITE_MAIN).
    #[must_use]
    pub(crate) const fn tile_positions_are_3d(fortnite_main: i32) -> bool {
        fortnite_main >= 1
    }

    /// Returns the newest release that may have written these numbers, by the first known key.
    ///
    /// Games with engine patches may have numbers in between: then the release below counts.
    #[must_use]
    pub(crate) fn fingerprint(version_of: impl Fn(Self) -> Option<i32>) -> Option<&'static str> {
        FINGERPRINTS.iter().find_map(|(key, steps)| {
            let found = version_of(*key)?;
            steps.iter().rev().find(|(_, number)| *number <= found).map(|(release, _)| *release)
        })
    }
}

impl CustomVersionKey {
    /// For each known key, returns the first and the last release with the number.
    pub(super) fn steps(version_of: impl Fn(Self) -> Option<i32>) -> Vec<(&'static str, &'static str)> {
        let step = |(key, steps): &(Self, Steps)| {
            let found = version_of(*key)?;
            let at = steps.iter().rposition(|(_, number)| *number <= found)?;
            let (first, _) = steps.get(at)?;
            let next = steps.get(at + 1).map(|(next, _)| *next);
            // The last release with a number is the one before the next step.
            let before = |next| Release::all().rev().skip_while(|release| release.name != next).nth(1);
            let last = next.map_or_else(|| Some(Release::newest()), before)?;
            Some((*first, last.name))
        };
        FINGERPRINTS.iter().filter_map(step).collect()
    }
}

const FINGERPRINTS: &[(CustomVersionKey, Steps)] = &[
    (
        CustomVersionKey::FORTNITE_MAIN,
        &[
            ("4.26", 43),
            ("4.27", 47),
            ("5.0", 59),
            ("5.1", 80),
            ("5.2", 83),
            ("5.3", 111),
            ("5.4", 134),
            ("5.5", 170),
            ("5.6", 207),
            ("5.7", 225),
            ("5.8", 268),
            ("6.0", 271),
        ],
    ),
    (
        CustomVersionKey::UE5_MAIN,
        &[
            ("5.0", 59),
            ("5.1", 88),
            ("5.2", 104),
            ("5.3", 118),
            ("5.4", 119),
            ("5.6", 121),
            ("5.8", 123),
            ("6.0", 124),
        ],
    ),
    (
        CustomVersionKey::UE5_RELEASE,
        &[("5.0", 36), ("5.1", 41), ("5.3", 47), ("5.4", 51), ("5.6", 56), ("5.7", 61), ("5.8", 68)],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_below_counts() {
        let with = |key: CustomVersionKey, number| {
            CustomVersionKey::fingerprint(move |asked| (asked == key).then_some(number))
        };
        assert_eq!(with(CustomVersionKey::FORTNITE_MAIN, 170), Some("5.5"));
        assert_eq!(with(CustomVersionKey::FORTNITE_MAIN, 200), Some("5.5"));
        assert_eq!(with(CustomVersionKey::UE5_RELEASE, 68), Some("5.8"));
        assert_eq!(with(CustomVersionKey::RELEASE, 44), None);
    }

    #[test]
    fn the_key_is_written_little_endian() {
        assert_eq!(CustomVersionKey::RELEASE.to_bytes()[..4], [0x22, 0xD5, 0x54, 0x9C]);
    }
}
