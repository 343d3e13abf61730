//! `testdata/corpus.tsv`, from which `tests/corpus/fetch` gets the public files of the corpus.

use crate::support::{corpus, say};
use sha1::Sha1;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

const MANIFEST: &str = include_str!("../../testdata/corpus.tsv");

/// Files and bytes that the manifest had when it was last extended: fewer would be tests that a fresh clone cannot run.
const FILES: usize = 1803;
const BYTES: u64 = 247_206_491;

struct PublicFile<'a> {
    path: &'a str,
    repository: &'a str,
    commit: &'a str,
    source: &'a str,
    len: u64,
    sha256: &'a str,
    blob: &'a str,
}

fn rows() -> Vec<PublicFile<'static>> {
    let row = |line: &'static str| {
        let [path, repository, commit, source, len, sha256, blob] = line.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("{line}")
        };
        PublicFile { path, repository, commit, source, len: len.parse().unwrap(), sha256, blob }
    };
    MANIFEST.lines().map(row).collect()
}

fn is_hex(text: &str, len: usize) -> bool {
    text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

#[test]
fn rows_say_where_each_file_comes_from() {
    let rows = rows();
    assert!(rows.is_sorted_by(|a, b| a.path < b.path), "sorted, and each path once");
    let by_path: BTreeMap<_, _> = rows.iter().map(|row| (row.path, row)).collect();
    for row in &rows {
        let path = row.path;
        assert!(!path.starts_with('/') && !path.split('/').any(|part| part == ".."), "{path}");
        assert!(is_hex(row.sha256, 64) && is_hex(row.blob, 40), "{path}");
        assert_eq!(row.commit == "-", row.source == "-" || row.repository == "=" || !is_hex(row.commit, 40));
        if row.repository == "=" {
            let (container, _) = row.source.split_once(':').unwrap();
            assert_ne!(by_path[container].repository, "=", "{path} lies in a file that is fetched");
        } else {
            assert_eq!(row.repository.split('/').count(), 2, "{path}");
        }
    }
}

#[test]
fn the_corpus_has_the_content_that_the_manifest_names() {
    let Some(folder) = corpus::find() else { return };
    let (mut files, mut bytes) = (0, 0);
    for row in rows() {
        let path = folder.join(row.path);
        // A corpus that was fetched lacks what is no longer public; a whole one has its notes.
        if !path.exists() && !folder.join("README.md").exists() {
            continue;
        }
        let content = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(content.len() as u64, row.len, "{}", row.path);
        assert_eq!(hex::encode(Sha256::digest(&content)), row.sha256, "{}", row.path);
        let blob = Sha1::new().chain_update(format!("blob {}\0", content.len())).chain_update(&content);
        assert_eq!(hex::encode(blob.finalize()), row.blob, "{}", row.path);
        (files, bytes) = (files + 1, bytes + row.len);
    }
    let there = walkdir::WalkDir::new(&folder).into_iter().map(Result::unwrap);
    let there = there.filter(|entry| entry.file_type().is_file()).count();
    say(&format!("{files} of the {there} files of the corpus, {bytes} bytes, are public"));
    if folder.join("README.md").exists() {
        assert!(files >= FILES && bytes >= BYTES, "{files} files, {bytes} bytes");
    }
}
