use std::fmt;

/// Object versions of a package (`FPackageFileVersion`), which decide the layout of every record.
#[doc(alias = "FPackageFileVersion")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
pub struct PackageFileVersion {
    /// UE4 object version (`EUnrealEngineObjectUE4Version`); 522 since UE 4.26.
    pub ue4: i32,
    /// UE5 object version (`EUnrealEngineObjectUE5Version`); 0 before UE5, otherwise from 1000 on.
    pub ue5: i32,
}

macro_rules! gates {
    ($($(#[$doc:meta])* $name:ident: $family:ident $first:literal $(.. $end:literal)?;)*) => {
        impl PackageFileVersion {
            $(
                $(#[$doc])*
                #[must_use]
                pub const fn $name(self) -> bool {
                    // The end is exclusive: the version in which the field disappeared.
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
    /// The summary records the start of bulk data.
    has_bulk_data_start: ue4 212;
    /// The summary points to world tile info.
    has_world_tile_info: ue4 224;
    /// World tile info has a streaming distance, a visibility flag and a parent package.
    has_tile_streaming: ue4 268;
    /// World tile info has levels of detail.
    has_tile_lods: ue4 316;
    /// World tile info has a Z order.
    has_tile_z_order: ue4 319;
    /// World tile info records if distance streaming is on.
    has_tile_distance_flag: ue4 329;
    /// The summary has one chunk id.
    has_single_chunk_id: ue4 278..326;
    /// The summary has a list of chunk ids.
    has_chunk_ids: ue4 326;
    /// The engine version is stored in full, not as a changelist.
    has_engine_version: ue4 336;
    /// Exports record if the editor's game always loads them.
    has_not_always_loaded: ue4 365;
    /// The summary points to soft package references.
    has_soft_package_references: ue4 384;
    /// The summary names the oldest compatible engine.
    has_compatible_engine_version: ue4 444;
    /// The summary points to gatherable text.
    has_gatherable_text: ue4 459;
    /// Exports record if they are assets.
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
    /// Imports of editor packages record the package that contains them.
    has_import_package_name: ue4 520;
    /// Asset registry data has a dependency block.
    has_registry_dependencies: ue4 521;
    /// Offsets in bulk data files count from the start of the file (4.26), not from the start of bulk data in
    /// the package.
    has_plain_bulk_offsets: ue4 522;
    /// World tiles have three coordinates if a package of these versions records no more. The number (4.21)
    /// is an assumption.
    implies_3d_tiles: ue4 517;
    /// Sub-paths are UTF-8 if a package of these versions records no more (5.6).
    implies_utf8_sub_paths: ue5 1016;
    /// Tags of array properties record the type of their elements.
    has_array_inner_types: ue4 282;
    /// Tags of struct properties have the GUID of the struct.
    has_struct_guids: ue4 441;
    /// Array literals in bytecode name the array by an expression, no longer by a property.
    has_array_expressions: ue4 303;
    /// Functions record the event graph that they call.
    has_event_graph_functions: ue4 451;
    /// Assignments in bytecode start with the assigned property, and contexts lose the kind of theirs.
    has_assigned_properties: ue4 452;
    /// Classes record if they are cooked.
    has_cooked_classes: ue4 482;
    /// Arrays of structs have an inner tag.
    has_array_inner_tags: ue4 500;
    /// Texts in bytecode record their kind.
    has_text_kinds: ue4 504;
    /// Property tags may have a GUID.
    has_property_guids: ue4 503;
    /// Tags of sets and maps record the types of their elements.
    has_set_and_map_types: ue4 509;
    /// Vectors and similar structs, bounds of world tiles included, have double precision.
    has_large_worlds: ue5 1004;
    /// Casts in bytecode have the numbers of 5.1: from double to single precision is 4, and no longer 6.
    has_renumbered_casts: ue5 1005;
    /// Soft paths have separate names of package and asset.
    has_top_level_asset_paths: ue5 1007;
    /// Unversioned properties of objects other than default objects are preceded by four bytes.
    has_leading_zero: ue5 1012..1013;
    /// The name table is split into names used by export data, and others.
    has_names_referenced_count: ue5 1001;
    /// The summary points to a package trailer.
    has_payload_toc: ue5 1002;
    /// Imports can be optional; exports can request a public hash.
    has_optional_resources: ue5 1003;
    /// Exports no longer carry a package GUID.
    has_no_export_guid: ue5 1005;
    /// Exports record if they are inherited instances.
    has_is_inherited: ue5 1006;
    /// The header lists all soft object paths.
    has_soft_object_paths: ue5 1008;
    /// Bulk data is described by a table of data resources.
    has_data_resources: ue5 1009;
    /// Unversioned lists contain the bytes of empty strings and arrays; before, a bit marks these as empty.
    /// The number is an assumption: packages of 5.1 have bits, those of 5.4 have bytes.
    has_bytes_of_empty_values: ue5 1009;
    /// Exports of tagged packages record the range of their properties.
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
    /// A hash replaced the GUID, and moved to the front.
    has_saved_hash: ue5 1016;
    /// The summary points to import type hierarchies.
    has_import_type_hierarchies: ue5 1018;
}

impl PackageFileVersion {
    /// Newest UE4 object version.
    pub const NEWEST_UE4: i32 = 522;
    /// Newest known UE5 object version.
    pub const NEWEST_UE5: i32 = 1018;

    /// Creates a UE4 version.
    #[must_use]
    pub const fn ue4(ue4: i32) -> Self {
        Self { ue4, ue5: 0 }
    }

    /// Creates a UE5 version.
    #[must_use]
    pub const fn ue5(ue5: i32) -> Self {
        Self { ue4: Self::NEWEST_UE4, ue5 }
    }

    /// Neither number is set: the file records no version.
    #[must_use]
    pub const fn is_unversioned(self) -> bool {
        self.ue4 == 0 && self.ue5 == 0
    }

    /// Returns true if every record of this version is known: 214 is the oldest package that UE4 loads.
    #[must_use]
    pub const fn is_supported(self) -> bool {
        // A newer number may stand for fields that are unknown here.
        self.ue4 >= 214 && self.ue4 <= Self::NEWEST_UE4 && self.ue5 <= Self::NEWEST_UE5
    }

    /// Returns true if both numbers may occur in a versioning record.
    #[must_use]
    pub(crate) const fn is_plausible(self) -> bool {
        // Zen packages exist since 4.26, whose number is 522; the margins allow for licensees.
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

/// First number after the tag of a legacy package: negative, and lower with every new form of the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
pub struct LegacyFileVersion(
    /// Stored number.
    pub i32,
);

/// Form of custom versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum CustomVersionForm {
    /// Tag and number (−2).
    Enum,
    /// GUID, number and a name (−3 to −5).
    Guids,
    /// GUID and number (since −6).
    Optimized,
}

impl LegacyFileVersion {
    /// Newest form of the summary.
    pub const NEWEST: Self = Self(-9);

    /// Returns true if the form is known.
    #[must_use]
    pub const fn is_supported(self) -> bool {
        self.0 <= -2 && self.0 >= Self::NEWEST.0
    }

    /// A remnant of the UE3 version follows.
    #[must_use]
    pub(crate) const fn has_ue3_version(self) -> bool {
        // Only −4 dropped the field; −5 and later have it again.
        self.0 != -4
    }

    /// The UE5 object version follows that of UE4.
    #[must_use]
    pub(crate) const fn has_ue5_version(self) -> bool {
        self.0 <= -8
    }

    /// The number of texture allocations still exists.
    #[must_use]
    pub(crate) const fn has_texture_allocations(self) -> bool {
        self.0 > -7
    }

    /// Returns the form of custom versions.
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
