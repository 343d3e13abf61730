//! Kinds of objections: their stable names, and which are warnings.

use super::Objection;

/// Declares the kinds with their names, in the order in which they are reported.
macro_rules! kinds {
    ($($kind:ident $name:literal,)*) => {
        /// Kind of an objection. Objections of one kind are reported together, in the order of the kinds.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ObjectionKind {
            $(
                #[doc = concat!("[`Objection::", stringify!($kind), "`].")]
                $kind,
            )*
        }

        impl ObjectionKind {
            /// Its name, such as `no-companion`; stable across releases of this library.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }

        impl Objection {
            /// Its kind.
            #[must_use]
            pub const fn kind(&self) -> ObjectionKind {
                match self {
                    $(Self::$kind { .. } => ObjectionKind::$kind,)*
                }
            }
        }
    };
}

kinds! {
    Exists "exists",
    Unreleased "unreleased",
    LegacyAsset "legacy-asset",
    NoPackage "no-package",
    ZenInPak "zen-in-pak",
    OtherEngine "other-engine",
    ImportsUnknown "imports-unknown",
    AlreadyZen "already-zen",
    NotCooked "not-cooked",
    ExportsMissing "exports-missing",
    NotConvertible "not-convertible",
    NoName "no-name",
    NameElsewhere "name-elsewhere",
    Stuck "stuck",
    CirclesUnknown "circles-unknown",
    SidecarStale "sidecar-stale",
    SidecarLeftOut "sidecar-left-out",
    SidecarUnreadable "sidecar-unreadable",
    OtherNameThere "other-name-there",
    NamesUncounted "names-uncounted",
    OtherSchema "other-schema",
    NotAName "not-a-name",
    LooseOverridden "loose-overridden",
    SameId "same-id",
    BulkMissing "bulk-missing",
    BulkUnused "bulk-unused",
    ScriptMissing "script-missing",
    PlaceholderHashed "placeholder-hashed",
    PlaceholderImported "placeholder-imported",
    ImportMissing "import-missing",
    MaterialWithoutShaders "material-without-shaders",
    ContainerIdTaken "container-id-taken",
    OtherThanGame "other-than-game",
    Overridden "overridden",
    NoCompanion "no-companion",
    OtherContainerId "other-container-id",
    Replaces "replaces",
    SharedPackage "shared-package",
    NoSignature "no-signature",
    Encrypted "encrypted",
    OtherKey "other-key",
    Unreadable "unreadable",
    Mismatch "mismatch",
    GameUnread "game-unread",
    OtherTocVersion "other-toc-version",
    SharedChunkId "shared-chunk-id",
    Misplaced "misplaced",
    OtherHashes "other-hashes",
    OtherScripts "other-scripts",
    NoHeader "no-header",
    StaleHeader "stale-header",
    ListedElsewhere "listed-elsewhere",
    ListedNowhere "listed-nowhere",
    ContainerInside "container-inside",
    ProjectFile "project-file",
    ProjectFileLeftOut "left-out",
    MountPoint "mount-point",
    OtherProject "other-project",
    OtherPakVersion "other-pak-version",
    BadHeader "bad-header",
    ExportsShort "exports-short",
    Uncooked "uncooked",
    HeaderMissing "header-missing",
    LooseNew "loose-new",
    NoTable "no-table",
    OtherName "other-name",
    OtherProperties "other-properties",
    OldHeaderReplaced "old-header-replaced",
    OldHeaderUnread "old-header-unread",
    ReleaseUncertain "release-uncertain",
}

impl Objection {
    /// The name of its kind; objections to project-wide files have one for each kind of file.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ProjectFile(file) => file.in_mod(),
            Self::ProjectFileLeftOut(file) => file.left_out(),
            other => other.kind().name(),
        }
    }

    /// True for a warning, which does not prevent packing.
    #[must_use]
    pub const fn is_warning(&self) -> bool {
        matches!(
            self,
            Self::BulkUnused { .. }
                | Self::CirclesUnknown { .. }
                | Self::Encrypted { .. }
                | Self::GameUnread { .. }
                | Self::ImportMissing { .. }
                | Self::ListedElsewhere { .. }
                | Self::LooseNew { .. }
                | Self::LooseOverridden { .. }
                | Self::MaterialWithoutShaders { .. }
                | Self::NameElsewhere { .. }
                | Self::NamesUncounted { .. }
                | Self::NoSignature { .. }
                | Self::NoTable { certain: false }
                | Self::OldHeaderReplaced { .. }
                | Self::OldHeaderUnread { .. }
                | Self::OtherContainerId { .. }
                | Self::OtherHashes { .. }
                | Self::OtherNameThere { .. }
                | Self::OtherProject { .. }
                | Self::ProjectFile { .. }
                | Self::ProjectFileLeftOut { .. }
                | Self::ReleaseUncertain { .. }
                | Self::Replaces { .. }
                | Self::SharedPackage { .. }
                | Self::SidecarLeftOut { .. }
                | Self::SidecarStale { .. }
                | Self::SidecarUnreadable { .. }
        )
    }
}
