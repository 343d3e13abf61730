//! Jobs that users wait for, on many small packages, by the command itself, on one thread and on two.
//!
//! `cargo bench --bench waits` makes 150 containers of the 97 packages of the 5.8 fixture, each under a name of its own, in
//! memory where `/dev/shm` exists; `-- --test` makes two. `-- export` or another job measures only that, beside `unpack`. Without
//! the corpus, it says that it was skipped. A figure that misses its target is marked, and fails nothing.

mod measured;
mod places;

use measured::{mb, run, say};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const ROUNDS: usize = 5;
/// Folder of the fixture's packages. The names that take its place are as long, so that no offset changes.
const NAME: &str = "Fixtures";

/// A job, and what is asked of it.
struct Job {
    args: &'static [&'static str],
    /// The most time on two threads, over that of unpacking.
    of_unpack: Option<f64>,
    /// The fewest packages a second on two threads.
    rate: Option<f64>,
    /// The least speed on two threads, over that on one.
    speedup: Option<f64>,
}

const JOBS: [Job; 5] = [
    Job { args: &["unpack"], of_unpack: None, rate: None, speedup: None },
    Job { args: &["to-legacy"], of_unpack: Some(1.5), rate: None, speedup: None },
    Job { args: &["export"], of_unpack: Some(3.0), rate: None, speedup: Some(1.7) },
    Job { args: &["json"], of_unpack: None, rate: Some(12_000.0), speedup: Some(1.7) },
    Job { args: &["find", "--value", "12345"], of_unpack: None, rate: Some(20_000.0), speedup: None },
];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let smoke = std::env::args().any(|arg| arg == "--test");
    let corpus = places::corpus();
    let fixture = corpus.join("iostore/ue5.8/tagged");
    if !fixture.is_dir() {
        return say("skipped, no corpus: jobs on many small packages");
    }
    let folder = places::temporary();
    let (containers, rounds) = if smoke { (2, 1) } else { (150, ROUNDS) };
    let game = Game::make(folder.path(), &fixture, containers);
    say(&format!("{} packages in {containers} containers", game.packages));
    let mut unpack = Duration::ZERO;
    for job in JOBS {
        let name = job.args.first().copied().unwrap_or_default();
        if name == "unpack" || wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            let measured = game.measure(&job, rounds);
            if name == "unpack" {
                unpack = measured.two;
            }
            show(name, &job, &measured, unpack, game.packages);
        }
    }
}

/// Packages of a game in many containers.
struct Game {
    folder: PathBuf,
    paks: PathBuf,
    packages: u32,
}

/// Times and memory of a job.
struct Measured {
    one: Duration,
    two: Duration,
    /// The most memory on two threads, in bytes.
    peak: usize,
}

impl Game {
    fn make(folder: &Path, fixture: &Path, containers: u32) -> Self {
        let paks = folder.join("CUE4ParseFixtures/Content/Paks");
        std::fs::create_dir_all(&paks).expect("makes a folder");
        for folder in [fixture.join("Oodle"), fixture.to_owned()] {
            for path in
                std::fs::read_dir(folder).expect("is there").map(|entry| entry.expect("is readable").path())
            {
                if path.extension().is_some_and(|extension| extension == "utoc" || extension == "ucas") {
                    let name = path.file_name().expect("a file");
                    std::fs::write(paks.join(name), std::fs::read(&path).expect("reads")).expect("writes");
                }
            }
        }
        let cooked = folder.join("cooked");
        uncask(&["to-legacy".as_ref(), paks.as_ref(), "-o".as_ref(), cooked.as_ref()]);
        let mut packages = packages_below(&cooked);
        let own = packages;
        for number in 1..containers {
            let tree = folder.join("tree");
            copy_renamed(&cooked, &tree, &format!("F{number:07}"));
            let out = paks.join(format!("pakchunk{number}-Windows_P.utoc"));
            let place: [&Path; 6] =
                ["to-zen".as_ref(), &tree, "-o".as_ref(), &out, "--game".as_ref(), fixture];
            let options = ["--engine", "5.8", "--method", "oodle", "--level", "0"].map(Path::new);
            uncask(&[place, options].concat());
            std::fs::remove_dir_all(tree).expect("removes");
            std::fs::remove_file(out.with_extension("pak")).expect("removes");
            packages += own;
        }
        Self { folder: folder.to_owned(), paks, packages }
    }

    fn measure(&self, job: &Job, rounds: usize) -> Measured {
        let (out, paks) = (self.folder.join("out"), self.paks.display().to_string());
        let target = out.display().to_string();
        let on = |threads: &str| {
            let mut args: Vec<&str> = job.args.to_vec();
            args.extend([&paks, "--quiet", "-j", threads]);
            if job.args.first() != Some(&"find") {
                args.extend(["-o", &target]);
            }
            run(&args, rounds, || drop(std::fs::remove_dir_all(&out)))
        };
        let ((one, _), (two, peak)) = (on("1"), on("2"));
        Measured { one, two, peak }
    }
}

fn show(name: &str, job: &Job, measured: &Measured, unpack: Duration, packages: u32) {
    let Measured { one, two, peak } = measured;
    let judge = |is_met: bool| if is_met { "met" } else { "MISSED" };
    let (seconds, of_one) = (two.as_secs_f64(), one.as_secs_f64() / two.as_secs_f64());
    let (of_unpack, rate) = (seconds / unpack.as_secs_f64(), f64::from(packages) / seconds);
    let most = job.of_unpack.map(|most| format!(", at most {most} {}", judge(of_unpack <= most)));
    let least = job.rate.map(|least| format!(", at least {least} {}", judge(rate >= least)));
    let least_of_one = job.speedup.map(|least| format!(", at least {least} {}", judge(of_one >= least)));
    say(&format!(
        "  {name:<10} {two:>9.2?}   {of_unpack:.2} × unpack{}; {rate:.0} packages/s{}; {of_one:.2} × one thread{}; {:.0} MB",
        most.unwrap_or_default(),
        least.unwrap_or_default(),
        least_of_one.unwrap_or_default(),
        mb(*peak)
    ));
}

fn uncask(args: &[&Path]) {
    let output = Command::new(env!("CARGO_BIN_EXE_uncask")).args(args).arg("--quiet").output();
    let output = output.expect("uncask runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Files below a folder, by path below it.
fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.expect("is readable"));
    entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path)
}

fn packages_below(folder: &Path) -> u32 {
    let is_header = |path: &PathBuf| path.extension().is_some_and(|it| it == "uasset" || it == "umap");
    u32::try_from(files(folder).filter(is_header).count()).expect("few")
}

/// Copies cooked files to a folder of another name; their own names and references follow.
fn copy_renamed(from: &Path, to: &Path, name: &str) {
    let (old, new) = (format!("/Game/{NAME}/"), format!("/Game/{name}/"));
    for path in files(from) {
        let below = path.strip_prefix(from).expect("below it").display().to_string();
        let target = to.join(below.replace(NAME, name));
        std::fs::create_dir_all(target.parent().expect("a folder")).expect("makes a folder");
        let mut bytes = std::fs::read(&path).expect("reads");
        let mut at = 0;
        while let Some(found) =
            bytes.get(at..).unwrap_or_default().windows(old.len()).position(|it| it == old.as_bytes())
        {
            at += found;
            bytes.get_mut(at..at + new.len()).expect("as long").copy_from_slice(new.as_bytes());
        }
        std::fs::write(target, bytes).expect("writes");
    }
}
