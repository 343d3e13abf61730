//! Targets for unpacking and verifying, method by method, each against a reference in the same run.
//!
//! `cargo bench --bench extract` makes 2 GiB of many small and few large files for each method, in memory where
//! `/dev/shm` exists, and takes half an hour; `-- --test` makes 4 MiB and only shows that it runs. `-- --size-mib N`
//! and `-- --rounds N` are in between. A figure that misses its target is marked, and fails nothing: what else the
//! machine does counts as much as the program.

#[path = "../src/bin/uncask/bench/mod.rs"]
#[expect(dead_code, unused_imports, reason = "the command uses all of it")]
mod bench;

use bench::{BenchJob, BenchOptions, BenchReport, JobLine, Kind, Mix, Subject, bench, synthesize};
use std::io::Write;
use std::path::Path;
use uncask::game::{Cpu, Game, GameOptions};

/// Method, and the time of unpacking over that of `cp -r` with two threads.
const UNPACK: [(Kind, f64); 5] =
    [(Kind::None, 0.5), (Kind::Lz4, 0.6), (Kind::Mermaid, 0.75), (Kind::Kraken, 0.95), (Kind::Zlib, 1.35)];
/// Time of unpacking over that of a bare loop on each core that reads, decodes and writes the same, and checks no hash.
const FLOOR: f64 = 1.15;
/// Time of the stages, divided by the cores, over that of verifying.
const EFFICIENCY: f64 = 0.85;
/// Speed with two threads over that with one.
const SPEEDUP: f64 = 1.85;
/// Minor page faults for each GiB.
const FAULTS: f64 = 2000.0;
/// Memory for data in flight, and what the process may have on top of it.
const MEMORY: u64 = 256 << 20;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let smoke = args.iter().any(|arg| arg == "--test");
    let number = |flag: &str, default: u64| {
        let at = args.iter().position(|arg| arg == flag);
        at.and_then(|at| args.get(at + 1)?.parse().ok()).unwrap_or(default)
    };
    let size = number("--size-mib", if smoke { 4 } else { 2048 }) << 20;
    let rounds = u32::try_from(number("--rounds", if smoke { 1 } else { 5 })).expect("few rounds");
    let parent = Some(Path::new("/dev/shm")).filter(|path| path.is_dir());
    for (kind, target) in UNPACK {
        let folder = parent.map_or_else(tempfile::tempdir, tempfile::tempdir_in).expect("a temporary folder");
        let report = measure(kind, folder.path(), size, rounds);
        show(kind, &report, target);
    }
}

fn measure(kind: Kind, folder: &Path, size: u64, rounds: u32) -> BenchReport {
    let made = synthesize(folder, kind, Mix::Small, size, &Cpu::new(0).expect("threads")).expect("packs");
    let game = Game::open(made.containers).expect("opens");
    let options = BenchOptions {
        rounds,
        threads: vec![1, 2],
        memory: MEMORY,
        folder: folder.to_owned(),
        tree: Some(made.files),
    };
    bench(&Subject::new(game, GameOptions::default(), u64::MAX), &options, |_| {}).expect("measures")
}

fn show(kind: Kind, report: &BenchReport, target: f64) {
    let job = |job: BenchJob, threads: usize| {
        report.jobs.iter().find(|line| line.job == job && line.threads == threads).expect("was measured")
    };
    let [decode, verify, unpack] = BenchJob::ALL.map(|kind| job(kind, 2));
    say(&format!("{}: {} chunks, {} cores", kind.name(), report.totals.chunks, report.cores));
    line("unpack, 2 threads, time of cp -r", unpack.of_cp.unwrap_or(f64::NAN), target, false, unpack);
    line("unpack, 2 threads, time of the floor", unpack.of_floor.unwrap_or(f64::NAN), FLOOR, false, unpack);
    line("unpack, time of floor and hashes", with_hashes(report, unpack), FLOOR, false, unpack);
    line("verify, stages / 2 / time", verify.efficiency, EFFICIENCY, true, verify);
    line("verify, speed-up by 2 threads", verify.speedup.unwrap_or(f64::NAN), SPEEDUP, true, verify);
    line("decode, speed-up by 2 threads", decode.speedup.unwrap_or(f64::NAN), SPEEDUP, true, decode);
    line("unpack, page faults a GiB", unpack.faults_per_gib.unwrap_or(f64::NAN), FAULTS, false, unpack);
    if let Some(peak) = unpack.measure.peak {
        let (found, limit) = (peak >> 20, (MEMORY >> 20) + 32);
        say(&format!("  {:<36} {found:>8} MiB, at most {limit} MiB", "unpack, memory of all the process"));
    }
}

/// Time of unpacking over that of the bare loop and, on two cores, of hashing what it has decoded.
fn with_hashes(report: &BenchReport, unpack: &JobLine) -> f64 {
    let hash =
        report.stages.iter().find(|stage| stage.name == "hash").map(|stage| stage.measure.seconds / 2.0);
    let floor = unpack.of_floor.map(|of_floor| unpack.measure.seconds / of_floor);
    floor.zip(hash).map_or(f64::NAN, |(floor, hash)| unpack.measure.seconds / (floor + hash))
}

fn line(what: &str, found: f64, target: f64, at_least: bool, job: &JobLine) {
    let met = if at_least { found >= target } else { found <= target };
    say(&format!(
        "  {what:<36} {found:>8.2}, {} {target:<7} {}   ({:.3} s, spread {:.0} %)",
        if at_least { "at least" } else { "at most" },
        if met { "met   " } else { "MISSED" },
        job.measure.seconds,
        job.measure.spread() * 100.0
    ));
}

fn say(text: &str) {
    writeln!(std::io::stdout().lock(), "{text}").expect("prints");
}
