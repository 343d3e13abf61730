//! The files of the demo: packages of a small game that nobody made.
//!
//! ```text
//! Maps/Start ──► Blueprints/BP_Door ──► Engine/Basic/Cube
//!     │  └─────► Engine/Basic/Cube           │
//!     └────────► Materials/M_Rock ──► Textures/T_Rock     Maps/Cave ──► Materials/M_Rock
//! Data/DA_Doors ──► Blueprints/BP_Door, softly Maps/Cave
//! ```

use super::cooked::{ASSET, DEFAULT_OBJECT, Data, Export, Import, MAP, Package};
use std::fmt::Write as _;
use uncask::version::Release;
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

/// The package of most of them, and a class in it: these are the first imports of every package.
const ENGINE: Import = Import::package("/Script/Engine");
const fn native(name: &'static str) -> Import {
    Import::class(-1, name)
}

/// A file and its content.
pub(super) type File = (String, Vec<u8>);

/// The engine that cooked some packages.
#[derive(Clone, Copy)]
pub(super) struct Cook(pub(super) &'static Release);

impl Cook {
    /// The files of a package, the header of which is at `path`.
    fn package(self, path: &str, package: &Package) -> [File; 2] {
        let (header, exports) = package.files(self.0);
        let (stem, _) = path.rsplit_once('.').expect("an extension");
        [(path.to_owned(), header), (format!("{stem}.uexp"), exports)]
    }

    /// The data of an export: one number as a tagged property, then what its class writes.
    fn data(self, property: i32, is_default: bool, native: &[u8]) -> Data {
        let mut w = Writer::new();
        let newer = self.0.objects.has_complete_type_names();
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
        let properties_len = w.len();
        if !is_default {
            w.u32(0);
        }
        w.bytes(native);
        Data { bytes: w.into_bytes(), properties_len }
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

fn object(name: &'static str, class: i32, data: Data) -> Export {
    Export { name, class, flags: ASSET, data, ..Export::default() }
}

/// A level with two actors: a door and a block of rock.
fn map(cook: Cook, path: &str, name: &'static str, lines: u32, words: &str) -> [File; 2] {
    let imports = vec![
        ENGINE,
        native("World"),
        native("Level"),
        native("StaticMeshActor"),
        Import::package("/Engine/Basic/Cube"),
        Import::object(-5, "Cube", "StaticMesh"),
        Import::package("/Game/Blueprints/BP_Door"),
        Import::object(-7, "BP_Door_C", "BlueprintGeneratedClass"),
        Import::package("/Game/Materials/M_Rock"),
        Import::object(-9, "M_Rock", "Material"),
    ];
    let private = |export: Export, outer: i32| Export { outer, flags: 8, ..export };
    let references = [(-6_i32).to_le_bytes(), (-10_i32).to_le_bytes()].concat();
    let block = object("Block", -4, cook.data(4, false, &references));
    let exports = vec![
        object(name.rsplit('/').next().expect("a name"), -2, cook.data(1, false, b"")),
        private(object("PersistentLevel", -3, cook.data(2, false, &text(lines, words))), 1),
        private(object("BP_Door_C_1", -8, cook.data(3, false, &5_i32.to_le_bytes())), 2),
        private(Export { needs: vec![-6, -10], ..block }, 2),
    ];
    let names = vec!["None", "Count", "IntProperty"];
    let package = Package { name, flags: MAP, names, imports, exports, bulk: Vec::new() };
    cook.package(path, &package)
}

/// The map `Start`, and its patched form.
pub(super) fn start(cook: Cook, patched: bool) -> Vec<File> {
    let (lines, words) = if patched {
        (3100, "actor of the patched map Start at")
    } else {
        (3000, "actor of the map Start at")
    };
    map(cook, "Demo/Content/Maps/Start.umap", "/Game/Maps/Start", lines, words).into()
}

/// The map `Cave` and a file that is no asset.
pub(super) fn extra(cook: Cook) -> Vec<File> {
    let words = "actor of the map Cave at";
    let cave = map(cook, "Demo/Content/Maps/Cave.umap", "/Game/Maps/Cave", 6000, words);
    let setting = ("Demo/Config/DefaultGame.ini".to_owned(), text(40, "Setting"));
    cave.into_iter().chain([setting]).collect()
}

/// What the map `Start` needs, and a data asset.
pub(super) fn base(cook: Cook) -> Vec<File> {
    let movie = ("Demo/Content/Movies/Intro.bin".to_owned(), noise(40_000));
    [
        start(cook, false),
        texture(cook),
        material(cook).into(),
        blueprint(cook).into(),
        data_asset(cook).into(),
        vec![movie],
        mesh(cook).into(),
    ]
    .concat()
}

/// A sound in several partitions.
pub(super) fn big(cook: Cook) -> Vec<File> {
    let sound = object("Theme", -2, cook.data(1, false, &text(30_000, "sample")));
    let package = Package {
        name: "/Game/Audio/Theme",
        names: vec!["None", "NumChannels", "IntProperty"],
        imports: vec![ENGINE, native("SoundWave")],
        exports: vec![sound],
        bulk: vec![(0, 90_000, SEPARATE)],
        ..Package::default()
    };
    let samples = ("Demo/Content/Audio/Theme.ubulk".to_owned(), noise(90_000));
    cook.package("Demo/Content/Audio/Theme.uasset", &package).into_iter().chain([samples]).collect()
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
fn texture(cook: Cook) -> Vec<File> {
    const FORMAT: &str = "PF_B8G8R8A8";
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
    let mut native_data = Writer::new();
    // Stripped of editor data; cooked, with its mips; one format, and how far it reaches.
    native_data.bytes(&[5, 0, 5, 0]).u32(1).u32(1).u32(3).u32(0).u64(8 + platform.len() as u64);
    let before = native_data.len();
    native_data.bytes(&platform).u32(0).u32(0);
    let before = cook.data(0, false, b"").bytes.len() + before;
    let number = |len: usize| i64::try_from(len).expect("small");
    let package = Package {
        name: "/Game/Textures/T_Rock",
        names: vec!["None", "LODBias", "IntProperty", FORMAT],
        imports: vec![ENGINE, native("Texture2D")],
        exports: vec![object("T_Rock", -2, cook.data(0, false, &native_data.into_bytes()))],
        bulk: vec![
            (0, number(large.len()), SEPARATE),
            (number(before + inline_at), number(small.len()), INLINE),
        ],
        ..Package::default()
    };
    let mip = ("Demo/Content/Textures/T_Rock.ubulk".to_owned(), large);
    cook.package("Demo/Content/Textures/T_Rock.uasset", &package).into_iter().chain([mip]).collect()
}

fn material(cook: Cook) -> [File; 2] {
    let imports = vec![
        ENGINE,
        native("Material"),
        Import::package("/Game/Textures/T_Rock"),
        Import::object(-3, "T_Rock", "Texture2D"),
    ];
    // The texture, as an import.
    let rock = object("M_Rock", -2, cook.data(2, false, &(-4_i32).to_le_bytes()));
    let package = Package {
        name: "/Game/Materials/M_Rock",
        names: vec!["None", "NumTextures", "IntProperty"],
        imports,
        exports: vec![Export { needs: vec![-4], ..rock }],
        ..Package::default()
    };
    cook.package("Demo/Content/Materials/M_Rock.uasset", &package)
}

fn mesh(cook: Cook) -> [File; 2] {
    let package = Package {
        name: "/Engine/Basic/Cube",
        names: vec!["None", "MinLOD", "IntProperty"],
        imports: vec![ENGINE, native("StaticMesh")],
        exports: vec![object("Cube", -2, cook.data(1, false, &text(500, "vertex")))],
        ..Package::default()
    };
    cook.package("Engine/Content/Basic/Cube.uasset", &package)
}

/// A class that extends a native one, and its default object.
fn blueprint(cook: Cook) -> [File; 2] {
    let imports = vec![
        ENGINE,
        native("BlueprintGeneratedClass"),
        native("Actor"),
        Import::object(-1, "Default__Actor", "Actor"),
        Import::package("/Engine/Basic/Cube"),
        Import::object(-5, "Cube", "StaticMesh"),
    ];
    let class = Export {
        super_class: -3,
        needs: vec![-6],
        ..object("BP_Door_C", -2, cook.data(1, false, &(-6_i32).to_le_bytes()))
    };
    let default = Export {
        template: -4,
        flags: DEFAULT_OBJECT,
        ..object("Default__BP_Door_C", 1, cook.data(90, true, b""))
    };
    let package = Package {
        name: "/Game/Blueprints/BP_Door",
        names: vec!["None", "OpenAngle", "IntProperty"],
        imports,
        exports: vec![class, default],
        ..Package::default()
    };
    cook.package("Demo/Content/Blueprints/BP_Door.uasset", &package)
}

/// What refers to a class, and softly to a map.
fn data_asset(cook: Cook) -> [File; 2] {
    let imports = vec![
        ENGINE,
        native("PrimaryDataAsset"),
        Import::package("/Game/Blueprints/BP_Door"),
        Import::object(-3, "BP_Door_C", "BlueprintGeneratedClass"),
    ];
    // The class as an import; then the path of the map: package, object, nothing in it.
    let mut native_data = Writer::new();
    native_data.i32(-4).u32(3).u32(0).u32(4).u32(0).u32(0);
    let doors = object("DA_Doors", -2, cook.data(12, false, &native_data.into_bytes()));
    let package = Package {
        name: "/Game/Data/DA_Doors",
        names: vec!["None", "Doors", "IntProperty", "/Game/Maps/Cave", "Cave"],
        imports,
        exports: vec![Export { needs: vec![-4], ..doors }],
        ..Package::default()
    };
    cook.package("Demo/Content/Data/DA_Doors.uasset", &package)
}
