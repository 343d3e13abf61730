//! `uncask thumbnails`.

use super::run::{corpus, uncask};
use std::io::Cursor;

#[test]
fn every_picture_comes_out_and_opens() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (corpus.join("uncooked"), folder.path().join("out"));
    let ran = uncask(&["thumbnails", input.to_str().unwrap(), "-o", out.to_str().unwrap(), "--json"]).ok();
    let report = ran.json();
    assert_eq!(report["schema"], "uncask.thumbnails/1");
    let written = report["thumbnails"].as_array().unwrap();
    assert_eq!(written.len(), 3);
    for thumbnail in written {
        let bytes = std::fs::read(out.join(thumbnail["path"].as_str().unwrap())).unwrap();
        assert_eq!(bytes.len() as u64, thumbnail["bytes"]);
        match thumbnail["kind"].as_str().unwrap() {
            "png" => {
                let mut reader = png::Decoder::new(Cursor::new(&bytes)).read_info().unwrap();
                let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
                let info = reader.next_frame(&mut pixels).unwrap();
                assert_eq!((info.width, info.height), (256, 256));
            }
            "jpg" => assert!(bytes.starts_with(&[0xFF, 0xD8, 0xFF]) && bytes.ends_with(&[0xFF, 0xD9])),
            other => panic!("{other}"),
        }
    }
    insta::assert_snapshot!("thumbnails", ran.shown(&corpus));
}

/// Files without pictures are reported with the reason.
#[test]
fn what_is_not_supported_is_told() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (unpacked, out) = (folder.path().join("unpacked"), folder.path().join("out"));
    let [container, global] = super::run::fixture(&corpus, "tagged");
    let [unpacked, out] = [&unpacked, &out].map(|path| path.to_str().unwrap());
    uncask(&["unpack", &container, "-o", unpacked, "Textures"]).ok();
    let zen = uncask(&["thumbnails", unpacked, "-o", out]);
    assert_eq!(zen.code, 5, "{}", zen.err);
    let reported =
        "files have no pictures: zen packages have no thumbnails (`uncask export --as png` writes textures)";
    assert!(zen.err.contains(reported), "{}", zen.err);
    let cooked = corpus.join("packages/ue5.4/Randy.uasset");
    let cooked = uncask(&["thumbnails", cooked.to_str().unwrap(), "-o", out]);
    assert!(cooked.err.contains("1 file has no pictures: the cooker drops thumbnails"), "{}", cooked.err);
    let container = uncask(&["thumbnails", &global, "-o", out]);
    assert_eq!(container.code, 2);
    assert!(container.err.contains("not containers"), "{}", container.err);
}

#[test]
fn one_file_none_and_a_damaged_one() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let run = |input: &std::path::Path| {
        uncask(&["thumbnails", input.to_str().unwrap(), "-o", out.to_str().unwrap()])
    };
    run(&corpus.join("uncooked/TestMaterial.uasset")).ok();
    assert!(out.join("TestMaterial/TestMaterial.png").is_file());
    assert_eq!(run(&corpus.join("packages/ue5.8-tagged")).code, 5, "cooked packages have none");
    assert_eq!(run(&corpus.join("no/such")).code, 3);
    let cut = folder.path().join("cut.uasset");
    let bytes = std::fs::read(corpus.join("uncooked/TestMaterial.uasset")).unwrap();
    std::fs::write(&cut, &bytes[..2000]).unwrap();
    let ran = run(&cut);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("malformed legacy package: "), "{}", ran.err);
}

#[test]
fn textures_of_classic_packages_come_out_as_png() {
    let folder = tempfile::tempdir().unwrap();
    let input = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/classic");
    let out = folder.path().join("out");
    let report = uncask(&["thumbnails", input, "-o", out.to_str().unwrap(), "--json"]).ok().json();
    let written = &report["thumbnails"][0];
    assert_eq!((&written["object"], &written["class"]), (&"T".into(), &"Texture".into()));
    let bytes = std::fs::read(out.join(written["path"].as_str().unwrap())).unwrap();
    let mut reader = png::Decoder::new(Cursor::new(&bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (4, 2));
    // The palette of the file counts up in red and down in green; blue is 7.
    assert_eq!(pixels[..8], [0, 255, 7, 255, 10, 245, 7, 255]);
}
