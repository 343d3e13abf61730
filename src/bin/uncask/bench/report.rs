//! Runs all measurements in turns, and computes the report.

use super::floor;
use super::jobs::{BenchJob, run_job};
use super::meter::{Measure, Run, run};
use super::stages::{Copying, Flows, Stage, StageResult, pass, plain_read, summarize};
use super::subject::{BenchOptions, Subject};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use uncask::error::{Error, Result};
use uncask::game::{self, Cpu};
use uncask::job::{Budget, Context};

/// The longest table of contents read, in bytes.
const LONGEST_TABLE: u64 = 4 << 30;

/// Result of all measurements.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct BenchReport {
    /// Name and version of the JSON layout.
    pub(crate) schema: &'static str,
    /// Number of counted rounds.
    pub(crate) rounds: u32,
    /// Number of processors.
    pub(crate) cores: usize,
    /// Size of the subject.
    pub(crate) totals: Totals,
    /// Stages on one thread, references first.
    pub(crate) stages: Vec<StageLine>,
    /// Whole jobs.
    pub(crate) jobs: Vec<JobLine>,
}

/// Size of the subject.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Totals {
    /// Number of containers.
    pub(crate) containers: usize,
    /// Number of chunks.
    pub(crate) chunks: u64,
    /// Their uncompressed bytes.
    pub(crate) raw_bytes: u64,
    /// Their stored bytes.
    pub(crate) stored_bytes: u64,
}

/// A stage on one thread.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct StageLine {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its compression method, if it has one.
    pub(crate) method: Option<&'static str>,
    /// True for a reference.
    pub(crate) reference: bool,
    /// Uncompressed bytes processed.
    pub(crate) raw_bytes: u64,
    /// Stored bytes processed.
    pub(crate) stored_bytes: u64,
    /// Times.
    #[serde(flatten)]
    pub(crate) measure: Measure,
    /// Share of the time of all stages from reading to writing into a folder.
    pub(crate) share: Option<f64>,
    /// Time to copy its uncompressed bytes, relative to its own time.
    pub(crate) of_memcpy: f64,
    /// Time to read its stored bytes, relative to its own time.
    pub(crate) of_read: f64,
}

/// A whole job.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct JobLine {
    /// The job.
    pub(crate) job: BenchJob,
    /// Number of threads.
    pub(crate) threads: usize,
    /// Times, page faults and memory.
    #[serde(flatten)]
    pub(crate) measure: Measure,
    /// Uncompressed bytes per second.
    pub(crate) raw_rate: f64,
    /// Stored bytes per second.
    pub(crate) stored_rate: f64,
    /// Time on one thread, relative to this time.
    pub(crate) speedup: Option<f64>,
    /// Time of its stages on one thread, divided by the number of busy cores, relative to its own time.
    pub(crate) efficiency: f64,
    /// Minor page faults per GiB of uncompressed bytes.
    pub(crate) faults_per_gib: Option<f64>,
    /// Time to copy the uncompressed bytes, relative to its own time.
    pub(crate) of_memcpy: f64,
    /// Time to read the stored bytes, relative to its own time.
    pub(crate) of_read: f64,
    /// For unpacking: its time relative to `cp -r` of the same files.
    pub(crate) of_cp: Option<f64>,
    /// For unpacking on all threads: its time relative to a bare loop that reads, decodes and writes the same.
    pub(crate) of_floor: Option<f64>,
}

/// Measures everything; calls `progress` with the name of each piece of work before it starts.
pub(crate) fn bench(
    subject: &Subject,
    options: &BenchOptions,
    mut progress: impl FnMut(&str),
) -> Result<BenchReport> {
    let mut rounds = Rounds::default();
    // Round 0 warms up memory and page cache, and is not counted.
    for round in 0..=options.rounds {
        let mut one =
            Round { subject, options, rounds: &mut rounds, counts: round > 0, progress: &mut progress };
        one.references()?;
        one.stages()?;
        one.jobs()?;
    }
    Ok(rounds.report(subject, options))
}

/// All runs so far.
#[derive(Default)]
struct Rounds {
    copy: Vec<Run>,
    read: Vec<Run>,
    tree: Vec<Run>,
    floor: Vec<Run>,
    table_hash: Vec<Run>,
    open: Vec<Run>,
    table_bytes: u64,
    passes: Vec<Flows>,
    jobs: BTreeMap<(BenchJob, usize), Vec<Run>>,
}

/// One round.
struct Round<'a> {
    subject: &'a Subject,
    options: &'a BenchOptions,
    rounds: &'a mut Rounds,
    /// False for the warm-up round.
    counts: bool,
    progress: &'a mut dyn FnMut(&str),
}

impl Round<'_> {
    fn references(&mut self) -> Result<()> {
        (self.progress)("references");
        // References run in each round, so that other load on the machine affects them as well.
        let mut copying = Copying::new();
        let copy = run(|| copying.run(self.subject.raw_bytes())).0;
        let (read, done) = run(|| plain_read(self.subject, batch_len(self.options)));
        done?;
        let tables: Vec<PathBuf> =
            self.subject.plans.iter().map(|(container, _)| container.path().to_owned()).collect();
        let read_table = |path: &PathBuf| game::read_file(path, LONGEST_TABLE);
        let contents = tables.iter().map(read_table).collect::<Result<Vec<_>>>()?;
        let table_hash = run(|| contents.iter().map(|bytes| blake3::hash(bytes)).collect::<Vec<_>>()).0;
        let open = run(|| self.subject.reopening.clone().open_all(&tables)).0;
        self.rounds.table_bytes = contents.iter().map(|bytes| bytes.len() as u64).sum();
        let tree = self.options.tree.as_deref();
        let tree = tree.map(|tree| in_new_folder(&self.options.folder, |folder| copy_tree(tree, folder)));
        let tree = tree.transpose()?.flatten();
        let floor = self.floor()?;
        if self.counts {
            self.rounds.tree.extend(tree);
            self.rounds.floor.push(floor);
            self.rounds.copy.push(copy);
            self.rounds.read.push(read);
            self.rounds.table_hash.push(table_hash);
            self.rounds.open.push(open);
        }
        Ok(())
    }

    fn floor(&self) -> Result<Run> {
        let (threads, len) = (most_threads(self.options), batch_len(self.options));
        let groups = floor::groups(self.subject, len);
        in_new_folder(&self.options.folder, |folder| {
            let (run, done) = run(|| floor::unpack(&groups, threads, len, folder));
            done.map(|()| run)
        })
    }

    fn stages(&mut self) -> Result<()> {
        (self.progress)("stages");
        let (subject, len) = (self.subject, batch_len(self.options));
        let flows = in_new_folder(&self.options.folder, |folder| pass(subject, len, folder))?;
        if self.counts {
            self.rounds.passes.push(flows);
        }
        Ok(())
    }

    fn jobs(&mut self) -> Result<()> {
        let (subject, memory) = (self.subject, self.options.memory);
        for job in BenchJob::ALL {
            for threads in self.options.threads.iter().copied() {
                // Jobs alternate within a round, so that all see the same changes of load.
                (self.progress)(&format!("{}, {threads} threads", job.name()));
                let run = in_new_folder(&self.options.folder, |folder| {
                    run_job(subject, job, threads, memory, folder)
                })?;
                if self.counts {
                    self.rounds.jobs.entry((job, threads)).or_default().push(run);
                }
            }
        }
        Ok(())
    }
}

/// Raw bytes per batch of a job on one thread.
fn batch_len(options: &BenchOptions) -> u64 {
    Cpu::new(1).map_or(1 << 20, |cpu| Context::new(cpu, Budget::new(options.memory), false).batch_len())
}

/// The largest number of threads of any job.
fn most_threads(options: &BenchOptions) -> usize {
    options.threads.iter().copied().max().unwrap_or(1)
}

/// Copies a folder with the system's `cp`; `None` if there is none.
fn copy_tree(tree: &Path, folder: &Path) -> Result<Option<Run>> {
    let (run, status) = run(|| Command::new("cp").arg("-r").arg(tree).arg(folder).status());
    match status {
        Ok(status) if status.success() => Ok(Some(Run { faults: None, peak: None, ..run })),
        // A failed copy would be a wrong reference.
        Ok(status) => Err(Error::io("copy", tree)(std::io::Error::other(format!("cp: {status}")))),
        Err(_) => Ok(None),
    }
}

/// Runs `work` with the path of a new folder, which is removed afterwards.
fn in_new_folder<T>(parent: &Path, work: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    let folder = parent.join(format!(".uncask-bench-{}", std::process::id()));
    let result = work(&folder);
    // Remove the folder even after an error, and do not complain if the work made none.
    match std::fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::io("remove", &folder)(error))
        }
        _ => result,
    }
}

impl Rounds {
    fn report(self, subject: &Subject, options: &BenchOptions) -> BenchReport {
        let lines = Lines {
            raw: subject.raw_bytes(),
            stored: subject.stored_bytes(),
            copy: Measure::of(&self.copy),
            read: Measure::of(&self.read),
            tree: (!self.tree.is_empty()).then(|| Measure::of(&self.tree)),
            floor: (most_threads(options), Measure::of(&self.floor)),
            stages: summarize(&self.passes),
        };
        let mut stages = lines.references();
        let table = self.table_bytes;
        let hash = Measure::of(&self.table_hash);
        stages.push(StageLine {
            reference: true,
            ..lines.stage("blake3 of the tables", None, (table, table), hash, None)
        });
        stages.push(lines.stage("open tables", None, (table, table), Measure::of(&self.open), None));
        stages.extend(lines.stages());
        let measures: BTreeMap<(BenchJob, usize), Measure> =
            self.jobs.iter().map(|(key, runs)| (*key, Measure::of(runs))).collect();
        BenchReport {
            schema: "uncask.bench/1",
            rounds: options.rounds,
            cores: cores(),
            totals: Totals {
                containers: subject.containers(),
                chunks: subject.chunks(),
                raw_bytes: subject.raw_bytes(),
                stored_bytes: subject.stored_bytes(),
            },
            stages,
            jobs: lines.jobs(&measures),
        }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Data for the lines of the report.
struct Lines {
    raw: u64,
    stored: u64,
    copy: Measure,
    read: Measure,
    tree: Option<Measure>,
    /// Result of the bare loop, with its number of threads.
    floor: (usize, Measure),
    stages: Vec<StageResult>,
}

impl Lines {
    fn references(&self) -> Vec<StageLine> {
        let (raw, stored) = (self.raw, self.stored);
        let mut lines = vec![
            self.stage("memcpy", None, (raw, raw), self.copy, None),
            self.stage("plain read", None, (stored, stored), self.read, None),
        ];
        lines.push(self.stage("unpack by a bare loop", None, (raw, stored), self.floor.1, None));
        lines.extend(self.tree.map(|tree| self.stage("cp -r of the files", None, (raw, raw), tree, None)));
        for line in &mut lines {
            line.reference = true;
        }
        lines
    }

    fn stages(&self) -> impl Iterator<Item = StageLine> {
        let all: f64 =
            // Writing to nowhere is no part of a real job.
            self.stages.iter().filter(|s| s.stage != Stage::WriteNull).map(|s| s.measure.seconds).sum();
        self.stages.iter().map(move |result| {
            let (name, method) = result.stage.name();
            let share =
                (result.stage != Stage::WriteNull).then_some(result.measure.seconds / all.max(f64::EPSILON));
            self.stage(name, method, (result.raw, result.stored), result.measure, share)
        })
    }

    fn stage(
        &self,
        name: &'static str,
        method: Option<&'static str>,
        (raw, stored): (u64, u64),
        measure: Measure,
        share: Option<f64>,
    ) -> StageLine {
        StageLine {
            name,
            method,
            reference: false,
            raw_bytes: raw,
            stored_bytes: stored,
            measure,
            share,
            of_memcpy: measure.rate(raw) / self.copy.rate(self.raw),
            of_read: measure.rate(stored) / self.read.rate(self.stored),
        }
    }

    fn jobs(&self, measures: &BTreeMap<(BenchJob, usize), Measure>) -> Vec<JobLine> {
        let line = |((job, threads), measure): (&(BenchJob, usize), &Measure)| {
            let single = measures.get(&(*job, 1));
            let (floor_threads, floor) = self.floor;
            // More threads than cores cannot be busy at the same time.
            let busy = f64::from(u32::try_from((*threads).min(cores())).unwrap_or(u32::MAX));
            JobLine {
                job: *job,
                threads: *threads,
                measure: *measure,
                raw_rate: measure.rate(self.raw),
                stored_rate: measure.rate(self.stored),
                speedup: single.map(|single| single.seconds / measure.seconds.max(f64::EPSILON)),
                efficiency: self.work(*job) / busy / measure.seconds.max(f64::EPSILON),
                faults_per_gib: measure.faults.map(|faults| per_gib(faults, self.raw)),
                of_memcpy: self.copy.seconds / measure.seconds.max(f64::EPSILON),
                of_read: self.read.seconds / measure.seconds.max(f64::EPSILON),
                of_cp: self
                    .tree
                    .filter(|_| *job == BenchJob::Unpack)
                    .map(|tree| measure.seconds / tree.seconds),
                of_floor: (*job == BenchJob::Unpack && *threads == floor_threads)
                    .then(|| measure.seconds / floor.seconds.max(f64::EPSILON)),
            }
        };
        measures.iter().map(line).collect()
    }

    /// Total time of a job's stages on one thread, in seconds.
    fn work(&self, job: BenchJob) -> f64 {
        let part = |stage: Stage| match stage {
            Stage::Read | Stage::Decrypt => true,
            // Uncompressed blocks are used in place, without a copy.
            Stage::Decompress(method) => method != 0,
            Stage::Hash => job != BenchJob::Decode,
            Stage::WriteNull => false,
            Stage::WriteFolder => job == BenchJob::Unpack,
        };
        self.stages.iter().filter(|s| part(s.stage)).map(|s| s.measure.seconds).sum()
    }
}

#[expect(clippy::cast_precision_loss, reason = "a rate")]
fn per_gib(count: u64, bytes: u64) -> f64 {
    count as f64 / (bytes as f64 / f64::from(1 << 30)).max(f64::EPSILON)
}
