//! Unpacking of paks by the command itself, method by method, against bare loops that read, decode and write the same files.
//!
//! `cargo bench --bench unpack_pak` makes 1 GiB of files of the sizes that games have, in memory where `/dev/shm` exists, and a pak
//! of them by each method; `-- --test` makes 4 MiB and only shows that it runs. `-- --size-mib N` is in between.
//!
//! The *loop* runs on each core, takes the blocks of a file from a file of their own, decodes them and writes the file, with buffers
//! that it uses again. It checks nothing. The *hashing loop* also makes the SHA-1 of each file's blocks, which a pak records. A
//! figure that misses its target is marked, and fails nothing.

#[path = "../src/bin/uncask/bench/mod.rs"]
#[expect(dead_code, unused_imports, reason = "the command uses all of it")]
mod bench;
mod measured;

use bench::{Kind, Mix, synthesize};
use measured::{mb, median, run, say};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use uncask::codec::{Method, Scratch, compress, decode};
use uncask::game::{Cpu, GameOptions, PackOptions};
use uncask::id::hash::ChunkHasher;
use uncask::version::ChunkHashKind;

/// Speed of unpacking over that of the loop.
const OF_LOOP: f64 = 0.9;
const ROUNDS: usize = 5;
/// Bytes of a block.
const BLOCK_LEN: usize = 64 << 10;
const METHODS: [(&str, Method); 3] = [("none", Method::None), ("lz4", Method::Lz4), ("zlib", Method::Zlib)];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let smoke = args.iter().any(|arg| arg == "--test");
    let size = args.iter().position(|arg| arg == "--size-mib").and_then(|at| args.get(at + 1)?.parse().ok());
    let size: u64 = size.unwrap_or(if smoke { 4 } else { 1024 }) << 20;
    let rounds = if smoke { 1 } else { ROUNDS };
    let parent = Some(Path::new("/dev/shm")).filter(|path| path.is_dir());
    let folder = parent.map_or_else(tempfile::tempdir, tempfile::tempdir_in).expect("a temporary folder");
    let cpu = Cpu::new(0).expect("threads");
    let made = synthesize(folder.path(), Kind::None, Mix::Games, size, &cpu).expect("makes files");
    std::fs::remove_dir_all(&made.containers).expect("removes");
    say(
        "  job            time   of the loop   at least   of the hashing loop   unchecked, of the loop   memory",
    );
    for (name, method) in METHODS {
        let pak = folder.path().join("made.pak");
        let options = PackOptions { method, replace: true, force: true, ..PackOptions::default() };
        GameOptions::default().pack_pak(&made.files, &pak, &options).expect("packs");
        let loops = Loops::make(&made.files, folder.path(), method, cpu.threads());
        measure(name, &pak, &loops, rounds);
    }
}

fn measure(name: &str, pak: &Path, loops: &Loops, rounds: usize) {
    let out = loops.folder.join("out");
    let [pak, target] = [pak, &out].map(|path| path.display().to_string());
    let args = ["unpack", &pak, "-o", &target, "-q"];
    let unchecked = [&args[..], &["--no-verify"]].concat();
    let mut times = [(); 4].map(|()| Vec::new());
    let mut resident = 0;
    for _ in 0..=rounds {
        let [checked_times, unchecked_times, bare_times, hashing_times] = &mut times;
        for (times, args) in [(checked_times, &args[..]), (unchecked_times, &unchecked)] {
            let (time, memory) = run(args, 1, || drop(std::fs::remove_dir_all(&out)));
            times.push(time);
            resident = resident.max(memory);
        }
        for (times, hashes) in [(bare_times, false), (hashing_times, true)] {
            drop(std::fs::remove_dir_all(&out));
            times.push(loops.run(&out, hashes));
        }
    }
    let [checked, unchecked, bare, hashing] = times.map(median);
    let of = |time: Duration, loops: Duration| loops.as_secs_f64() / time.as_secs_f64();
    say(&format!(
        "  {name:<6} {checked:>12.3?}   {:>9.2} ×   {OF_LOOP} {:<6} {:>17.2} ×   {:>20.2} ×   {:>4.0} MB",
        of(checked, bare),
        if of(checked, bare) >= OF_LOOP { "met" } else { "MISSED" },
        of(checked, hashing),
        of(unchecked, bare),
        mb(resident)
    ));
}

/// The files as the loops read them.
struct Loops {
    folder: PathBuf,
    method: Method,
    threads: usize,
    files: Vec<Stored>,
}

/// Blocks of a file, in a file of their own.
struct Stored {
    path: PathBuf,
    /// Stored and raw length of each.
    blocks: Vec<[usize; 2]>,
}

impl Loops {
    fn make(tree: &Path, folder: &Path, method: Method, threads: usize) -> Self {
        let stored = folder.join("stored");
        drop(std::fs::remove_dir_all(&stored));
        std::fs::create_dir(&stored).expect("makes a folder");
        let mut scratch = Scratch::default();
        let entries = walkdir::WalkDir::new(tree).into_iter().map(|entry| entry.expect("is readable"));
        let files = entries.filter(|entry| entry.file_type().is_file()).enumerate().map(|(at, entry)| {
            let (mut all, mut packed, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
            for block in std::fs::read(entry.path()).expect("reads").chunks(BLOCK_LEN) {
                packed.clear();
                if method != Method::None {
                    compress(method, block, None, &mut packed, &mut scratch).expect("compresses");
                }
                let is_smaller = method != Method::None && packed.len() < block.len();
                let stored = if is_smaller { &packed } else { block };
                blocks.push([stored.len(), block.len()]);
                all.extend_from_slice(stored);
            }
            let path = stored.join(at.to_string());
            std::fs::write(&path, all).expect("writes");
            Stored { path, blocks }
        });
        let files = files.collect();
        Self { folder: folder.to_owned(), method, threads, files }
    }

    fn run(&self, out: &Path, hashes: bool) -> Duration {
        std::fs::create_dir(out).expect("makes a folder");
        let next = AtomicUsize::new(0);
        let start = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| self.one_thread(&next, out, hashes));
            }
        });
        start.elapsed()
    }

    fn one_thread(&self, next: &AtomicUsize, out: &Path, hashes: bool) {
        let (mut stored, mut raw) = (vec![0; BLOCK_LEN], vec![0; BLOCK_LEN]);
        let (mut scratch, mut found) = (Scratch::default(), Vec::new());
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(Stored { path, blocks }) = self.files.get(at) else { break };
            let mut from = File::open(path).expect("opens");
            let mut to = File::create(out.join(at.to_string())).expect("creates");
            let mut digest = ChunkHasher::new(ChunkHashKind::Sha1);
            for [stored_len, raw_len] in blocks {
                let stored = stored.get_mut(..*stored_len).expect("a block");
                from.read_exact(stored).expect("reads");
                if hashes {
                    digest.update(stored);
                }
                let raw = raw.get_mut(..*raw_len).expect("a block");
                if stored_len < raw_len {
                    decode(self.method, stored, raw, &mut scratch).expect("decodes");
                    to.write_all(raw).expect("writes");
                } else {
                    to.write_all(stored).expect("writes");
                }
            }
            found.push(digest.finish());
        }
        std::hint::black_box(found);
    }
}
