use crate::package::ObjectPath;
use std::fmt;

/// Something that the cooker's file had and that could not be brought back.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Loss {
    /// The package GUID (before 5.6): zeros. The engine does not look at it.
    PackageGuid,
    /// Preload dependencies on native objects: the loader finds them by itself.
    PreloadEntries {
        /// How many.
        missing: u64,
    },
    /// All preload dependencies of the cooker (up to 5.2): others that give the same order stand in for them.
    PreloadLists,
    /// An import whose package is available, but has no such object.
    ImportMissing {
        /// The name it was given.
        import: ObjectPath,
    },
    /// An import whose package is not available, and whose name is not known.
    PackageMissing {
        /// The name it was given.
        import: ObjectPath,
    },
    /// A native object that the script objects do not have.
    ScriptMissing {
        /// The name it was given.
        import: ObjectPath,
    },
    /// The class of an import was guessed.
    ImportClass {
        /// The import.
        import: ObjectPath,
        /// The class it was given.
        class: ObjectPath,
    },
    /// Where the properties of an export end is unknown, so its entry claims that all of its data is properties.
    ScriptOffset {
        /// Name of the export.
        export: String,
    },
    /// Exports that no client loads: that no server does either is a guess.
    ServerFilter {
        /// Number of exports.
        exports: u64,
    },
    /// Default subobjects: that they are instances of those of a parent is a guess.
    InheritedInstances {
        /// Number of exports.
        exports: u64,
    },
    /// The header is longer than the one that absolute offsets in export data count on (up to 5.1).
    HeaderTooLong {
        /// Bytes it has.
        bytes: i64,
        /// Bytes it should have.
        cooked: i64,
    },
    /// Paths of Verse objects are not in the package.
    VersePaths {
        /// How many.
        missing: u64,
    },
}

impl Loss {
    /// What is lost, in a few words, the same for all losses of one kind.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::PackageGuid => "package GUID not known",
            Self::PreloadEntries { .. } => "preload dependencies not known",
            Self::PreloadLists => "preload dependencies rebuilt from bundles",
            Self::ImportMissing { .. } => "imported object not found",
            Self::PackageMissing { .. } => "imported package not available",
            Self::ScriptMissing { .. } => "native object not found",
            Self::ImportClass { .. } => "class of import guessed",
            Self::ScriptOffset { .. } => "end of properties not found",
            Self::ServerFilter { .. } => "exports for servers guessed",
            Self::InheritedInstances { .. } => "inherited instances guessed",
            Self::HeaderTooLong { .. } => "header too long for its bulk data offsets",
            Self::VersePaths { .. } => "Verse path not known",
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())?;
        match self {
            Self::PackageGuid | Self::PreloadLists => Ok(()),
            Self::PreloadEntries { missing } | Self::VersePaths { missing } => write!(f, ": {missing}"),
            Self::ServerFilter { exports } | Self::InheritedInstances { exports } => write!(f, ": {exports}"),
            Self::ImportMissing { import }
            | Self::PackageMissing { import }
            | Self::ScriptMissing { import } => write!(f, ": {import}"),
            Self::ImportClass { import, class } => write!(f, ": {import} as {class}"),
            Self::ScriptOffset { export } => write!(f, ": {export}"),
            Self::HeaderTooLong { bytes, cooked } => write!(f, ": {bytes} bytes, {cooked} cooked"),
        }
    }
}
