use super::*;

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

/// Returns the offset of the directory table in an index with this mount point.
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
fn paths_have_a_longest() {
    let name = |len: usize| "n".repeat(len);
    let index = parse(build("../../../", &[&name(1023), &name(1024), &format!("d/{}", name(1022)), "x"]), 4);
    assert_eq!(index.path(ChunkIndex(0)).unwrap().len(), 1023);
    assert_eq!((index.path(ChunkIndex(1)), index.path(ChunkIndex(2))), (None, None));
    assert_eq!(index.path(ChunkIndex(3)).unwrap(), "x");
    let index = parse(build("../../../", &["x", &name(3000)]), 2);
    assert_eq!(index.problems()[0].to_string(), "file_name: longer than 1,023 bytes, offset 0x12");
    assert_eq!(index.path(ChunkIndex(1)), None);
    let index = parse(build(&name(1024), &["x"]), 1);
    assert_eq!(index.path(ChunkIndex(0)), None, "below a mount point that is longer still");
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

#[test]
fn files_are_found_whichever_way_their_links_lead() {
    const FILES: u32 = 60;
    let path = |chunk: u32| format!("D{}/E{}/f{chunk}.uasset", chunk % 3, chunk % 2);
    let paths: Vec<String> = (0..FILES).map(path).collect();
    let plain = build("../../../", &paths.iter().map(String::as_str).collect::<Vec<_>>());
    // The same tree with its files in another order: the links between them then lead up and down the table.
    for step in [1, FILES - 1, 7, 11, 29] {
        let place = |file: u32| file * step % FILES;
        let index = parse(reorder(plain.clone(), FILES, place), FILES);
        assert_eq!(index.problems(), [], "step {step}");
        for chunk in 0..FILES {
            assert_eq!(index.path(ChunkIndex(chunk)), Some(path(chunk)), "step {step}");
        }
    }
}

#[test]
fn a_file_that_two_chains_share_has_one_directory() {
    let mut bytes = build("../../../", &["A/a.uasset", "B/b.uasset", "B/c.uasset"]);
    let files = directories_at("../../../") + 3 * 16 + 4;
    patch(&mut bytes, files + 4, 1);
    let index = parse(bytes, 3);
    assert!(matches!(index.problems(), [Fault { kind: FaultKind::Cycle { index: 0 | 1 }, .. }]));
    assert_eq!((0..3).filter(|chunk| index.path(ChunkIndex(*chunk)).is_some()).count(), 3);
}

/// Reorders the files of an index with a short mount point, and redirects all links.
fn reorder(mut bytes: Vec<u8>, count: u32, place: impl Fn(u32) -> u32) -> Vec<u8> {
    let directories = directories_at("../../../");
    let number = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let directory_count = number(&bytes, directories - 4) as usize;
    let files = directories + directory_count * 16 + 4;
    let moved = |link: u32| if link == NONE { NONE } else { place(link) };
    for at in (0..directory_count).map(|directory| directories + directory * 16 + 12) {
        let link = moved(number(&bytes, at));
        patch(&mut bytes, at, link);
    }
    let old = bytes.clone();
    for file in 0..count {
        let (from, to) = (files + file as usize * 12, files + place(file) as usize * 12);
        bytes[to..to + 12].copy_from_slice(&old[from..from + 12]);
        patch(&mut bytes, to + 4, moved(number(&old, from + 4)));
    }
    bytes
}

#[test]
fn paths_are_compared_as_they_are_stored() {
    let paths = ["A/B/c.uasset", "A/d.ubulk", "B/c.uasset", "A/B/ü.uasset"];
    let index = parse(build("../../../Game/Content", &paths), 5);
    let same = |other: &DirectoryIndex, chunk: u32, of_other: u32| {
        let (own, others) = (index.stored_path(ChunkIndex(chunk))?, other.stored_path(ChunkIndex(of_other))?);
        let directories = index.directory_path(own.0) == other.directory_path(others.0);
        Some(own.1 == others.1 && directories && index.mount_point() == other.mount_point())
    };
    let other = parse(build("../../../Game/Content", &["Z/z.umap", "B/c.uasset", "A/d.ubulk"]), 3);
    for chunk in 0..5 {
        for of_other in 0..3 {
            let equal = index.path(ChunkIndex(chunk)) == other.path(ChunkIndex(of_other));
            let stored = same(&other, chunk, of_other);
            assert_eq!(stored, (chunk < 3).then_some(equal), "{chunk}, {of_other}");
        }
    }
    assert_eq!(same(&index, 3, 3), None, "two bytes a character");
    let elsewhere = parse(build("../../../Other", &paths), 5);
    assert_eq!(same(&elsewhere, 0, 0), Some(false), "another mount point");
}

#[test]
fn a_folder_and_a_name_make_the_path() {
    let paths = ["A/B/c.uasset", "A/d.ubulk", "e.txt", "A/B/ü.uasset", "A//f", "/g"];
    for (mount, plain) in [("../../../Game/Content", 5), ("../../../", 5), ("../../..//", 0), ("/Game/", 0)] {
        let index = parse(build(mount, &paths), 7);
        let folders = index.folder_paths();
        let texts: Vec<Option<&str>> = folders.iter().collect();
        let joined = |chunk| {
            let (directory, name) = folders.find(ChunkIndex(chunk))?;
            Some(format!("{}{name}", texts[directory.0 as usize].unwrap()))
        };
        let all: Vec<Option<String>> = (0..7).map(joined).collect();
        for (chunk, joined) in (0..).zip(&all) {
            assert!(joined.is_none() || *joined == index.path(ChunkIndex(chunk)), "{mount}: {joined:?}");
        }
        let found = all.iter().flatten().count();
        assert!(found <= plain && found >= plain.min(3), "{mount}: {all:?}");
    }
}
