use super::{LegacyFileVersion, PackageFileVersion, ZenGeneration};
use std::fmt;

/// An engine release and the version numbers it writes into packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Release {
    /// Name, such as `5.4`.
    pub name: &'static str,
    /// Form of the legacy summary.
    pub legacy: LegacyFileVersion,
    /// Object versions.
    pub objects: PackageFileVersion,
    /// Generation of its zen packages, if it writes any.
    pub zen: Option<ZenGeneration>,
    /// True if cooked imports carry a package name, which the object version does not show.
    pub cooked_import_package_name: bool,
}

const fn row(name: &'static str, legacy: i32, ue4: i32, ue5: i32, zen: Option<ZenGeneration>) -> Release {
    Release {
        name,
        legacy: LegacyFileVersion(legacy),
        objects: PackageFileVersion { ue4, ue5 },
        zen,
        cooked_import_package_name: false,
    }
}

const fn newer(name: &'static str) -> Release {
    let row = row(name, -9, 522, 1018, Some(ZenGeneration::Cells));
    // The object version stayed 1018, so this needs a separate flag.
    Release { cooked_import_package_name: true, ..row }
}

/// All releases, oldest first.
const RELEASES: [Release; 38] = {
    use ZenGeneration as Zen;
    [
        row("4.0", -4, 342, 0, None),
        row("4.1", -5, 352, 0, None),
        row("4.2", -5, 363, 0, None),
        row("4.3", -5, 382, 0, None),
        row("4.4", -5, 385, 0, None),
        row("4.5", -5, 401, 0, None),
        row("4.6", -5, 413, 0, None),
        row("4.7", -5, 434, 0, None),
        row("4.8", -6, 451, 0, None),
        row("4.9", -6, 482, 0, None),
        row("4.10", -6, 482, 0, None),
        row("4.11", -6, 498, 0, None),
        row("4.12", -6, 504, 0, None),
        row("4.13", -6, 505, 0, None),
        row("4.14", -7, 508, 0, None),
        row("4.15", -7, 510, 0, None),
        row("4.16", -7, 513, 0, None),
        row("4.17", -7, 513, 0, None),
        row("4.18", -7, 514, 0, None),
        row("4.19", -7, 516, 0, None),
        row("4.20", -7, 516, 0, None),
        row("4.21", -7, 517, 0, None),
        row("4.22", -7, 517, 0, None),
        row("4.23", -7, 517, 0, None),
        row("4.24", -7, 518, 0, None),
        row("4.25", -7, 518, 0, None),
        row("4.26", -7, 522, 0, Some(Zen::Ue4)),
        row("4.27", -7, 522, 0, Some(Zen::Ue4)),
        row("5.0", -8, 522, 1004, Some(Zen::Initial)),
        row("5.1", -8, 522, 1008, Some(Zen::Initial)),
        row("5.2", -8, 522, 1009, Some(Zen::DataResources)),
        row("5.3", -8, 522, 1009, Some(Zen::DependencyBundles)),
        row("5.4", -8, 522, 1012, Some(Zen::PaddedBulkMap)),
        row("5.5", -8, 522, 1013, Some(Zen::PaddedBulkMap)),
        row("5.6", -9, 522, 1017, Some(Zen::Cells)),
        row("5.7", -9, 522, 1018, Some(Zen::Cells)),
        newer("5.8"),
        newer("6.0"),
    ]
};

impl Release {
    /// Finds a release by any of the spellings in use: `5.4`, `UE5_4`, `GAME_UE5_4`, `VER_UE5_4`.
    ///
    /// ```
    /// # use uncask_formats as uncask;
    /// use uncask::version::Release;
    ///
    /// assert_eq!(Release::from_name("GAME_UE5_4").unwrap().objects.ue5, 1012);
    /// assert!(Release::from_name("5.99").is_none());
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<&'static Self> {
        let upper = name.to_ascii_uppercase();
        let plain = ["GAME_", "VER_", "UE"]
            .iter()
            .fold(upper.as_str(), |text, prefix| text.strip_prefix(prefix).unwrap_or(text));
        let wanted = plain.replace('_', ".");
        // Names in the table use a dot.
        Self::all().find(|release| release.name == wanted)
    }

    /// Iterates over all releases, oldest first.
    #[must_use]
    pub fn all() -> impl DoubleEndedIterator<Item = &'static Self> + Clone {
        RELEASES.iter()
    }

    /// Returns the newest release.
    #[must_use]
    pub const fn newest() -> &'static Self {
        let [.., newest] = &RELEASES;
        newest
    }

    /// Returns true if it may have written shader map hashes of this length into container headers: 20 bytes,
    /// or 8 since 5.8.
    #[must_use]
    pub const fn writes_shader_hashes_of(&self, len: usize) -> bool {
        // Both changes came with 5.8, so one flag serves for both.
        len == if self.cooked_import_package_name { 8 } else { 20 }
    }

    /// Iterates over the layouts to try for an unversioned package: newest first, one release per distinct
    /// layout.
    pub fn candidates(legacy: LegacyFileVersion) -> impl Iterator<Item = &'static Self> {
        Self::all().rev().filter(move |release| release.legacy == legacy && release.is_representative())
    }

    /// Returns true for the newest of the releases with the same layout.
    fn is_representative(&self) -> bool {
        // Trying equal layouts again would only repeat the same result.
        let newest = Self::all().rev().find(|other| self.has_layout_of(other));
        newest.is_some_and(|newest| newest.name == self.name)
    }

    /// Returns true if another release writes legacy packages of the same layout.
    pub(super) fn has_layout_of(&self, other: &Self) -> bool {
        (other.legacy, other.objects, other.cooked_import_package_name)
            == (self.legacy, self.objects, self.cooked_import_package_name)
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UE {}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_release_is_found_under_every_spelling() {
        for release in Release::all() {
            let under = release.name.replace('.', "_");
            for name in [release.name.to_owned(), format!("UE{under}"), format!("game_ue{under}")] {
                assert_eq!(Release::from_name(&name), Some(release), "{name}");
            }
        }
    }

    #[test]
    fn an_unversioned_file_has_few_candidates() {
        let names =
            |legacy| Release::candidates(LegacyFileVersion(legacy)).map(|r| r.name).collect::<Vec<_>>();
        assert_eq!(names(-9), ["6.0", "5.7", "5.6"]);
        assert_eq!(names(-8), ["5.5", "5.4", "5.3", "5.1", "5.0"]);
        assert_eq!(names(-7).len(), 8);
    }
}
