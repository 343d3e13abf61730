//! Writes seeds for every fuzz target: `seeds OUT`, one folder each.
//!
//! They are made from `testdata`, and from the corpus (`UNCASK_CORPUS`, else `../shared/corpus`) if there is one. Large
//! files are left out, or cut: the front of a package is what a fuzzer can do something with.

#[path = "../../../crates/oodle/tests/it/support/mod.rs"]
mod oodle_support;
#[path = "../../it/support/registry/mod.rs"]
mod registry;
#[path = "../../it/support/texts.rs"]
mod texts;
#[path = "../../it/support/types.rs"]
mod types;

use registry::{Quirks, Registry};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use uncask::asset::source_data::{SourcePlace, inflate};
use uncask::asset::{self, Asset, Found};
use uncask::codec::{Method, Scratch, compress};
use uncask::container::Toc;
use uncask::extract::{Filter, Outputs, UnpackOptions, unpack};
use uncask::id::ChunkKind;
use uncask::image::PixelFormat;
use uncask::image::dds_file::{self, DdsHeader, DdsKind};
use uncask::package::PackageKind;
use uncask::package::legacy::{Package, Trailer};
use uncask::property::{Object, Scope};
use uncask::job::{Budget, Context, Cpu};
use uncask::sink::MemorySink;
use uncask::store::{Store, StoreOptions};
use uncask::wire::Writer;
use uncask_fuzz::cooked::Cooked;

/// The longest seed.
const MAX_LEN: usize = 1 << 16;

/// Seeds of one kind that are kept, the shortest first.
const MAX_SEEDS: usize = 200;

/// Seeds by target, with the folder they are written to.
struct Seeds {
    out: PathBuf,
    all: BTreeMap<&'static str, BTreeSet<(usize, Vec<u8>)>>,
}

fn main() {
    let out = std::env::args_os().nth(1).map(PathBuf::from).expect("seeds OUT");
    let mut seeds = Seeds { out, all: Default::default() };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = std::env::var_os("UNCASK_CORPUS").map_or(root.join("../shared/corpus"), PathBuf::from);
    for folder in [root.join("testdata"), corpus] {
        let files = walkdir::WalkDir::new(&folder).sort_by_file_name().into_iter().filter_map(Result::ok);
        for file in files.filter(|file| file.file_type().is_file()) {
            seeds.file(file.path());
        }
    }
    seeds.codecs();
    seeds.images();
    seeds.loose();
    seeds.scripts();
    seeds.jobs();
    seeds.registries();
    seeds.recipes();
    seeds.write();
}

impl Seeds {
    fn add(&mut self, target: &'static str, bytes: &[u8]) {
        let bytes = &bytes[..bytes.len().min(MAX_LEN)];
        self.all.entry(target).or_default().insert((bytes.len(), bytes.to_vec()));
    }

    /// A seed that starts with a number.
    fn add_numbered(&mut self, target: &'static str, number: u32, bytes: &[u8]) {
        self.add(target, &[&number.to_le_bytes()[..], bytes].concat());
    }

    /// Event graphs of the newest releases: a branch, a loop, a sequence, something that takes time, a choice between values.
    fn scripts(&mut self) {
        let variable = [0x00, 1, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0];
        let enter = [&[0x4E][..], &variable].concat();
        let end = [0x04, 0x0B, 0x53];
        let less = [&[0x68, 0xFE, 0xFF, 0xFF, 0xFF][..], &variable, &[0x1D, 3, 0, 0, 0, 0x16]].concat();
        let set = [&[0x0F, 0, 0, 0, 0, 0, 0, 0, 0][..], &variable, &variable].concat();
        let resume = [&[0x2F, 0xFB, 0xFF, 0xFF, 0xFF, 32, 0, 0, 0, 0x5B, 10, 0, 0, 0, 0x30][..]].concat();
        let bodies = [
            [&[0x07, 10, 0, 0, 0][..], &less, &set].concat(),
            [&[0x07, 71, 0, 0, 0][..], &less, &set, &[0x06, 10, 0, 0, 0]].concat(),
            [&[0x4C, 43, 0, 0, 0][..], &set, &[0x4D], &set].concat(),
            [&[0x1C, 0xFE, 0xFF, 0xFF, 0xFF][..], &resume, &[0x16, 0x4D]].concat(),
            [
                &[0x0F, 0, 0, 0, 0, 0, 0, 0, 0][..],
                &variable,
                &[0x69, 1, 0, 60, 0, 0, 0, 0x27, 0x28, 50, 0, 0, 0, 0x2A, 0x2A],
            ]
            .concat(),
        ];
        for body in bodies {
            for release in 4..8 {
                self.add("bytecode", &[&[release, 10, 0][..], &enter, &body, &end].concat());
            }
        }
    }

    /// A small picture in every format: number, width and height, blocks.
    fn images(&mut self) {
        let mut places = BTreeMap::new();
        for number in 0..=u8::MAX {
            let sides = 13_u32 | 9 << 16;
            let blocks: Vec<u8> = (0..13 * 9 * 16_u32).map(|at| (at * 7919 >> 5).to_le_bytes()[0]).collect();
            let head = [u32::from(number).to_le_bytes(), sides.to_le_bytes()].concat();
            let Some(format) = PixelFormat::from_number(number) else { continue };
            self.add("image", &[&*head, &*blocks].concat());
            // The order of some blocks takes powers of two.
            let target = uncask_fuzz::kernels::family(format);
            let place: &mut u32 = places.entry(target).or_default();
            for sides in [sides, 16_u32 | 8 << 16] {
                self.add(target, &[&place.to_le_bytes()[..], &sides.to_le_bytes(), &blocks].concat());
            }
            *place += 1;
            for kind in [DdsKind::Pictures(2), DdsKind::Cubes(1), DdsKind::Volume(2)] {
                let mut file = Writer::new();
                let format = format.dxgi(true).unwrap_or_default();
                DdsHeader { format, width: 13, height: 9, mips: 2, kind }.write(&mut file, blocks.len());
                file.bytes(&blocks);
                self.add_numbered("image_dds", number.into(), &file.into_bytes()[dds_file::MAGIC.len()..]);
            }
        }
    }

    /// A cooked package: its assets, each for the target of its class.
    fn asset(&mut self, package: &Cooked) {
        for (target, input) in package.inputs() {
            self.add(target, &input);
        }
        package.audio().iter().for_each(|audio| self.audio(audio));
        let whole = package.whole();
        for (class, target) in
            [("SoundCue", "asset_sound_cue"), ("Material", "asset_material"), ("World", "level")] {
            if whole.len() <= MAX_LEN && package.has(class) {
                self.add(target, &whole);
            }
        }
    }

    /// Adds a possible streamed part of a sound, after the heads of codecs that have their own.
    fn stream(&mut self, content: &[u8]) {
        let content = &content[..content.len().min(MAX_LEN / 8)];
        if content.starts_with(b"SEEK") {
            let mut bink = Writer::new();
            // A version, a channel; 48 kHz, two seconds; the largest block, flags, all bytes; no seek table of its own.
            bink.bytes(b"ABEU\x01\x01\0\0")
                .u32(48_000)
                .u32(96_000)
                .u16(0x800)
                .u16(1)
                .u32(0)
                .u32(0)
                .bytes(content);
            self.audio(&bink.into_bytes());
            let mut opus = Writer::new();
            // A version, a channel; both rates; samples, frames; what is skipped at both ends.
            opus.bytes(b"UEOPUS\0\0\0\x01").u32(48_000).u32(48_000).u64(96_000).u32(5);
            opus.u32(312).u32(3840).u32(648).bytes(content);
            self.audio(&opus.into_bytes());
        }
    }

    /// Audio of every codec, and what its target puts in front.
    fn audio(&mut self, bytes: &[u8]) {
        let codecs: [(&[u8], _); 4] = [
            (b"RIFF", "sound_wave"),
            (b"OggS", "sound_vorbis"),
            (b"UE", "sound_opus"),
            (b"ABEU", "sound_bink"),
        ];
        if let Some((magic, target)) = codecs.into_iter().find(|(magic, _)| bytes.starts_with(magic)) {
            self.add(target, &bytes[magic.len()..]);
        }
    }

    fn file(&mut self, path: &Path) {
        let Ok(bytes) = std::fs::read(path) else { return };
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "utoc" => self.table(path, &bytes),
            "pak" if bytes.len() <= MAX_LEN => self.add("pak", &bytes),
            "ushaderbytecode" => self.add("shader_library", &bytes),
            // Without a database, and with none of its tiers.
            "acl" | "acl1" => self.add("asset_acl", &[&with_len(&bytes), &[0; 8][..]].concat()),
            "png" | "exr" | "dds" => self.add("image_files", &bytes),
            "json" | "txt" => self.add_numbered("small_files", 0, &bytes[..bytes.len().min(4096)]),
            "bin" => {
                for target in ["container_header", "script_objects", "name_map"] {
                    self.add(target, &bytes);
                }
            }
            _ => {
                self.package(&bytes);
                self.properties(path, &bytes);
                if let Some(package) = Cooked::read(path) {
                    self.asset(&package);
                }
            }
        }
    }

    /// A legacy package with the data of its exports: to be read, and to be changed.
    fn properties(&mut self, path: &Path, header: &[u8]) {
        let Ok(exports) = std::fs::read(path.with_extension("uexp")) else { return };
        if !header.starts_with(&uncask::package::legacy::END_TAG)
            || header.len() + exports.len() > MAX_LEN / 2
        {
            return;
        }
        let header = with_len(header);
        self.add("properties_tagged", &[&header, &*exports].concat());
        self.add("asset_payloads", &[&header, &*exports].concat());
        self.add("properties_reencode", &[&header, &*exports].concat());
        // Without mappings: a fuzzer finds small ones by itself, and whole ones are too long.
        self.add("properties_unversioned", &[&[0; 4][..], &header, &exports].concat());
        for text in
            ["#0.Name 1\n#1.Value[2] {\"X\": 1}", "{\"schema\": \"uncask.properties/1\", \"exports\": []}"]
        {
            self.add("properties_tree", &[&header, &*with_len(&exports), text.as_bytes()].concat());
        }
    }

    /// A package, if it is one.
    fn package(&mut self, bytes: &[u8]) {
        let kind = PackageKind::sniff(bytes).map(|kind| format!("{kind:?}")).unwrap_or_default();
        if kind.starts_with("Zen") {
            self.add("zen", bytes);
            self.add("to_zen", bytes);
            // Names come first in most forms.
            for at in [44, 52, 64, 68, 76, 84] {
                self.add("name_map", bytes.get(at..2048).unwrap_or_default());
            }
        } else if kind.starts_with("Classic") {
            self.add("classic", bytes);
        } else if bytes.starts_with(&uncask::package::legacy::END_TAG) {
            self.add("legacy", bytes);
            self.add("review", bytes);
            // Two versions that differ in a value near the end, each in another one.
            let changed = |back: usize| {
                let mut bytes = bytes.to_vec();
                let at = bytes.len().saturating_sub(back);
                bytes.get_mut(at..).and_then(<[u8]>::first_mut).map(|byte| *byte ^= 1);
                bytes
            };
            let (ours, theirs) = (changed(60), changed(90));
            self.add("merge", &[&*with_len(bytes), &*with_len(&ours), &*theirs].concat());
            self.add("to_zen", bytes);
            self.imported_meshes(bytes);
        }
        self.add_numbered("small_files", 3, &bytes[..bytes.len().min(64)]);
    }

    /// The data of the meshes in a package of the editor, with a number for their form.
    fn imported_meshes(&mut self, file: &[u8]) {
        let Ok(package) = Package::parse(file) else { return };
        let scope = Scope::new(&package, file, 0, None);
        let trailer = Trailer::parse(file, &package).ok().flatten();
        for export in &package.exports {
            let found = asset::read(&scope, export, &Object::read(&scope, export));
            let Some(Ok(Found { asset: Asset::SourceMesh(mesh), .. })) = found else { continue };
            for place in mesh.models.iter().filter_map(|model| model.place) {
                let data = match place {
                    SourcePlace::Bulk(bulk) => {
                        let start = usize::try_from(bulk.record.offset).unwrap_or(usize::MAX);
                        inflate(file.get(start..).unwrap_or_default(), 1 << 24).ok()
                    }
                    SourcePlace::Editor(bulk) => bulk.bytes(file, trailer.as_ref(), 1 << 24).ok(),
                };
                for form in 0..4 {
                    self.add_numbered("asset_source_mesh", form, data.as_deref().unwrap_or_default());
                }
            }
        }
    }

    /// A table of contents, its directory index, its data, and the chunks that describe others.
    fn table(&mut self, path: &Path, bytes: &[u8]) {
        let Ok(toc) = Toc::parse(bytes.to_vec().into()) else { return };
        if bytes.len() <= MAX_LEN {
            self.add("toc", bytes);
            self.add("plan", bytes);
        }
        self.add_numbered("directory_index", toc.chunk_count(), &toc.directory_index_bytes());
        if let Ok(data) = std::fs::read(path.with_extension("ucas")) {
            let whole = [&u32::try_from(bytes.len()).expect("a table").to_le_bytes(), bytes, &data].concat();
            if whole.len() <= 4 * MAX_LEN {
                self.all.entry("pipeline").or_default().insert((whole.len(), whole));
            }
        }
        if !toc.is_encrypted() {
            self.chunks(path);
        }
    }

    /// Chunks that have a target of their own.
    fn chunks(&mut self, path: &Path) {
        let Ok(store) = Store::open(&[path.to_owned()], &[], &StoreOptions::default()) else { return };
        let entries = Filter::default().select(&store, true);
        let wanted = |kind| {
            matches!(
                kind,
                ChunkKind::ExportBundleData
                    | ChunkKind::ContainerHeader
                    | ChunkKind::ScriptObjects
                    | ChunkKind::ShaderCodeLibrary
                    | ChunkKind::BulkData
            )
        };
        for entry in entries {
            let Some(container) = store.container(entry) else { continue };
            let kind = container.table().chunk_kind(entry.chunk);
            if !wanted(kind) {
                continue;
            }
            let sink = std::sync::Arc::new(MemorySink::default());
            let outputs = Outputs::new(&store, &[entry], None);
            let context = Context::new(Cpu::new(1).expect("a thread"), Budget::new(64 << 20), false);
            let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
            let job = unpack(&store, outputs, sink.clone(), &context, UnpackOptions::default());
            runtime.block_on(job);
            for content in sink.files().values() {
                match kind {
                    ChunkKind::ContainerHeader => self.add("container_header", content),
                    ChunkKind::ScriptObjects => self.add("script_objects", content),
                    ChunkKind::ShaderCodeLibrary => self.add("shader_library", content),
                    ChunkKind::BulkData => self.stream(content),
                    _ => self.package(content),
                }
            }
        }
    }

    /// Blocks of every codec, and the layers of Oodle streams.
    fn codecs(&mut self) {
        let mut random = oodle_support::Random::new(1);
        let mut scratch = Scratch::default();
        for len in [0, 1, 20, 300, 3000, 40_000] {
            let raw = oodle_support::mixed(&mut random, len);
            let raw_len = u32::try_from(len).expect("small");
            for (method, target) in [
                (Method::Zlib, "codec_zlib"),
                (Method::Gzip, "codec_gzip"),
                (Method::Lz4, "codec_lz4"),
                (Method::Zstd, "codec_zstd"),
            ] {
                let mut stored = Vec::new();
                if compress(method, &raw, None, &mut stored, &mut scratch).is_ok() {
                    self.add_numbered(target, raw_len, &stored);
                }
            }
            for choice in 0..6 {
                self.add_numbered("compress", choice, &raw);
            }
        }
        for (stored, raw_len) in oodle_support::seeds() {
            let raw_len = u32::try_from(raw_len).expect("a block");
            self.add_numbered("oodle_block", raw_len, &stored);
            self.layers(&stored, raw_len);
        }
    }

    /// The first chunk of an Oodle stream, without its headers.
    fn layers(&mut self, stored: &[u8], raw_len: u32) {
        let [_, codec, _, _, _, a, b, c, rest @ ..] = stored else { return };
        let codec = match codec & 0x7F {
            6 => 0,
            10 => 1,
            _ => 2,
        };
        let word = u32::from(*a) << 16 | u32::from(*b) << 8 | u32::from(*c);
        if word & 0x80_0000 == 0 {
            return self.add("oodle_entropy", &stored[5..]);
        }
        let (mode, len) = (word >> 19 & 15, (word & 0x7_FFFF) as usize);
        let chunk = &rest[..len.min(rest.len())];
        let choice = codec | mode << 8 | (raw_len.min(0x2_0000).saturating_sub(16)) << 14;
        self.add_numbered("oodle_lz", choice, chunk);
        // Arrays follow each other after the first bytes: wherever one starts is a seed.
        for at in [0, 1, 2, 3, 8, 9, 10, 11] {
            self.add("oodle_entropy", chunk.get(at..).unwrap_or_default());
        }
    }

    /// Texts and type mappings of every version.
    fn loose(&mut self) {
        for version in 0..4 {
            self.add("localization", &texts::locres(version, &texts::SPACES));
        }
        for version in 0..3 {
            self.add("localization", &texts::locmeta(version));
        }
        let plain = types::Types::demo(4);
        self.add("mappings", &plain.wrap(2, types::BROTLI, plain.data().len()));
        for version in 0..7 {
            let extensions = vec![(*b"PPTH", vec![0; 9])];
            let made = types::Types { has_versions: true, extensions, ..types::Types::demo(version) };
            self.add("mappings", &made.file());
            let data = made.data();
            for (method, number) in [(Method::Oodle, 1), (Method::Zstd, 3)] {
                let mut stored = Vec::new();
                if compress(method, &data, None, &mut stored, &mut Scratch::default()).is_ok() {
                    self.add("mappings", &made.wrap(number, &stored, data.len()));
                }
            }
        }
    }

    /// Options and files to pack; and lines of keys and manifests.
    fn jobs(&mut self) {
        let word = |number: u32| number.to_le_bytes();
        for choice in [0, 0x131, 0x252, 0x10_0343, 0x20_0454, 0x60_0515, 0x30_0162] {
            let files = [(0_u32, 30), (1, 0), (0xF2 | 90 << 8, 100), (3, 3000)];
            let files = files.iter().flat_map(|(kind, len)| {
                [word(*kind).to_vec(), word(*len).to_vec(), vec![b'x'; *len as usize]].concat()
            });
            let bytes: Vec<u8> = [word(choice), word(0x2_0100)].concat().into_iter().chain(files).collect();
            self.add("pack_roundtrip", &bytes);
        }
        let key = "11".repeat(32);
        let guid = "0".repeat(32);
        for text in [
            format!("0x{key}\n{guid}=0x{key} # a key\n"),
            format!(
                r#"{{"EncryptionKey":{{"Name":"x","Guid":"{guid}","Key":"EREREREREREREREREREREREREREREREREREREREREQ="}}}}"#
            ),
            format!(r#"{{"mainKey":"0x{key}","dynamicKeys":[{{"guid":"{guid}","key":"0x{key}"}}]}}"#),
            format!(r#"{{"{guid}":"{key}"}}"#),
        ] {
            self.add_numbered("small_files", 0, text.as_bytes());
        }
        let hash = "ab".repeat(32);
        let manifest = format!(
            r#"{{"schema":"uncask.manifest/1","tool":"0.1.0","shard":"1/3","job":"{hash}","job_files":7}}
{{"path":"Game/A.umap","size":12,"blake3":"{hash}","id":"000000000000000000000001","container":"pakchunk0"}}
{{"files":1}}
"#
        );
        self.add_numbered("small_files", 1, manifest.as_bytes());
        let buffer =
            [&0xB775_6362_u32.to_be_bytes()[..], &[0, 0, 0, 0, 3, 2, 4, 18, 0, 0, 0, 1], &[0; 60]].concat();
        self.add_numbered("small_files", 2, &buffer);
    }

    /// Recipes with every key, and a patch.
    fn recipes(&mut self) {
        let toml = r#"
name = "x"
include = []
[[change]]
packages = ["/Game/A", "*/B"]
property = "*.**.\"a.b\"[2].C"
class = "C_*"
where = { A = [">5", "x*"], "." = 3 }
from = { X = 1.5 }
set = { X = 2, Y = [true, "t"] }
optional = true
[[change]]
packages = "*"
property = "A.B"
append = { Key = 1 }
[[change]]
packages = "*"
property = "A.B"
remove = ["a"]
[[picture]]
package = "/Game/T"
file = "t.png"
[[text]]
file = "a"
key = "b"
set = "c"
[[code]]
package = "/Game/B"
at = "Open@0x10"
from = 1
set = 2
"#;
        let patch = r#"{"DT_A": {"*": {"$Filters": [{"FieldName": "H", "Operation": "<", "Value": 1}], "P": {"Items": [1]}},
            "R": null, "S": {"A": 1, "M": [{"Key": 1, "Value": 2}]}}, "BP_C": {"X": 1.5}}"#;
        self.add("recipe", toml.as_bytes());
        self.add("recipe", patch.as_bytes());
    }

    /// Asset registries of every version.
    fn registries(&mut self) {
        for version in registry::VERSIONS {
            for registry in [Registry::sample(version), Registry::random(version, version.into())] {
                self.add("asset_registry", &registry.write(Quirks::default()));
                self.add("asset_registry", &registry.write(Quirks { texts_last: true, ..Quirks::default() }));
            }
        }
    }

    fn write(self) {
        for (target, seeds) in self.all {
            let folder = self.out.join(target);
            std::fs::create_dir_all(&folder).expect("a folder");
            for (number, (_, bytes)) in seeds.into_iter().take(MAX_SEEDS).enumerate() {
                std::fs::write(folder.join(format!("seed{number:03}")), bytes).expect("a file");
            }
        }
    }
}

/// A part whose length comes first.
fn with_len(bytes: &[u8]) -> Vec<u8> {
    [&u32::try_from(bytes.len()).expect("a small file").to_le_bytes(), bytes].concat()
}
