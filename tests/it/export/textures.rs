//! Every texture against `expected.json`: stored bytes and pixels.

use super::{Run, corpus, files, fixture, hash, payloads_with, uncask};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A picture as red, green, blue, alpha; gray alone is red, and what has no alpha is opaque.
pub(super) fn rgba(path: &Path) -> (u32, u32, Vec<[u8; 4]>) {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(std::fs::read(path).unwrap()));
    // Some sources have palettes.
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.bit_depth, png::BitDepth::Eight, "{}", path.display());
    let pixel = |bytes: &[u8]| match *bytes {
        [gray] => [gray, 0, 0, 255],
        [r, g, b] => [r, g, b, 255],
        [r, g, b, a] => [r, g, b, a],
        _ => panic!(),
    };
    (info.width, info.height, pixels.chunks(info.color_type.samples()).map(pixel).collect())
}

/// The contents of an EXR file, as the independent reader wrote them: channels in their own order, `f32`.
pub(super) fn floats(path: &Path) -> Vec<u8> {
    use exr::prelude::{FlatSamples, ReadChannels, ReadLayers};
    let image =
        exr::prelude::read().no_deep_data().largest_resolution_level().all_channels().first_valid_layer();
    let image =
        image.all_attributes().from_buffered(std::io::Cursor::new(std::fs::read(path).unwrap())).unwrap();
    let channels = &image.layer_data.channel_data.list;
    let order = |name: &str| "YRGBA".find(name).unwrap();
    let mut channels: Vec<_> = channels
        .iter()
        .map(|channel| {
            let values: Vec<f32> = match &channel.sample_data {
                FlatSamples::F16(values) => values.iter().map(|value| value.to_f32()).collect(),
                FlatSamples::F32(values) => values.clone(),
                FlatSamples::U32(_) => panic!(),
            };
            (order(&channel.name.to_string()), values)
        })
        .collect();
    channels.sort_by_key(|(place, _)| *place);
    let count = channels[0].1.len();
    (0..count).flat_map(|at| channels.iter().flat_map(move |(_, values)| values[at].to_le_bytes())).collect()
}

/// Counts of compared pictures.
#[derive(Default, Debug)]
struct Tally {
    textures: usize,
    raw: usize,
    equal: usize,
    close: usize,
}

/// Compares everything in one section of the expectations.
fn compare(section: &Value, folder: &Path, sources: &Path) -> Tally {
    let written = files(folder);
    let mut tally = Tally::default();
    for (name, texture) in section.as_object().unwrap() {
        let Some(mips) = texture.get("mips").and_then(Value::as_array) else { continue };
        if mips.is_empty() {
            continue;
        }
        tally.textures += 1;
        let stem = texture["export"].as_str().unwrap();
        for (at, mip) in mips.iter().enumerate() {
            let (w, h) = (mip["w"].as_u64().unwrap(), mip["h"].as_u64().unwrap());
            let format = texture["format"].as_str().unwrap();
            let raw = &written[&format!("{stem}_mip{at}_{w}x{h}_{format}.raw")];
            let bytes = std::fs::read(raw).unwrap();
            assert_eq!(hash(&bytes), mip["sha256_raw"], "{name}, mip {at}");
            tally.raw += 1;
            if let Some(expected) = mip.get("sha256_f32") {
                let path = &written[&format!("{stem}_mip{at}.exr")];
                assert_eq!(hash(&floats(path)), *expected, "{name}");
                tally.equal += 1;
            }
            if let Some(expected) = mip.get("sha256_gray8").or(mip.get("sha256_gray16")) {
                // What is gray is written as it is stored.
                assert_eq!(hash(&bytes), *expected, "{name}");
                let path = &written[&format!("{stem}_mip{at}.png")];
                assert_eq!(gray(path), bytes, "{name}");
                tally.equal += 1;
            }
            if format != "PF_BC6H" {
                pictures(texture, mip, at, &written, sources, &mut tally);
            }
        }
    }
    tally
}

/// Gray values, little-endian.
fn gray(path: &Path) -> Vec<u8> {
    let mut reader =
        png::Decoder::new(std::io::Cursor::new(std::fs::read(path).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.color_type, png::ColorType::Grayscale);
    if info.bit_depth == png::BitDepth::Sixteen {
        pixels.as_chunks_mut::<2>().0.iter_mut().for_each(|pair| pair.reverse());
    }
    pixels
}

const SLICES: [&str; 12] = [
    "_0000_px", "_0000_nx", "_0000_py", "_0000_ny", "_0000_pz", "_0000_nz", "_0001_px", "_0001_nx",
    "_0001_py", "_0001_ny", "_0001_pz", "_0001_nz",
];

fn pictures(
    texture: &Value,
    mip: &Value,
    at: usize,
    written: &BTreeMap<String, PathBuf>,
    sources: &Path,
    tally: &mut Tally,
) {
    let stem = texture["export"].as_str().unwrap();
    let hashes: Vec<&str> = match mip.get("sha256_rgba8") {
        Some(Value::Array(hashes)) => hashes.iter().map(|hash| hash.as_str().unwrap()).collect(),
        Some(hash) => vec![hash.as_str().unwrap()],
        None => return,
    };
    for (slice, expected) in hashes.iter().enumerate() {
        let suffix = match texture["class"].as_str().unwrap() {
            "TextureCubeArray" => SLICES[slice].to_owned(),
            "TextureCube" => SLICES[slice].trim_start_matches("_0000").to_owned(),
            "Texture2D" => String::new(),
            _ => format!("_{slice:04}"),
        };
        let (width, height, mut pixels) = rgba(&written[&format!("{stem}{suffix}_mip{at}.png")]);
        assert_eq!(pixels.len(), (width * height) as usize);
        let own = hash(pixels.as_flattened());
        for [_, _, blue, _] in &mut *pixels {
            *blue = 0;
        }
        if own == *expected || hash(pixels.as_flattened()) == *expected {
            tally.equal += 1;
            continue;
        }
        let Some(source) = texture.get("source").and_then(Value::as_str).filter(|_| at == 0) else {
            // Smaller mips have no source of their own: the largest one stands for them.
            tally.close += 1;
            continue;
        };
        let (_, _, source) = rgba(&sources.join(source));
        let (_, _, pixels) = rgba(&written[&format!("{stem}{suffix}_mip{at}.png")]);
        // A normal map that keeps Y in alpha is written with Y in green.
        let both = vec![Value::from(0), Value::from(1)];
        let channels = texture["channels_compared"].as_array().unwrap_or(&both);
        for (place, channel) in channels.iter().enumerate() {
            let channel = usize::try_from(channel.as_u64().unwrap()).unwrap();
            let errors: Vec<f64> =
                pixels.iter().zip(&source).map(|(a, b)| f64::from(a[channel].abs_diff(b[channel]))).collect();
            let (mean, max) = (
                errors.iter().sum::<f64>() / f64::from(u32::try_from(errors.len()).unwrap()),
                errors.iter().copied().fold(0.0, f64::max),
            );
            let limit = |key: &str| texture[key][place].as_f64().unwrap();
            assert!(
                mean <= limit("mean_abs_err") + 0.5,
                "{stem}: channel {channel} differs by {mean} on average"
            );
            assert!(max <= limit("max_abs_err") + 2.0, "{stem}: channel {channel} differs by up to {max}");
        }
        tally.close += 1;
    }
}

/// Virtual textures against what they were made of, and one that is stored in both ways.
fn compare_tiles(section: &Value, folder: &Path, sources: &Path) {
    let written = files(folder);
    for (at, level) in section["T_Virtual.Texture2D"]["levels"].as_array().unwrap().iter().enumerate() {
        let (width, height, _) = rgba(&written[&format!("T_Virtual_mip{at}.png")]);
        assert_eq!([width, height].map(u64::from), ["w", "h"].map(|key| level[key].as_u64().unwrap()));
    }
    assert_eq!(rgba(&written["T_Virtual_mip0.png"]), rgba(&written["T_Streaming_mip0.png"]));
    for number in [1001, 1002, 1011, 1012] {
        let (_, _, pixels) = rgba(&written[&format!("T_UDIM.{number}_mip0.png")]);
        let (_, _, source) = rgba(&sources.join(format!("udim.{number}.png")));
        let errors = pixels.as_flattened().iter().zip(source.as_flattened()).map(|(a, b)| a.abs_diff(*b));
        let (sum, max) = errors.fold((0, 0), |(sum, max), error| (sum + u64::from(error), max.max(error)));
        assert!(max <= 70 && sum <= 2 * pixels.as_flattened().len() as u64, "{number}: {sum}, {max}");
    }
}

/// High dynamic range against the source: mean and largest error of each channel, as an independent decoder has them.
fn compare_bc6h(folder: &Path, payloads: &Path) {
    let path = &files(folder)["T_BC6H_mip0.exr"];
    let reference = std::fs::read(payloads.join("reference/T_BC6H.64x64x3.f32")).unwrap();
    let own = floats(path);
    assert_eq!(own.len(), reference.len());
    let values =
        |bytes: &[u8]| bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect::<Vec<_>>();
    let largest = values(&own).iter().zip(values(&reference)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(largest < 0.02, "{largest}");
}

fn expected(payloads: &Path, file: &str) -> Value {
    serde_json::from_slice(&std::fs::read(payloads.join(file)).unwrap()).unwrap()
}

fn exported(input: &[&str], folder: &Path) -> Run {
    let out = folder.to_str().unwrap();
    let ran =
        uncask([&["export"], input, &["-o", out, "--as", "png,exr,raw", "--all-mips", "--json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran
}

#[test]
fn textures_of_both_cooks_are_what_they_were_made_of() {
    let Some(payloads) = payloads_with("payloads/expected.json") else { return };
    let all = expected(&payloads, "expected.json");
    for cook in ["tagged", "unversioned"] {
        let folder = tempfile::tempdir().unwrap();
        let [content, base, global, mappings] = fixture(&payloads, cook);
        exported(&[&content, &base, &global, "--mappings", &mappings], folder.path());
        let tally = compare(&all[cook], folder.path(), &payloads.join("ue5.8/SourceTextures"));
        assert_eq!((tally.textures, tally.raw), (19, 34), "{tally:?}");
        assert!(tally.equal >= 33 && tally.close <= 18, "{tally:?}");
        compare_tiles(&all[cook], folder.path(), &payloads.join("ue5.8/SourceTextures"));
        compare_bc6h(folder.path(), &payloads);
    }
}

#[test]
fn textures_for_android_are_what_they_were_made_of() {
    let Some(payloads) = payloads_with("payloads/expected.json") else { return };
    let all = expected(&payloads, "expected.json");
    let folder = tempfile::tempdir().unwrap();
    let pak = payloads.join("ue5.8/AndroidPak/CUE4ParseFixtures-Android-Textures.pak");
    exported(&[pak.to_str().unwrap()], folder.path());
    let tally = compare(&all["android"], folder.path(), &payloads.join("ue5.8/SourceTextures"));
    assert_eq!((tally.textures, tally.raw), (10, 10), "{tally:?}");
}

#[test]
fn textures_of_older_releases_are_what_an_independent_reader_found() {
    let Some(payloads) = payloads_with("payloads/expected-other.json") else { return };
    let all = expected(&payloads, "expected-other.json");
    let mappings = payloads.join("ue5.1-cooked/Clay.usmap");
    let cooked = payloads.join("ue5.1-cooked");
    let corpus = payloads.parent().unwrap();
    let inputs = [
        (
            "ue5.1-cooked",
            cooked.to_str().unwrap().to_owned(),
            vec!["--engine", "5.1", "--mappings", mappings.to_str().unwrap()],
            10,
        ),
        (
            "packages/ue5.4 (shared corpus)",
            corpus.join("packages/ue5.4/Randy.uasset").to_str().unwrap().to_owned(),
            vec![],
            1,
        ),
        (
            "packages/ue5.5 (shared corpus)",
            corpus.join("packages/ue5.5/T_Test.uasset").to_str().unwrap().to_owned(),
            vec![],
            1,
        ),
    ];
    for (section, input, more, textures) in inputs {
        let folder = tempfile::tempdir().unwrap();
        exported(&[&[input.as_str()], more.as_slice()].concat(), folder.path());
        let written = files(folder.path());
        let mut found = 0;
        for (name, texture) in all[section].as_object().unwrap() {
            let Some(mips) = texture.get("mips").and_then(Value::as_array) else { continue };
            found += 1;
            for (at, mip) in mips.iter().enumerate() {
                let Some(expected) = mip.get("sha256_raw") else { continue };
                let (export, w, h) = (texture["export"].as_str().unwrap(), &mip["w"], &mip["h"]);
                let raw = format!("{export}_mip{at}_{w}x{h}_{}.raw", texture["format"].as_str().unwrap());
                let Some(raw) = written.get(&raw) else { panic!("{name}: no {raw}") };
                assert_eq!(hash(&std::fs::read(raw).unwrap()), *expected, "{name}, mip {at}");
            }
        }
        assert_eq!(found, textures, "{section}");
    }
}

/// Damage that leaves a picture without a height: no encoder takes that.
#[test]
fn pictures_without_pixels_are_errors() {
    let Some(corpus) = corpus::with("hostile/exr_panic") else { return };
    for name in ["T_CubeArray", "T_CurveAtlas"] {
        let out = tempfile::tempdir().unwrap();
        let file = corpus.join(format!("hostile/exr_panic/{name}.uasset"));
        for form in [&[][..], &["--as", "exr"], &["--as", "png,exr,dds"]] {
            let args = ["export", file.to_str().unwrap(), "-o", out.path().to_str().unwrap()];
            let run = uncask([&args, form].concat());
            assert!(run.code == 1 && !run.stderr.contains("internal error"), "{}", run.shown());
        }
    }
}
