//! Folders with containers and paks, and paks that are written here.

use super::commands::tree;
use super::made::{Newest, with_delete_records};
use crate::support::containers::{noise, open, prose, unpack_all, verify_all, write_tree};
use crate::support::cpu;
use crate::support::packing::{pack, pack_pak};
use std::collections::BTreeMap;
use std::path::Path;
use uncask::error::ErrorKind;
use uncask::extract::Filter;
use uncask::pack::PackOptions;
use uncask::store::Store;

/// Packs files, each with its own name and that of the archive for content, into a container or a pak.
fn archive(folder: &Path, name: &str, files: &[&str]) {
    let (source, target) = (tempfile::tempdir().unwrap(), folder.join(name));
    write_tree(source.path(), files.iter().map(|file| (*file, format!("{file} of {name}").into_bytes())));
    let options = PackOptions { force: true, ..PackOptions::default() };
    let packed = if Path::new(name).extension().unwrap() == "pak" {
        pack_pak(source.path(), &target, &options, cpu())
    } else {
        pack(source.path(), &target, &options, cpu())
    };
    assert_eq!(packed.unwrap().chunks, files.len() as u64);
}

/// Paths of entries, in order.
fn paths(store: &Store, all: bool) -> Vec<String> {
    let entries = Filter::default().select(store, all);
    let mut paths: Vec<String> = entries.iter().map(|entry| store.display_path(*entry)).collect();
    paths.sort();
    paths
}

#[test]
fn a_folder_of_containers_and_paks_unpacks_to_one_tree() {
    let folder = tempfile::tempdir().unwrap();
    let archives = [
        ("base.utoc", &["both", "container", "patched_by_container", "patched_by_pak"][..]),
        ("base.pak", &["both", "contested", "of_pak/pak", "pak_patched_by_container", "pak_patched_by_pak"]),
        ("more.pak", &["contested", "more"]),
        ("mod_P.pak", &["fresh_in_pak", "level", "pak_patched_by_pak", "patched_by_pak"]),
        ("mod_P.utoc", &["level", "patched_by_container"]),
        ("late_1_P.utoc", &["late", "pak_patched_by_container"]),
        ("later_2_P.pak", &["late"]),
    ];
    for (name, files) in archives {
        let files: Vec<String> = files.iter().map(|file| format!("Game/Content/{file}.txt")).collect();
        archive(folder.path(), name, &files.iter().map(String::as_str).collect::<Vec<_>>());
    }
    let expected: BTreeMap<String, Vec<u8>> = [
        // Between equals IoStore is asked first; between paks the last name wins.
        ("both", "base.utoc"),
        ("contested", "more.pak"),
        ("level", "mod_P.utoc"),
        // A patch wins over what is not a patch, in either form; the higher number wins over the lower.
        ("patched_by_container", "mod_P.utoc"),
        ("patched_by_pak", "mod_P.pak"),
        ("pak_patched_by_container", "late_1_P.utoc"),
        ("pak_patched_by_pak", "mod_P.pak"),
        ("late", "later_2_P.pak"),
        // And what only one has is there.
        ("container", "base.utoc"),
        ("of_pak/pak", "base.pak"),
        ("more", "more.pak"),
        ("fresh_in_pak", "mod_P.pak"),
    ]
    .into_iter()
    .map(|(file, from)| {
        let path = format!("Game/Content/{file}.txt");
        (path.clone(), format!("{path} of {from}").into_bytes())
    })
    .collect();
    let store = open(folder.path(), &[]);
    let out = tempfile::tempdir().unwrap();
    let outcome = unpack_all(&store, out.path());
    assert!(outcome.is_ok(), "{outcome:?}");
    assert_eq!(tree(out.path()), expected);
    assert_eq!(outcome.count, expected.len() as u64);
    assert!(verify_all(&store).is_ok());
    let all: usize = archives.iter().map(|(_, files)| files.len()).sum();
    assert_eq!(paths(&store, true).len(), all);
}

#[test]
fn a_delete_record_hides_the_file_of_lower_paks() {
    let folder = tempfile::tempdir().unwrap();
    archive(folder.path(), "base.pak", &["Game/gone.txt", "Game/kept.txt", "Game/back.txt"]);
    let deleting = with_delete_records(&[
        ("Game/gone.txt", None),
        ("Game/new.txt", Some(b"new")),
        ("Game/never_was.txt", None),
        ("Game/back.txt", None),
    ]);
    std::fs::write(folder.path().join("patch_P.pak"), deleting).unwrap();
    // What a later patch brings back is there again.
    archive(folder.path(), "patch_1_P.pak", &["Game/back.txt"]);
    let store = open(folder.path(), &[]);
    assert_eq!(paths(&store, false), ["Game/back.txt", "Game/kept.txt", "Game/new.txt"]);
    let all = paths(&store, true);
    let times = |path: &str| all.iter().filter(|found| *found == path).count();
    assert_eq!((times("Game/gone.txt"), times("Game/back.txt"), times("Game/never_was.txt")), (2, 3, 1));

    let hidden = Filter::default().select(&store, true).into_iter().find(|entry| {
        store.display_path(*entry) == "Game/gone.txt" && store.container(*entry).unwrap().name() == "base"
    });
    assert_eq!(store.overridden_by(hidden.unwrap()).unwrap().name(), "patch_P");

    let out = tempfile::tempdir().unwrap();
    let outcome = unpack_all(&store, out.path());
    assert!(outcome.is_ok(), "{outcome:?}");
    let files = tree(out.path());
    assert_eq!(files.keys().collect::<Vec<_>>(), ["Game/back.txt", "Game/kept.txt", "Game/new.txt"]);
    assert_eq!(files["Game/back.txt"], b"Game/back.txt of patch_1_P.pak");
    assert_eq!(files["Game/new.txt"], b"new");
}

#[test]
fn a_delete_record_alone_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("patch_P.pak");
    std::fs::write(&path, with_delete_records(&[("Game/gone.txt", None)])).unwrap();
    let store = open(&path, &[]);
    assert_eq!((paths(&store, false).len(), paths(&store, true).len()), (0, 1));
}

const KEY: [u8; 32] = [0x3C; 32];

/// Files of every size that matters to a stream cipher: none, less than a block, several reads, compressed or not.
fn files() -> [(&'static str, Vec<u8>, bool); 6] {
    [
        ("empty.bin", Vec::new(), false),
        ("short.txt", b"five.".to_vec(), false),
        ("one_block.txt", prose(1000), true),
        ("blocks.txt", prose(300_000), true),
        ("large.bin", noise((3 << 20) + 5, 3), false),
        ("large.txt", [prose(200_000), noise(200_000, 4), prose(3 << 20)].concat(), true),
    ]
}

#[test]
fn a_pak_of_version_15_is_decrypted_as_a_stream() {
    let files = files();
    let expected: BTreeMap<String, Vec<u8>> =
        files.iter().map(|(path, content, _)| ((*path).to_owned(), content.clone())).collect();
    for encrypts_index in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("newest.pak");
        std::fs::write(&path, Newest { key: KEY, encrypts_index }.pak(&files)).unwrap();
        let store = open(&path, &[&hex::encode([1; 32]), &hex::encode(KEY)]);
        let outcome = verify_all(&store);
        assert!(outcome.is_ok() && outcome.unhashed == 0, "{outcome:?}");
        assert_eq!(outcome.count, 6);
        let out = folder.path().join("out");
        assert!(unpack_all(&store, &out).is_ok());
        assert!(tree(&out) == expected, "index encrypted: {encrypts_index}");
    }
}

#[test]
fn a_changed_bit_of_a_stream_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("newest.pak");
    let files = files();
    let mut pak = Newest { key: KEY, encrypts_index: true }.pak(&files);
    // In the middle of the large file; the four before it are short.
    pak[1 << 20] ^= 1;
    std::fs::write(&path, pak).unwrap();
    let outcome = verify_all(&open(&path, &[&hex::encode(KEY)]));
    let [mismatch] = outcome.mismatches.as_slice() else { panic!("{outcome:?}") };
    assert_eq!((mismatch.path.as_str(), mismatch.error.kind()), ("large.bin", ErrorKind::Corrupt));
}
