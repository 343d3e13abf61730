//! Targets for packing: containers and paks, method by method, each against a bare loop in the same run.
//!
//! `cargo bench --bench pack` makes 1 GiB of files of the sizes that games have, in memory where `/dev/shm` exists, and packs them
//! by each method; `-- --test` makes 4 MiB and only shows that it runs. `-- --size-mib N` and `-- --rounds N` are in between, and
//! names of methods measure only these.
//!
//! There are two references. The *loop* reads, compresses and writes the same files on each core, into a file for each, with
//! buffers that it uses again. What it writes nobody could read: there are no hashes, no order and no index. The *hashing loop*
//! also makes the hash of every file that the format asks for, which is all that a packer cannot do without. Packing of paks by
//! zlib is also measured against loops without hashes by `flate2`, which other packers use, at several levels; the target counts
//! for the first that writes as little. A figure that misses its target is marked, and fails nothing.

#[path = "../src/bin/uncask/bench/mod.rs"]
#[expect(dead_code, unused_imports, reason = "the command uses all of it")]
mod bench;

use bench::{Kind, Mix, synthesize};
use flate2::{Compress, Compression, FlushCompress};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use uncask::codec::{Method, Scratch, compress};
use uncask::id::hash::ChunkHasher;
use uncask::job::{Budget, Context, Cpu, block_on};
use uncask::pack::{PackOptions, pack, pack_pak};
use uncask::version::ChunkHashKind;

/// Speed of packing over that of the loop.
const OF_LOOP: f64 = 1.0;
/// Bytes of a block.
const BLOCK_LEN: usize = 64 << 10;
/// Our size over that of a loop that writes as little as we do.
const AS_SMALL: f64 = 0.99;
/// Levels of `flate2`, each with its coder.
const FLATE2: [(u32, fn() -> Coder); 4] =
    [(1, || Coder::flate2(1)), (2, || Coder::flate2(2)), (3, || Coder::flate2(3)), (6, || Coder::flate2(6))];
const METHODS: [(&str, Method); 4] =
    [("none", Method::None), ("lz4", Method::Lz4), ("zstd", Method::Zstd), ("zlib", Method::Zlib)];

/// The format to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Container,
    Pak,
}

impl Format {
    /// The format's kind of hash.
    const fn hash(self) -> ChunkHashKind {
        match self {
            Self::Container => ChunkHashKind::Blake3,
            Self::Pak => ChunkHashKind::Sha1,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Container => "container",
            Self::Pak => "pak",
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let smoke = args.iter().any(|arg| arg == "--test");
    let number = |flag: &str, default: u64| {
        let at = args.iter().position(|arg| arg == flag);
        at.and_then(|at| args.get(at + 1)?.parse().ok()).unwrap_or(default)
    };
    let size = number("--size-mib", if smoke { 4 } else { 1024 }) << 20;
    let rounds = usize::try_from(number("--rounds", if smoke { 1 } else { 5 })).expect("few rounds");
    let is_wanted = |name: &str| {
        let mut named = METHODS.iter().filter(|(name, _)| args.iter().any(|arg| arg == name)).peekable();
        named.peek().is_none() || named.any(|(wanted, _)| *wanted == name)
    };
    let parent = Some(Path::new("/dev/shm")).filter(|path| path.is_dir());
    let folder = parent.map_or_else(tempfile::tempdir, tempfile::tempdir_in).expect("a temporary folder");
    let cpu = Cpu::new(0).expect("threads");
    let made = synthesize(folder.path(), Kind::None, Mix::Games, size, &cpu).expect("makes files");
    std::fs::remove_dir_all(&made.containers).expect("removes");
    let files = files(&made.files);
    let bytes: u64 = files.iter().map(|(_, len)| len).sum();
    say(&format!("{} files, {} MiB, {} threads", files.len(), bytes >> 20, cpu.threads()));
    say("  job                  time       MiB/s   of the loop   of the hashing loop   at least");
    for format in [Format::Container, Format::Pak] {
        for (name, method) in METHODS.into_iter().filter(|(name, _)| is_wanted(name)) {
            let subject = Subject { tree: &made.files, files: &files, folder: folder.path(), format, method };
            subject.measure(name, bytes, &cpu, rounds);
            if (format, method) == (Format::Pak, Method::Zlib) {
                subject.measure_flate2(&cpu, rounds);
            }
        }
    }
}

/// The files to pack, with the options.
struct Subject<'a> {
    tree: &'a Path,
    files: &'a [(PathBuf, u64)],
    folder: &'a Path,
    format: Format,
    method: Method,
}

impl Subject<'_> {
    fn measure(&self, name: &str, bytes: u64, cpu: &Cpu, rounds: usize) {
        let (mut loops, mut hashing, mut packing) = (Vec::new(), Vec::new(), Vec::new());
        // The first round touches everything, and does not count.
        for _ in 0..=rounds {
            packing.push(self.timed(|out| self.pack(out, cpu)));
            loops.push(self.timed(|out| self.bare_loop(out, cpu.threads(), false, Coder::own)));
            hashing.push(self.timed(|out| self.bare_loop(out, cpu.threads(), true, Coder::own)));
        }
        let [packing, loops, hashing] = [packing, loops, hashing].map(median);
        let (share, hashing_share) = (loops / packing, hashing / packing);
        #[expect(clippy::cast_precision_loss, reason = "a rate")]
        let rate = bytes as f64 / f64::from(1 << 20) / packing;
        say(&format!(
            "  {:<15} {packing:>8.3} s   {rate:>9.1}   {share:>9.2} ×   {hashing_share:>17.2} ×   {OF_LOOP:>6.2} ×   {}",
            format!("{} {name}", self.format.name()),
            if share >= OF_LOOP { "met" } else { "MISSED" },
        ));
    }

    /// Measures packing against loops by `flate2`.
    fn measure_flate2(&self, cpu: &Cpu, rounds: usize) {
        let mut is_judged = false;
        for (level, coder) in FLATE2 {
            let (mut own, mut loops, mut lens) = (Vec::new(), Vec::new(), (0, 0));
            for _ in 0..=rounds {
                own.push(self.timed(|out| {
                    self.pack(out, cpu);
                    lens.0 = len_below(out);
                }));
                loops.push(self.timed(|out| {
                    self.bare_loop(out, cpu.threads(), false, coder);
                    lens.1 = len_below(out);
                }));
            }
            let share = median(loops) / median(own);
            #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
            let size = lens.0 as f64 / lens.1 as f64;
            let judge = match () {
                () if size < AS_SMALL || is_judged => "",
                () if share >= OF_LOOP => "at least 1.00 ×   met",
                () => "at least 1.00 ×   MISSED",
            };
            is_judged |= !judge.is_empty();
            say(&format!(
                "  pak zlib, of a loop by flate2 -{level}: {share:.2} × its speed, {size:.3} × its size   {judge}"
            ));
        }
    }

    fn timed(&self, work: impl FnOnce(&Path)) -> f64 {
        let out = self.folder.join("out");
        std::fs::create_dir(&out).expect("makes a folder");
        let start = Instant::now();
        work(&out);
        let seconds = start.elapsed().as_secs_f64();
        std::fs::remove_dir_all(&out).expect("removes");
        seconds
    }

    fn pack(&self, out: &Path, cpu: &Cpu) {
        let context = Context::new(cpu.clone(), Budget::new(256 << 20), true);
        // The content is what games compress, but no packages.
        let options =
            PackOptions { method: self.method, replace: true, force: true, ..PackOptions::default() };
        let packed = match self.format {
            Format::Container => {
                block_on(pack(self.tree, &out.join("made.utoc"), &options, &context)).flatten()
            }
            Format::Pak => block_on(pack_pak(self.tree, &out.join("made.pak"), &options, &context)).flatten(),
        };
        assert!(packed.expect("packs").chunks >= self.files.len() as u64);
    }

    fn bare_loop(&self, out: &Path, threads: usize, hashes: bool, coder: fn() -> Coder) {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let (next, out) = (&next, File::create(out.join(thread.to_string())).expect("creates"));
                scope.spawn(move || self.one_thread(next, out, hashes, coder()));
            }
        });
    }

    fn one_thread(&self, next: &AtomicUsize, mut out: File, hashes: bool, mut coder: Coder) {
        let (mut content, mut packed) = (Vec::new(), Vec::new());
        let mut found = Vec::new();
        while let Some((path, len)) = self.files.get(next.fetch_add(1, Ordering::Relaxed)) {
            // Pieces stay in the caches, as those of a packer do.
            let (mut file, mut left) = (File::open(path).expect("opens"), *len);
            let mut digest = ChunkHasher::new(self.format.hash());
            while left > 0 {
                let piece = usize::try_from(left.min(1 << 20)).expect("short");
                if content.len() < piece {
                    content.resize(piece, 0);
                }
                let content = content.get_mut(..piece).expect("long enough");
                file.read_exact(content).expect("reads");
                if hashes && self.format == Format::Container {
                    digest.update(content);
                }
                for block in content.chunks(BLOCK_LEN) {
                    let mut stored = block;
                    if self.method != Method::None {
                        coder.compress(self.method, block, &mut packed);
                        stored = if packed.len() < block.len() { &packed } else { block };
                    }
                    if hashes && self.format == Format::Pak {
                        digest.update(stored);
                    }
                    out.write_all(stored).expect("writes");
                }
                left -= piece as u64;
            }
            if hashes {
                found.extend_from_slice(&digest.finish().0);
            }
        }
        std::hint::black_box(found);
    }
}

/// Coder of the blocks of a loop.
enum Coder {
    Own(Scratch),
    Flate2(Compress),
}

impl Coder {
    fn own() -> Self {
        Self::Own(Scratch::default())
    }

    fn flate2(level: u32) -> Self {
        Self::Flate2(Compress::new(Compression::new(level), true))
    }

    fn compress(&mut self, method: Method, block: &[u8], packed: &mut Vec<u8>) {
        match self {
            Self::Own(scratch) => compress(method, block, None, packed, scratch).expect("compresses"),
            Self::Flate2(coder) => {
                packed.clear();
                packed.reserve(block.len() + 100);
                coder.reset();
                coder.compress_vec(block, packed, FlushCompress::Finish).expect("compresses");
            }
        }
    }
}

fn len_below(folder: &Path) -> u64 {
    files(folder).iter().map(|(_, len)| len).sum()
}

/// Every file below a folder, and its length.
fn files(folder: &Path) -> Vec<(PathBuf, u64)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().expect("is readable") {
            let entry = entry.expect("is readable");
            let metadata = entry.metadata().expect("is there");
            if metadata.is_dir() {
                folders.push(entry.path());
            } else {
                found.push((entry.path(), metadata.len()));
            }
        }
    }
    found.sort_unstable();
    found
}

/// The middle of all but the first.
fn median(mut times: Vec<f64>) -> f64 {
    times.remove(0);
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

fn say(text: &str) {
    writeln!(std::io::stdout().lock(), "{text}").expect("prints");
}
