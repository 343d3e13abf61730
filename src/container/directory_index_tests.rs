use super::*;
use crate::container::DirectoryIndexBuilder;

fn build(mount: &str, paths: &[&str]) -> Vec<u8> {
    let mut builder = DirectoryIndexBuilder::new(mount);
    for (chunk, path) in (0u32..).zip(paths) {
        builder.add(path, chunk);
    }
    builder.finish()
}

fn parse(bytes: Vec<u8>, chunks: u32) -> DirectoryIndex {
    DirectoryIndex::parse(bytes.into(), chunks).unwrap()
}

#[test]
fn paths_come_back_game_relative() {
    let paths = ["A/B/c.uasset", "A/d.ubulk", "e.txt", "A/B/ü.uasset"];
    let index = parse(build("../../../Game/Content", &paths), 5);
    for (chunk, path) in (0u32..).zip(paths) {
        assert_eq!(index.path(ChunkIndex(chunk)).unwrap(), format!("Game/Content/{path}"));
    }
    assert_eq!(index.path(ChunkIndex(4)), None, "a chunk without a file");
    assert_eq!(index.problems(), []);
}

#[test]
fn the_root_may_hide_inside_the_path() {
    let index = parse(build("/", &["../../../Game/a.uasset"]), 1);
    assert_eq!(index.path(ChunkIndex(0)).unwrap(), "Game/a.uasset");
    let index = parse(build("", &["Game/a.uasset"]), 1);
    assert_eq!(index.path(ChunkIndex(0)).unwrap(), "Game/a.uasset");
}

/// Byte position of the directory table in an index with this mount point.
const fn directories_at(mount: &str) -> usize {
    4 + mount.len() + 1 + 4
}

fn patch(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

#[test]
fn a_directory_that_is_its_own_child_is_not_followed() {
    let mut bytes = build("../../../", &["A/b.uasset"]);
    let child_link = directories_at("../../../") + 16 + 4;
    patch(&mut bytes, child_link, 0);
    let index = parse(bytes, 1);
    assert!(matches!(index.problems(), [Fault { kind: FaultKind::Cycle { index: 0 }, .. }]));
    assert_eq!(index.path(ChunkIndex(0)).unwrap(), "A/b.uasset", "the rest is still there");
}

#[test]
fn wild_links_lose_only_what_hangs_on_them() {
    let mut bytes = build("../../../", &["A/b.uasset", "c.uasset"]);
    patch(&mut bytes, directories_at("../../../") + 4, 77);
    let index = parse(bytes, 2);
    assert_eq!(index.problems()[0].kind, FaultKind::OutOfRange { index: 77, count: 2 });
    assert_eq!(index.path(ChunkIndex(0)), None);
    assert_eq!(index.path(ChunkIndex(1)).unwrap(), "c.uasset");
}

#[test]
fn a_chunk_outside_the_table_is_reported() {
    let index = parse(build("../../../", &["a", "b"]), 1);
    assert_eq!(index.problems()[0].kind, FaultKind::OutOfRange { index: 1, count: 1 });
}

#[test]
fn depth_is_bounded() {
    let deep = "d/".repeat(400) + "x";
    let index = parse(build("../../../", &[&deep]), 1);
    assert_eq!(index.problems()[0].kind, FaultKind::TooLarge { found: 256, limit: 255 });
    assert_eq!(index.path(ChunkIndex(0)), None);
}

#[test]
fn counts_are_checked_before_anything_is_allocated() {
    for at in [directories_at("../../../") - 4, directories_at("../../../") + 16] {
        let mut bytes = build("../../../", &["a"]);
        patch(&mut bytes, at, u32::MAX);
        let fault = DirectoryIndex::parse(bytes.into(), 1).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::Truncated { .. }), "{fault}");
    }
}

#[test]
fn a_key_is_judged_by_the_first_block() {
    let bytes = build("../../../Game/Content/", &["a"]);
    assert!(DirectoryIndex::looks_plausible(&bytes[..16]));
    assert!(!DirectoryIndex::looks_plausible(&[0x5A; 16]));
    assert!(!DirectoryIndex::looks_plausible(&[0; 16]), "an empty mount point proves nothing");
    assert!(!DirectoryIndex::looks_plausible(&[1]));
}
