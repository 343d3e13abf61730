/// File version and licensee number of a package of Unreal Engine 1 to 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
pub struct ClassicVersion {
    /// 60–63 Unreal, 67–69 Unreal Tournament, to 130 Unreal Engine 2, from 178 on Unreal Engine 3.
    pub file: u16,
    /// Licensee version.
    pub licensee: u16,
}

macro_rules! gates {
    ($($(#[$doc:meta])* $name:ident: $first:literal $(.. $end:literal)?;)*) => {
        impl ClassicVersion {
            $(
                $(#[$doc])*
                #[must_use]
                pub const fn $name(self) -> bool {
                    // The end is exclusive: the version in which the field disappeared.
                    self.file >= $first $(&& self.file < $end)?
                }
            )*
        }
    };
}

gates! {
    /// Mips and names of sounds record the offset of their end.
    has_skip_offsets: 63;
    /// Names carry their length; before, they end with a zero byte.
    has_counted_names: 64;
    /// The header has a GUID and generations; before, a list of heritage GUIDs.
    has_generations: 68;
    /// Textures may have compressed mips before the mips, if a property says so.
    has_compressed_mips: 1..84;
    /// Indices are plain numbers; before, compact.
    has_plain_indices: 178;
    /// Flags of names and objects are 64-bit.
    has_long_flags: 195;
    /// Exports name their archetype.
    has_archetypes: 220;
    /// Property tags are UE3's: name, type, size, array index.
    has_typed_tags: 223;
    /// The header ends with the engine version.
    has_engine_version: 245;
    /// Exports have export flags.
    has_export_flags: 247;
    /// The header records its length.
    has_header_size: 249;
    /// The header has a folder name.
    has_folder_name: 269;
    /// The header ends with the cooker's version.
    has_cooker_version: 277;
    /// Generations count net objects, and exports list those of each generation.
    has_net_objects: 322;
    /// Object data starts with the object's index in the network list.
    has_net_index: 322;
    /// Byte properties name their enumeration.
    has_enum_names: 633;
    /// The value of a bool property is one byte; before, four.
    has_byte_bools: 673;
    /// The header lists compressed chunks.
    has_compressed_chunks: 334;
    /// Names have numbers.
    has_name_numbers: 343;
    /// The header points to a table of dependencies.
    has_depends: 415;
    /// Exports have package flags and a GUID.
    has_export_guid: 475;
    /// The header has a checksum of the package's name.
    has_package_source: 482;
    /// The header lists additional packages to cook.
    has_additional_packages: 516;
    /// Exports have a map of components.
    has_component_maps: 1..543;
    /// The header points to thumbnails.
    has_thumbnails: 584;
    /// The header points to GUIDs of imports and exports.
    has_cross_level_guids: 623;
    /// The header lists texture allocations.
    has_texture_allocations: 767;
}

impl ClassicVersion {
    /// Returns true if packages of this version are known: 60 is the first release, and the last is slightly
    /// above 868.
    #[must_use]
    pub const fn is_supported(self) -> bool {
        // The margins leave room for licensees, and exclude later engines: their negative numbers exceed
        // 65,000 in these 16 bits.
        self.file >= 40 && self.file < 1000
    }

    /// Returns the engine generation that wrote it.
    #[must_use]
    pub const fn engine(self) -> &'static str {
        match self.file {
            0..=99 => "Unreal Engine 1",
            // Known games have 60 to 69, about 119 to 128, and from about 178 on; the borders lie in the
            // gaps.
            100..=177 => "Unreal Engine 2",
            _ => "Unreal Engine 3",
        }
    }
}
