//! Many runs of `unpack`, each with other threads, memory and selections: the same bytes each time.

#[path = "../../../src/bin/uncask/bench/mod.rs"]
#[expect(dead_code, unused_imports, reason = "the command uses all of it")]
mod bench;

use crate::support::cli::command;
use crate::support::hostile::Rng;
use crate::support::{cpu, say};
use bench::{Kind, Mix, synthesize};
use std::collections::BTreeMap;
use std::path::Path;

/// The selection of a run: arguments, and a test for the selected paths.
type Selection = (Vec<String>, Box<dyn Fn(&str) -> bool>);

#[test]
fn many_runs_give_the_same_bytes() {
    let (runs, len) = if super::is_full_size() { (100, 1 << 30) } else { (10, 16 << 20) };
    let folder = tempfile::tempdir().unwrap();
    let made = synthesize(folder.path(), Kind::Mixed, Mix::default(), len, cpu()).unwrap();
    let expected = digests(&made.files);
    let all: u64 = expected.values().map(|(len, _)| len).sum();
    assert!(expected.len() > 50 && all > len / 10 * 9, "{} files, {all} bytes", expected.len());
    let mut rng = Rng::new(100);
    let mut written = 0;
    for run in 0..runs {
        let out = folder.path().join("out");
        let (threads, memory) = (1 + rng.below(8), 16 << rng.below(7));
        let (selection, is_selected) = selection(&mut rng);
        let status = command()
            .args(["unpack", "--quiet", "--threads", &threads.to_string(), "--memory", &format!("{memory}M")])
            .arg("-o")
            .arg(&out)
            .arg(&made.containers)
            .args(&selection)
            .status()
            .unwrap();
        let what = format!("run {run}: {threads} threads, {memory} MiB, {selection:?}");
        assert!(status.success(), "{what}: {status}");
        let found = digests(&out);
        let wanted = expected.iter().filter(|(path, _)| is_selected(path));
        assert!(found.iter().eq(wanted), "{what}");
        assert!(!found.is_empty(), "{what}");
        written += found.values().map(|(len, _)| len).sum::<u64>();
        std::fs::remove_dir_all(&out).unwrap();
    }
    say(&format!("{runs} runs of unpack wrote {} MiB, all as they were packed", written >> 20));
}

fn selection(rng: &mut Rng) -> Selection {
    let digit = rng.below(10);
    match rng.below(4) {
        0 => (Vec::new(), Box::new(|_| true)),
        1 => (
            vec![format!("*{digit}.uasset")],
            Box::new(move |path| path.ends_with(&format!("{digit}.uasset"))),
        ),
        2 => {
            let kind = Kind::SINGLE[rng.below(Kind::SINGLE.len())].name();
            (vec![format!("{kind}/**")], Box::new(move |path| path.starts_with(&format!("{kind}/"))))
        }
        _ => {
            let pattern = format!("*{digit}.uasset");
            let excluded = move |path: &str| path.ends_with(&format!("{digit}.uasset"));
            (vec!["--exclude".to_owned(), pattern], Box::new(move |path| !excluded(path)))
        }
    }
}

/// Length and hash of each file of a tree.
fn digests(tree: &Path) -> BTreeMap<String, (u64, blake3::Hash)> {
    let files = walkdir::WalkDir::new(tree).into_iter().map(|entry| entry.unwrap());
    let files = files.filter(|entry| entry.file_type().is_file());
    files
        .map(|entry| {
            let bytes = std::fs::read(entry.path()).unwrap();
            let path = entry.path().strip_prefix(tree).unwrap().to_str().unwrap().to_owned();
            (path, (bytes.len() as u64, blake3::hash(&bytes)))
        })
        .collect()
}
