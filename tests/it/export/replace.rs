//! `uncask replace`: pictures that go into textures and come out again.

use super::{Run, files, fixture, payloads, uncask};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// A smooth picture with a border in it.
fn pixel(x: u32, y: u32, [width, height]: [u32; 2]) -> [u8; 4] {
    let part = |at: u32, of: u32| u8::try_from(at * 255 / (of - 1)).unwrap();
    let alpha = if x * 3 > width { 255 } else { part(y, height) };
    [part(x, width), part(y, height), part(x + y, width + height - 1), alpha]
}

fn write_png(path: &Path, size: [u32; 2], pixel: impl Fn(u32, u32) -> [u8; 4]) {
    let [width, height] = size;
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path).unwrap()), width, height);
    encoder.set_color(png::ColorType::Rgba);
    let pixels: Vec<u8> =
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| pixel(x, y)).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
}

/// Pixels of eight bits a channel: gray is all three colors.
fn read_png(path: &Path) -> ([u32; 2], Vec<[u8; 4]>) {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(std::fs::read(path).unwrap()));
    decoder.set_transformations(png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let pixel = |bytes: &[u8]| match *bytes {
        [gray] => [gray, gray, gray, 255],
        [r, g, b] => [r, g, b, 255],
        [r, g, b, a] => [r, g, b, a],
        _ => panic!(),
    };
    ([info.width, info.height], pixels.chunks(info.color_type.samples()).map(pixel).collect())
}

/// The similarity of two pictures in some channels, in decibels.
fn psnr(a: &[[u8; 4]], b: &[[u8; 4]], channels: &[usize]) -> f64 {
    let square = |(a, b): (&[u8; 4], &[u8; 4])| -> f64 {
        channels.iter().map(|at| f64::from(a[*at].abs_diff(b[*at])).powi(2)).sum()
    };
    let sum: f64 = a.iter().zip(b).map(square).sum();
    let count = u32::try_from(a.len() * channels.len()).unwrap();
    10.0 * (255.0 * 255.0 * f64::from(count) / sum.max(1e-9)).log10()
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn ok(ran: &Run) {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

/// Texture, the channels that it has, how close a picture comes back at least, and how it is sized.
const FORMATS: [(&str, &[usize], f64); 8] = [
    ("T_BC1", &[0, 1, 2], 38.0),
    ("T_BC3", &[0, 1, 2, 3], 38.0),
    ("T_BC4", &[0], 45.0),
    ("T_BC5", &[0, 1], 45.0),
    ("T_BC7", &[0, 1, 2, 3], 42.0),
    ("T_BGRA8", &[0, 1, 2, 3], 100.0),
    ("T_G8", &[0], 100.0),
    ("T_G16", &[0], 100.0),
];

#[test]
fn pictures_of_another_size_come_back_within_the_limits_of_their_format() {
    let Some(payloads) = payloads() else { return };
    // How pixels are encoded does not depend on the cook: of the second one, a format with alpha and one without are enough.
    let all: Vec<&str> = FORMATS.iter().map(|(name, ..)| *name).collect();
    for (cook, names) in [("tagged", &all[..]), ("unversioned", &["T_BC1", "T_BC7"][..])] {
        let [input, base, global, mappings] = fixture(&payloads, cook);
        for (name, channels, limit) in FORMATS.into_iter().filter(|(name, ..)| names.contains(name)) {
            let folder = tempfile::tempdir().unwrap();
            let (picture, out) = (folder.path().join("picture.png"), folder.path().join("out"));
            // One bit of alpha is all that BC1 has.
            let size = [128, 64];
            let opaque = name == "T_BC1";
            write_png(&picture, size, |x, y| {
                let [r, g, b, a] = pixel(x, y, size);
                [r, g, b, if opaque { 255 } else { a }]
            });
            let container = text(&folder.path().join("New_P.utoc"));
            let target = format!("{input}:{name}");
            let more = [&*base, &global, "--mappings", &mappings];
            ok(&uncask([&["replace", &target, &text(&picture), "-o", &container], &more[..]].concat()));
            ok(&uncask(["verify", &container]));
            ok(&uncask([&["export", &container, "--base", &input, "-o", &text(&out)], &more[..]].concat()));
            let (found, pixels) = read_png(&files(&out)[&format!("{name}.png")]);
            assert_eq!(found, size, "{name}");
            let (_, mut source) = read_png(&picture);
            if name == "T_BC1" {
                for pixel in &mut source {
                    pixel[3] = 255;
                }
            }
            let found = psnr(&pixels, &source, channels);
            assert!(found >= limit, "{name}: {found:.1} dB, expected {limit}");
        }
    }
}

/// Three mips of T_Streaming are in `.ubulk`, seven in the export: 512 pixels in BC1.
#[test]
fn streamed_mips_go_to_their_files_and_back_byte_for_byte() {
    let Some(payloads) = payloads() else { return };
    let corpus = payloads.parent().unwrap();
    let mappings = text(&payloads.join("ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap"));
    for (package, mips_of_larger, engine) in [
        ("packages/ue5.8-tagged/T_Streaming.uasset", 11, "5.8"),
        ("packages/ue5.8-unversioned/T_Streaming.uasset", 11, "5.8"),
        ("packages/ue5.5/T_Test.uasset", 0, "5.5"),
    ] {
        let original = corpus.join(package);
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let options = ["--engine", engine, "--mappings", &mappings];
        let options = if engine == "5.8" { &options[..] } else { &options[..2] };
        let export = |input: &Path, out: &Path, form: &str| {
            let (input, out) = (text(input), text(out));
            ok(&uncask([&["export", &*input, "-o", &out, "--as", form, "--all-mips"], options].concat()));
        };
        let replace = |input: &Path, picture: &Path, out: &Path| {
            let (input, picture, out) = (text(input), text(picture), text(out));
            ok(&uncask([&["replace", &*input, &picture, "-o", &out], options].concat()));
        };
        export(&original, &place("dds"), "dds");
        let dds = files(&place("dds")).into_values().next().unwrap();
        let name = original.file_stem().unwrap().to_str().unwrap();
        let same = |folder: &Path| {
            let written = files(folder);
            for extension in ["uasset", "uexp", "ubulk"] {
                let file = &written[&format!("{name}.{extension}")];
                let expected = std::fs::read(original.with_extension(extension)).unwrap();
                assert!(std::fs::read(file).unwrap() == expected, "{package}: {}", file.display());
            }
        };
        // As it was: nothing to write.
        let (input, picture, out) = (text(&original), text(&dds), text(&place("same")));
        let unchanged = uncask([&["replace", &*input, &picture, "-o", &out], options].concat());
        assert!(unchanged.code == 5 && !place("same").exists(), "{}", unchanged.stderr);
        // Larger, and smaller, and as it was again: the same bytes.
        for (side, name_of) in [(1024, "larger"), (64, "smaller")] {
            let picture = place("picture.png");
            write_png(&picture, [side; 2], |x, y| pixel(x, y, [side; 2]));
            replace(&original, &picture, &place(name_of));
            let changed = files(&place(name_of))[&format!("{name}.uasset")].clone();
            export(&changed, &place("png"), "png");
            let largest = files(&place("png"))[&format!("{name}_mip0.png")].clone();
            assert_eq!(read_png(&largest).0, [side; 2]);
            if mips_of_larger > 0 && side == 1024 {
                assert_eq!(files(&place("png")).len(), mips_of_larger);
                let streamed = files(&place(name_of))[&format!("{name}.ubulk")].metadata().unwrap().len();
                // 1024² / 2, and a quarter, and so on: four of them are beside the package.
                assert_eq!(streamed, 524_288 + 131_072 + 32_768 + 8192);
            }
            std::fs::remove_dir_all(place("png")).unwrap();
            // A file that all mips left is not written again: the one that was there stays.
            let old = changed.with_extension("ubulk");
            if !old.exists() {
                std::fs::write(&old, b"").unwrap();
            }
            let back = format!("back from {name_of}");
            replace(&changed, &dds, &place(&back));
            if side == 1024 {
                same(&place(&back));
            }
        }
    }
}

/// Bulk data is described in the export itself up to 5.1.
#[test]
fn older_packages_change_their_size_and_change_back() {
    let Some(payloads) = payloads() else { return };
    let mappings = text(&payloads.join("ue5.1-cooked/Clay.usmap"));
    let options = ["--engine", "5.1", "--mappings", &mappings];
    let mut changed = 0;
    for name in ["DefaultBokeh", "FlatNormal", "Marcie_Grain_v3_128_M2_000"] {
        let original = payloads.join(format!("ue5.1-cooked/{name}.uasset"));
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let run = |args: &[&str]| ok(&uncask([args, &options].concat()));
        let (input, dds) = (text(&original), text(&place("dds")));
        run(&["export", &input, "-o", &dds, "--as", "dds"]);
        let dds = text(files(&place("dds")).values().next().unwrap());
        let picture = place("picture.png");
        write_png(&picture, [256, 128], |x, y| pixel(x, y, [256, 128]));
        let (first, second) = (text(&place("first")), text(&place("second")));
        run(&["replace", &input, &text(&picture), "-o", &first]);
        let first = files(&place("first"))[&format!("{name}.uasset")].clone();
        run(&["export", &text(&first), "-o", &text(&place("png"))]);
        assert_eq!(read_png(&files(&place("png"))[&format!("{name}.png")]).0, [256, 128]);
        run(&["replace", &text(&first), &dds, "-o", &second]);
        for (file, path) in files(&place("second")) {
            let expected = std::fs::read(original.with_file_name(&file)).unwrap();
            assert!(std::fs::read(path).unwrap() == expected, "{file}");
            changed += 1;
        }
    }
    assert!(changed >= 6, "{changed}");
}

/// A loose zen package of 4.27 comes out as the legacy package that it was cooked from.
#[test]
fn a_zen_package_of_ue4_gets_a_picture() {
    let Some(payloads) = payloads() else { return };
    let original = text(&payloads.parent().unwrap().join("packages/ue4.27/T_Emissive.uasset"));
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let (picture, size) = (place("picture.png"), [128, 64]);
    write_png(&picture, size, |x, y| pixel(x, y, size));
    let run = |args: &[&str]| ok(&uncask([args, &["--engine", "4.27"]].concat()));
    run(&["replace", &original, &text(&picture), "-o", &text(&place("new"))]);
    let new = text(&files(&place("new"))["T_Emissive.uasset"]);
    run(&["export", &new, "-o", &text(&place("png"))]);
    let (found, pixels) = read_png(&files(&place("png"))["T_Emissive.png"]);
    let (_, source) = read_png(&picture);
    let close = psnr(&pixels, &source, &[0, 1, 2, 3]);
    assert!(found == size && close >= 38.0, "{found:?}: {close:.1} dB");
}

/// Formats for phones have no encoder here, and DDS lacks them: the texture stays as it is.
#[test]
fn formats_of_phones_are_refused_by_name() {
    let Some(payloads) = payloads() else { return };
    let pak = text(&payloads.join("ue5.8/AndroidPak/CUE4ParseFixtures-Android-Textures.pak"));
    let folder = tempfile::tempdir().unwrap();
    let (picture, out) = (folder.path().join("picture.png"), folder.path().join("New_P.pak"));
    write_png(&picture, [64, 64], |x, y| pixel(x, y, [64, 64]));
    for (name, format) in [
        ("T_ASTC_6x6", "PF_ASTC_6x6"),
        ("T_ETC2_RGB", "PF_ETC2_RGB"),
        ("T_ETC2_RGBA", "PF_ETC2_RGBA"),
        ("T_EAC_R11", "PF_ETC2_R11_EAC"),
        ("T_EAC_RG11", "PF_ETC2_RG11_EAC"),
    ] {
        let run = uncask(["replace", &format!("{pak}:{name}"), &text(&picture), "-o", &text(&out)]);
        let said = format!("{name}: pixel format {format} cannot be encoded here");
        assert!(run.code == 1 && run.stderr.contains(&said), "{}", run.stderr);
        assert!(!out.exists());
    }
}

/// Export, edit one, and put everything back.
#[test]
fn folders_of_pictures_change_only_what_was_edited() {
    let Some(payloads) = payloads() else { return };
    let [input, base, global, mappings] = fixture(&payloads, "tagged");
    let more = [&*base, &global, "--mappings", &mappings];
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| text(&folder.path().join(name));
    for form in ["dds", "png,exr"] {
        let pictures = place("pictures");
        ok(&uncask([&["export", &input, "-o", &pictures, "--as", form], &more[..]].concat()));
        let output = place("None_P.utoc");
        let ran = uncask([&["replace", &input, "--from", &pictures, "-o", &output], &more[..]].concat());
        assert_eq!(ran.code, 5, "{}", ran.stderr);
        assert!(
            ran.stderr.contains("pictures not changed") && !Path::new(&output).exists(),
            "{}",
            ran.stderr
        );
        std::fs::remove_dir_all(&pictures).unwrap();
    }
    let pictures = place("pictures");
    ok(&uncask([&["export", &input, "-o", &pictures], &more[..]].concat()));
    let edited = files(Path::new(&pictures))["T_BC7.png"].clone();
    write_png(&edited, [64; 2], |x, y| pixel(x, y, [64; 2]));
    let output = place("One_P.utoc");
    let args = [&["replace", &input, "--from", &pictures, "-o", &output, "--json"], &more[..]].concat();
    let ran = uncask(&args);
    ok(&ran);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["packages"].as_array().unwrap().len(), 1, "{report:#}");
    assert_eq!(report["packages"][0]["changes"][0]["address"], "T_BC7");
    let listed = uncask(["list", &output]).stdout;
    assert!(listed.contains("T_BC7.uasset") && !listed.contains("T_BC1"), "{listed}");
}

#[test]
fn what_cannot_go_in_says_why() {
    let Some(payloads) = payloads() else { return };
    let [input, base, global, mappings] = fixture(&payloads, "tagged");
    let more = [&*base, &global, "--mappings", &mappings];
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| text(&folder.path().join(name));
    write_png(Path::new(&place("a.png")), [20, 20], |x, y| pixel(x, y, [20; 2]));
    write_png(Path::new(&place("odd.png")), [22, 20], |x, y| pixel(x, y, [22, 20]));
    std::fs::write(place("b.png"), b"\x89PNG\r\n\x1a\nand then nothing").unwrap();
    std::fs::write(place("c.txt"), b"no picture").unwrap();
    ok(&uncask([&["export", &input, "T_BC3", "-o", &place("dds"), "--as", "dds"], &more[..]].concat()));
    let dds = text(&files(Path::new(&place("dds")))["T_BC3.dds"]);
    for (texture, picture, expected) in [
        ("T_Virtual", place("a.png"), "it is a virtual texture"),
        (
            "T_Cube",
            place("a.png"),
            "it consists of 6 slices, and a picture is only one; a DDS file has all of them",
        ),
        ("T_BC6H", place("a.png"), "PF_BC6H cannot be encoded here; a DDS file that has it goes in as it is"),
        ("T_FloatRGBA", place("a.png"), "PF_FloatRGBA holds floats, and the picture has none"),
        (
            "T_BC1",
            place("odd.png"),
            "22 by 20 pixels, expected multiples of 4 by 4, of which PF_DXT1 consists",
        ),
        ("T_Streaming", place("a.png"), "20 by 20 pixels, expected powers of two"),
        ("T_BC1", dds.clone(), "the DDS file has DXGI format 78, expected 72, which is PF_DXT1"),
        ("T_Cube", dds, "the DDS file has DXGI format 78"),
        ("T_BC1", place("b.png"), "cannot read the picture"),
        ("T_BC1", place("c.txt"), "unrecognised format, expected PNG, EXR or DDS"),
    ] {
        let target = format!("{input}:{texture}");
        let args = ["replace", &target, &picture, "-o", &place("No_P.utoc")];
        let ran = uncask([&args, &more[..]].concat());
        assert!(ran.code != 0 && ran.stderr.contains(expected), "{texture}, {picture}: {}", ran.stderr);
        assert!(!Path::new(&place("No_P.utoc")).exists());
    }
    let target = format!("{input}:T_BC1");
    let args = ["replace", &target, &place("a.png"), "--object", "T_Other", "-o", &place("No_P.utoc")];
    let ran = uncask([&args, &more[..]].concat());
    assert!(ran.stderr.contains("the package has no texture T_Other, only T_BC1"), "{}", ran.stderr);
}
