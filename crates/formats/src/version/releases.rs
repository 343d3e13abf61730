use super::{CustomVersionKey, PackageFileVersion, Release, ZenGeneration};
use std::fmt;

/// A set of releases, such as those compatible with a piece of evidence.
///
/// ```
/// # use uncask_formats as uncask;
/// use uncask::version::Releases;
///
/// let some = Releases::between("5.6", "5.8");
/// assert_eq!(some.to_string(), "UE 5.6, 5.7 or 5.8");
/// assert_eq!(some.layouts().count(), 3);
/// ```
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Releases(u64);

impl Releases {
    /// Collects the releases that fit.
    pub fn matching(fits: impl Fn(&Release) -> bool) -> Self {
        let bits = Release::all().enumerate().filter(|(_, release)| fits(release));
        // One bit per release, at its position in the table.
        Self(bits.fold(0, |all, (at, _)| all | 1 << at))
    }

    /// Collects the releases between two, both included.
    #[must_use]
    pub fn between(first: &str, last: &str) -> Self {
        let place = |name: &str| Release::all().position(|release| release.name == name);
        let (first, last) = (place(first), place(last));
        let bits = Release::all().enumerate().filter(|(at, _)| Some(*at) >= first && Some(*at) <= last);
        Self(bits.fold(0, |all, (at, _)| all | 1 << at))
    }

    /// Collects the releases that write zen packages of a generation.
    #[must_use]
    pub fn of_form(form: ZenGeneration) -> Self {
        Self::matching(|release| release.zen == Some(form))
    }

    /// Collects the releases that may have written these object and custom versions into a package.
    ///
    /// A changed engine may have numbers of no release: then the most telling custom version counts.
    #[must_use]
    pub(crate) fn of_versions(
        objects: PackageFileVersion,
        custom: impl Fn(CustomVersionKey) -> Option<i32>,
    ) -> Self {
        let of_objects = Self::matching(|release| release.objects == objects);
        // Each recorded number narrows the set to a range of releases.
        let steps = CustomVersionKey::steps(custom);
        let all = steps.iter().fold(of_objects, |all, (first, last)| all.and(Self::between(first, last)));
        let first = steps.first().map(|(first, last)| of_objects.and(Self::between(first, last)));
        // All evidence if it agrees, otherwise the first number, otherwise the object version alone.
        [Some(all), first].into_iter().flatten().find(|found| !found.is_empty()).unwrap_or(of_objects)
    }

    /// Collects the releases that may have written an asset registry of this version.
    #[must_use]
    pub fn of_registry(version: u32) -> Self {
        // Rows are sorted by version, so the first one that reaches it is right.
        let row = REGISTRIES.iter().find(|(_, _, newest)| version <= *newest);
        row.map_or(Self(0), |(first, last, _)| Self::between(first, last))
    }

    /// Collects the releases whose games mount a `.pak` only with a `.utoc` of the same name beside it.
    #[must_use]
    pub fn needing_tables_beside_paks() -> Self {
        Self::between("5.6", Release::newest().name)
    }

    /// Collects the releases that write legacy packages of the same layout.
    #[must_use]
    pub(crate) fn of_layout(release: &Release) -> Self {
        Self::matching(|other| other.has_layout_of(release))
    }

    /// Returns the union of two sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns true if a release is in the set.
    #[must_use]
    pub fn has(self, release: &Release) -> bool {
        self.iter().any(|found| found.name == release.name)
    }

    /// Returns the intersection of two sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns true if the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the releases, oldest first.
    #[must_use]
    pub fn iter(self) -> impl DoubleEndedIterator<Item = &'static Release> {
        // Collected, so that the iterator can run backward.
        Release::all()
            .enumerate()
            .filter(move |(at, _)| self.0 & 1 << at != 0)
            .map(|(_, release)| release)
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// Iterates over one release per layout of legacy packages, oldest layout first: the newest of those with
    /// the same layout.
    pub fn layouts(self) -> impl Iterator<Item = &'static Release> {
        let newest = move |release: &&'static Release| {
            self.iter().rev().find(|other| other.has_layout_of(release)).map(|other| other.name)
                == Some(release.name)
        };
        self.iter().filter(newest)
    }
}

/// Newest asset registry version by release. The versions of 5.6 and 5.7 lie between those before and after.
const REGISTRIES: [(&str, &str, u32); 6] = [
    ("4.0", "4.27", 8),
    ("5.0", "5.0", 12),
    ("5.1", "5.1", 16),
    ("5.2", "5.5", 17),
    ("5.5", "5.7", 23),
    ("5.8", "6.0", u32::MAX),
];

impl fmt::Display for Releases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(|release| release.name).collect();
        match names.split_last() {
            None => f.write_str("no release"),
            Some((last, [])) => write!(f, "UE {last}"),
            Some((last, others)) => write!(f, "UE {} or {last}", others.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(objects: i32, numbers: &[(CustomVersionKey, i32)]) -> String {
        let custom = |key| numbers.iter().find(|(known, _)| *known == key).map(|(_, number)| *number);
        Releases::of_versions(PackageFileVersion::ue5(objects), custom).to_string()
    }

    #[test]
    fn numbers_that_several_releases_share_leave_several() {
        use CustomVersionKey as Key;
        // FUE5MainStreamObjectVersion is 121 in 5.6 and 5.7, 123 in 5.8; the object version is 1018 since 5.7.
        assert_eq!(of(1018, &[(Key::UE5_MAIN, 121)]), "UE 5.7");
        assert_eq!(of(1018, &[]), "UE 5.7, 5.8 or 6.0");
        assert_eq!(of(1018, &[(Key::UE5_RELEASE, 68)]), "UE 5.8 or 6.0");
        assert_eq!(of(1018, &[(Key::UE5_RELEASE, 68), (Key::FORTNITE_MAIN, 268)]), "UE 5.8");
        assert_eq!(of(1017, &[(Key::FORTNITE_MAIN, 207)]), "UE 5.6");
        assert_eq!(of(1009, &[(Key::FORTNITE_MAIN, 111)]), "UE 5.3");
        // A changed engine: numbers between two releases, and numbers that contradict each other.
        assert_eq!(of(1018, &[(Key::FORTNITE_MAIN, 240)]), "UE 5.7");
        assert_eq!(of(1018, &[(Key::FORTNITE_MAIN, 225), (Key::UE5_RELEASE, 68)]), "UE 5.7");
        assert_eq!(of(1013, &[(Key::FORTNITE_MAIN, 268)]), "UE 5.5");
    }

    #[test]
    fn registries() {
        for (version, releases) in [
            (12, "UE 5.0"),
            (16, "UE 5.1"),
            (20, "UE 5.5, 5.6 or 5.7"),
            (24, "UE 5.8 or 6.0"),
            (99, "UE 5.8 or 6.0"),
        ] {
            assert_eq!(Releases::of_registry(version).to_string(), releases);
        }
    }
}
