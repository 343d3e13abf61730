//! Fonts and files that are copied. No cooked font is in the corpus: a texture's package becomes one, with a payload as the
//! sheet has it.

use super::{files, payloads_with, uncask};
use crate::support::containers::write_tree;
use serde_json::Value;
use std::path::{Path, PathBuf};
use uncask::package::legacy::{NameEntry, Package};

/// A package with an object of a class whose payload is this one.
pub(super) fn object(payloads: &Path, folder: &Path, class: &str, payload: &[u8]) -> PathBuf {
    let from = payloads.parent().unwrap().join("properties/ue5.8/tagged/Fixtures/Textures/T_G8.uasset");
    let mut package = Package::parse(&std::fs::read(&from).unwrap()).unwrap();
    let expected: Value =
        serde_json::from_slice(&std::fs::read(payloads.join("expected.json")).unwrap()).unwrap();
    let at = expected["tagged"]["T_G8.Texture2D"]["payload_offset"].as_u64().unwrap();
    for entry in package.names.iter_mut().filter(|entry| entry.text.as_str() == "Texture2D") {
        *entry = NameEntry::new(class);
    }
    let data = std::fs::read(from.with_extension("uexp")).unwrap();
    let (properties, tag) = (&data[..usize::try_from(at).unwrap()], &data[data.len() - 4..]);
    assert_eq!(package.exports.len(), 1);
    package.exports[0].serial_len = i64::try_from(properties.len() + payload.len()).unwrap();
    // The name may have another length.
    package.lay_out_cooked(0).unwrap();
    let file = folder.join("T_G8.uasset");
    std::fs::write(&file, package.write_header().unwrap()).unwrap();
    std::fs::write(file.with_extension("uexp"), [properties, payload, tag].concat()).unwrap();
    file
}

/// The fonts that are exported of a package.
pub(super) fn exported(package: &Path) -> (Vec<(String, Vec<u8>)>, String) {
    let out = tempfile::tempdir().unwrap();
    let args = ["export", package.to_str().unwrap(), "--engine", "5.8", "-o", out.path().to_str().unwrap()];
    let run = uncask(args).expect(0);
    let read = |(name, path): (String, PathBuf)| (name, std::fs::read(path).unwrap());
    (files(out.path()).into_iter().map(read).collect(), run.stderr)
}

#[test]
fn fonts_are_the_files_that_they_were_made_from() {
    let Some(payloads) = payloads_with("properties/ue5.8/tagged") else { return };
    let folder = tempfile::tempdir().unwrap();
    // Cooked, inline, 9 bytes, one geometry: a flag, one glyph of 25 bytes, two flags, one point.
    let start: [&[u8]; 2] =
        [b"\x01\0\0\0\x01\0\0\0\x09\0\0\0\0\x01\0\0 glyf", b"\x01\0\0\0\x01\0\0\0\x01\0\0\0"];
    let end: [&[u8]; 3] = [&[7; 25], b"\x02\0\0\0\x05\x05", b"\x01\0\0\0\x05\x05"];
    let package = object(&payloads, folder.path(), "FontFace", &[start.concat(), end.concat()].concat());
    let (files, said) = exported(&package);
    assert_eq!(files, [("T_G8.ttf".to_owned(), b"\0\x01\0\0 glyf".to_vec())], "{said}");
    // Cooked, not inline: the file beside the package.
    let package = object(&payloads, folder.path(), "FontFace", b"\x01\0\0\0\0\0\0\0");
    let (files, said) = exported(&package);
    assert!(files.is_empty() && said.contains("a .ufont beside its package"), "{said}");
    std::fs::write(package.with_extension("ufont"), b"OTTO glyf").unwrap();
    let (files, said) = exported(&package);
    assert_eq!(files, [("T_G8.otf".to_owned(), b"OTTO glyf".to_vec())], "{said}");
    std::fs::write(package.with_extension("ufont"), b"nothing").unwrap();
    let (files, said) = exported(&package);
    assert!(files.is_empty() && said.contains("neither TrueType nor OpenType"), "{said}");
}

#[test]
fn videos_and_middleware_files_are_copied() {
    let folder = tempfile::tempdir().unwrap();
    let (tree, pak, out) =
        (folder.path().join("tree"), folder.path().join("made.pak"), folder.path().join("out"));
    let content =
        [("Movies/Intro.mp4", "film"), ("Audio/1.wem", "wwise"), ("Audio/B.BANK", "fmod"), ("x.ini", "no")];
    let paths = content.map(|(path, text)| (format!("Game/Content/{path}"), text.as_bytes().to_vec()));
    write_tree(&tree, paths.iter().map(|(path, bytes)| (path.as_str(), bytes.clone())));
    uncask(["pack", tree.to_str().unwrap(), "-o", pak.to_str().unwrap()]).expect(0);
    let manifest = folder.path().join("manifest.jsonl");
    let args = [
        "export",
        pak.to_str().unwrap(),
        "-o",
        out.to_str().unwrap(),
        "--manifest",
        manifest.to_str().unwrap(),
    ];
    let run = uncask(args).expect(0);
    assert!(run.stderr.contains("wrote 3 files: 3 File"), "{}", run.stderr);
    let names: Vec<String> = files(&out).into_keys().collect();
    assert_eq!(names, ["1.wem", "B.BANK", "Intro.mp4"]);
    assert_eq!(std::fs::read(out.join("Game/Content/Movies/Intro.mp4")).unwrap(), b"film");
    uncask(["verify", out.to_str().unwrap(), "--manifest", manifest.to_str().unwrap()]).expect(0);
    // Other forms do not bring them.
    let none = uncask(["export", pak.to_str().unwrap(), "-o", out.to_str().unwrap(), "--as", "png"]);
    assert_eq!(none.code, 5, "{}", none.stderr);
}
