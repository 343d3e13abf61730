//! Hashes that paks record: each one is compared, or the file or pak that it is of is a failure.

use super::paks;
use crate::support::cli::uncask;
use crate::support::containers::{open, verify_all, write_tree};
use crate::support::corpus;
use std::path::Path;
use uncask::error::{Error, ErrorKind};
use uncask::job::Failure;
use uncask::pak::IndexPart;

/// Files that come in one piece, in several, and in very many; with the right hash and stored size, with a wrong hash, and
/// with that and a stored size that their blocks do not fill.
#[test]
fn a_stored_size_that_the_blocks_do_not_fill_hides_no_wrong_hash() {
    let Some(corpus) = corpus::with("hostile/pak_hash_skipped") else { return };
    let folder = corpus.join("hostile/pak_hash_skipped");
    for size in ["small", "large", "huge"] {
        for (kind, code) in [("good", 0), ("badhash", 1), ("badhash_stored+1", 1)] {
            let path = folder.join(format!("{size}_{kind}.pak"));
            let path = path.to_str().unwrap();
            let ran = uncask(["verify", path]).expect(code);
            let said = "content hash is ";
            assert_eq!(ran.stderr.contains(said), code == 1, "{size}_{kind}: {}", ran.stderr);
            assert!(!ran.stderr.contains("without a recorded hash"), "{size}_{kind}: {}", ran.stderr);
            for (strict, written) in [(true, code == 0), (false, true)] {
                let out = tempfile::tempdir().unwrap();
                let mut args = vec!["unpack", path, "-o", out.path().to_str().unwrap()];
                args.extend(strict.then_some("--strict"));
                uncask(args).expect(code);
                let files = super::commands::tree(out.path());
                assert_eq!(!files.is_empty(), written, "{size}_{kind}, strict: {strict}: {:?}", files.keys());
            }
        }
    }
}

/// A pak of our own writing with a stored size that is far more than its blocks take: nothing is read again for it, and
/// nothing is called right.
#[test]
fn a_hash_of_what_cannot_be_told_is_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree");
    let text = b"a text that repeats itself, ".repeat(8000);
    let rest: Vec<u8> = (0..400_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    write_tree(&tree, [("a.txt", text), ("b.bin", rest)]);
    let path = folder.path().join("game.pak");
    uncask(["pack", tree.to_str().unwrap(), "-o", path.to_str().unwrap(), "--method", "zlib"]).expect(0);
    assert!(verify_all(&open(&path, &[])).is_ok());
    let mut bytes = std::fs::read(&path).unwrap();
    let store = open(&path, &[]);
    let entry = store.entries().find(|entry| store.display_path(*entry).ends_with("a.txt")).unwrap();
    let len = store
        .container(entry)
        .unwrap()
        .table()
        .pak()
        .unwrap()
        .stored_len(uncask::pak::FileIndex(entry.chunk.0));
    // The packed entry: raw size, then stored size.
    let packed = [&224_000_u32.to_le_bytes()[..], &u32::try_from(len).unwrap().to_le_bytes()].concat();
    let at = bytes.windows(8).rposition(|window| window == packed).unwrap() + 4;
    bytes[at..at + 4].copy_from_slice(&1_000_000_u32.to_le_bytes());
    std::fs::write(&path, &bytes).unwrap();
    let outcome = verify_all(&open(&path, &[]));
    let [_, failure] = outcome.mismatches.as_slice() else { panic!("{outcome:?}") };
    assert!(matches!(failure.error, Error::NotCompared { .. }), "{}", failure.error);
    assert_eq!(
        (failure.error.kind(), failure.path.as_str(), outcome.count),
        (ErrorKind::Corrupt, "a.txt", 1)
    );
}

/// A byte in each part of an index, which all parse: in the seed of the hashes, in a path hash, in a file's name.
#[test]
fn a_changed_index_is_found_by_its_hash() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree");
    write_tree(&tree, [("Config/Game.ini", b"text".to_vec())]);
    let path = folder.path().join("game.pak");
    let name = path.to_str().unwrap();
    uncask(["pack", tree.to_str().unwrap(), "-o", name]).expect(0);
    let whole = std::fs::read(&path).unwrap();
    let find = |wanted: &[u8]| whole.windows(wanted.len()).rposition(|window| window == wanted).unwrap();
    let name_at = find(b"Game.ini");
    // Before the name: its length. The path-hash index is a count, hashes with places, a count of folders.
    let mount = find(b"../../../\0");
    for (at, part) in [
        (mount + 10 + 4, IndexPart::Primary),
        (find(b"\x02\0\0\0\x02\0\0\0/\0") - 16, IndexPart::PathHashes),
        (name_at, IndexPart::Directory),
    ] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let store = open(&path, &[]);
        let outcome = verify_all(&store);
        let [Failure { error: Error::IndexHash { mismatch, .. }, .. }] = outcome.mismatches.as_slice() else {
            panic!("{part}: {outcome:?}")
        };
        assert_eq!((mismatch.part, outcome.count), (part, 1));
        let said = format!("the SHA-1 of the {part} is ");
        for (args, code) in [(vec!["verify"], 1), (vec!["list"], 0)] {
            let ran = uncask([&args[..], &[name]].concat()).expect(code);
            assert!(ran.stderr.contains(&format!("warning: {said}")), "{}", ran.stderr);
            assert_eq!(ran.stderr.contains(&format!("error: {said}")), code == 1, "{}", ran.stderr);
        }
        for (strict, code, written) in [(false, 0, 1), (true, 1, 0)] {
            let out = tempfile::tempdir().unwrap();
            let mut args = vec!["unpack", name, "-o", out.path().to_str().unwrap()];
            args.extend(strict.then_some("--strict"));
            let ran = uncask(args).expect(code);
            assert_eq!(super::commands::tree(out.path()).len(), written, "{part}: {}", ran.stderr);
        }
    }
}

#[test]
fn a_file_that_was_renamed_in_the_index_is_told() {
    let Some(corpus) = corpus::with("hostile/idx_tamper") else { return };
    let path = corpus.join("hostile/idx_tamper/idx_tamper.pak");
    let ran = uncask(["verify", path.to_str().unwrap()]).expect(1);
    assert!(ran.stderr.contains("error: the SHA-1 of the directory index is "), "{}", ran.stderr);
}

/// No real pak has an index that is not what was written.
#[test]
fn indices_of_real_paks_have_their_hashes() {
    let Some(corpus) = corpus::find() else { return };
    let mut count = 0;
    for path in paks(&corpus).iter().filter(|path| !path.starts_with(corpus.join("hostile"))) {
        let store = open(path, &super::KEYS);
        let wrong: Vec<_> = store.containers().iter().flat_map(|pak| pak.index_errors()).collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}", path.display());
        count += usize::from(!store.containers().is_empty());
    }
    assert!(count >= 38, "{count} paks");
}

#[test]
fn a_pointer_to_a_pak_is_called_one() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 1048576\n";
    let folder = tempfile::tempdir().unwrap();
    let said =
        "file is a Git LFS pointer, the data of 1,048,576 bytes is not here; `git lfs pull` fetches it: ";
    for (command, name) in [
        ("list", "game.pak"),
        ("inspect", "game.pak"),
        ("inspect", "Hero.uasset"),
        ("inspect", "AssetRegistry.bin"),
        ("inspect", "Game.locres"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, pointer).unwrap();
        let ran = uncask([Path::new(command), &path]).expect(3);
        assert!(ran.stderr.contains(said), "{command} {name}: {}", ran.stderr);
    }
}
