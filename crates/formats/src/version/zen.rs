use std::fmt;

/// Forms of the header of a zen package. No file records its form; it is found by fit (see
/// [`crate::package::zen`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub enum ZenGeneration {
    /// UE 4.26 and 4.27: names in two blobs, arcs between bundles.
    Ue4,
    /// UE 5.0 and 5.1: name batch, arcs from imports.
    Initial,
    /// UE 5.2: a map of bulk data.
    DataResources,
    /// UE 5.3: one bundle, dependency lists per export, names of imported packages.
    DependencyBundles,
    /// UE 5.4 and 5.5: the bulk data map is aligned.
    PaddedBulkMap,
    /// UE 5.6–6.0: Verse cells.
    Cells,
}

impl ZenGeneration {
    /// All generations, oldest first.
    pub const ALL: [Self; 6] = [
        Self::Ue4,
        Self::Initial,
        Self::DataResources,
        Self::DependencyBundles,
        Self::PaddedBulkMap,
        Self::Cells,
    ];

    /// Names, summary and imports have the form of UE4.
    #[must_use]
    pub const fn is_ue4(self) -> bool {
        matches!(self, Self::Ue4)
    }

    /// Returns the length of the summary in bytes.
    #[must_use]
    pub const fn summary_len(self) -> u32 {
        match self {
            Self::Ue4 => 64,
            Self::Initial | Self::DataResources => 44,
            _ => 52,
        }
    }

    /// A map of bulk data follows the names.
    #[must_use]
    pub(crate) const fn has_bulk_map(self) -> bool {
        self as u8 >= Self::DataResources as u8
    }

    /// The bulk data map starts with padding.
    #[must_use]
    pub const fn has_bulk_map_padding(self) -> bool {
        self as u8 >= Self::PaddedBulkMap as u8
    }

    /// Each export lists its dependencies; before, arcs lead from bundle to bundle.
    #[must_use]
    pub const fn has_dependency_bundles(self) -> bool {
        self as u8 >= Self::DependencyBundles as u8
    }

    /// The header ends with the names of imported packages.
    #[must_use]
    pub const fn has_imported_package_names(self) -> bool {
        self.has_dependency_bundles()
    }

    /// Export data ends with the tag that ends a `.uexp` file, and export offsets count from the header's
    /// end.
    #[must_use]
    pub const fn has_trailing_tag(self) -> bool {
        self.has_dependency_bundles()
    }

    /// Two offsets of cell maps follow the summary.
    #[must_use]
    pub const fn has_cells(self) -> bool {
        self as u8 >= Self::Cells as u8
    }

    /// Returns the number that packages with versions record (`EZenPackageVersion`).
    #[must_use]
    pub(crate) const fn package_version(self) -> u32 {
        match self {
            Self::Ue4 | Self::Initial => 0,
            Self::DataResources => 1,
            // Number 2 belongs to no known release.
            _ => 3,
        }
    }

    /// Returns the engine releases that write this form.
    #[must_use]
    pub const fn releases(self) -> &'static str {
        match self {
            Self::Ue4 => "UE 4.26–4.27",
            Self::Initial => "UE 5.0–5.1",
            Self::DataResources => "UE 5.2",
            Self::DependencyBundles => "UE 5.3",
            Self::PaddedBulkMap => "UE 5.4–5.5",
            Self::Cells => "UE 5.6–6.0",
        }
    }
}

impl fmt::Display for ZenGeneration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.releases())
    }
}
