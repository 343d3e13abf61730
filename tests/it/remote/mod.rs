//! Containers on a server that counts what it is asked.

mod faults;
mod s3;

use crate::support::cli::{self, Run};
use crate::support::server::Server;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use uncask::report::Silent;
use uncask::store::{Store, StoreOptions};

/// Of the demo containers, one with two partitions, and one with chunks of several blocks.
const SPLIT: &str = "pakchunk2-Demo";
const MAIN: &str = "pakchunk0-Demo";

/// The demo containers on a server, below a folder.
fn demo(folder: &str) -> Server {
    let files = std::fs::read_dir("testdata/demo").expect("the demo").map(|entry| {
        let path = entry.expect("a file").path();
        let name = path.file_name().expect("a name").to_str().expect("text").to_owned();
        (format!("{folder}/{name}"), std::fs::read(path).expect("a file"))
    });
    Server::new(files)
}

fn local(name: &str) -> String {
    format!("testdata/demo/{name}.utoc")
}

fn uncask(args: &[&str]) -> Run {
    cli::uncask(args)
}

/// The output of a run, with the server's address hidden.
fn shown(run: &Run, server: &Server) -> String {
    run.shown().replace(&server.url, "http://server")
}

/// Compares with what was seen before.
fn snapshot(name: &str, text: &str) {
    cli::settings(Path::new("<no folder>")).bind(|| insta::assert_snapshot!(format!("remote_{name}"), text));
}

/// All files below a folder, with their content.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.file_type().is_file());
    let relative = |path: &Path| path.strip_prefix(folder).unwrap().to_owned();
    files.map(|file| (relative(file.path()), std::fs::read(file.path()).unwrap())).collect()
}

fn unpack(input: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    uncask(&["unpack", input, "-o", folder.path().to_str().expect("text")]).expect(0);
    folder
}

#[test]
fn a_listing_is_one_request() {
    let server = demo("");
    let url = format!("{}/{MAIN}.utoc", server.url);
    let there = uncask(&["list", &url, "--json"]).expect(0);
    let here = uncask(&["list", &local(MAIN), "--json"]).expect(0);
    assert_eq!(there.stdout, here.stdout);
    snapshot("list", &server.trace());
    let info = uncask(&["info", &url]).expect(0);
    assert_eq!(info.stdout.replace(&url, &local(MAIN)), uncask(&["info", &local(MAIN)]).expect(0).stdout);
}

#[test]
fn a_chunk_is_one_request_more() {
    let server = demo("/Game%20of%20A/~mods");
    let url = format!("{}/Game%20of%20A/~mods/{MAIN}.utoc", server.url);
    let chunk = largest(MAIN);
    let run = |input: &str| {
        let output = cli::command().args(["get", input, &chunk]).output().expect("it runs");
        assert!(output.status.success(), "{output:?}");
        output.stdout
    };
    assert_eq!(run(&url), run(&local(MAIN)));
    snapshot("get", &server.trace());
}

/// The path of the largest chunk, which has several blocks.
fn largest(name: &str) -> String {
    let listed = uncask(&["list", &local(name), "--sort", "size"]).expect(0);
    listed.stdout.lines().next().expect("a chunk").to_owned()
}

#[test]
fn what_is_unpacked_and_verified_is_what_the_files_hold() {
    let server = demo("");
    for name in [MAIN, SPLIT] {
        let url = format!("{}/{name}.utoc", server.url);
        let (there, here) = (unpack(&url), unpack(&local(name)));
        let (there, here) = (files(there.path()), files(here.path()));
        assert!(!here.is_empty());
        assert_eq!(there, here);
        uncask(&["verify", &url]).expect(0);
        let read: u64 = server.asked().iter().map(|asked| asked.sent).sum();
        let stored: u64 = files(Path::new("testdata/demo"))
            .iter()
            .filter(|(path, _)| {
                path.to_str().is_some_and(|path| path.starts_with(name) && !path.contains("_P"))
            })
            .map(|(_, content)| content.len() as u64)
            .sum();
        assert!(read <= 2 * stored, "{read} bytes for two times {stored}");
    }
}

#[test]
fn several_inputs_are_one_store() {
    let server = demo("");
    let [main, patch] = [MAIN, "pakchunk0-Demo_0_P"].map(|name| format!("{}/{name}.utoc", server.url));
    let run = uncask(&["list", &main, "-i", &patch]).expect(0);
    let here = uncask(&["list", &local(MAIN), "-i", &local("pakchunk0-Demo_0_P")]).expect(0);
    assert_eq!(run.stdout, here.stdout);
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn a_container_is_read_here_and_now_inside_a_runtime() {
    let server = demo("");
    let url = PathBuf::from(format!("{}/{MAIN}.utoc", server.url));
    let options = StoreOptions { observer: std::sync::Arc::new(Silent), ..StoreOptions::default() };
    crate::support::block_on(async {
        let store = Store::open(&[url], &[], &options).expect("an input");
        let container = &store.containers()[0];
        let chunks: Vec<_> = container.table().chunks().collect();
        let here = Store::open(&[local(MAIN).into()], &[], &options).expect("an input");
        for chunk in chunks {
            let read =
                |store: &Store| store.containers()[0].read(chunk, 0..u64::MAX, u64::MAX).expect("content");
            assert_eq!(read(&store), read(&here));
        }
        assert_eq!(container.hash_kind(), here.containers()[0].hash_kind());
    });
}

#[test]
fn a_pak_is_read_by_ranges() {
    let server = demo("");
    let name = "pakchunk1-Demo.pak";
    let (there, here) = (format!("{}/{name}", server.url), format!("testdata/demo/{name}"));
    let listed = uncask(&["list", &there, "--json"]).expect(0);
    assert_eq!(listed.stdout, uncask(&["list", &here, "--json"]).expect(0).stdout);
    uncask(&["verify", &there]).expect(0);
    assert_eq!(files(unpack(&there).path()), files(unpack(&here).path()));
    let asked = server.asked();
    let is_head = |asked: &crate::support::server::Asked| asked.range.is_none();
    assert_eq!(asked.iter().filter(|asked| is_head(asked)).count(), 3, "one for each run: {asked:?}");
    assert!(asked.iter().all(|asked| !is_head(asked) || asked.sent == 0), "nothing is read whole: {asked:?}");
}
