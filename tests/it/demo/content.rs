//! The files of the demo: packages of a small game that nobody made.
//!
//! ```text
//! Maps/Start ──► Blueprints/BP_Door ──► Engine/Basic/Cube
//!     │  └─────► Engine/Basic/Cube           │
//!     └────────► Materials/M_Rock ──► Textures/T_Rock     Maps/Cave ──► Materials/M_Rock
//! Data/DA_Doors ──► Blueprints/BP_Door, softly Maps/Cave
//! ```

use crate::support::zen::{ASSET, COOKED, Export, Import, MAP, Package, Ref};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use uncask::version::{TocVersion, ZenGeneration};
use uncask::wire::Writer;

/// Native classes that the packages refer to.
pub(super) const CLASSES: [&str; 14] = [
    "/Script/CoreUObject.Object",
    "/Script/CoreUObject.Class",
    "/Script/CoreUObject.Package",
    "/Script/Engine.Actor",
    "/Script/Engine.BlueprintGeneratedClass",
    "/Script/Engine.Level",
    "/Script/Engine.Material",
    "/Script/Engine.PrimaryDataAsset",
    "/Script/Engine.SoundWave",
    "/Script/Engine.StaticMesh",
    "/Script/Engine.StaticMeshActor",
    "/Script/Engine.Texture2D",
    "/Script/Engine.World",
    "/Script/Engine.WorldSettings",
];

/// Bulk data in a file of its own.
const SEPARATE: u32 = 0x1_0501;
/// Bulk data in the export.
const INLINE: u32 = 0x48;

/// The package of most of them.
const ENGINE: Import<'_> = Import::Script("/Script/Engine");

/// A file and its content.
pub(super) type File = (&'static str, Vec<u8>);

/// Lengths of the headers that the cooker wrote, by the names of packages.
pub(super) type Lens = BTreeMap<String, u32>;

/// The engine that cooked some packages.
#[derive(Clone, Copy)]
pub(super) struct Cook<'a> {
    pub(super) generation: ZenGeneration,
    pub(super) toc: TocVersion,
    pub(super) lens: &'a Lens,
}

impl Cook<'_> {
    /// A package, as this engine would write it.
    fn package(
        self,
        name: &str,
        flags: u32,
        names: &[&str],
        imports: &[Import<'_>],
        exports: Vec<Export<'_>>,
        bulk: &[(i64, i64, u32)],
    ) -> Vec<u8> {
        // The length that a package keeps leaves out what 5.8 added: a third name of each import, and a pair of numbers.
        let newest = self.generation == ZenGeneration::Cells;
        let added = if newest { 8 * (imports.len() + 1) } else { 0 };
        let len = self.lens.get(name).copied().unwrap_or_default();
        let package = Package {
            generation: self.generation,
            name,
            flags: COOKED | flags,
            cooked_header_len: len.saturating_sub(u32::try_from(added).expect("few imports")),
            names: names.to_vec(),
            imports: imports.to_vec(),
            exports,
            bulk: bulk.to_vec(),
        };
        package.bytes()
    }

    /// The data of an export: one number as a tagged property, then what its class writes.
    fn data(self, property: i32, is_default: bool, native: &[u8]) -> Vec<u8> {
        let mut w = Writer::new();
        let newer = self.generation.has_bulk_map_padding();
        if newer {
            w.u8(0);
        }
        // Name and type are the names 1 and 2 of the package, without numbers.
        w.u32(1).u32(0).u32(2).u32(0);
        if newer {
            w.u32(0).i32(4).u8(0);
        } else {
            w.i32(4).i32(0).u8(0);
        }
        w.i32(property).u32(0).u32(0);
        if !is_default {
            w.u32(0);
        }
        w.bytes(native);
        w.into_bytes()
    }
}

/// Text that compresses, numbered so that every block differs.
fn text(lines: u32, words: &str) -> Vec<u8> {
    let mut text = String::new();
    for line in 0..lines {
        writeln!(text, "{words} {line} {}", line * 7919 % 10007).expect("text");
    }
    text.into_bytes()
}

/// Bytes that do not compress: the output of a small generator.
fn noise(len: usize) -> Vec<u8> {
    let states = std::iter::successors(Some(16_807_u64), |state| Some(state * 16_807 % 2_147_483_647));
    states.take(len).map(|state| 33 + u8::try_from(state % 90).expect("small")).collect()
}

fn object(name: &str, class: usize, data: Vec<u8>) -> Export<'_> {
    Export {
        name,
        outer: Ref::Null,
        class: Ref::Import(class),
        super_class: Ref::Null,
        template: Ref::Null,
        flags: ASSET,
        data,
    }
}

/// A level with two actors: a door and a block of rock.
fn map(cook: Cook<'_>, name: &'static str, title: &'static str, lines: u32, words: &str) -> Vec<u8> {
    let imports = [
        ENGINE,
        Import::Script("/Script/Engine.World"),
        Import::Script("/Script/Engine.Level"),
        Import::Script("/Script/Engine.StaticMeshActor"),
        Import::Hole,
        Import::Object("/Game/Blueprints/BP_Door", "BP_Door_C"),
        Import::Hole,
        Import::Object("/Engine/Basic/Cube", "Cube"),
        Import::Hole,
        Import::Object("/Game/Materials/M_Rock", "M_Rock"),
    ];
    let names = ["None", "Count", "IntProperty"];
    let private =
        |export: Export<'static>, outer: usize| Export { outer: Ref::Export(outer), flags: 8, ..export };
    let exports = vec![
        object(title, 1, cook.data(1, false, b"")),
        private(object("PersistentLevel", 2, cook.data(2, false, &text(lines, words))), 0),
        private(object("BP_Door_C_1", 5, cook.data(3, false, &5_i32.to_le_bytes())), 1),
        private(
            object(
                "Block",
                3,
                cook.data(4, false, &[(-8_i32).to_le_bytes(), (-10_i32).to_le_bytes()].concat()),
            ),
            1,
        ),
    ];
    cook.package(name, MAP, &names, &imports, exports, &[])
}

/// The map `Start`, and its patched form.
pub(super) fn start(cook: Cook<'_>, patched: bool) -> File {
    let (lines, words) = if patched {
        (3100, "actor of the patched map Start at")
    } else {
        (3000, "actor of the map Start at")
    };
    ("Demo/Content/Maps/Start.umap", map(cook, "/Game/Maps/Start", "Start", lines, words))
}

/// The map `Cave` and a file that is no asset.
pub(super) fn extra(cook: Cook<'_>) -> Vec<File> {
    let cave = map(cook, "/Game/Maps/Cave", "Cave", 6000, "actor of the map Cave at");
    vec![("Demo/Content/Maps/Cave.umap", cave), ("Demo/Config/DefaultGame.ini", text(40, "Setting"))]
}

/// What the map `Start` needs, and a data asset.
pub(super) fn base(cook: Cook<'_>) -> Vec<File> {
    let (texture, pixels) = texture(cook);
    vec![
        start(cook, false),
        ("Demo/Content/Textures/T_Rock.uasset", texture),
        ("Demo/Content/Textures/T_Rock.ubulk", pixels),
        ("Demo/Content/Materials/M_Rock.uasset", material(cook)),
        ("Demo/Content/Blueprints/BP_Door.uasset", blueprint(cook)),
        ("Demo/Content/Data/DA_Doors.uasset", data_asset(cook)),
        ("Demo/Content/Movies/Intro.bin", noise(40_000)),
        ("Engine/Content/Basic/Cube.uasset", mesh(cook)),
    ]
}

/// A sound in several partitions.
pub(super) fn big(cook: Cook<'_>) -> Vec<File> {
    let names = ["None", "NumChannels", "IntProperty"];
    let imports = [ENGINE, Import::Script("/Script/Engine.SoundWave")];
    let samples = noise(90_000);
    let sound = object("Theme", 1, cook.data(1, false, &text(30_000, "sample")));
    let bulk = [(0, 90_000, SEPARATE)];
    let theme = cook.package("/Game/Audio/Theme", 0, &names, &imports, vec![sound], &bulk);
    vec![("Demo/Content/Audio/Theme.uasset", theme), ("Demo/Content/Audio/Theme.ubulk", samples)]
}

/// One side of the larger mip, in pixels.
const SIDE: u32 = 256;

/// A checked pattern of stones: blue, green, red and alpha of each pixel.
fn pixels(side: u32) -> Vec<u8> {
    let pixel = |at: u32| {
        let (x, y) = (at % side * SIDE / side, at / side * SIDE / side);
        let stone = if (x / 32 + y / 32).is_multiple_of(2) { 90 } else { 60 };
        let grain = u8::try_from((x * 7 + y * 13) % 17).expect("small");
        [stone + grain, stone + grain + 5, stone + grain + 10, 255]
    };
    (0..side * side).flat_map(pixel).collect()
}

/// A texture of two mips: the larger one in a file of its own.
fn texture(cook: Cook<'_>) -> (Vec<u8>, Vec<u8>) {
    const FORMAT: &str = "PF_B8G8R8A8";
    let names = ["None", "LODBias", "IntProperty", FORMAT];
    let imports = [ENGINE, Import::Script("/Script/Engine.Texture2D")];
    let (large, small) = (pixels(SIDE), pixels(SIDE / 2));
    let mut platform = Writer::new();
    // No derived data; sides, one slice, the format; all mips from the first on.
    platform.bytes(&[0; 16]).u32(SIDE).u32(SIDE).u32(1).string(FORMAT).u32(0).u32(2);
    // Each mip: which bulk data, and its sides.
    platform.u32(0).u32(SIDE).u32(SIDE).u32(1);
    platform.u32(1);
    let inline_at = platform.len();
    platform.bytes(&small).u32(SIDE / 2).u32(SIDE / 2).u32(1).u32(0);
    let platform = platform.into_bytes();
    let mut native = Writer::new();
    // Stripped of editor data; cooked, with its mips; one format, and how far it reaches.
    native.bytes(&[5, 0, 5, 0]).u32(1).u32(1).u32(3).u32(0).u64(8 + platform.len() as u64);
    let before = native.len();
    native.bytes(&platform).u32(0).u32(0);
    let before = cook.data(0, false, b"").len() + before;
    let number = |len: usize| i64::try_from(len).expect("small");
    let bulk =
        [(0, number(large.len()), SEPARATE), (number(before + inline_at), number(small.len()), INLINE)];
    let rock = object("T_Rock", 1, cook.data(0, false, &native.into_bytes()));
    (cook.package("/Game/Textures/T_Rock", 0, &names, &imports, vec![rock], &bulk), large)
}

fn material(cook: Cook<'_>) -> Vec<u8> {
    let imports = [
        ENGINE,
        Import::Script("/Script/Engine.Material"),
        Import::Hole,
        Import::Object("/Game/Textures/T_Rock", "T_Rock"),
    ];
    // The texture, as an import.
    let rock = object("M_Rock", 1, cook.data(2, false, &(-4_i32).to_le_bytes()));
    cook.package(
        "/Game/Materials/M_Rock",
        0,
        &["None", "NumTextures", "IntProperty"],
        &imports,
        vec![rock],
        &[],
    )
}

fn mesh(cook: Cook<'_>) -> Vec<u8> {
    let imports = [ENGINE, Import::Script("/Script/Engine.StaticMesh")];
    let cube = object("Cube", 1, cook.data(1, false, &text(500, "vertex")));
    cook.package("/Engine/Basic/Cube", 0, &["None", "MinLOD", "IntProperty"], &imports, vec![cube], &[])
}

/// A class that extends a native one, and its default object.
fn blueprint(cook: Cook<'_>) -> Vec<u8> {
    const DEFAULT_OBJECT: u32 = 0x31;
    let imports = [
        ENGINE,
        Import::Script("/Script/Engine.BlueprintGeneratedClass"),
        Import::Script("/Script/Engine.Actor"),
        Import::Script("/Script/Engine.Default__Actor"),
        Import::Hole,
        Import::Object("/Engine/Basic/Cube", "Cube"),
    ];
    let class = Export {
        super_class: Ref::Import(2),
        ..object("BP_Door_C", 1, cook.data(1, false, &(-6_i32).to_le_bytes()))
    };
    let default = Export {
        class: Ref::Export(0),
        template: Ref::Import(3),
        flags: DEFAULT_OBJECT,
        ..object("Default__BP_Door_C", 1, cook.data(90, true, b""))
    };
    let names = ["None", "OpenAngle", "IntProperty"];
    cook.package("/Game/Blueprints/BP_Door", 0, &names, &imports, vec![class, default], &[])
}

/// What refers to a class, and softly to a map.
fn data_asset(cook: Cook<'_>) -> Vec<u8> {
    let imports = [
        ENGINE,
        Import::Script("/Script/Engine.PrimaryDataAsset"),
        Import::Hole,
        Import::Object("/Game/Blueprints/BP_Door", "BP_Door_C"),
    ];
    let names = ["None", "Doors", "IntProperty", "/Game/Maps/Cave", "Cave"];
    // The class as an import; then the path of the map: package, object, nothing in it.
    let mut native = Writer::new();
    native.i32(-4).u32(3).u32(0).u32(4).u32(0).u32(0);
    let doors = object("DA_Doors", 1, cook.data(12, false, &native.into_bytes()));
    cook.package("/Game/Data/DA_Doors", 0, &names, &imports, vec![doors], &[])
}
