//! As many threads as make sense, or as few as the system gives.

use crate::support::cli::{command, run};
use std::time::{Duration, Instant};

/// A stack that no address space has room for, so that no thread can be started.
#[cfg(target_os = "linux")]
const NO_ROOM: (&str, &str) = ("RUST_MIN_STACK", "140737488355328");

#[cfg(target_os = "linux")]
#[test]
fn where_no_thread_starts_one_does_everything() {
    let folder = tempfile::tempdir().unwrap();
    let (out, page) = (folder.path().join("out"), folder.path().join("page.html"));
    let (out, page) = (out.to_str().unwrap(), page.to_str().unwrap());
    let jobs: [(&str, &[&str]); 8] = [
        ("info", &[]),
        ("list", &["-l"]),
        ("verify", &[]),
        ("unpack", &["-o", out]),
        ("to-legacy", &["-o", out]),
        ("deps", &["/Game/Maps/Start"]),
        ("du", &["--by", "class"]),
        ("report", &["-o", page]),
    ];
    for (name, more) in jobs {
        let usual = run(command().args([name, "testdata/demo"]).args(more));
        for threads in ["0", "1", "7"] {
            let mut alone = command();
            alone.env(NO_ROOM.0, NO_ROOM.1).args([name, "testdata/demo", "-j", threads]).args(more);
            let alone = run(&mut alone).expect(usual.code);
            assert_eq!(alone.stdout, usual.stdout, "{name}");
            assert!(!alone.stderr.contains("panicked"), "{name}: {}", alone.stderr);
        }
    }
    let mut verify = command();
    let reported = run(verify.env(NO_ROOM.0, NO_ROOM.1).args(["verify", "testdata/demo"])).expect(0).stderr;
    let warning = "warning: no worker thread can be started, so everything runs on one thread: ";
    assert_eq!(reported.matches(warning).count(), 1, "{reported}");
}

#[test]
fn a_hundred_thousand_threads_are_not_started() {
    let start = Instant::now();
    let reported = run(command().args(["verify", "testdata/demo", "-j", "100000"])).expect(0).stderr;
    assert!(reported.contains("warning: -j 100000 is too many; using "), "{reported}");
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}
