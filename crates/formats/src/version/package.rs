use std::fmt;

/// `FPackageFileVersion`: the object versions of a package, which decide what every record of it looks like.
#[doc(alias = "FPackageFileVersion")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
pub struct PackageFileVersion {
    /// `EUnrealEngineObjectUE4Version`; 522 since UE 4.26.
    pub ue4: i32,
    /// `EUnrealEngineObjectUE5Version`; 0 before UE5, otherwise from 1000 on.
    pub ue5: i32,
}

macro_rules! gates {
    ($($(#[$doc:meta])* $name:ident: $family:ident $first:literal $(.. $end:literal)?;)*) => {
        impl PackageFileVersion {
            $(
                $(#[$doc])*
                #[must_use]
                pub const fn $name(self) -> bool {
                    self.$family >= $first $(&& self.$family < $end)?
                }
            )*
        }
    };
}

gates! {
    /// The summary points to asset registry data.
    has_asset_registry_data: ue4 112;
    /// Two numbers of an old cooker follow the licensee version.
    has_cooker_versions: ue4 138..143;
    /// Bulk data offsets are 64-bit.
    has_long_bulk_offsets: ue4 198;
    /// The summary says where bulk data starts.
    has_bulk_data_start: ue4 212;
    /// The summary points to world tile info.
    has_world_tile_info: ue4 224;
    /// World tile info has a streaming distance, a visibility flag and a parent package.
    has_tile_streaming: ue4 268;
    /// World tile info has levels of detail.
    has_tile_lods: ue4 316;
    /// World tile info has a Z order.
    has_tile_z_order: ue4 319;
    /// World tile info says whether distance streaming is on.
    has_tile_distance_flag: ue4 329;
    /// The summary has one chunk id.
    has_single_chunk_id: ue4 278..326;
    /// The summary has a list of chunk ids.
    has_chunk_ids: ue4 326;
    /// The engine that saved the package is a full version, not a changelist.
    has_engine_version: ue4 336;
    /// Exports say whether the editor's game always loads them.
    has_not_always_loaded: ue4 365;
    /// The summary points to soft package references.
    has_soft_package_references: ue4 384;
    /// The summary names the oldest compatible engine.
    has_compatible_engine_version: ue4 444;
    /// The summary points to gatherable text.
    has_gatherable_text: ue4 459;
    /// Exports say whether they are assets.
    has_is_asset: ue4 485;
    /// Names carry two hashes.
    has_name_hashes: ue4 504;
    /// Exports have preload dependencies.
    has_preload_dependencies: ue4 507;
    /// Exports name their template.
    has_template_index: ue4 508;
    /// The summary points to searchable names.
    has_searchable_names: ue4 510;
    /// Export sizes and offsets are 64-bit.
    has_long_export_sizes: ue4 511;
    /// Soft package references are names, not strings.
    has_soft_references_as_names: ue4 514;
    /// Editor packages have a localization id.
    has_localization_id: ue4 516;
    /// Editor packages have a persistent GUID.
    has_persistent_guid: ue4 518;
    /// Editor packages have a GUID of their owner.
    has_owner_guid: ue4 518..520;
    /// Imports of editor packages name the package they are in.
    has_import_package_name: ue4 520;
    /// Asset registry data has a dependency block.
    has_registry_dependencies: ue4 521;
    /// Offsets in files of bulk data count from the start of these (4.26), not from where bulk data in the package starts.
    has_plain_bulk_offsets: ue4 522;
    /// A package of a release with these versions that does not say more has world tiles with three coordinates. The
    /// number (4.21) is an assumption.
    implies_3d_tiles: ue4 517;
    /// A package of a release with these versions that does not say more has UTF-8 sub-paths (5.6).
    implies_utf8_sub_paths: ue5 1016;
    /// Tags of array properties name what is in them.
    has_array_inner_types: ue4 282;
    /// Tags of struct properties have the GUID of the struct.
    has_struct_guids: ue4 441;
    /// Array literals in bytecode name the array by an expression, no longer by a property.
    has_array_expressions: ue4 303;
    /// Functions name the event graph that they stand for.
    has_event_graph_functions: ue4 451;
    /// Assignments in bytecode begin with the property that they assign to, and contexts lose the kind of theirs.
    has_assigned_properties: ue4 452;
    /// Classes say whether they are cooked.
    has_cooked_classes: ue4 482;
    /// Arrays of structs have a tag inside.
    has_array_inner_tags: ue4 500;
    /// Texts in bytecode say what kind they are.
    has_text_kinds: ue4 504;
    /// Property tags may have a GUID.
    has_property_guids: ue4 503;
    /// Tags of sets and maps name what is in them.
    has_set_and_map_types: ue4 509;
    /// Vectors and the like, bounds of world tiles included, have double precision.
    has_large_worlds: ue5 1004;
    /// Casts in bytecode have the numbers of 5.1: from double to single precision it is no longer 6, but 4.
    has_renumbered_casts: ue5 1005;
    /// Soft paths name package and asset by themselves.
    has_top_level_asset_paths: ue5 1007;
    /// Unversioned properties of what is no default object have four bytes in front.
    has_leading_zero: ue5 1012..1013;
    /// The name table is split into names that export data uses and others.
    has_names_referenced_count: ue5 1001;
    /// The summary points to a package trailer.
    has_payload_toc: ue5 1002;
    /// Imports can be optional, exports can ask for a public hash.
    has_optional_resources: ue5 1003;
    /// Exports no longer carry a package GUID.
    has_no_export_guid: ue5 1005;
    /// Exports say whether they are inherited instances.
    has_is_inherited: ue5 1006;
    /// The header lists all soft object paths.
    has_soft_object_paths: ue5 1008;
    /// Bulk data is described by a table of data resources.
    has_data_resources: ue5 1009;
    /// Unversioned lists have the bytes of empty strings and arrays; before, a bit says that these are empty. The number is an
    /// assumption: packages of 5.1 have bits, those of 5.4 have bytes.
    has_bytes_of_empty_values: ue5 1009;
    /// Exports of tagged packages say where their properties are.
    has_script_offsets: ue5 1010;
    /// Property tags have an extension byte.
    has_tag_extension: ue5 1011;
    /// Property tags carry the complete type name.
    has_complete_type_names: ue5 1012;
    /// Asset registry dependencies have a third part.
    has_build_dependencies: ue5 1013;
    /// The summary points to metadata.
    has_metadata: ue5 1014;
    /// Packages can hold Verse cells.
    has_cells: ue5 1015;
    /// The GUID gave way to a hash, which moved to the front.
    has_saved_hash: ue5 1016;
    /// The summary points to import type hierarchies.
    has_import_type_hierarchies: ue5 1018;
}

impl PackageFileVersion {
    /// Newest UE4 object version.
    pub const NEWEST_UE4: i32 = 522;
    /// Newest UE5 object version we know.
    pub const NEWEST_UE5: i32 = 1018;

    /// A UE4 version.
    #[must_use]
    pub const fn ue4(ue4: i32) -> Self {
        Self { ue4, ue5: 0 }
    }

    /// A UE5 version.
    #[must_use]
    pub const fn ue5(ue5: i32) -> Self {
        Self { ue4: Self::NEWEST_UE4, ue5 }
    }

    /// Neither number is set: the file does not say.
    #[must_use]
    pub const fn is_unversioned(self) -> bool {
        self.ue4 == 0 && self.ue5 == 0
    }

    /// Whether we know every record of this version: 214 is the oldest package that UE4 loads.
    #[must_use]
    pub const fn is_supported(self) -> bool {
        self.ue4 >= 214 && self.ue4 <= Self::NEWEST_UE4 && self.ue5 <= Self::NEWEST_UE5
    }

    /// Whether the two numbers can stand in a versioning record at all.
    #[must_use]
    pub(crate) const fn is_plausible(self) -> bool {
        self.ue4 >= 500 && self.ue4 <= 600 && (self.ue5 == 0 || (self.ue5 >= 1000 && self.ue5 <= 2000))
    }
}

impl fmt::Display for PackageFileVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ue5 {
            0 => write!(f, "{}", self.ue4),
            ue5 => write!(f, "{}/{ue5}", self.ue4),
        }
    }
}

/// The first number after the tag of a legacy package: negative, and lower with every new form of the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
pub struct LegacyFileVersion(
    /// The number in the file.
    pub i32,
);

/// How custom versions are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum CustomVersionForm {
    /// A number for a key (−2).
    Enum,
    /// GUID, number and a name (−3 to −5).
    Guids,
    /// GUID and number (since −6).
    Optimized,
}

impl LegacyFileVersion {
    /// The newest form of the summary.
    pub const NEWEST: Self = Self(-9);

    /// Whether we know this form.
    #[must_use]
    pub const fn is_supported(self) -> bool {
        self.0 <= -2 && self.0 >= Self::NEWEST.0
    }

    /// A number that stood for UE3's version follows.
    #[must_use]
    pub(crate) const fn has_ue3_version(self) -> bool {
        self.0 != -4
    }

    /// The UE5 object version follows that of UE4.
    #[must_use]
    pub(crate) const fn has_ue5_version(self) -> bool {
        self.0 <= -8
    }

    /// The number of texture allocations is still there.
    #[must_use]
    pub(crate) const fn has_texture_allocations(self) -> bool {
        self.0 > -7
    }

    /// How custom versions are written.
    #[must_use]
    pub(crate) const fn custom_version_form(self) -> CustomVersionForm {
        match self.0 {
            -2 => CustomVersionForm::Enum,
            -5..=-3 => CustomVersionForm::Guids,
            _ => CustomVersionForm::Optimized,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_open_and_close() {
        assert!(PackageFileVersion::ue4(141).has_cooker_versions());
        assert!(!PackageFileVersion::ue4(143).has_cooker_versions());
        assert!(PackageFileVersion::ue4(519).has_owner_guid());
        assert!(!PackageFileVersion::ue5(1004).has_owner_guid());
        assert!(PackageFileVersion::ue5(1018).has_import_type_hierarchies());
        assert!(!PackageFileVersion::ue5(1017).has_import_type_hierarchies());
    }

    #[test]
    fn numbers_we_do_not_know_are_refused() {
        assert!(PackageFileVersion::ue4(342).is_supported());
        assert!(!PackageFileVersion::ue4(213).is_supported());
        assert!(!PackageFileVersion::ue5(1019).is_supported());
        assert!(!PackageFileVersion::ue4(30000).is_supported());
        assert!(LegacyFileVersion(-9).is_supported());
        assert!(!LegacyFileVersion(-10).is_supported());
        assert_eq!(LegacyFileVersion(-4).custom_version_form(), CustomVersionForm::Guids);
    }
}
