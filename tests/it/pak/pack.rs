//! Paks that are made here: what goes in comes out, and damage shows.

use super::Pak;
use super::commands::tree;
use crate::support::containers::{noise, open, prose, unpack_all, verify_all, write_tree};
use crate::support::cpu;
use crate::support::packing::{pack, pack_pak};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use uncask::codec::Method;
use uncask::crypto::{AesKey, KeyRing};
use uncask::id::Guid;
use uncask::pack::PackOptions;

const KEY: &str = "0x0909090909090909090909090909090909090909090909090909090909090909";

/// Files of every size that matters: none, below and above a block, many blocks, more than a batch.
fn files() -> BTreeMap<String, Vec<u8>> {
    let named = [
        ("Game/Config/DefaultGame.ini", prose(300)),
        ("Game/Content/Movies/large.bin", [noise(1 << 20, 1), prose(3 << 20)].concat()),
        ("Game/Content/Movies/noise.bin", noise((2 << 20) + 7, 2)),
        ("Game/Content/a.txt", prose(200_001)),
        ("Game/Content/ü.txt", prose(65_536)),
        ("empty.txt", Vec::new()),
        ("one.txt", vec![1]),
    ];
    named.into_iter().map(|(name, content)| (name.to_owned(), content)).collect()
}

fn packed(folder: &Path, options: &PackOptions) -> PathBuf {
    let (source, pak) = (folder.join("tree"), folder.join("made.pak"));
    let files = files();
    write_tree(&source, files.iter().map(|(name, content)| (name.as_str(), content.clone())));
    let packed = pack_pak(&source, &pak, options, cpu()).unwrap();
    assert_eq!(packed.chunks, files.len() as u64);
    assert_eq!(packed.stored_bytes, std::fs::metadata(&pak).unwrap().len());
    pak
}

fn key() -> (Guid, AesKey) {
    let mut ring = KeyRing::default();
    ring.add_argument(KEY).unwrap();
    (Guid::ZERO, ring.iter().next().unwrap().1.clone())
}

#[test]
fn what_is_packed_is_verified_and_unpacks_again() {
    for method in [Method::None, Method::Zlib, Method::Lz4, Method::Oodle] {
        for (block_size, key) in [(64 << 10, None), (64 << 10, Some(key())), (60_000, Some(key()))] {
            let folder = tempfile::tempdir().unwrap();
            let options = PackOptions { method, block_size, key: key.clone(), ..PackOptions::default() };
            let pak = packed(folder.path(), &options);
            let what = format!("{method}, blocks of {block_size}, encrypted: {}", key.is_some());
            let store = open(&pak, if key.is_some() { &[KEY] } else { &[] });
            let outcome = verify_all(&store);
            assert!(outcome.is_ok() && outcome.unhashed == 0, "{what}: {outcome:?}");
            let out = folder.path().join("out");
            assert!(unpack_all(&store, &out).is_ok(), "{what}");
            assert!(tree(&out) == files(), "{what}");
            if key.is_none() {
                assert!(Pak::open(&pak).files() == files(), "{what}: the other reader");
            }
        }
    }
}

#[test]
fn a_damaged_large_file_does_not_pass() {
    let folder = tempfile::tempdir().unwrap();
    let pak = packed(folder.path(), &PackOptions { key: Some(key()), ..PackOptions::default() });
    let mut bytes = std::fs::read(&pak).unwrap();
    // In the middle of the large file, the second of them all.
    bytes[2 << 20] ^= 1;
    std::fs::write(&pak, bytes).unwrap();
    let outcome = verify_all(&open(&pak, &[KEY]));
    let [mismatch] = outcome.mismatches.as_slice() else { panic!("{outcome:?}") };
    assert_eq!(mismatch.path, "Game/Content/Movies/large.bin");
}

#[test]
fn a_companion_is_empty_and_replaces_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [tree, toc, pak] = ["tree", "mod_P.utoc", "mod_P.pak"].map(|name| folder.path().join(name));
    write_tree(&tree, [("Game/a.ini", b"text".to_vec())]);
    for key in [None, Some((Guid([5; 16]), key().1))] {
        let guid = key.as_ref().map_or(Guid::ZERO, |(guid, _)| *guid);
        let options =
            PackOptions { companion: true, force: true, replace: true, key, ..PackOptions::default() };
        pack(&tree, &toc, &options, cpu()).unwrap();
        let store = open(&pak, &[KEY]);
        let [container] = store.containers() else { panic!("one pak") };
        assert_eq!((store.entries().count(), container.table().encryption_key_guid()), (0, guid));
        std::fs::write(&pak, "mine").unwrap();
        pack(&tree, &toc, &options, cpu()).unwrap();
        assert_eq!(std::fs::read(&pak).unwrap(), b"mine");
        std::fs::remove_file(&pak).unwrap();
    }
}
