//! `uncask inspect` on texts and type mappings: as files, and in a pak.

use crate::support::cli::{settings, uncask};
use crate::support::cpu;
use crate::support::packing::pack_pak;
use crate::support::texts::{SPACES, locmeta, locres};
use crate::support::types::Types;
use std::path::{Path, PathBuf};
use uncask::pack::PackOptions;

/// A folder of such files.
fn files(folder: &Path) -> Vec<(&'static str, PathBuf, i32)> {
    let full = Types { has_versions: true, extensions: vec![(*b"PPTH", vec![0; 9])], ..Types::demo(6) };
    let types = full.file();
    let texts = locres(3, &SPACES);
    let mut broken = texts.clone();
    let at = usize::try_from(u64::from_le_bytes(texts[17..25].try_into().unwrap())).unwrap() - 4;
    broken[at] = 99;
    broken[25] = 7;
    broken[45] ^= 1;
    let many: Vec<(String, u32, String)> =
        (0..150).map(|n| (format!("key{n}"), n, format!("text {n}"))).collect();
    let many: Vec<(&str, u32, &str)> =
        many.iter().map(|(key, n, text)| (key.as_str(), *n, text.as_str())).collect();
    let bomb = Types::demo(3).wrap(1, b"\x8C\x0A", 1 << 31);
    let made = [
        ("legacy", "Legacy.locres", locres(0, &SPACES), 0),
        ("compact", "compact.bin", locres(1, &SPACES), 0),
        ("crc", "crc.locres", locres(2, &SPACES), 0),
        ("city", "city.locres", texts.clone(), 0),
        ("broken", "broken.locres", broken, 0),
        ("many", "many.locres", locres(3, &[("Many", &many)]), 0),
        ("cut", "cut.locres", texts[..texts.len() - 3].to_vec(), 1),
        ("no_texts", "nothing.locres", b"\xFF\xFF\xFF\xFFnothing".to_vec(), 1),
        ("meta", "Game.locmeta", locmeta(2), 0),
        ("types_0", "Initial.usmap", Types::demo(0).file(), 0),
        ("types_6", "types.bin", types.clone(), 0),
        ("types_cut", "cut.usmap", types[..types.len() - 60].to_vec(), 1),
        ("types_bomb", "bomb.usmap", bomb, 1),
        ("types_not", "not.bin", b"\xC4\x30\x03 but then something else".to_vec(), 1),
    ];
    made.into_iter()
        .map(|(name, file, bytes, code)| {
            std::fs::write(folder.join(file), bytes).unwrap();
            (name, folder.join(file), code)
        })
        .collect()
}

#[test]
fn files_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    settings(folder.path()).bind(|| {
        for (name, path, code) in files(folder.path()) {
            let shown = uncask(["inspect", path.to_str().unwrap()]).expect(code).shown();
            insta::assert_snapshot!(format!("inspect_loose_{name}"), shown);
        }
        for (name, file) in [("city", "city.locres"), ("types_6", "types.bin"), ("meta", "Game.locmeta")] {
            let path = folder.path().join(file);
            let shown = uncask(["inspect", path.to_str().unwrap(), "--json"]).expect(0).shown();
            insta::assert_snapshot!(format!("inspect_loose_{name}_json"), shown);
        }
    });
}

#[test]
fn entries_of_a_pak_are_shown_as_files_are() {
    let folder = tempfile::tempdir().unwrap();
    let (tree, pak) = (folder.path().join("tree"), folder.path().join("Game.pak"));
    std::fs::create_dir(&tree).unwrap();
    let files = files(&tree);
    pack_pak(&tree, &pak, &PackOptions::default(), cpu()).unwrap();
    for (name, path, code) in files {
        if name == "types_not" {
            continue;
        }
        let file = uncask(["inspect", path.to_str().unwrap()]).expect(code);
        let entry = format!("{}:{}", pak.display(), path.file_name().unwrap().to_str().unwrap());
        let entry = uncask(["inspect", &entry]).expect(code);
        let body = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(body(&entry.stdout), body(&file.stdout), "{name}");
    }
}
