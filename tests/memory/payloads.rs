//! Damaged payloads of every class: cut, changed and with huge counts at every byte, through the readers and the exporter.
//!
//! The fixtures of the corpus, and where there is none, payloads that are spelled out.

use super::fuzz::cooked::Cooked;
use super::fuzz::payloads::{Head, RELEASES, class};
use super::{Meter, block_on, corpus, cpu};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use uncask::error::Error;
use uncask::export::{ExportForm, ExportOptions, ExportedAssets, Forms, Levels, export};
use uncask::job::{Budget, Context, Outcome};
use uncask::sink::MemorySink;
use uncask::store::packages::Packages;
use uncask::store::{Store, StoreOptions};
use uncask::values::{PackageInputs, ValueOptions};
use uncask::version::Release;

const MEMORY: u64 = 32 << 20;

/// Values that replace counts and sizes.
const HUGE: [u32; 3] = [u32::MAX, i32::MAX as u32, 1 << 20];

/// Bytes at the front of a payload that are all damaged: that is where its structure is. Of those that follow, as many are, evenly spread.
const FRONT: usize = 150;

/// Every folder of the corpus with small legacy packages that have assets.
const FOLDERS: [&str; 6] = ["Animations", "Audio", "Fonts", "Materials", "Meshes", "Textures"];

/// The places of a file that are damaged, from `start` on.
fn places(start: usize, len: usize) -> impl Iterator<Item = usize> {
    let middle = len.min(start + FRONT);
    let step = ((len - middle) / FRONT).max(1);
    (start.min(len)..middle).chain((middle..len).step_by(step))
}

/// Whatever may happen to a file at a place: a changed byte, a huge number, the end.
fn damages(bytes: &[u8], at: usize) -> impl Iterator<Item = Vec<u8>> {
    let changed = [1, 0xFF].map(|mask| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= mask;
        bytes
    });
    let huge = HUGE.into_iter().filter_map(move |number| {
        let mut bytes = bytes.to_vec();
        bytes.get_mut(at..at + 4)?.copy_from_slice(&number.to_le_bytes());
        Some(bytes)
    });
    changed.into_iter().chain(huge).chain(std::iter::once(bytes[..at].to_vec()))
}

/// Payloads of 5.8 that need no corpus: their targets, and the bytes.
fn spelled() -> Vec<(&'static str, Vec<u8>)> {
    let head =
        |class, entries: &[u32]| Head { release: 0, class, entries: entries.to_vec(), searched: false };
    // Cooked, inline, nine bytes, one geometry: a flag, one glyph, two flags, one point.
    let font: [&[u8]; 4] = [
        b"\x01\0\0\0\x01\0\0\0\x09\0\0\0\0\x01\0\0 glyf\x01\0\0\0\x01\0\0\0\x01\0\0\0",
        &[7; 25],
        b"\x02\0\0\0\x05\x05",
        b"\x01\0\0\0\x05\x05",
    ];
    // Two chunks: one that is read ahead, with four bytes, and one that is not, with five.
    let media = b"\x02\0\0\0\x01\0\0\0\0\0\0\0RIFF\0\0\0\0\x01\0\0\0RIFFx";
    let bank = b"\0\0\0\0BKHD";
    // Three bones, one after the other: names, parents, poses, and where each name is; no other poses; a GUID; no editor data.
    let mut skeleton = 3_u32.to_le_bytes().to_vec();
    for bone in 0..3_u32 {
        skeleton.extend([80 + bone, 0, bone.wrapping_sub(1)].map(u32::to_le_bytes).concat());
    }
    skeleton.extend(3_u32.to_le_bytes());
    for _ in 0..3 {
        let pose = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 6.667, 1.0, 1.0, 1.0_f64];
        skeleton.extend(pose.map(f64::to_le_bytes).concat());
    }
    skeleton.extend(3_u32.to_le_bytes());
    for bone in 0..3_u32 {
        skeleton.extend([80 + bone, 0, bone].map(u32::to_le_bytes).concat());
    }
    skeleton.extend([0; 20]);
    skeleton.extend([5, 0]);
    vec![
        ("asset_font", head(0, &[]).with(&font.concat())),
        ("asset_font", head(0, &[]).with(b"\x01\0\0\0\0\0\0\0")),
        ("asset_wwise", head(0, &[4, 5]).with(media)),
        ("asset_wwise", head(1, &[4]).with(bank)),
        ("asset_skeleton", head(0, &[]).with(&skeleton)),
        ("asset_texture", head(0, &[2048]).with(&texture())),
        ("asset_sound", head(0, &[46, 1 << 30 | 0x4_0000, 1 << 30 | 0x998]).with(&sound())),
    ]
}

/// A picture of 64 by 64 pixels of BC1, as the sheet spells it out.
fn texture() -> Vec<u8> {
    let format = super::fuzz::payloads::NAMES.iter().position(|name| name == "PF_DXT1").unwrap();
    let word = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let mut bytes = [&b"\x05\0\x05\0\x01\0\0\0\x01\0\0\0"[..], &word(format), &[0; 4]].concat();
    bytes.extend(0x84C_u64.to_le_bytes());
    bytes.extend([0; 16]);
    bytes.extend([64, 64, 1, 8].map(u32::to_le_bytes).concat());
    bytes.extend(b"PF_DXT1\0");
    bytes.extend([0, 1, 0].map(u32::to_le_bytes).concat());
    bytes.extend([1, 0xF0, 0, 0xF8, 0x55, 0xAA, 0, 0].repeat(256));
    bytes.extend([64, 64, 1, 0].map(u32::to_le_bytes).concat());
    bytes.extend([0; 8]);
    bytes
}

/// A streamed WAV file in three chunks, as the sheet spells it out.
fn sound() -> Vec<u8> {
    let mut bytes = [1, 0].map(u32::to_le_bytes).concat();
    bytes.extend([9; 16]);
    bytes.extend([3, 60, 0, 5, 0].map(u32::to_le_bytes).concat());
    bytes.extend(b"RIFF\xBE\x09\x04\0WAVEfmt \x12\0\0\0\x01\0\x01\0\x80\xBB\0\0\0\x77\x01\0\x02\0\x10\0\0\0data\x98\x09\x04\0");
    let rest = [46, 46, 1, 1, 0x4_0000, 0x4_0000, 1, 2, 2456, 2456];
    bytes.extend(rest.map(u32::to_le_bytes).concat());
    bytes
}

/// Legacy packages of the corpus whose files are small.
fn packages() -> Vec<PathBuf> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let root = corpus.join("properties/ue5.8/tagged/Fixtures");
    let files =
        FOLDERS.iter().flat_map(|folder| walkdir::WalkDir::new(root.join(folder)).sort_by_file_name());
    let headers = files.map(|file| file.unwrap().into_path());
    let headers: Vec<PathBuf> =
        headers.filter(|path| path.extension().is_some_and(|end| end == "uasset")).collect();
    assert!(headers.len() > 40, "{} packages", headers.len());
    headers
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[test]
fn damaged_payloads_are_read_or_refused() {
    let _turn = Meter::turn();
    assert_eq!(RELEASES[0], "5.8");
    let mut inputs: Vec<(String, &str, Vec<u8>)> =
        spelled().into_iter().map(|(target, bytes)| ("spelled out".to_owned(), target, bytes)).collect();
    for path in packages() {
        let package = Cooked::read(&path).unwrap();
        inputs.extend(package.inputs().into_iter().map(|(target, bytes)| (name(&path), target, bytes)));
    }
    let (mut meter, mut refused, mut unread) = (Meter::default(), 0, Vec::new());
    for (name, target, bytes) in inputs {
        if !class(target, &bytes) {
            unread.push(format!("{name}, {target}"));
            continue;
        }
        for at in places(0, bytes.len()) {
            for (number, damaged) in damages(&bytes, at).enumerate() {
                let case = || format!("{name}, {target}, damage {number} at {at}");
                refused += u64::from(!meter.run(case, bytes.len(), || class(target, &damaged)));
            }
        }
    }
    meter.say("damaged payloads");
    assert_eq!(unread, [""; 0], "all can be read");
    assert!(refused > meter.cases / 10, "{refused} of {} are refused", meter.cases);
    assert!(meter.cases > 5000, "{} cases", meter.cases);
}

/// Exports a package in all forms.
fn exported(package: &Path) -> Outcome<ExportedAssets> {
    use ExportForm::{Dds, Exr, Gltf, Json, Ogg, Png, Raw, Ttf, Wav};
    let store = Store::open(&[], &[], &StoreOptions::default()).unwrap();
    let context = Context::new(cpu().clone(), Budget::new(MEMORY), false);
    let options = ExportOptions {
        forms: Forms::new(vec![Dds, Exr, Gltf, Json, Ogg, Png, Raw, Ttf, Wav]),
        mips: Levels::All,
        lods: Levels::All,
        ..ExportOptions::default()
    };
    let values = ValueOptions { release: Release::from_name("5.8"), ..ValueOptions::default() };
    let inputs = PackageInputs::of_files(package, |_| true);
    let sink = Arc::new(MemorySink::default());
    let job = export(Packages::new(&store, MEMORY), inputs, sink, &context, options, values);
    block_on(job).unwrap()
}

#[test]
fn damaged_packages_are_exported_or_fail_with_a_reason() {
    let _turn = Meter::turn();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Asset.uasset");
    let (mut meter, mut failed) = (Meter::default(), 0);
    for path in packages() {
        let sound = Cooked::read(&path).unwrap();
        std::fs::write(&file, &sound.header).unwrap();
        std::fs::write(file.with_extension("uexp"), &sound.exports).unwrap();
        let whole = exported(&file);
        if whole.done.exported.is_empty() && whole.done.left.is_empty() {
            continue;
        }
        assert_eq!(whole.problems().count(), 0, "{}", path.display());
        for at in (0..sound.exports.len()).step_by(sound.exports.len() / 50 + 1) {
            for (number, damaged) in damages(&sound.exports, at).enumerate() {
                std::fs::write(file.with_extension("uexp"), &damaged).unwrap();
                let case = || format!("{}, damage {number} at {at}", name(&path));
                let outcome = meter.run(case, sound.header.len() + damaged.len(), || exported(&file));
                failed += u64::from(outcome.problems().next().is_some());
                for problem in outcome.problems() {
                    let is_internal = matches!(problem.error, Error::Internal { .. });
                    assert!(
                        !is_internal && !problem.error.to_string().is_empty(),
                        "{}: {}",
                        case(),
                        problem.error
                    );
                }
                let reasons = outcome.done.left.iter().map(|(_, left)| &left.reason);
                assert!(reasons.into_iter().all(|reason| !reason.is_empty()), "{}", case());
            }
        }
    }
    meter.say("damaged packages through the exporter");
    if corpus().is_some() {
        assert!(failed > meter.cases / 20 && meter.cases > 5000, "{failed} of {} fail", meter.cases);
    }
}
