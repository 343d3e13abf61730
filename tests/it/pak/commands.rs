//! Paks through the store, the pipeline and the commands, like containers.

use super::{KEYS, Pak, paks};
use crate::support::cli::uncask;
use crate::support::containers::{open, unpack_all, verify_all};
use crate::support::corpus;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use uncask::error::{Error, ErrorKind};
use uncask::extract::Filter;
use uncask::store::Store;

/// Every file below a folder, by its path in it.
pub(super) fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    let files = files.filter(|entry| entry.file_type().is_file());
    let named = |entry: walkdir::DirEntry| {
        let name = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
        (name, std::fs::read(entry.path()).unwrap())
    };
    files.map(named).collect()
}

fn store(path: &Path) -> Store {
    open(path, &KEYS)
}

#[test]
fn every_pak_is_verified_and_unpacks_to_what_is_in_it() {
    let Some(corpus) = corpus::find() else { return };
    let (mut count, mut files) = (0, 0);
    for path in paks(&corpus.join("pak")) {
        // If only the data is encrypted, and none of it compressed, nothing shows which key fits; so each vendor has its own.
        let blind = path.ends_with("pack_v5_encrypt.pak")
            || path.ends_with("pack_v8b_encrypt.pak")
            || path.ends_with("pack_v11_encrypt.pak");
        let store = if blind { open(&path, &KEYS[..1]) } else { open(&path, &[KEYS[1], KEYS[0]]) };
        let outcome = verify_all(&store);
        let name = path.display();
        assert!(outcome.is_ok() && outcome.unhashed == 0, "{name}: {outcome:?}");
        let folder = tempfile::tempdir().unwrap();
        assert!(unpack_all(&store, folder.path()).is_ok(), "{name}");
        let expected = Pak::open(&path).files();
        assert_eq!(tree(folder.path()), expected, "{name}");
        assert_eq!(outcome.count, expected.len() as u64, "{name}");
        (count, files) = (count + 1, files + expected.len());
    }
    assert!(count >= 34 && files >= 190, "{count} paks with {files} files");
}

/// A copy of a pak of the corpus in which one byte of the first stored block is another.
fn damaged(corpus: &Path, name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("damaged.pak");
    let mut bytes = std::fs::read(corpus.join("pak/repak").join(name)).unwrap();
    std::fs::write(&path, &bytes).unwrap();
    let store = store(&path);
    let largest =
        store.entries().max_by_key(|entry| store.container(*entry).unwrap().table().chunk_len(entry.chunk));
    let storage = store.container(largest.unwrap()).unwrap().table().storage(largest.unwrap().chunk).unwrap();
    bytes[usize::try_from(storage.offset).unwrap() + 5] ^= 0x40;
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

#[test]
fn a_changed_byte_is_found_by_the_hash_wherever_that_is_recorded() {
    let Some(corpus) = corpus::find() else { return };
    for name in ["pack_v5.pak", "pack_v8b.pak", "pack_v11.pak", "pack_v11_encrypt.pak"] {
        let (_folder, path) = damaged(&corpus, name);
        let outcome = verify_all(&open(&path, &KEYS[..1]));
        assert_eq!(outcome.mismatches.len() + outcome.failures.len(), 1, "{name}: {outcome:?}");
        let failed = outcome.mismatches.iter().chain(&outcome.failures).next().unwrap();
        assert_eq!(failed.error.kind(), ErrorKind::Corrupt, "{name}: {}", failed.error);
    }
}

#[test]
fn without_a_key_only_what_is_encrypted_is_lost() {
    let Some(corpus) = corpus::find() else { return };
    let outcome = verify_all(&open(&corpus.join("pak/repak/pack_v11_encrypt.pak"), &[]));
    assert!(outcome.failures.iter().all(|failure| failure.error.kind() == ErrorKind::Key));
    assert!(!outcome.failures.is_empty());
    let store = open(&corpus.join("pak/repak/pack_v11_encryptindex.pak"), &[]);
    let [container] = store.containers() else { panic!("one pak") };
    assert_eq!(container.locked().unwrap().kind(), ErrorKind::Key);
    assert_eq!(store.entries().count(), 0);
    let store = open(&corpus.join("pak/repak/pack_v11_encryptindex.pak"), &KEYS[1..]);
    assert!(matches!(store.containers()[0].locked(), Some(Error::WrongKey { tried: 1, .. })));
}

#[test]
fn the_higher_pak_wins_by_path() {
    let Some(corpus) = corpus::find() else { return };
    let store = open(&corpus.join("pak/ue5.8/patch"), &KEYS);
    let (all, winners) = (Filter::default().select(&store, true), Filter::default().select(&store, false));
    let paths = |entries: &[uncask::store::Entry]| -> Vec<String> {
        entries.iter().map(|entry| store.display_path(*entry)).collect()
    };
    let mut doubled = paths(&all);
    doubled.sort();
    let unique: std::collections::BTreeSet<String> = doubled.iter().cloned().collect();
    assert_eq!(winners.len(), unique.len());
    assert!(winners.len() < all.len(), "the patch replaces something");
    for entry in all.iter().filter(|entry| !winners.contains(entry)) {
        let winner = store.overridden_by(*entry).expect("a reason to be left out");
        assert!(winner.name().ends_with("_P"), "{}", winner.name());
    }
}

/// A folder with a container, and a pak that holds some of its packages as the cooker wrote them.
fn both_forms(corpus: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let copy = |from: &str, to: &str| {
        std::fs::copy(corpus.join(from), folder.path().join(to)).unwrap();
    };
    let container = "iostore/ue5.8/tagged/Uncompressed/CUE4ParseFixtures-Minimal-Uncompressed-Windows";
    copy(&format!("{container}.utoc"), "game.utoc");
    copy(&format!("{container}.ucas"), "game.ucas");
    for extension in ["utoc", "ucas"] {
        copy(&format!("iostore/ue5.8/tagged/global.{extension}"), &format!("global.{extension}"));
    }
    copy("pak/ue5.8/legacy/Tagged/Uncompressed/CUE4ParseFixtures-Legacy-Tagged-Uncompressed.pak", "game.pak");
    folder
}

#[test]
fn to_legacy_copies_the_packages_of_paks_and_rebuilds_the_others() {
    let Some(corpus) = corpus::find() else { return };
    let folder = both_forms(&corpus);
    std::fs::rename(folder.path().join("game.pak"), folder.path().join("mod_P.pak")).unwrap();
    let pak = Pak::open(&folder.path().join("mod_P.pak")).files();
    let out = tempfile::tempdir().unwrap();
    let args = ["to-legacy", folder.path().to_str().unwrap(), "-o", out.path().to_str().unwrap(), "--quiet"];
    uncask(args).expect(0);
    let written = tree(out.path());
    for (path, content) in &pak {
        assert!(written.get(path) == Some(content), "{path}");
    }
    assert!(written.len() > 150 + pak.len(), "{} files", written.len());
    let one = tempfile::tempdir().unwrap();
    let args = ["to-legacy", folder.path().to_str().unwrap(), "DT_AllProperties.uasset", "-o"];
    uncask(args.into_iter().chain([one.path().to_str().unwrap(), "--quiet"])).expect(0);
    let names: Vec<String> =
        tree(one.path()).into_keys().map(|path| path.rsplit('/').next().unwrap().to_owned()).collect();
    assert_eq!(
        names,
        ["DT_AllProperties.uasset", "DT_AllProperties.uexp"],
        "all of a package, named by a part"
    );
}

#[test]
fn a_package_in_a_container_and_in_a_pak_is_there_once() {
    let Some(corpus) = corpus::find() else { return };
    let folder = both_forms(&corpus);
    let names = |name: &str| {
        let store = open(folder.path(), &[]);
        let entries = Filter::default().select(&store, false);
        let shown = entries.iter().filter(|entry| store.display_path(**entry).contains(name));
        let mut names: Vec<String> = shown
            .map(|entry| {
                let kind = store
                    .container(*entry)
                    .unwrap()
                    .path()
                    .extension()
                    .unwrap()
                    .to_string_lossy()
                    .into_owned();
                format!("{kind} {}", store.display_path(*entry).rsplit('/').next().unwrap())
            })
            .collect();
        names.sort();
        names
    };
    assert_eq!(names("DT_AllProperties"), ["utoc DT_AllProperties.uasset"], "IoStore is asked first");
    std::fs::rename(folder.path().join("game.pak"), folder.path().join("mod_P.pak")).unwrap();
    let expected = ["pak DT_AllProperties.uasset", "pak DT_AllProperties.uexp"];
    assert_eq!(names("DT_AllProperties"), expected, "unless the pak is a patch");
}

#[test]
fn one_kind_of_file_can_be_asked_for() {
    let Some(corpus) = corpus::find() else { return };
    let folder = both_forms(&corpus);
    let count = |more: &[&str]| {
        let args = [&["list", folder.path().to_str().unwrap(), "--all"], more].concat();
        uncask(args).expect(0).stdout.lines().count()
    };
    assert_eq!(count(&["--only", "pak"]), 11);
    assert_eq!(count(&["--only", "pak"]) + count(&["--only", "iostore"]), count(&[]));
}
