//! Runs that write into one folder at the same time, each in a world of its own, as containers of Docker are: every
//! process is number 1 there.

use crate::support::cli::command;
use crate::support::containers::{Packed, noise};
use crate::support::sketch::Sketch;
use crate::support::{corpus, say};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use uncask::pack::PackOptions;

const PATIENCE: Duration = Duration::from_secs(60);

/// Starts `uncask` as process 1 of a world of its own, if this user may make one; else like any other.
fn alone(args: &[&str]) -> Child {
    let own_world = Command::new("unshare").args(["-p", "-f", "true"]).stderr(Stdio::null()).status();
    let mut start = match own_world {
        Ok(status) if status.success() => {
            let mut unshare = Command::new("unshare");
            unshare.args(["-p", "-f", env!("CARGO_BIN_EXE_uncask")]);
            unshare
        }
        _ => {
            say("processes have numbers of their own: this user may not make a world");
            command()
        }
    };
    start.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The process itself, which may be the child of the one that was started.
fn inner(child: &Child) -> u32 {
    let id = child.id();
    let name = std::fs::read_to_string(format!("/proc/{id}/comm")).unwrap_or_default();
    if name.trim() == "uncask" {
        return id;
    }
    let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    children.split_whitespace().next().and_then(|id| id.parse().ok()).unwrap_or(id)
}

fn signal(id: u32, name: &str) {
    assert!(Command::new("kill").arg(format!("-{name}")).arg(id.to_string()).status().unwrap().success());
}

/// Names in a folder that no chunk has.
fn unfinished(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let is_ours = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with(".uncask-");
    entries.filter(is_ours).collect()
}

fn is_on_its_way(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "part")
}

/// Starts a job, and stops it when a file is on its way. `None` if it was too quick.
fn stopped_midway(args: &[&str], out: &Path) -> Option<(Child, u32)> {
    let mut child = alone(args);
    let start = Instant::now();
    while !unfinished(out).iter().any(|path| is_on_its_way(path)) {
        assert!(start.elapsed() < PATIENCE, "it does not begin");
        if child.try_wait().unwrap().is_some() {
            return None;
        }
    }
    let id = inner(&child);
    signal(id, "STOP");
    std::thread::sleep(Duration::from_millis(20));
    if unfinished(out).iter().any(|path| is_on_its_way(path)) {
        return Some((child, id));
    }
    signal(id, "CONT");
    child.wait().unwrap();
    None
}

fn ended(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A second run with `--resume` leaves alone what a first one is writing, and takes away what a killed one has left.
#[test]
fn resume_removes_what_is_left_over_and_nothing_else() {
    let content = noise(48 << 20, 5);
    let packed = Packed::new([("Large.ubulk", content.clone())], &PackOptions::default());
    let (toc, mut tried) = (packed.toc.display().to_string(), 0);
    let (out, first) = loop {
        let out = packed.beside(&format!("out{tried}"));
        let name = out.display().to_string();
        let args = ["unpack", &toc, "-o", &name, "--resume", "-j", "1", "--memory", "4M"];
        if let Some(first) = stopped_midway(&args, &out) {
            break (out, first);
        }
        tried += 1;
        assert!(tried < 20, "always too quick");
    };
    let name = out.display().to_string();
    let args = ["unpack", &toc, "-o", &name, "--resume", "-j", "1"];
    let before = unfinished(&out);
    let (code, reported) = ended(alone(&args));
    assert_eq!(code, Some(0), "{reported}");
    assert_eq!(unfinished(&out), before, "the first run goes on: {reported}");
    signal(first.1, "CONT");
    let (code, reported) = ended(first.0);
    assert_eq!(code, Some(0), "{reported}");
    assert!(std::fs::read(out.join("Large.ubulk")).unwrap() == content);
    assert!(unfinished(&out).is_empty());

    std::fs::remove_file(out.join("Large.ubulk")).unwrap();
    let killed = loop {
        if let Some((mut child, id)) = stopped_midway(&args, &out) {
            signal(id, "KILL");
            child.wait().unwrap();
            break unfinished(&out);
        }
        std::fs::remove_file(out.join("Large.ubulk")).unwrap();
    };
    assert_eq!(killed.len(), 2, "a file and its lock: {killed:?}");
    let (code, reported) = ended(alone(&args));
    assert_eq!(code, Some(0), "{reported}");
    assert!(reported.contains("removed 1 unfinished file of earlier runs"), "{reported}");
    assert!(unfinished(&out).is_empty());
    assert!(std::fs::read(out.join("Large.ubulk")).unwrap() == content);
}

/// Chunks that are called as process 1 once called its unfinished files: each file is what its chunk holds.
#[test]
fn no_chunk_gets_between_a_file_and_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut sketch = Sketch::new(1 << 16);
    let names = (0..4).map(|n| format!(".uncask-1-{n}.part")).chain((0..40).map(|n| format!("x/{n}")));
    for (seed, name) in (0..).zip(["Big.ubulk".to_owned()].into_iter().chain(names)) {
        sketch.add(&noise(if seed == 0 { 8 << 20 } else { 2000 }, seed));
        sketch.paths.push(name);
    }
    let toc = sketch.write(folder.path()).display().to_string();
    for attempt in 0..3 {
        let out = folder.path().join(format!("out{attempt}"));
        let (code, reported) = ended(alone(&["unpack", &toc, "-o", out.to_str().unwrap(), "--memory", "8M"]));
        assert_eq!(code, Some(0), "{reported}");
        for (seed, name) in (0..).zip(&sketch.paths) {
            let name = name.replace(".uncask", "%2Euncask");
            let len = if seed == 0 { 8 << 20 } else { 2000 };
            assert!(std::fs::read(out.join(&name)).unwrap() == noise(len, seed), "{name}");
        }
        assert!(unfinished(&out).is_empty());
    }
}

#[test]
fn a_hostile_table_does_not_get_the_names_it_wants() {
    let Some(corpus) = corpus::find() else { return };
    let toc = corpus.join("hostile/tempname/evil.utoc").display().to_string();
    let mut list = command();
    let names = list.args(["unpack", &toc, "-o", "unused", "--dry-run"]).output().unwrap();
    let names = String::from_utf8(names.stdout).unwrap();
    let wanted: Vec<&str> = names.lines().filter(|name| name.contains("uncask-1-")).collect();
    assert_eq!(wanted.len(), 4, "{names}");
    assert!(wanted.iter().all(|name| name.starts_with("%2Euncask-1-")), "{wanted:?}");
}
