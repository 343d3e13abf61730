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

/// The files that the map `Start` needs, and a data asset.
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

/// A sound in several partitions: the head of a WAV file in the export, the samples in a file of their own.
pub(super) fn big(cook: Cook) -> Vec<File> {
    let samples = samples(90_000);
    let len = u32::try_from(samples.len()).expect("small");
    let mut head = Writer::new();
    // PCM, one channel, 22,050 samples a second of 16 bits.
    head.bytes(b"RIFF").u32(36 + len).bytes(b"WAVEfmt ").u32(16).u16(1).u16(1).u32(22_050).u32(44_100);
    head.u16(2).u16(16).bytes(b"data").u32(len);
    let head = head.into_bytes();
    let mut native_data = Writer::new();
    // Cooked; no cue points; a GUID; two chunks of the format.
    native_data.u32(1).u32(0).bytes(&[0x7A; 16]).u32(2).u32(3).u32(0);
    // Each chunk: cooked, the first one inlined; which bulk data; its size, and that of the audio in it.
    native_data.u32(5).u32(0);
    let inline_at = cook.data(1, false, b"").bytes.len() + native_data.len();
    native_data.bytes(&head).u32(44).u32(44);
    native_data.u32(1).u32(1).u32(len).u32(len);
    let package = Package {
        name: "/Game/Audio/Theme",
        names: vec!["None", "NumChannels", "IntProperty", "PCM"],
        imports: vec![ENGINE, native("SoundWave")],
        exports: vec![object("Theme", -2, cook.data(1, false, &native_data.into_bytes()))],
        bulk: vec![(i64::try_from(inline_at).expect("small"), 44, 0x40), (0, len.into(), SEPARATE)],
        ..Package::default()
    };
    let samples = ("Demo/Content/Audio/Theme.ubulk".to_owned(), samples);
    cook.package("Demo/Content/Audio/Theme.uasset", &package).into_iter().chain([samples]).collect()
}

/// Notes that fade away, with some noise, so that they do not compress well.
fn samples(count: usize) -> Vec<u8> {
    const NOTES: [i32; 6] = [100, 80, 67, 50, 67, 80];
    const LENGTH: i32 = 15_000;
    let sample = |(at, noise): (i32, u8)| {
        let note = NOTES[usize::try_from(at / LENGTH).expect("positive") % NOTES.len()];
        // A triangle between -1 and 1, in parts of a note's length.
        let wave = (at % note * 4 - note * 2).abs() - note;
        let sample = wave * 9000 / note * (LENGTH - at % LENGTH) / LENGTH + i32::from(noise) * 3 - 234;
        i16::try_from(sample).expect("not that loud").to_le_bytes()
    };
    (0..).zip(noise(count)).flat_map(sample).collect()
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

/// A cube of 24 vertices, a metre wide.
fn mesh(cook: Cook) -> [File; 2] {
    let mut w = Writer::new();
    // Stripped of editor data; cooked; no shapes for physics and navigation; a GUID; no sockets.
    w.bytes(&[5, 0]).u32(1).u32(0).u32(0).bytes(&[0x5D; 16]).u32(0);
    // One level of detail, without reversed indices and ray tracing, with one section.
    w.u32(1).bytes(&[5, 12]).u32(1);
    // Material, first index, triangles, lowest and highest vertex; collides, casts shadows, is not opaque by force, is visible
    // to rays and distance fields.
    w.u32(0).u32(0).u32(12).u32(0).u32(23).u32(1).u32(1).u32(0).u32(1).u32(1);
    // No deviation; not left out; in the export; no ray tracing.
    w.u32(0).u32(0).u32(1).u32(0);
    cube(&mut w);
    // Sizes of buffers; one level in the export.
    w.u32(960).u32(0).u32(0).u8(1);
    // No Nanite: flags, pages (bulk data), root pages, states, nodes, roots, dependencies, imposters; then numbers.
    w.bytes(&[5, 0]).u32(0).u32(0).bytes(&[0; 6 * 4]).bytes(&[0; 7 * 4]);
    // No proxy for rays; no cards; no distance fields.
    w.u32(0).bytes(&[5, 2]).bytes(&[5, 1]);
    // Centre, half the sides, and the radius around them.
    for number in [0.0, 0.0, 0.0, 50.0, 50.0, 50.0, 86.602_540_378_443_86_f64] {
        w.bytes(&number.to_le_bytes());
    }
    // Lighting is not shared; screen sizes; stripped of editor data; no wind.
    w.u32(0).u32(0).bytes(&1_f32.to_le_bytes()).bytes(&[0; 7 * 8]).bytes(&[5, 0]).u32(0);
    // One material: none, its slot, density of textures.
    w.u32(1).u32(0).u32(3).u32(0).bytes(&[0; 2 * 4 + 4 * 4]);
    let package = Package {
        name: "/Engine/Basic/Cube",
        names: vec!["None", "MinLOD", "IntProperty", "Default"],
        imports: vec![ENGINE, native("StaticMesh")],
        exports: vec![object("Cube", -2, cook.data(1, false, &w.into_bytes()))],
        bulk: vec![(0, 0, 0x40)],
        ..Package::default()
    };
    cook.package("Engine/Content/Basic/Cube.uasset", &package)
}

/// The buffers of a cube: four vertices for each side.
fn cube(w: &mut Writer) {
    let (mut positions, mut tangents, mut coordinates, mut indices) = (vec![], vec![], vec![], vec![]);
    for (side, (axis, sign)) in (0_u16..).zip((0..3).flat_map(|axis| [(axis, 1_i8), (axis, -1)])) {
        let [across, up] = [(axis + 1) % 3, (axis + 2) % 3];
        for [u, v] in [[0, 0], [1, 0], [1, 1], [0, 1]] {
            let mut position = [0.0_f32; 3];
            position[axis] = 50.0 * f32::from(sign);
            (position[across], position[up]) = (f32::from(u) * 100.0 - 50.0, f32::from(v) * 100.0 - 50.0);
            positions.extend(position.map(f32::to_le_bytes).as_flattened());
            // The tangent along U; the normal, and whether V goes along their product.
            let (mut tangent, mut normal) = ([0_i8, 0, 0, 127], [0_i8, 0, 0, 127 * sign]);
            (tangent[across], normal[axis]) = (127, 127 * sign);
            tangents.extend([tangent, normal].as_flattened().iter().map(|part| part.to_le_bytes()[0]));
            // Halves: 0 or 1.
            coordinates
                .extend([u, v].map(|part: i8| if part == 0 { [0, 0] } else { [0, 0x3C] }).as_flattened());
        }
        // Seen from outside, clockwise.
        let corners = if sign > 0 { [0, 2, 1, 0, 3, 2] } else { [0, 1, 2, 0, 2, 3] };
        indices.extend(corners.map(|corner: u16| (side * 4 + corner).to_le_bytes()).as_flattened());
    }
    let array = |w: &mut Writer, unit: u32, bytes: &[u8]| {
        w.u32(unit).u32(u32::try_from(bytes.len()).expect("small") / unit).bytes(bytes);
    };
    w.bytes(&[5, 12]);
    w.u32(12).u32(24);
    array(w, 12, &positions);
    // One channel of texture coordinates, of halves; tangents of bytes.
    w.bytes(&[5, 0]).u32(1).u32(24).u32(0).u32(0);
    array(w, 8, &tangents);
    array(w, 4, &coordinates);
    // No colours.
    w.bytes(&[5, 0]).u32(0).u32(0);
    // Indices of 16 bits; none for depth only.
    w.u32(0);
    array(w, 1, &indices);
    w.u32(0).u32(0);
    array(w, 1, &[]);
    w.u32(0);
    // Nothing that picks random points: of the section, and of the mesh.
    w.bytes(&[0; 2 * 12]);
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
    let class = Export { super_class: -3, needs: vec![-6], ..object("BP_Door_C", -2, class_data()) };
    let default = Export {
        template: -4,
        flags: DEFAULT_OBJECT,
        // Without sparse class data.
        ..object("Default__BP_Door_C", 1, cook.data(90, true, &[0; 4]))
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

/// The data of the class: no properties of its own as an object, one that its objects have, no functions.
fn class_data() -> Data {
    let mut w = Writer::new();
    // No control bits, and the end of the list.
    w.u8(0).u32(0).u32(0);
    let properties_len = w.len();
    // No GUID; the struct that it extends; no children.
    w.u32(0).i32(-3).u32(0);
    // One property: type, name, flags, dimension, size, flags of the property, no replication.
    w.u32(1).u32(2).u32(0).u32(1).u32(0).u32(1).i32(1).i32(4).u64(5).u16(0).u32(0).u32(0).u8(0);
    // No bytecode, no functions.
    w.u32(0).u32(0).u32(0);
    // Flags, outer class, name of the configuration file, origin, interfaces, order, a dummy, cooked, default object.
    w.u32(0).i32(0).u32(0).u32(0).i32(0).u32(0).u32(0).u32(0).u32(0).u32(1).i32(2);
    // No tags of the editor.
    w.u32(0);
    Data { bytes: w.into_bytes(), properties_len }
}

/// A data asset that refers to a class, and softly to a map.
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
