use crate::package::ObjectPath;
use std::fmt;

/// A fact of the cooker's file that could not be restored.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Loss {
    /// The package GUID (before 5.6) is zero. The engine ignores it.
    PackageGuid,
    /// Preload dependencies on native objects are missing: the loader finds them itself.
    PreloadEntries {
        /// Number of entries.
        missing: u64,
    },
    /// All preload dependencies of the cooker (up to 5.2) are replaced by others that give the same order.
    PreloadLists,
    /// The package of an import is available, but has no such object.
    ImportMissing {
        /// Placeholder name.
        import: ObjectPath,
    },
    /// The package of an import is unavailable, and its name is unknown.
    PackageMissing {
        /// Placeholder name.
        import: ObjectPath,
    },
    /// The script objects lack a native object.
    ScriptMissing {
        /// Placeholder name.
        import: ObjectPath,
    },
    /// The class of an import was guessed.
    ImportClass {
        /// The import.
        import: ObjectPath,
        /// Guessed class.
        class: ObjectPath,
    },
    /// The end of an export's properties is unknown, so its entry claims that all of its data is properties.
    ScriptOffset {
        /// Export name.
        export: String,
    },
    /// Exports excluded from clients are assumed to be excluded from servers.
    ServerFilter {
        /// Number of exports.
        exports: u64,
    },
    /// Default subobjects are assumed to be instances of those of a parent.
    InheritedInstances {
        /// Number of exports.
        exports: u64,
    },
    /// The header is longer than absolute offsets in export data assume (up to 5.1).
    HeaderTooLong {
        /// Its length in bytes.
        bytes: i64,
        /// Expected length in bytes.
        cooked: i64,
    },
    /// The package does not contain the paths of Verse objects.
    VersePaths {
        /// Number of paths.
        missing: u64,
    },
}

impl Loss {
    /// Returns a short description, the same for all losses of one kind.
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
