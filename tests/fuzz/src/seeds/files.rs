//! Seeds that are files, and what is in them.

use super::super::cooked::Cooked;
use super::{MAX_LEN, Seeds, with_len};
use std::path::Path;
use uncask::asset::source_data::{SourcePlace, inflate};
use uncask::asset::{self, Asset, FoundAsset};
use uncask::container::Toc;
use uncask::extract::{Filter, Outputs, UnpackOptions, unpack};
use uncask::id::ChunkKind;
use uncask::job::{Budget, Context, Cpu};
use uncask::package::PackageKind;
use uncask::package::legacy::{Package, Trailer};
use uncask::property::{Object, Scope};
use uncask::sink::MemorySink;
use uncask::store::{Store, StoreOptions};
use uncask::wire::Writer;

impl Seeds {
    pub(super) fn file(&mut self, path: &Path) {
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
                if let Some(byte) = bytes.get_mut(at..).and_then(<[u8]>::first_mut) {
                    *byte ^= 1;
                }
                bytes
            };
            let (ours, theirs) = (changed(60), changed(90));
            self.add("merge", &[&*with_len(bytes), &*with_len(&ours), &*theirs].concat());
            self.add("to_zen", bytes);
            self.imported_meshes(bytes);
        }
        self.add_numbered("small_files", 3, &bytes[..bytes.len().min(64)]);
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

    /// A cooked package: its assets, each for the target of its class.
    fn asset(&mut self, package: &Cooked) {
        for (target, input) in package.inputs() {
            self.add(target, &input);
        }
        package.audio().iter().for_each(|audio| self.audio(audio));
        let whole = package.whole();
        for (class, target) in
            [("SoundCue", "asset_sound_cue"), ("Material", "asset_material"), ("World", "level")]
        {
            if whole.len() <= MAX_LEN && package.has(class) {
                self.add(target, &whole);
            }
        }
    }

    /// The data of the meshes in a package of the editor, with a number for their form.
    fn imported_meshes(&mut self, file: &[u8]) {
        let Ok(package) = Package::parse(file) else { return };
        let scope = Scope::new(&package, file, 0, None);
        let trailer = Trailer::parse(file, &package).ok().flatten();
        for export in &package.exports {
            let found = asset::read(&scope, export, &Object::read(&scope, export));
            let Some(Ok(FoundAsset { asset: Asset::SourceMesh(mesh), .. })) = found else { continue };
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
                self.0.entry("pipeline").or_default().insert((whole.len(), whole));
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
}
