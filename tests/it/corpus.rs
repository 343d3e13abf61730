//! Real containers, against what an independent reader saw.

use crate::support::cli::{Run, uncask};
use crate::support::containers::{open, unpack_all, verify_all};
use crate::support::corpus::{self, Expected, KEY};
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use uncask::container::Toc;
use uncask::id::{ChunkKind, ContainerId};
use uncask::store::{Entry, Store};

const TAGGED: [&str; 5] = ["Uncompressed", "Zlib", "Oodle", "OodleEncrypted", "OodlePartitioned"];
const UNVERSIONED: [&str; 2] = ["Uncompressed", "Oodle"];
const GAMES: [&str; 4] = [
    "dserver/TESTNETWORK-Windows",
    "simple-shooter/SimpleShooter-Windows",
    "temple-of-giants/Colliderproject-Windows",
    "way-of-the-ninja/WayOfTheNinja-Windows",
];

#[test]
fn all_variants_unpack_to_the_recorded_content() {
    let Some(corpus) = corpus::with("iostore/ue5.8/tagged/expected.tsv") else { return };
    for (flavour, variants) in [("tagged", &TAGGED[..]), ("unversioned", &UNVERSIONED)] {
        let folder = corpus.join("iostore/ue5.8").join(flavour);
        let expected = corpus::expected(&folder.join("expected.tsv"));
        assert_eq!(expected.len(), 112);
        for variant in variants {
            let store = open(&folder.join(variant), &[KEY]);
            assert_eq!(unpack_and_compare(&store, &expected), 112, "{flavour}/{variant}");
        }
    }
}

#[test]
fn global_containers_unpack_to_the_recorded_content() {
    let Some(corpus) = corpus::with("iostore/ue5.8/tagged/expected.tsv") else { return };
    for flavour in ["tagged", "unversioned"] {
        let folder = corpus.join("iostore/ue5.8").join(flavour);
        let store = open(&folder.join("global.utoc"), &[]);
        let expected = corpus::expected(&folder.join("expected-global.tsv"));
        assert_eq!(unpack_and_compare(&store, &expected), 1, "{flavour}");
    }
}

/// Unpacks a store of one container and returns how many chunks came out as expected.
fn unpack_and_compare(store: &Store, expected: &[Expected]) -> usize {
    let out = tempfile::tempdir().unwrap();
    let outcome = unpack_all(store, out.path());
    assert!(outcome.is_ok(), "{outcome:?}");
    assert_eq!(outcome.count, expected.len() as u64);
    for chunk in expected {
        let (entry, same_id) = find(store, chunk);
        let path = store.display_path(entry);
        assert!(chunk.game_path().is_none_or(|expected| path == expected), "{path}");
        let content = std::fs::read(out.path().join(&path)).unwrap();
        assert_eq!(content.len() as u64, chunk.len, "{path}");
        if same_id {
            assert_eq!(hex::encode(Sha256::digest(&content)), chunk.sha256, "{path}");
        }
    }
    expected.len()
}

/// The chunk with this id, or, as its id follows from the name of the container, the container header.
fn find(store: &Store, expected: &Expected) -> (Entry, bool) {
    if let Some(entry) = store.find(expected.id.parse().unwrap()) {
        return (entry, true);
    }
    let kind = |entry: &Entry| store.container(*entry).unwrap().table().chunk_kind(entry.chunk);
    let header = store.entries().find(|entry| kind(entry) == ChunkKind::ContainerHeader);
    assert!(expected.id.ends_with("00000006"), "{expected:?} is missing");
    (header.expect("a container header"), false)
}

#[test]
fn all_variants_verify_112_of_112() {
    let Some(corpus) = corpus::find() else { return };
    for (flavour, variants) in [("tagged", &TAGGED[..]), ("unversioned", &UNVERSIONED)] {
        for variant in variants {
            let folder = corpus.join("iostore/ue5.8").join(flavour).join(variant);
            let outcome = verify_all(&open(&folder, &[KEY]));
            assert_eq!(
                (outcome.count, outcome.unhashed, outcome.is_ok()),
                (112, 0, true),
                "{flavour}/{variant}"
            );
            let run = uncask([OsStr::new("verify"), folder.as_os_str(), "--aes-key".as_ref(), KEY.as_ref()])
                .expect(0);
            assert!(run.stderr.contains("verified 112 of 112 chunks"), "{}", run.shown());
        }
    }
}

#[test]
fn an_encrypted_container_wants_its_key() {
    let Some(corpus) = corpus::find() else { return };
    let folder = corpus.join("iostore/ue5.8/tagged/OodleEncrypted");
    let wrong = "0x".to_owned() + &"5A".repeat(32);
    for command in ["verify", "list"] {
        let with = |keys: &[&str]| -> Run {
            let keys = keys.iter().flat_map(|key| ["--aes-key", key]).map(OsStr::new);
            uncask([OsStr::new(command), folder.as_os_str()].into_iter().chain(keys))
        };
        let none = with(&[]).expect(4);
        assert!(none.stderr.contains("the key has the GUID 00000000000000000000000000000000"));
        let other = with(&[&wrong]).expect(4);
        assert!(other.stderr.contains("the key that was given does not decrypt it"), "{}", other.shown());
        with(&[KEY]).expect(0);
        with(&[&wrong, KEY]).expect(0);
    }
}

#[test]
fn a_patch_replaces_a_package() {
    let Some(corpus) = corpus::with("iostore/ue5.8/patch/CUE4ParseFixtures-PatchBase.expected.tsv") else {
        return;
    };
    let folder = corpus.join("iostore/ue5.8/patch");
    let list = |all: bool| {
        let options = if all { &["--jsonl", "--all"][..] } else { &["--jsonl"] };
        let run = uncask(
            [OsStr::new("list"), folder.as_os_str()].into_iter().chain(options.iter().map(OsStr::new)),
        );
        rows(&run.expect(0))
    };
    let named = |rows: Vec<serde_json::Value>| -> Vec<(String, u64)> {
        let target = rows.into_iter().filter(|row| row["id"] == "7a2fca9ef6ca6dea00000001");
        target
            .map(|row| (row["container"].as_str().unwrap().to_owned(), row["size"].as_u64().unwrap()))
            .collect()
    };
    let (base, patch) =
        ("CUE4ParseFixtures-PatchBase".to_owned(), "CUE4ParseFixtures-PatchBase_0_P".to_owned());
    assert_eq!(named(list(false)), [(patch.clone(), 714)]);
    assert_eq!(named(list(true)), [(patch, 714), (base, 704)]);

    let store = open(&folder, &[]);
    let patched = corpus::expected(&folder.join("CUE4ParseFixtures-PatchBase_0_P.expected.tsv"));
    let mut expected = corpus::expected(&folder.join("CUE4ParseFixtures-PatchBase.expected.tsv"));
    expected.retain(|chunk| patched.iter().all(|patch| patch.id != chunk.id));
    expected.extend(patched);
    assert_eq!(unpack_and_compare(&store, &expected), 4, "the patch and what it leaves of the base");
}

/// The lines of `list --jsonl`.
fn rows(run: &Run) -> Vec<serde_json::Value> {
    run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn listings_of_shipped_games_agree_line_by_line() {
    let Some(corpus) = corpus::with("iostore/games/dserver/TESTNETWORK-Windows.expected.tsv.gz") else {
        return;
    };
    for name in GAMES {
        let toc = game(&corpus, name);
        let expected = corpus::expected(&toc.with_extension("expected.tsv.gz"));
        let rows = rows(&uncask(in_table_order(&toc)).expect(0));
        assert_eq!(rows.len(), expected.len(), "{name}");
        for (row, expected) in rows.iter().zip(&expected) {
            assert_eq!(row["id"], expected.id, "{name}");
            assert_eq!(row["path"].as_str(), expected.game_path(), "{name}: {}", expected.id);
            assert_eq!(row["size"], expected.len, "{name}: {}", expected.id);
        }
    }
}

/// `list` as independent readers list: in the order of the table.
fn in_table_order(toc: &Path) -> [&OsStr; 5] {
    [OsStr::new("list"), toc.as_os_str(), "--jsonl".as_ref(), "--sort".as_ref(), "none".as_ref()]
}

fn game(corpus: &Path, name: &str) -> PathBuf {
    corpus.join("iostore/games").join(format!("{name}.utoc"))
}

#[test]
fn data_that_is_not_there_is_named_as_such() {
    let Some(corpus) = corpus::find() else { return };
    for (name, message) in GAMES.into_iter().zip([
        "file is a Git LFS pointer, the data of",
        "file is a Git LFS pointer, the data of",
        "data file is missing",
        "data file is missing",
    ]) {
        let (toc, out) = (game(&corpus, name), tempfile::tempdir().unwrap());
        let args = ["unpack".as_ref(), toc.as_os_str(), "-o".as_ref(), out.path().as_os_str()];
        let run = uncask(args).expect(3);
        let reported: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
        assert_eq!(reported.len(), 1, "one message for the one reason: {}", run.shown());
        assert!(reported[0].contains(message) && reported[0].contains(".ucas"), "{}", run.shown());
        assert_eq!(std::fs::read_dir(out.path()).unwrap().count(), 0, "nothing is written");
    }
}

#[test]
fn the_perfect_hash_finds_every_chunk_at_its_own_slot() {
    let Some(corpus) = corpus::find() else { return };
    let mut chunks = 0;
    for path in corpus::tocs(&corpus) {
        let toc = Toc::parse(std::fs::read(&path).unwrap().into()).unwrap();
        for chunk in toc.chunks() {
            let id = toc.chunk_id(chunk).unwrap();
            assert_eq!(toc.find_by_perfect_hash(id), Some(chunk), "{id} in {}", path.display());
            assert_eq!(toc.find(id), Some(chunk));
        }
        chunks += toc.chunk_count();
    }
    assert!(chunks > 12_000, "{chunks} chunks");
}

#[test]
fn a_container_id_is_the_hash_of_its_name() {
    let Some(corpus) = corpus::find() else { return };
    for path in corpus::tocs(&corpus) {
        let toc = Toc::parse(std::fs::read(&path).unwrap().into()).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let expected = if name == "global" { ContainerId::GLOBAL } else { ContainerId::from_name(name) };
        assert_eq!(toc.container_id(), Some(expected), "{}", path.display());
        let headers = toc.chunks().filter(|chunk| toc.chunk_kind(*chunk) == ChunkKind::ContainerHeader);
        for header in headers {
            assert_eq!(
                toc.chunk_id(header).unwrap().id(),
                expected.0,
                "a container header has the id of its container"
            );
        }
    }
}
