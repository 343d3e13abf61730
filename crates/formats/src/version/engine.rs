use super::{ContainerHeaderVersion, Release, TocVersion};
use std::fmt;

/// Range of engine releases that write a pair of layouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineRange {
    /// Oldest release, such as `5.0`.
    pub first: &'static str,
    /// Newest release known to write these layouts.
    pub last: &'static str,
}

/// Pairs of layouts and the releases that wrote them, oldest first; `None` in the second column stands for an
/// unknown header.
const TABLE: &[(TocVersion, Option<ContainerHeaderVersion>, &str, &str)] = {
    use ContainerHeaderVersion as Header;
    use TocVersion as Toc;
    &[
        (Toc::Initial, Some(Header::Ue4), "4.25", "4.26"),
        (Toc::Initial, None, "4.25", "4.26"),
        (Toc::DirectoryIndex, Some(Header::Ue4), "4.26", "4.26"),
        (Toc::DirectoryIndex, None, "4.26", "4.26"),
        (Toc::PartitionSize, Some(Header::Ue4), "4.27", "4.27"),
        (Toc::PartitionSize, None, "4.27", "4.27"),
        (Toc::PerfectHash, Some(Header::Initial), "5.0", "5.0"),
        (Toc::PerfectHash, None, "5.0", "5.0"),
        (Toc::PerfectHashWithOverflow, Some(Header::LocalizedPackages), "5.0", "5.0"),
        (Toc::PerfectHashWithOverflow, Some(Header::OptionalSegmentPackages), "5.1", "5.2"),
        (Toc::PerfectHashWithOverflow, Some(Header::NoExportInfo), "5.3", "5.3"),
        (Toc::PerfectHashWithOverflow, None, "5.0", "5.3"),
        (Toc::OnDemandMetaData, Some(Header::NoExportInfo), "5.4", "5.4"),
        (Toc::OnDemandMetaData, None, "5.4", "5.4"),
        (Toc::RemovedOnDemandMetaData, Some(Header::SoftPackageReferences), "5.5", "5.5"),
        (Toc::RemovedOnDemandMetaData, None, "5.5", "5.5"),
        (Toc::ReplaceIoChunkHashWithIoHash, Some(Header::SoftPackageReferences), "5.5", "5.5"),
        (Toc::ReplaceIoChunkHashWithIoHash, Some(Header::SoftPackageReferencesOffset), "5.6", "5.8"),
        (Toc::ReplaceIoChunkHashWithIoHash, None, "5.5", "5.8"),
        (Toc::AddedSourceHashes, Some(Header::SoftPackageReferencesOffset), "6.0", "6.0"),
        (Toc::AddedSourceHashes, None, "6.0", "6.0"),
        (Toc::ContainerEncryptionMethod, Some(Header::SoftPackageReferencesOffset), "6.0", "6.0"),
        (Toc::ContainerEncryptionMethod, None, "6.0", "6.0"),
    ]
};

impl EngineRange {
    /// Returns the releases that write this table of contents, narrowed by the container header if it is
    /// known.
    #[must_use]
    pub fn detect(toc: TocVersion, header: Option<ContainerHeaderVersion>) -> Option<Self> {
        let row = |wanted: Option<ContainerHeaderVersion>| {
            TABLE
                .iter()
                // Rows are unique, so the first match is the only one.
                .find(|row| row.0 == toc && row.1 == wanted)
                .map(|row| Self { first: row.2, last: row.3 })
        };
        // A pair that no release writes falls back to the table of contents alone.
        header.and_then(|header| row(Some(header))).or_else(|| row(None))
    }
}

impl TocVersion {
    /// Iterates over the container headers that occur with this table of contents, oldest first, and the
    /// releases writing both.
    #[must_use]
    pub fn container_headers(self) -> impl DoubleEndedIterator<Item = (ContainerHeaderVersion, EngineRange)> {
        let rows = TABLE.iter().filter(move |row| row.0 == self);
        rows.filter_map(|row| Some((row.1?, EngineRange { first: row.2, last: row.3 })))
    }

    /// Returns the container header that a release writes with this table of contents; `None` if it does not
    /// write both.
    #[must_use]
    pub fn header_of(self, release: &Release) -> Option<ContainerHeaderVersion> {
        self.container_headers().find(|(_, range)| range.contains(release)).map(|(version, _)| version)
    }

    /// Returns the version that a release writes; `None` before 4.26, which had no known containers.
    ///
    /// ```
    /// # use uncask_formats as uncask;
    /// use uncask::version::{Release, TocVersion};
    ///
    /// let release = Release::from_name("5.4").unwrap();
    /// assert_eq!(TocVersion::of_release(release), Some(TocVersion::OnDemandMetaData));
    /// ```
    #[must_use]
    pub fn of_release(release: &Release) -> Option<Self> {
        let wrote = |version: &Self| {
            // A development version may name the same release as the version that shipped with it.
            version.container_headers().any(|(_, range)| range.contains(release)) && version.is_released()
        };
        // Newest first: of two versions in one release, the later one shipped.
        Self::ALL.into_iter().rev().find(wrote)
    }
}

impl EngineRange {
    /// Returns true if a release is in the range.
    #[must_use]
    pub fn contains(&self, release: &Release) -> bool {
        let place = |name: &str| Release::all().position(|release| release.name == name);
        // By table position, since names do not sort as texts.
        place(self.first) <= place(release.name) && place(release.name) <= place(self.last)
    }
}

impl fmt::Display for EngineRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last {
            write!(f, "UE {}", self.first)
        } else {
            write!(f, "UE {}–{}", self.first, self.last)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_writes_one_table_of_contents_and_one_container_header() {
        for release in Release::all().filter(|release| release.zen.is_some()) {
            let toc = TocVersion::of_release(release).unwrap();
            let headers = toc.container_headers().filter(|(_, range)| range.contains(release));
            assert_eq!(headers.count(), 1, "{release}");
        }
        assert_eq!(Release::from_name("4.24").and_then(TocVersion::of_release), None);
    }

    #[test]
    fn every_toc_version_names_a_range_and_a_header_narrows_it() {
        for version in TocVersion::ALL {
            assert!(EngineRange::detect(version, None).is_some(), "{version}");
        }
        let shown =
            |header| EngineRange::detect(TocVersion::PerfectHashWithOverflow, header).unwrap().to_string();
        assert_eq!(shown(None), "UE 5.0–5.3");
        assert_eq!(shown(Some(ContainerHeaderVersion::NoExportInfo)), "UE 5.3");
        assert_eq!(
            shown(Some(ContainerHeaderVersion::Ue4)),
            "UE 5.0–5.3",
            "a header that does not fit is ignored"
        );
    }
}
