//! Layouts of the payloads of classes.

use super::part::VersionPart;
use super::{CustomVersionKey, PackageFileVersion, Release, Releases};

/// Versions that decide the layout of an asset's payload.
///
/// If a package does not record the number of an engine part, the number of its release is assumed: cookers
/// record only the numbers that some serializer requested. (Property data is different: see
/// [`PropertyVersions`](super::PropertyVersions).)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AssetVersions {
    /// Object versions.
    pub objects: PackageFileVersion,
    /// Release that wrote it, or may have.
    pub release: &'static Release,
    numbers: [Option<i32>; VersionPart::COUNT],
}

/// Gates that depend on the release alone.
macro_rules! since {
    ($($(#[$doc:meta])* $name:ident: $release:literal;)*) => {
        impl AssetVersions {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(&self) -> bool {
                    self.is_since($release)
                }
            )*
        }

        #[cfg(test)]
        const SINCE: &[&str] = &[$($release,)*];
    };
}

/// Gates that depend on the number of an engine part.
macro_rules! steps {
    ($($(#[$doc:meta])* $name:ident: $key:ident $number:literal since $release:literal;)*) => {
        impl AssetVersions {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(&self) -> bool {
                    self.reaches(VersionPart::$key, $number, $release)
                }
            )*
        }

        #[cfg(test)]
        const STEPS: &[&str] = &[$($release,)*];
    };
}

since! {
    /// Mips have a depth, and skip offsets 64 bits.
    has_mip_depth: "4.20";
    /// Textures can be virtual.
    has_virtual_textures: "4.23";
    /// Tiles of virtual textures have offsets of 32 bits.
    has_long_tile_offsets: "4.27";
    /// Static meshes may have wind.
    has_wind: "4.14";
    /// Levels of detail of meshes record if they are in the export.
    has_inlined_lods: "4.23";
    /// Skeletal meshes count the levels of detail in the export.
    has_skeletal_lod_counts: "4.24";
    /// Indices record if they are to be expanded, and static meshes have data for ray tracing.
    has_index_expansion: "4.25";
    /// Sections of static meshes record if rays see them.
    has_ray_traced_sections: "4.26";
    /// Profiles of skin weights are bytes.
    has_byte_profiles: "4.26";
    /// Skeletal meshes have data for ray tracing.
    has_skeletal_ray_tracing: "4.27";
    /// Sounds have flags in place of the cooked marker.
    has_sound_flags: "5.0";
    /// Sources of uncooked textures and sounds are in editor bulk data.
    has_editor_bulk_data: "5.0";
    /// Meshes can be Nanite meshes, and have cards; distance fields have mips.
    has_nanite: "5.0";
    /// Skip offsets of textures count from their own position, platform data has a placeholder, mips have no
    /// cooked marker, and tiles of virtual textures are addressed by tables.
    has_relative_skip_offsets: "5.0";
    /// Sections record if they affect distance fields, and cards have no level of detail.
    has_section_distance_fields: "5.1";
    /// Nanite meshes count their clusters.
    has_nanite_cluster_count: "5.1";
    /// Cards record if their mesh is mostly two-sided.
    has_two_sided_cards: "5.2";
    /// Nanite meshes record the precision of normals.
    has_nanite_normals: "5.2";
    /// States of Nanite pages are shorter.
    has_short_nanite_pages: "5.3";
    /// Vertices of Nanite meshes may have tangents.
    has_nanite_tangents: "5.3";
    /// Two-dimensional textures record if their mips are present.
    has_mip_data_flag: "5.3";
    /// Vertices of Nanite meshes are planes of bytes.
    has_nanite_planes: "5.4";
    /// Textures may have a copy for the CPU.
    has_cpu_copy: "5.4";
    /// Cooked sounds have cue points.
    has_cue_points: "5.4";
    /// Render data of static meshes ends with strip flags.
    has_render_data_strip_flags: "5.4";
    /// Distance fields have single precision.
    has_float_distance_fields: "5.4";
    /// Static meshes may have levels of detail only for ray tracing.
    has_ray_tracing_proxies: "5.5";
    /// Skeletal meshes can be Nanite meshes.
    has_skeletal_nanite: "5.5";
    /// Levels of detail of static meshes have the bounds of their source.
    has_source_bounds: "5.6";
    /// Render data of static meshes has flags.
    has_mesh_flags: "5.6";
    /// Data for ray tracing has a header.
    has_ray_tracing_header: "5.6";
    /// Nanite meshes may be assemblies of other meshes.
    has_nanite_assemblies: "5.6";
    /// Nanite pages have fewer than 65,536 dependencies, and meshes may have voxels.
    has_nanite_voxels: "5.7";
    /// Nanite meshes may have curves, and have no imposters.
    has_nanite_curves: "5.8";
    /// Levels of detail of skeletal meshes are always in bulk data.
    has_skeletal_lods_in_bulk_data: "5.8";
}

steps! {
    /// Meshes record the texel density of their texture coordinates.
    has_uv_channel_data: Rendering 10 since "4.15";
    /// Packed normals are signed.
    has_signed_normals: Rendering 26 since "4.20";
    /// Sections record if ray tracing treats them as opaque.
    has_force_opaque: Rendering 37 since "4.25";
    /// Materials of meshes have slot names.
    has_material_slots: Editor 8 since "4.14";
    /// Font faces are separate assets.
    has_font_faces: Editor 9 since "4.15";
    /// Morph targets list the sections that they change.
    has_morph_sections: Editor 23 since "4.19";
    /// Uncooked static meshes have mesh descriptions, not raw meshes.
    has_mesh_descriptions: Editor 28 since "4.22";
    /// Mesh descriptions have a GUID.
    has_mesh_description_guids: Editor 29 since "4.22";
    /// Polygons of mesh descriptions have no holes.
    has_no_polygon_holes: Editor 30 since "4.22";
    /// Mesh descriptions have triangles.
    has_triangulated_polygons: Editor 35 since "4.24";
    /// Mesh descriptions record if their GUID is a hash.
    has_mesh_description_hashes: Enterprise 8 since "4.24";
    /// Skin weights are separate from vertices.
    has_separate_skin_weights: SkeletalMesh 7 since "4.15";
    /// Render data of skeletal meshes is separate from editor data.
    has_split_render_data: SkeletalMesh 12 since "4.19";
    /// Sections record if mesh reduction ignores them.
    has_ignored_by_reduction: SkeletalMesh 16 since "4.22";
    /// Sections record the color channel that masks tangents.
    has_tangent_mask: RecomputeTangent 2 since "4.26";
    /// Sections can be disabled.
    has_disabled_sections: Release 12 since "4.19";
    /// Cloth has weights for each vertex.
    has_cloth_weights: Release 33 since "4.26";
    /// Slots have no imported names in cooked packages.
    has_no_imported_slot_names: Core 3 since "4.22";
    /// Sync markers are names.
    has_marker_names: Anim 2 since "4.24";
    /// Indices of bones may have 16 bits.
    has_wide_bone_indices: Anim 4 since "4.25";
    /// Vertices may have any number of influences.
    has_unlimited_influences: Anim 5 since "4.25";
    /// Smart names have no id.
    has_no_smart_name_id: AnimPhys 5 since "4.17";
    /// Smart names have no GUID.
    has_no_smart_name_guid: AnimPhys 10 since "4.18";
    /// Curves record their level of detail.
    has_curve_lods: AnimPhys 12 since "4.18";
    /// Morph targets may be generated.
    has_generated_morphs: FortniteMain 6 since "4.20";
    /// Meshes may have half edges.
    has_half_edges: FortniteMain 134 since "5.4";
    /// Morph targets name their source file.
    has_morph_file_names: FortniteMain 158 since "5.5";
    /// Font faces have geometry.
    has_font_geometry: FortniteMain 180 since "5.6";
    /// Animations no longer record if they have only raw data.
    has_no_raw_only_flag: FortniteMain 183 since "5.6";
    /// Materials of meshes may have overlays.
    has_overlay_materials: FortniteMain 196 since "5.6";
    /// Morph targets record if they are cooked.
    has_cooked_morphs: FortniteMain 211 since "5.7";
    /// Font faces record if they are cooked.
    has_cooked_font_faces: Ue5Main 12 since "5.0";
    /// Materials store cached data.
    has_cached_materials: Ue5Main 36 since "5.0";
    /// Sections record if ray tracing sees them.
    has_ray_tracing_flag: Ue5Main 54 since "5.0";
    /// Skin weights record their precision.
    has_weight_precision: Ue5Main 90 since "5.2";
    /// Vertices may have attributes.
    has_vertex_attributes: Ue5Main 113 since "5.3";
    /// All levels of detail share one list of bones.
    has_unified_bone_map: Ue5Main 123 since "5.8";
    /// Meshes have no data for tessellation.
    has_no_tessellation: Ue5Release 3 since "5.0";
    /// Materials store cached data of their expressions.
    has_cached_expressions: Ue5Release 14 since "5.0";
    /// Cloth has a bias for levels of detail.
    has_cloth_lod_bias: Ue5Release 15 since "5.0";
    /// Skeletons have no smart names.
    has_no_smart_names: Ue5Release 64 since "5.7";
    /// Morph targets have data for rendering.
    has_morph_render_data: Ue5Special 7 since "5.0";
    /// Sources of morph targets are stripped from cooked packages.
    has_stripped_morph_sources: Ue5Special 8 since "5.0";
}

impl AssetVersions {
    /// Static meshes may have an occluder.
    #[must_use]
    pub fn has_occluders(&self) -> bool {
        !self.has_nanite()
    }

    /// Meshes have adjacency.
    #[must_use]
    pub fn has_adjacency(&self) -> bool {
        !self.has_no_tessellation()
    }

    /// Cards have levels of detail.
    #[must_use]
    pub fn has_card_lods(&self) -> bool {
        !self.has_section_distance_fields()
    }

    /// Skeletons name curves.
    #[must_use]
    pub fn has_smart_names(&self) -> bool {
        !self.has_no_smart_names()
    }

    /// Animations record if they have only raw data.
    #[must_use]
    pub fn has_raw_only_flag(&self) -> bool {
        !self.has_no_raw_only_flag()
    }

    /// Returns the length of a Nanite page state in bytes.
    #[must_use]
    pub fn len_of_nanite_page(&self) -> usize {
        if self.has_short_nanite_pages() { 20 } else { 24 }
    }

    /// Returns the length of a node in the hierarchy of a Nanite mesh, in bytes.
    #[must_use]
    pub fn len_of_nanite_node(&self) -> usize {
        // Curves came after voxels, so they are asked first.
        match (self.has_nanite_curves(), self.has_nanite_voxels()) {
            (true, _) => 60,
            (_, true) => 56,
            _ => 52,
        }
    }

    /// Returns the length of a static mesh's summary of a level of detail that is stored elsewhere, in bytes.
    #[must_use]
    pub fn len_of_lod_summary(&self) -> usize {
        // Adjacency is gone since Nanite.
        let adjacency = if self.has_nanite() { 0 } else { 8 };
        let ray_tracing = if self.has_ray_tracing_header() { 24 } else { 0 };
        80 + adjacency + ray_tracing
    }

    /// Returns the length of a skeletal mesh's summary of the vertices of a level of detail in bulk data: 32
    /// bytes, and those of weights.
    #[must_use]
    pub fn len_of_skeletal_summary(&self) -> usize {
        let weights = match (self.has_unlimited_influences(), self.has_weight_precision()) {
            (false, _) => 12,
            (_, false) => 24,
            _ => 28,
        };
        32 + weights
    }

    /// Returns the possible versions of a package, likeliest first: several releases write the same versions.
    ///
    /// `release` is the one assumed when reading the package, if it does not record one.
    #[must_use]
    pub(crate) fn candidates(
        objects: PackageFileVersion,
        release: Option<&'static Release>,
        custom: impl Fn(CustomVersionKey) -> Option<i32>,
    ) -> Vec<Self> {
        let mut numbers = [None; VersionPart::COUNT];
        for (number, part) in numbers.iter_mut().zip(VersionPart::ALL) {
            // A part that is not recorded stays empty, so that the release decides.
            *number = custom(part.key());
        }
        let of = |release| Self { objects, release, numbers };
        let alike: Vec<&'static Release> = match release {
            Some(release) => {
                // Zen packages of these releases look alike, so the assumed one may be wrong.
                let others = Release::all()
                    // Newest first, as later releases of the same layout are likelier.
                    .rev()
                    .filter(|other| other.name != release.name && other.zen == release.zen);
                let others = others.filter(|other| other.zen.is_some() || other.has_layout_of(release));
                std::iter::once(release).chain(others).collect()
            }
            // Several releases share the same numbers, so all of them are tried, newest first.
            None => Releases::of_versions(objects, &custom).iter().rev().collect(),
        };
        // A version between two releases, from a changed engine or a preview: the release below it is the best
        // guess, but previews of 5.0 are nearer to 5.0 than to 4.27.
        if alike.is_empty() {
            let is_ue5 = |found: PackageFileVersion| found.ue5 > 0;
            let below =
                Release::all().rev().filter(|release| is_ue5(release.objects) == is_ue5(objects)).find(
                    // Compared as a pair: the UE5 number decides, the UE4 number only between equal ones.
                    |release| (release.objects.ue5, release.objects.ue4) <= (objects.ue5, objects.ue4),
                );
            let first = Release::all().find(|release| is_ue5(release.objects) && is_ue5(objects));
            return vec![of(below.or(first).unwrap_or(Release::newest()))];
        }
        alike.into_iter().map(of).collect()
    }

    fn is_since(&self, release: &str) -> bool {
        let place = |name: &str| Release::all().position(|release| release.name == name);
        // By table position: names such as 4.9 and 4.10 do not sort as texts.
        place(self.release.name) >= place(release)
    }

    fn reaches(&self, key: VersionPart, step: i32, since: &str) -> bool {
        match self.numbers.get(key as usize).copied().flatten() {
            Some(number) => number >= step,
            // Not recorded, so the release decides.
            None => self.is_since(since),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gate_names_a_release() {
        for release in SINCE.iter().chain(STEPS) {
            assert!(Release::from_name(release).is_some(), "{release}");
        }
    }

    #[test]
    fn a_part_that_a_package_does_not_name_is_as_new_as_its_release() {
        let named = |asked: &[(CustomVersionKey, i32)], objects| {
            AssetVersions::candidates(objects, None, |key| {
                asked.iter().find(|(known, _)| *known == key).map(|(_, number)| *number)
            })
        };
        let newest = named(&[], PackageFileVersion::ue5(1018));
        assert_eq!(newest.iter().map(|found| found.release.name).collect::<Vec<_>>(), ["6.0", "5.8", "5.7"]);
        assert!(newest[0].has_cooked_font_faces() && newest[0].has_cpu_copy());
        // FUE5MainStreamObjectVersion 11.
        let old = named(&[(CustomVersionKey::UE5_MAIN, 11)], PackageFileVersion::ue5(1004));
        assert!(!old[0].has_cooked_font_faces() && old[0].has_relative_skip_offsets());
    }

    #[test]
    fn releases_whose_packages_look_alike_are_tried_one_after_the_other() {
        let names = |name| {
            let release = Release::from_name(name).unwrap();
            let found = AssetVersions::candidates(release.objects, Some(release), |_| None);
            found.iter().map(|found| found.release.name).collect::<Vec<_>>()
        };
        assert_eq!(names("5.8"), ["5.8", "6.0", "5.7", "5.6"]);
        assert_eq!(names("5.4"), ["5.4", "5.5"]);
        assert_eq!(names("4.16"), ["4.16", "4.17"]);
    }
}
