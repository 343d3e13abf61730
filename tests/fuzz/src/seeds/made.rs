//! Seeds that are made here.

use super::super::kernels;
use super::registry::{self, Quirks, Registry};
use super::{Seeds, oodle_support, texts, types};
use std::collections::BTreeMap;
use std::path::Path;
use uncask::codec::{Method, Scratch, compress};
use uncask::image::PixelFormat;
use uncask::image::dds_file::{self, DdsHeader, DdsKind};
use uncask::wire::Writer;

impl Seeds {
    /// Event graphs of the newest releases: a branch, a loop, a sequence, something that takes time, a choice between values.
    pub(super) fn scripts(&mut self) {
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
    pub(super) fn images(&mut self) {
        let mut places = BTreeMap::new();
        for number in 0..=u8::MAX {
            let sides = 0x000D_u32 | 0x0009_0000;
            let blocks: Vec<u8> =
                (0..13 * 9 * 16_u32).map(|at| ((at * 7919) >> 5).to_le_bytes()[0]).collect();
            let head = [u32::from(number).to_le_bytes(), sides.to_le_bytes()].concat();
            let Some(format) = PixelFormat::from_number(number) else { continue };
            self.add("image", &[&*head, &*blocks].concat());
            // The order of some blocks takes powers of two.
            let target = kernels::family(format);
            let place: &mut u32 = places.entry(target).or_default();
            for sides in [sides, 0x0010_u32 | 0x0008_0000] {
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

    /// Blocks of every codec, and the layers of Oodle streams: those of the corpus, too, if it has any.
    pub(super) fn codecs(&mut self, corpus: &Path) {
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
        for (stored, raw_len) in oodle_support::seeds(corpus.join("oodle").is_dir().then_some(corpus)) {
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
    pub(super) fn loose(&mut self) {
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
    pub(super) fn jobs(&mut self) {
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
    pub(super) fn recipes(&mut self) {
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
    pub(super) fn registries(&mut self) {
        for version in registry::VERSIONS {
            for registry in [Registry::sample(version), Registry::random(version, version.into())] {
                self.add("asset_registry", &registry.write(Quirks::default()));
                self.add("asset_registry", &registry.write(Quirks { texts_last: true, ..Quirks::default() }));
            }
        }
    }

    /// Frames of geometry caches: a triangle, alone and with all that vertices may have.
    pub(super) fn frames(&mut self) {
        for flags in [[0_u32; 9], [1; 9]] {
            let mut frame = Writer::new();
            frame.bytes(&[0; 25]).u32(1).u32(0).u32(1).u32(0);
            for flag in flags {
                frame.u32(flag);
            }
            let each = if flags[0] == 0 { 12 } else { 48 };
            frame.u32(3).bytes(&vec![0; 3 * each]).u32(3).u32(0).u32(1).u32(2);
            self.add("asset_geometry_cache", &frame.into_bytes());
        }
    }

    /// Bytes to draw from, for targets that draw their inputs. They become long ones, and each target bounds its own time.
    pub(super) fn draws(&mut self) {
        let mut random = oodle_support::Random::new(2);
        for (target, _) in super::super::TARGETS.iter().filter(|(name, _)| name.starts_with("shape_")) {
            for words in (8..64).step_by(8) {
                let bytes: Vec<u8> = (0..words).flat_map(|_| random.next().to_le_bytes()).collect();
                self.add(target, &bytes);
            }
        }
    }
}
