//! Failures around a job: failing reads, vanishing files, full or closed disks.
//!
//! In every case the failure is reported, by name and by exit code; files with their final name are whole;
//! everything else is processed.

#[cfg(unix)]
use crate::support::containers::verify_all;
use crate::support::containers::{Packed, noise, open};
use crate::support::drain::{drain, everything, input};
use crate::support::sketch::Sketch;
use crate::support::{block_on, context, cpu};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use uncask::error::{ErrorKind, Result};
use uncask::extract::{Filter, verify};
use uncask::job::{Budget, Context, Outcome};
use uncask::pack::PackOptions;
use uncask::report::{Event, Observer};
use uncask::source::{BoxFuture, Buffer, MemorySource, Source};

/// Fails reads now and then, the same way for the same number of reads.
#[derive(Debug)]
struct Unlucky {
    data: MemorySource,
    kind: io::ErrorKind,
    /// One read in so many fails.
    one_in: u64,
    reads: AtomicU64,
    failed: AtomicU64,
}

impl Unlucky {
    fn new(data: Vec<u8>, kind: io::ErrorKind, one_in: u64) -> Arc<Self> {
        let data = MemorySource::new(data.into());
        Arc::new(Self { data, kind, one_in, reads: AtomicU64::new(0), failed: AtomicU64::new(0) })
    }
}

impl Source for Unlucky {
    fn check(&self, range: &Range<u64>) -> Result<()> {
        self.data.check(range)
    }

    fn read_at(&self, offset: u64, buffer: Buffer) -> BoxFuture<'_, io::Result<Buffer>> {
        if self.reads.fetch_add(1, Ordering::Relaxed).is_multiple_of(self.one_in) {
            self.failed.fetch_add(1, Ordering::Relaxed);
            return Box::pin(std::future::ready(Err(self.kind.into())));
        }
        self.data.read_at(offset, buffer)
    }

    fn describe(&self, offset: u64) -> PathBuf {
        self.data.describe(offset)
    }
}

/// Forty chunks of three blocks each, far enough apart to be read one by one.
fn sketch() -> Sketch {
    let mut sketch = Sketch::new(1000);
    for seed in 0..40 {
        sketch.add(&noise(3000, seed));
        sketch.skip(100_000);
    }
    sketch
}

/// A source may be interrupted, or come up short, now and then: it is asked once more, block by block.
#[test]
fn reads_that_fail_once_cost_nothing() {
    let sketch = sketch();
    let toc = sketch.parse();
    for kind in [io::ErrorKind::Interrupted, io::ErrorKind::UnexpectedEof, io::ErrorKind::TimedOut] {
        // Every extent fails; of its three blocks none does.
        let source = Unlucky::new(sketch.data.clone(), kind, 4);
        let chunks = block_on(drain(input(&toc, &source, None, everything(&toc)), &context()));
        let bad = chunks.values().filter(|chunk| !chunk.is_good()).count();
        let failed = source.failed.load(Ordering::Relaxed);
        assert!(failed >= 10, "{kind}: only {failed} reads failed");
        assert_eq!(chunks.len(), 40);
        assert!(bad * 4 <= chunks.len(), "{kind}: {bad} chunks lost for {failed} failed reads");
        for chunk in chunks.values().filter(|chunk| !chunk.is_good()) {
            let error = chunk.error.as_ref().expect("an error");
            assert_eq!(error.kind(), ErrorKind::Io, "{error}");
        }
    }
}

#[test]
fn reads_that_always_fail_lose_every_chunk_and_say_so() {
    let sketch = sketch();
    let toc = sketch.parse();
    let source = Unlucky::new(sketch.data.clone(), io::ErrorKind::Other, 1);
    let chunks = block_on(drain(input(&toc, &source, None, everything(&toc)), &context()));
    assert_eq!(chunks.len(), 40);
    assert!(chunks.values().all(|chunk| chunk.error.as_ref().is_some_and(|it| it.kind() == ErrorKind::Io)));
}

fn packed(files: u64, len: usize) -> Packed {
    let files: Vec<_> = (0..files).map(|n| (format!("Game/Content/f{n:03}.uasset"), noise(len, n))).collect();
    let files = files.iter().map(|(path, content)| (path.as_str(), content.clone()));
    Packed::new(files, &PackOptions { partition_size: Some(1 << 20), ..PackOptions::default() })
}

/// Does something to a file when the first chunks have come through.
struct Saboteur<F> {
    act: F,
    done: std::sync::Once,
}

impl<F: Fn() + Send + Sync> Observer for Saboteur<F> {
    fn on(&self, event: &Event<'_>) {
        if matches!(event, Event::Advanced { .. }) {
            self.done.call_once(&self.act);
        }
    }
}

/// Verifies everything with little memory, so that most is still to be read when the first chunks are through.
fn sabotaged(toc: &Path, act: impl Fn() + Send + Sync + 'static) -> Outcome {
    let store = open(toc, &[]);
    let entries = Filter::default().select(&store, true);
    let context = Context::new(cpu().clone(), Budget::new(1 << 20), true);
    let saboteur = Saboteur { act, done: std::sync::Once::new() };
    block_on(verify(&store, &entries, &context.with_observer(Arc::new(saboteur)), false))
}

#[test]
fn a_data_file_that_is_cut_off_during_the_run() {
    let packed = packed(40, 100_000);
    let last = packed.beside("demo_s3.ucas");
    let outcome = sabotaged(&packed.toc, move || {
        std::fs::File::options().write(true).open(&last).unwrap().set_len(150_000).unwrap();
    });
    assert_eq!((outcome.count, outcome.failures.len()), (31, 9), "{outcome:?}");
    for failure in &outcome.failures {
        assert_eq!(failure.error.kind(), ErrorKind::Io, "{}", failure.error);
        assert!(failure.error.to_string().contains("demo_s3.ucas"), "{}", failure.error);
    }
}

/// An open file stays readable after its name is removed.
#[cfg(unix)]
#[test]
fn a_data_file_that_is_removed_during_the_run() {
    let packed = packed(40, 100_000);
    let last = packed.beside("demo_s3.ucas");
    let outcome = sabotaged(&packed.toc, move || std::fs::remove_file(&last).unwrap());
    assert!(outcome.is_ok() && outcome.count == 40, "{outcome:?}");
    let outcome = verify_all(&open(&packed.toc, &[]));
    assert_eq!((outcome.count, outcome.failures.len()), (30, 10), "the next run has lost it: {outcome:?}");
}

#[cfg(all(feature = "cli", unix))]
mod command_line {
    use super::{packed, sketch};
    use crate::support::cli::{Run, command, run, uncask};
    use crate::support::containers::{Packed, noise};
    use crate::support::mounted::Mounted;
    use crate::support::say;
    use std::path::Path;
    use std::process::Command;

    fn unpack(packed: &Packed, out: &Path) -> Run {
        uncask(["unpack".as_ref(), packed.toc.as_os_str(), "-o".as_ref(), out.as_os_str()])
    }

    /// Fails unless every file below a folder is one of the container, and whole.
    fn assert_whole(out: &Path, len: usize) -> usize {
        let entries = walkdir::WalkDir::new(out).into_iter().map(Result::unwrap);
        let files = entries.filter(|entry| entry.file_type().is_file());
        files
            .map(|file| {
                let name = file.file_name().to_str().unwrap();
                let number = name.trim_start_matches('f').trim_end_matches(".uasset").parse();
                let content = std::fs::read(file.path()).unwrap();
                assert!(content == noise(len, number.expect(name)), "{name} is not whole");
            })
            .count()
    }

    #[test]
    fn a_full_disk_fails_what_does_not_fit_and_nothing_else() {
        let packed = packed(40, 100_000);
        let Some(disk) = Mounted::new(&packed.beside("disk"), "size=1m") else {
            return say("skipped: this user may not mount a small disk");
        };
        let full = unpack(&packed, &disk.path().join("out")).expect(1);
        let whole = assert_whole(disk.path(), 100_000);
        assert!((5..=10).contains(&whole), "{whole} files");
        assert!(full.stderr.contains("No space left on device"), "{}", full.shown());
        assert!(full.stderr.contains(&format!("unpacked {whole} of 40 chunks")), "{}", full.shown());
        assert!(full.stderr.contains(&format!("{} failed", 40 - whole)), "{}", full.shown());
    }

    /// A full disk, imitated by a limit on file sizes, which needs no root.
    #[test]
    fn files_that_must_not_grow_fail_by_themselves() {
        let files = [("Game/small.ubulk", noise(10_000, 1)), ("Game/large.ubulk", noise(9 << 20, 2))];
        let packed = Packed::new(files, &uncask::pack::PackOptions::default());
        let out = packed.beside("out");
        let script = "trap '' XFSZ; ulimit -f 1024; exec \"$0\" unpack \"$1\" -o \"$2\"";
        let mut shell = Command::new("sh");
        let limited = shell.args(["-c", script, env!("CARGO_BIN_EXE_uncask")]).arg(&packed.toc).arg(&out);
        let limited = run(limited).expect(1);
        assert!(limited.stderr.contains("File too large"), "{}", limited.shown());
        let left: Vec<_> =
            std::fs::read_dir(out.join("Game")).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(left, ["small.ubulk"], "and no trace of the other");
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_told_at_once() {
        let packed = packed(3, 1000);
        let file = packed.beside("file");
        std::fs::write(&file, "in the way").unwrap();
        for out in [file.clone(), file.join("out")] {
            let refused = unpack(&packed, &out).expect(1);
            assert!(refused.stderr.contains("cannot create folder"), "{}", refused.shown());
        }
        assert_eq!(std::fs::read(file).unwrap(), b"in the way");
        let Some(disk) = Mounted::new(&packed.beside("disk"), "ro") else {
            return say("skipped: this user may not mount a disk that is read-only");
        };
        let refused = unpack(&packed, &disk.path().join("out")).expect(1);
        assert!(refused.stderr.contains("Read-only file system"), "{}", refused.shown());
        let refused = unpack(&packed, disk.path()).expect(1);
        assert!(refused.stderr.contains("unpacked 0 of 3 chunks"), "{}", refused.shown());
    }

    #[test]
    fn a_file_in_the_place_of_a_folder_fails_what_lies_in_it() {
        let packed = packed(3, 1000);
        let out = packed.beside("out");
        std::fs::create_dir(&out).unwrap();
        std::fs::write(out.join("Game"), "in the way").unwrap();
        let refused = unpack(&packed, &out).expect(1);
        assert!(refused.stderr.contains("unpacked 0 of 3 chunks"), "{}", refused.shown());
        assert_eq!(std::fs::read(out.join("Game")).unwrap(), b"in the way");
    }

    #[test]
    fn a_partition_that_is_removed_is_an_input_that_cannot_be_read() {
        let packed = packed(40, 100_000);
        std::fs::remove_file(packed.beside("demo_s2.ucas")).unwrap();
        let out = packed.beside("out");
        let incomplete = unpack(&packed, &out).expect(3);
        assert!(incomplete.stderr.contains("demo_s2.ucas"), "{}", incomplete.shown());
        assert_eq!(assert_whole(&out, 100_000), 30);
    }

    /// `get | head`: the reader has seen enough, which is no error, whatever is left to write.
    #[test]
    fn a_pipe_that_closes_is_no_error() {
        let packed = Packed::new([("Large.ubulk", noise(8 << 20, 1))], &uncask::pack::PackOptions::default());
        let get = "\"$0\" get \"$1\" Large.ubulk; echo \"exit $?\" >&2";
        for reader in ["head -c 10", "true", "head -c 5000000"] {
            let mut shell = Command::new("sh");
            let script = format!("{{ {get}; }} | {reader} > /dev/null");
            let ran = run(shell.args(["-c", &script, env!("CARGO_BIN_EXE_uncask")]).arg(&packed.toc));
            assert_eq!(ran.stderr, "exit 0\n", "{reader}");
        }
    }

    /// Errors of reading are not those of writing: a `get` whose data is not there fails, pipe or no pipe.
    #[test]
    fn a_pipe_does_not_hide_that_the_data_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let toc = sketch().write(folder.path());
        std::fs::remove_file(toc.with_extension("ucas")).unwrap();
        let mut get = command();
        run(get.arg("get").arg(&toc).arg("000000000000000100000002")).expect(5);
        let mut get = command();
        run(get.arg("get").arg(&toc).arg(first_id(&toc))).expect(3);
    }

    fn first_id(toc: &Path) -> String {
        let toc = uncask::container::Toc::parse(std::fs::read(toc).unwrap().into()).unwrap();
        toc.chunk_ids()[0].to_string()
    }
}
