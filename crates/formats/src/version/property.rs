use super::part::VersionPart;
use super::{CustomVersionKey, PackageFileVersion, Release};
use std::sync::LazyLock;

/// Versions that decide the layout of a package's property data: its object versions, and the relevant
/// numbers of engine parts.
///
/// A versioned package records these numbers; for an unversioned one, its release implies them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PropertyVersions {
    /// Object versions.
    pub objects: PackageFileVersion,
    numbers: [i32; VersionPart::COUNT],
}

/// A number of one engine part, and the first release with it.
struct Step {
    part: VersionPart,
    number: i32,
    since: &'static str,
}

macro_rules! steps {
    ($($(#[$doc:meta])* $name:ident: $key:ident $number:literal since $release:literal;)*) => {
        impl PropertyVersions {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(&self) -> bool {
                    self.reaches(&Step { part: VersionPart::$key, number: $number, since: $release })
                }
            )*
        }

        const STEPS: &[Step] = &[$(Step { part: VersionPart::$key, number: $number, since: $release },)*];
    };
}

steps! {
    /// Inputs of materials have a special form.
    has_native_material_inputs: Core 1 since "4.12";
    /// Enum values have 64 bits.
    has_long_enum_values: Core 2 since "4.15";
    /// Properties of classes are fields instead of objects.
    has_fields: Core 4 since "4.25";
    /// Sound waves are referenced as objects.
    has_hard_sound_references: Framework 23 since "4.16";
    /// Pins of graph nodes are part of their nodes, not objects.
    has_pin_arrays: Blueprints 4 since "4.14";
    /// Pins can be maps and sets.
    has_pin_maps: Blueprints 6 since "4.15";
    /// Pins name their container by a number.
    has_pin_containers: Framework 26 since "4.17";
    /// Fields no longer record the next one.
    has_no_next_field: Framework 29 since "4.18";
    /// Pins are identified by names instead of strings.
    has_pin_names: Framework 31 since "4.19";
    /// User-defined structs hold their default values.
    has_struct_defaults: Framework 32 since "4.19";
    /// Font faces are separate assets.
    has_font_faces: Editor 9 since "4.15";
    /// Metadata of sequencer tracks is native.
    has_native_track_ids: Editor 19 since "4.17";
    /// Number formats record if the sign is always shown.
    has_always_sign: Editor 21 since "4.19";
    /// Font data names a face inside its file.
    has_font_sub_faces: Editor 24 since "4.20";
    /// Texts without history may keep their string.
    has_culture_invariant_text: Editor 32 since "4.23";
    /// Levels list their actors in a plain array.
    has_plain_actor_list: Release 3 since "4.13";
    /// Event parameters refer to their struct softly.
    has_soft_event_structs: Release 8 since "4.16";
    /// Properties record their replication condition.
    has_replication_condition: Release 21 since "4.23";
    /// Paths of fields name their owner.
    has_field_owner_of_release: Release 30 since "4.25";
    /// Pin types record if they are wrapped objects.
    has_pin_wrapper_flag: Release 32 since "4.26";
    /// Sub-sequences record their warp count.
    has_warp_counter_of_release: Release 42 since "4.27";
    /// Levels have no data for texture streaming.
    has_lean_levels: Rendering 3 since "4.13";
    /// Built lighting has a separate package.
    has_map_build_data: Rendering 9 since "4.14";
    /// Normals of painted vertices are not packed.
    has_precise_painted_normals: Rendering 26 since "4.20";
    /// Instances have data of their own, and light maps the form of today.
    has_custom_instance_data: Rendering 40 since "4.25";
    /// Light maps have two virtual textures.
    has_two_virtual_light_maps: Rendering 45 since "4.27";
    /// Sequencer templates are compiled into a tree.
    has_evaluation_tree: Sequencer 5 since "4.19";
    /// Sequencer times are frames.
    has_frame_times: Sequencer 7 since "4.20";
    /// Sequencer channels are written in full.
    has_full_channels: Sequencer 12 since "4.25";
    /// Smart names have no id.
    has_no_smart_name_id: AnimPhys 5 since "4.17";
    /// Smart names have no GUID.
    has_no_smart_name_guid: AnimPhys 10 since "4.18";
    /// Skeletal meshes are sampled by vertex.
    has_vertex_sampling: NiagaraObject 1 since "4.21";
    /// GPU parameters name generated functions.
    has_generated_functions: Niagara 55 since "4.25";
    /// Generated functions have variadic parameters.
    has_variadic_parameters: Niagara 77 since "5.2";
    /// Generated functions record their usage.
    has_usage_mask: Niagara 91 since "5.6";
    /// Components with instances say if they are cooked.
    has_cooked_instances: FortniteMain 11 since "4.21";
    /// Curve tables record the kind of their rows.
    has_curve_table_mode: FortniteMain 23 since "4.22";
    /// Paths of fields name their owner.
    has_field_owner_of_fortnite: FortniteMain 33 since "4.26";
    /// Sequencer channels record if the editor shows them.
    has_show_curve: FortniteMain 53 since "5.0";
    /// Sub-sequences record their warp count.
    has_warp_counter_of_fortnite: FortniteMain 55 since "5.0";
    /// Cooked blueprint classes have tags of the editor.
    has_editor_tags: FortniteMain 57 since "5.0";
    /// Components say if they have instances.
    has_optional_instances: FortniteMain 115 since "5.4";
    /// Actors of level instances have GUIDs for lighting.
    has_level_instance_guids: FortniteMain 150 since "5.5";
    /// Components record if a texture was painted on them.
    has_mesh_paint_texture: FortniteMain 166 since "5.5";
    /// Colours of materials are linear.
    has_linear_material_colors: FortniteMain 171 since "5.6";
    /// Sub-paths of soft paths are UTF-8.
    has_utf8_sub_paths: FortniteMain 192 since "5.6";
    /// Enums record their underlying type.
    has_enum_type: FortniteMain 255 since "5.8";
    /// Uncooked texts hold notes of developers.
    has_text_notes: FortniteMain 260 since "5.8";
    /// Components list properties changed by construction scripts.
    has_modified_properties: FortniteRelease 4 since "5.1";
    /// Overrides of Nanite materials are editor-only.
    has_editor_nanite_overrides: FortniteRelease 11 since "5.3";
    /// Numbers in texts have 64 bits.
    has_long_text_numbers: Ue5Release 12 since "5.0";
    /// Materials store cached data of their expressions.
    has_cached_material_data: Ue5Release 14 since "5.0";
    /// Default objects may have sparse class data.
    has_sparse_class_data: Ue5Main 33 since "5.0";
    /// Pins record the place that they come from.
    has_pin_source_index: Ue5Main 50 since "5.1";
    /// Uncooked pin types record if numbers are written with single precision.
    has_pin_float_flag: Ue5Release 36 since "5.1";
    /// Casts of graphs record if they are pure.
    has_pure_casts: FortniteMain 85 since "5.3";
    /// Cooked world partitions name their streaming policy.
    has_streaming_policy: Ue5Main 74 since "5.1";
    /// Scene components may have bounds.
    has_component_bounds: Ue5Special 2 since "5.0";
    /// Cooked actors may have labels.
    has_actor_labels: Ue5Special 4 since "5.0";
    /// Instanced structs are not preceded by a version.
    has_plain_instanced_structs: InstancedStruct 0 since "5.3";
    /// Property bags hold containers of containers.
    has_bag_containers: PropertyBag 1 since "5.1";
    /// Property bags name meta classes.
    has_bag_meta_class: PropertyBag 3 since "5.4";
    /// Property bags have flags of properties.
    has_bag_flags: PropertyBag 4 since "5.8";
    /// Property bags have keys.
    has_bag_keys: PropertyBag 5 since "5.8";
    /// Overridable bags are written as bags.
    has_native_overridable_bags: OverridableBag 1 since "5.7";
}

impl PropertyVersions {
    /// Returns the versions recorded in a package. An engine part without a recorded number is older than all
    /// steps.
    #[must_use]
    pub fn own(objects: PackageFileVersion, custom: impl Fn(CustomVersionKey) -> Option<i32>) -> Self {
        let mut numbers = [-1; VersionPart::COUNT];
        for (number, part) in numbers.iter_mut().zip(VersionPart::ALL) {
            // −1 is below all steps, so that every gate is closed.
            *number = custom(part.key()).unwrap_or(-1);
        }
        Self { objects, numbers }
    }

    /// Returns the versions that a release writes.
    #[must_use]
    pub fn of_release(release: &Release) -> Self {
        // Computed once: packages of one game ask for the same release thousands of times.
        static KNOWN: LazyLock<Vec<(&str, PropertyVersions)>> =
            LazyLock::new(|| Release::all().map(|release| (release.name, implied(release))).collect());
        let known = KNOWN.iter().find(|(name, _)| *name == release.name);
        known.map_or_else(|| implied(release), |(_, versions)| *versions)
    }

    /// Returns the same numbers with other object versions.
    #[must_use]
    pub(crate) const fn with_objects(self, objects: PackageFileVersion) -> Self {
        Self { objects, ..self }
    }

    /// Paths of fields name their owner.
    #[must_use]
    pub(crate) fn has_field_owner(&self) -> bool {
        // The change came through two branches of the engine, each with its own counter.
        self.has_field_owner_of_release() || self.has_field_owner_of_fortnite()
    }

    /// Nodes of sub-sequence trees have a separate list, from 4.27 to 5.4.
    #[must_use]
    pub(crate) fn has_warp_counter(&self) -> bool {
        let since = self.has_warp_counter_of_release() || self.has_warp_counter_of_fortnite();
        // Object version 1013 is the first one of 5.5.
        since && !self.objects.has_build_dependencies()
    }

    fn reaches(&self, step: &Step) -> bool {
        self.numbers.get(step.part as usize).is_some_and(|number| *number >= step.number)
    }
}

/// Combines the steps of all releases up to this one.
fn implied(release: &Release) -> PropertyVersions {
    let place = |name: &str| Release::all().position(|release| release.name == name);
    let own = place(release.name);
    let mut numbers = [-1; VersionPart::COUNT];
    for step in STEPS.iter().filter(|step| place(step.since) <= own) {
        if let Some(number) = numbers.get_mut(step.part as usize) {
            // A part may have several steps up to this release; the highest one counts.
            *number = step.number.max(*number);
        }
    }
    PropertyVersions { objects: release.objects, numbers }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_names_a_release() {
        for step in STEPS {
            assert!(Release::from_name(step.since).is_some(), "{}", step.since);
        }
    }

    #[test]
    fn a_part_that_a_package_does_not_name_is_older_than_its_first_step() {
        let objects = PackageFileVersion::ue5(1013);
        let none = PropertyVersions::own(objects, |_| None);
        assert!(!none.has_fields() && !none.has_plain_instanced_structs());
        // FInstancedStructCustomVersion 0.
        let key = CustomVersionKey([0xE21E_1CAA, 0xAF47_425E, 0x89BF_6AD4, 0x4C44_A8BB]);
        let named = PropertyVersions::own(objects, |asked| (asked == key).then_some(0));
        assert!(named.has_plain_instanced_structs() && !named.has_fields());
    }

    #[test]
    fn releases_imply_numbers() {
        let of = |name| PropertyVersions::of_release(Release::from_name(name).unwrap());
        assert!(!of("4.24").has_fields() && of("4.25").has_fields());
        assert!(!of("5.7").has_enum_type() && of("6.0").has_enum_type());
        assert!(
            !of("4.26").has_warp_counter() && of("5.4").has_warp_counter() && !of("5.5").has_warp_counter()
        );
    }
}
