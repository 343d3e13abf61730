//! With few threads allowed by the system, jobs take longer but stay correct.

use crate::support::cli::Run;
use crate::support::say;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Users that nobody is: the limit counts all threads of a user, wherever they run.
const USERS: std::ops::Range<u32> = 1_900_000_000..1_900_000_100;

/// Threads that are allowed, the first one of the process included.
const LIMITS: std::ops::RangeInclusive<u32> = 1..=5;

/// A copy of the program to run under a limit, in a folder that every user may write to.
struct Place {
    folder: tempfile::TempDir,
    program: PathBuf,
}

impl Place {
    /// `None` where this user may not become another one, whom the limit holds for.
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("uncask");
        std::fs::copy(env!("CARGO_BIN_EXE_uncask"), &program).unwrap();
        for path in [folder.path(), &program] {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o777)).unwrap();
        }
        let this = Self { folder, program };
        let tried = this.limited(1, USERS.start).arg("--version").output();
        if tried.is_ok_and(|output| output.status.success()) {
            return Some(this);
        }
        say("skipped: few threads (takes root, setpriv and prlimit)");
        None
    }

    /// `uncask` as a user who may have so many threads.
    fn limited(&self, threads: u32, user: u32) -> Command {
        let mut command = Command::new("prlimit");
        command.arg(format!("--nproc={threads}:{threads}")).args(["setpriv", "--clear-groups"]);
        command.args([format!("--reuid={user}"), format!("--regid={user}")]).arg(&self.program);
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    /// A container and a package in the place, for users who cannot read where the tests are.
    fn copy_demo(&self) {
        let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/demo");
        let to = self.folder.path().join("demo");
        std::fs::create_dir(&to).unwrap();
        for entry in std::fs::read_dir(demo).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_file() {
                std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
            }
        }
    }

    /// Everything that a job wrote: paths and contents.
    fn written(&self, name: &str) -> Vec<(PathBuf, Vec<u8>)> {
        let root = self.folder.path().join(name);
        let files = walkdir::WalkDir::new(&root).sort_by_file_name().into_iter().map(Result::unwrap);
        let files = files.filter(|entry| entry.file_type().is_file());
        let read = |entry: walkdir::DirEntry| {
            let path = entry.path().strip_prefix(&root).unwrap().to_owned();
            (path, std::fs::read(entry.path()).unwrap())
        };
        files.map(read).collect()
    }
}

const JOBS: [&[&str]; 8] = [
    &["list", "demo"],
    &["verify", "demo"],
    &["verify", "-j1", "demo"],
    &["deps", "--reverse", "demo", "/Game/Maps/Start"],
    &["unpack", "demo", "-o", "OUT"],
    &["to-legacy", "demo", "-o", "OUT"],
    &["json", "demo", "-o", "OUT"],
    &["pack", "demo", "-o", "OUT/x.utoc"],
];

#[test]
fn few_threads_are_enough_for_every_job() {
    let Some(place) = Place::new() else { return };
    place.copy_demo();
    let mut users = USERS;
    for (number, job) in JOBS.iter().enumerate() {
        let mut run = |threads: u32| {
            let out = format!("out{number}-{threads}");
            std::fs::create_dir(place.folder.path().join(&out)).unwrap();
            let mode = std::fs::Permissions::from_mode(0o777);
            std::fs::set_permissions(place.folder.path().join(&out), mode).unwrap();
            let mut command = place.limited(threads, users.next().unwrap());
            command.args(job.iter().map(|word| word.replace("OUT", &out)));
            let run = Run::of(&command.output().unwrap());
            assert!(!run.stderr.contains("panicked"), "{threads} threads, {job:?}: {}", run.shown());
            (run.code, run.stdout, place.written(&out))
        };
        let enough = run(100);
        assert_eq!(enough.0, 0, "{job:?}");
        for threads in LIMITS {
            assert!(run(threads) == enough, "{threads} threads, {job:?}");
        }
    }
}

/// On a terminal there is a progress bar, too.
#[test]
fn the_progress_bar_needs_no_thread() {
    let Some(place) = Place::new() else { return };
    place.copy_demo();
    for (threads, user) in LIMITS.zip(USERS.skip(60)) {
        let out = format!("bar{threads}");
        let limited = place.limited(threads, user);
        let words = std::iter::once(limited.get_program()).chain(limited.get_args());
        let words: Vec<&str> = words.map(|word| word.to_str().unwrap()).collect();
        let line = format!("{} unpack demo -o {out}", words.join(" "));
        let mut script = Command::new("script");
        script.args(["-qec", &line, "/dev/null"]).current_dir(place.folder.path()).stdin(Stdio::null());
        let Ok(output) = script.output() else {
            say("skipped: few threads on a terminal (takes `script`)");
            return;
        };
        let run = Run::of(&output);
        assert!(run.code == 0 && !run.stdout.contains("panicked"), "{threads} threads: {}", run.shown());
        assert_eq!(place.written(&out).len(), 17);
    }
}
