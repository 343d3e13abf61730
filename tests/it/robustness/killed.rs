//! Jobs that end before their end: killed, or interrupted. What lies under a final name is whole and right, and the next
//! run does the rest.

use crate::support::cli::{command, run};
use crate::support::containers::{Packed, noise};
use crate::support::hostile::Rng;
use crate::support::say;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use uncask::codec::Method;
use uncask::pack::PackOptions;

const KILLS: u64 = 50;

/// Content by path: many small files, and a few that come in pieces.
fn files() -> BTreeMap<String, Vec<u8>> {
    let small = (0..150_u64).map(|n| (format!("Game/Content/d{}/f{n:03}.uasset", n % 7), noise(20_000, n)));
    let large = (0..3_u64).map(|n| (format!("Game/Content/d{n}/large.ubulk"), noise(5 << 20, 1000 + n)));
    small.chain(large).collect()
}

fn packed(files: &BTreeMap<String, Vec<u8>>) -> Packed {
    let given = files.iter().map(|(path, content)| (path.as_str(), content.clone()));
    Packed::new(given, &PackOptions { method: Method::Zlib, ..PackOptions::default() })
}

fn unpack(packed: &Packed, out: &Path, more: &[&str]) -> Command {
    let mut command = command();
    command.args(["unpack", "--memory", "4M", "-o"]).arg(out).arg(&packed.toc).args(more);
    command.stdout(Stdio::null());
    command
}

/// Number of files under final names, which must be whole; and of those that are not finished.
fn examine(out: &Path, expected: &BTreeMap<String, Vec<u8>>) -> (usize, usize) {
    let (mut whole, mut unfinished) = (0, 0);
    if !out.exists() {
        return (0, 0);
    }
    for entry in walkdir::WalkDir::new(out).into_iter().map(Result::unwrap) {
        if !entry.file_type().is_file() {
            continue;
        }
        if entry.file_name().to_str().unwrap().starts_with(".uncask-") {
            unfinished += 1;
            continue;
        }
        let path = entry.path().strip_prefix(out).unwrap().to_str().unwrap();
        assert!(expected[path] == std::fs::read(entry.path()).unwrap(), "{path} is not whole");
        whole += 1;
    }
    (whole, unfinished)
}

/// Duration of an uninterrupted job.
fn duration(packed: &Packed) -> Duration {
    let start = Instant::now();
    run(&mut unpack(packed, &packed.beside("undisturbed"), &["--quiet"])).expect(0);
    start.elapsed()
}

#[test]
fn fifty_kills_leave_whole_files_and_the_next_run_does_the_rest() {
    let files = files();
    let packed = packed(&files);
    let mut usual = duration(&packed);
    let mut rng = Rng::new(9);
    let (mut midway, mut left_behind) = (0_u64, 0);
    let out = packed.beside("out");
    for kill in 0..KILLS {
        let mut child =
            unpack(&packed, &out, &["--quiet", "--resume"]).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(usual * u32::try_from(rng.below(1000)).unwrap() / 1000);
        child.kill().unwrap();
        child.wait().unwrap();
        let (whole, unfinished) = examine(&out, &files);
        // What else the machine does changes how long a job takes.
        match whole {
            0 => usual = usual * 5 / 4,
            some if some == files.len() => usual = usual * 4 / 5,
            _ => midway += 1,
        }
        left_behind += unfinished;
        // Every other time the next run is from the start.
        if kill % 2 == 0 && out.exists() {
            let resumed =
                run(unpack(&packed, &out, &["--resume", "--json"]).stdout(Stdio::piped())).expect(0);
            let report: serde_json::Value = serde_json::from_str(&resumed.stdout).unwrap();
            assert_eq!(report["unchanged"], whole, "what is whole is not written again");
            assert_eq!(report["count"], files.len() - whole);
            assert_eq!(
                examine(&out, &files),
                (files.len(), 0),
                "nothing is missing, nothing unfinished is left"
            );
            std::fs::remove_dir_all(&out).unwrap();
        }
    }
    say(&format!(
        "{KILLS} kills of a job of about {usual:.0?}, {midway} of them midway; {left_behind} unfinished files"
    ));
    assert!(midway >= KILLS / 5, "{midway} of {KILLS} kills were midway");
}

/// Sends a signal by its name.
fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").arg(format!("-{name}")).arg(child.id().to_string()).status().unwrap();
    assert!(sent.success());
}

/// Starts a job, and sends it a signal when it has written some files.
fn interrupted(packed: &Packed, out: &Path) -> std::process::Output {
    let child = unpack(packed, out, &["-j", "1"]).stderr(Stdio::piped()).spawn().unwrap();
    let begun = || out.join("Game/Content").exists();
    let patience = Instant::now();
    while !begun() && patience.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_micros(200));
    }
    signal(&child, "INT");
    child.wait_with_output().unwrap()
}

#[test]
fn ctrl_c_finishes_what_has_started_and_leaves_nothing_unfinished() {
    let files = files();
    let packed = packed(&files);
    let mut seen = 0;
    for attempt in 0..5 {
        let out = packed.beside(&format!("out{attempt}"));
        let output = interrupted(&packed, &out);
        let (whole, unfinished) = examine(&out, &files);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(unfinished, 0, "{said}");
        match output.status.code() {
            Some(130) => {
                seen += 1;
                assert!(said.contains("interrupted; finishing open files"), "{said}");
                assert!(said.contains(&format!("unpacked {whole} of {} chunks", files.len())), "{said}");
            }
            // It was quicker than the signal.
            Some(0) => assert_eq!(whole, files.len(), "{said}"),
            other => panic!("exit {other:?}: {said}"),
        }
        let resumed = run(&mut unpack(&packed, &out, &["--resume"])).expect(0);
        let there = format!("{whole} already there");
        assert!(whole == 0 || resumed.stderr.contains(&there), "{}", resumed.shown());
        assert_eq!(examine(&out, &files), (files.len(), 0));
    }
    assert!(seen > 0, "no job was interrupted midway");
}
