//! Exported files, and the messages for those that are missing.

use super::textures::rgba;
use super::{files, fixture, payloads, uncask};

#[test]
fn one_texture_is_one_picture() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let [content, base, global, mappings] = fixture(&payloads, "tagged");
    let ran =
        uncask(["export", &content, &base, &global, "--mappings", &mappings, "*/T_BC1.uasset", "-o", out]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("wrote 1 file: 1 Texture2D"), "{}", ran.stderr);
    assert_eq!(files(folder.path()).into_keys().collect::<Vec<_>>(), ["T_BC1.png"]);
    assert_eq!(ran.stdout, "");
    // Once more, nothing changes.
    let before = std::fs::metadata(&files(folder.path())["T_BC1.png"]).unwrap().modified().unwrap();
    let again = uncask(["export", &content, &base, &global, "*/T_BC1.uasset", "-o", out]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(std::fs::metadata(&files(folder.path())["T_BC1.png"]).unwrap().modified().unwrap(), before);
}

#[test]
fn a_dds_file_has_every_mip_as_it_is_stored() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let [content, base, global, _] = fixture(&payloads, "tagged");
    let ran = uncask(["export", &content, &base, &global, "*/Textures/*", "-o", out, "--as", "dds"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let bytes = |name: &str| std::fs::read(&files(folder.path())[name]).unwrap();
    let number = |bytes: &[u8], at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
    // Magic, height, width, depth, mips, FourCC, DXGI format, dimension, cube, array.
    let shown = |name: &str| {
        let file = bytes(name);
        assert_eq!((&file[..4], number(&file, 4), &file[84..88]), (&b"DDS "[..], 124, &b"DX10"[..]));
        let fields = [12, 16, 24, 28, 128, 132, 136, 140].map(|at| number(&file, at));
        (fields, file.len())
    };
    assert_eq!(shown("T_Mips.dds"), ([64, 64, 0, 7, 72, 3, 0, 1], 148 + 2048 + 512 + 128 + 32 + 8 + 8 + 8));
    assert_eq!(shown("T_Cube.dds"), ([16, 16, 0, 1, 91, 3, 4, 1], 148 + 6 * 16 * 16 * 4));
    assert_eq!(shown("T_CubeArray.dds"), ([16, 16, 0, 1, 87, 3, 4, 2], 148 + 12 * 16 * 16 * 4));
    assert_eq!(shown("T_Array.dds"), ([16, 16, 0, 1, 87, 3, 0, 4], 148 + 4 * 16 * 16 * 4));
    let streaming = bytes("T_Streaming.dds");
    assert_eq!(number(&streaming, 28), 10, "streamed mips are there, too");
}

#[test]
fn shares_are_everything_and_no_package_is_in_two() {
    let Some(payloads) = payloads() else { return };
    let [content, base, global, _] = fixture(&payloads, "tagged");
    let export = |more: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().to_str().unwrap();
        let ran = uncask([&["export", &content, &base, &global, "*/Textures/*", "-o", out], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        files(folder.path()).into_keys().collect::<Vec<_>>()
    };
    let all = export(&[]);
    let mut shares = [export(&["--shard", "1/2"]), export(&["--shard", "2/2"])].concat();
    shares.sort();
    assert_eq!(shares, all);
    assert!(all.len() > 30, "{all:?}");
}

#[test]
fn what_is_not_exported_is_named_and_counted() {
    let Some(payloads) = payloads() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let [content, base, global, _] = fixture(&payloads, "unversioned");
    let ran = uncask(["export", &content, &base, &global, "-o", out, "--as", "png", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["schema"], "uncask.export/2");
    let left = report["not_exported"].as_array().unwrap();
    let floats = left.iter().find(|left| left["object"] == "T_R16F").unwrap();
    assert!(floats["reason"].as_str().unwrap().contains("floats"), "{floats}");
    assert!(report["other_classes"]["World"].as_u64() >= Some(7), "{report}");
    let all_searched = |report: &serde_json::Value, is: bool| {
        report["exported"].as_array().unwrap().iter().all(|asset| asset["searched"] == is)
    };
    assert!(all_searched(&report, false), "{report}");
    // No classes of that release are built in.
    let newer = ["export", &content, &base, &global, "-o", out, "--as", "png", "--json", "--engine", "6.0"];
    let ran = uncask(newer);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(all_searched(&report, true), "{report}");
    assert!(ran.stderr.contains("need mappings"), "{}", ran.stderr);
}

/// One picture for each cube: forward in its middle, which is the middle of the first face.
#[test]
fn cubes_become_pictures_of_all_directions() {
    let Some(payloads) = payloads() else { return };
    let [content, ..] = fixture(&payloads, "tagged");
    let folder = tempfile::tempdir().unwrap();
    let run = |out: &str, more: &[&str]| {
        let out = folder.path().join(out);
        let args = ["export", &content, "*/T_Cube*", "--as", "png", "-o", out.to_str().unwrap()];
        uncask([&args, more].concat()).expect(0);
        files(&out)
    };
    let (faces, whole) = (run("faces", &[]), run("whole", &["--cube", "equirectangular"]));
    assert_eq!(
        whole.keys().collect::<Vec<_>>(),
        ["T_Cube.png", "T_CubeArray_0000.png", "T_CubeArray_0001.png"]
    );
    for (cube, first) in [("T_Cube", "T_Cube_px"), ("T_CubeArray_0001", "T_CubeArray_0001_px")] {
        let (width, height, pixels) = rgba(&whole[&format!("{cube}.png")]);
        assert_eq!((width, height), (64, 32), "{cube}");
        let (_, _, face) = rgba(&faces[&format!("{first}.png")]);
        let (middle, near) = (pixels[16 * 64 + 32], [7 * 16 + 7, 7 * 16 + 8, 8 * 16 + 7, 8 * 16 + 8]);
        for (channel, value) in middle.into_iter().enumerate() {
            let near = near.map(|at| face[at][channel]);
            assert!(
                (*near.iter().min().unwrap()..=*near.iter().max().unwrap()).contains(&value),
                "{cube}: {near:?}, {value}"
            );
        }
    }
}
