//! Large tables and many containers, by the command itself: what opening, listing, comparing and looking up one chunk cost,
//! in time and memory. The reference is one BLAKE3 pass over the same tables.
//!
//! `cargo bench --bench scale` makes one table of 1,000,000 chunks and the same of the next build, and 200 of 10,000 each; with
//! `-- --test`, small ones. `-- diff`, `one` or `many` measure only that. With `UNCASK_BENCH_TABLES=FOLDER`, it writes the large table
//! there for other benchmarks.

mod measured;

use measured::{mb, median, run, say};
use std::path::Path;
use std::time::{Duration, Instant};
use uncask::container::toc::{ChunkMeta, NewChunk, TocBuilder, raw};
use uncask::container::{DirectoryIndex, DirectoryIndexBuilder, Toc};
use uncask::id::{ChunkHash, ContainerId, Guid, PackageId, RawChunkId};
use uncask::version::{ChunkHashKind, TocVersion};

const ROUNDS: usize = 5;
/// Time limit for comparing two tables of a million chunks, in seconds.
const DIFF_SECONDS: f64 = 0.5;
/// Content of every chunk.
const CONTENT: &[u8] = &[7; 64];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let is_wanted = |part: &str| wanted.is_empty() || wanted.iter().any(|name| name == part);
    let smoke = std::env::args().any(|arg| arg == "--test");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let chunks = if smoke { 20_000 } else { 1_000_000 };
    if let Some(kept) = std::env::var_os("UNCASK_BENCH_TABLES") {
        return write(Path::new(&kept), chunks);
    }
    if is_wanted("one") {
        one_table(folder.path(), chunks);
    }
    if is_wanted("diff") {
        two_builds(folder.path(), chunks);
    }
    if is_wanted("many") {
        let (containers, chunks) = if smoke { (10, 1_000) } else { (200, 10_000) };
        many_containers(folder.path(), containers, chunks);
    }
}

/// The build of a table. In both, every chunk has its own hash, though not that of its content.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Build {
    First,
    /// Of a hundred chunks one has changed, and one was moved.
    Next,
}

/// A table of chunks in folders of a hundred. All chunks are in one block, so that the data file is small.
fn table(container: u32, chunks: u32, build: Option<Build>) -> Vec<u8> {
    let is_next = |n: u32, of_hundred: u32| build == Some(Build::Next) && n % 100 == of_hundred;
    let name = |n: u32| {
        let kind = if is_next(n, 1) { "SM_Moved" } else { "SM_Object" };
        format!("Container{container}/Area{}/Folder{}/{kind}_{n}", n / 10_000, n / 100)
    };
    let hash = |n: u32| {
        let of_build = [n, u32::from(is_next(n, 2))].map(u32::to_le_bytes);
        let hashed = if build.is_some() { of_build.as_flattened() } else { CONTENT };
        ChunkHash::of(ChunkHashKind::Blake3, hashed)
    };
    let chunk = |n: u32| NewChunk {
        id: RawChunkId::new(PackageId::from_name(&name(n)).0, 0, 1),
        first_block: n,
        len: CONTENT.len() as u64,
        meta: ChunkMeta { hash: hash(n), flags: 0 },
    };
    let len = u32::try_from(CONTENT.len()).expect("short");
    let builder = TocBuilder {
        version: TocVersion::ReplaceIoChunkHashWithIoHash,
        container_id: ContainerId(u64::from(container) + 1),
        encryption_key_guid: Guid::ZERO,
        encryption: None,
        block_size: 65_536,
        partition_size: u64::MAX,
        partition_count: 1,
        methods: Vec::new(),
        chunks: (0..chunks).map(chunk).collect(),
        blocks: (0..chunks).map(|_| raw::Block::new(0, len, len, 0)).collect(),
        ivs: Vec::new(),
        compressed: false,
    };
    let order = builder.order();
    let mut index = DirectoryIndexBuilder::new("../../../Game/Content/");
    for (slot, position) in (0_u32..).zip(&order.slots) {
        index.add(&format!("{}.uasset", name(*position)), slot);
    }
    builder.finish(&order, &index.finish())
}

/// Writes a table for other benchmarks.
fn write(folder: &Path, chunks: u32) {
    let path = folder.join("large.utoc");
    std::fs::write(&path, table(0, chunks, None)).expect("writes");
    std::fs::write(path.with_extension("ucas"), CONTENT).expect("writes");
}

fn one_table(folder: &Path, chunks: u32) {
    write(folder, chunks);
    let path = folder.join("large.utoc");
    let bytes = std::fs::read(&path).expect("reads");
    let len = bytes.len();
    say(&format!("one table of {chunks} chunks, {:.1} MB", mb(len)));
    let bytes = bytes::Bytes::from(bytes);
    let parse = || {
        let toc = Toc::parse(bytes.clone()).expect("valid");
        let index = DirectoryIndex::parse(toc.directory_index_bytes(), toc.chunk_count()).expect("valid");
        assert_eq!(index.file_count(), chunks as usize);
    };
    let (mut hashing, mut parsing) = (Vec::new(), Vec::new());
    for _ in 0..=ROUNDS {
        hashing.push(time(|| {
            std::hint::black_box(blake3::hash(&bytes));
        }));
        parsing.push(time(parse));
    }
    let (hash, parse) = (median(hashing), median(parsing));
    say(&format!("  blake3 {hash:>9.2?}   (reference)"));
    say(&format!("  parse  {parse:>9.2?}   {:.2} × blake3", parse.as_secs_f64() / hash.as_secs_f64()));
    let path = path.display().to_string();
    for (what, args) in [
        ("open and show its totals", vec!["info", &path]),
        ("list", vec!["list", &path]),
        ("list with sizes", vec!["list", "-l", &path]),
        ("list as JSON lines", vec!["list", "--jsonl", &path]),
    ] {
        let (took, peak) = run(&args, ROUNDS, || ());
        let ratio = took.as_secs_f64() / hash.as_secs_f64();
        say(&format!(
            "  {what:<26} {took:>9.2?}   {ratio:>5.1} × blake3, {:.2} × the file in memory",
            mb(peak) / mb(len)
        ));
    }
}

/// Compares a table with that of the next build.
fn two_builds(folder: &Path, chunks: u32) {
    let builds = [("first", Build::First), ("next", Build::Next)].map(|(name, build)| {
        let (path, bytes) = (folder.join(format!("{name}.utoc")), table(0, chunks, Some(build)));
        std::fs::write(path.with_extension("ucas"), CONTENT).expect("writes");
        std::fs::write(&path, &bytes).expect("writes");
        (path.display().to_string(), bytes)
    });
    let [(first, a), (next, b)] = &builds;
    let len = a.len() + b.len();
    say(&format!("two builds of {chunks} chunks, {:.1} MB of tables", mb(len)));
    let hashing = (0..=ROUNDS).map(|_| time(|| _ = std::hint::black_box([a, b].map(|it| blake3::hash(it)))));
    let hash = median(hashing.collect());
    say(&format!("  blake3 {hash:>9.2?}   (reference)"));
    for (what, args) in [
        ("diff with the next build", vec!["diff", first, next]),
        ("diff as JSON", vec!["diff", first, next, "--json"]),
        ("diff with itself", vec!["diff", first, first]),
    ] {
        let (took, peak) = run(&args, ROUNDS, || ());
        let met = if took.as_secs_f64() <= DIFF_SECONDS { "met" } else { "MISSED" };
        say(&format!(
            "  {what:<26} {took:>9.2?}   at most {DIFF_SECONDS} s {met:<6}   {:>5.1} × blake3, {:.2} × the files in memory",
            took.as_secs_f64() / hash.as_secs_f64(),
            mb(peak) / mb(len)
        ));
    }
}

fn many_containers(folder: &Path, containers: u32, chunks: u32) {
    let folder = folder.join("many");
    std::fs::create_dir(&folder).expect("makes a folder");
    let mut total = 0;
    for container in 0..containers {
        let bytes = table(container, chunks, None);
        total += bytes.len();
        let path = folder.join(format!("pakchunk{container}-Windows.utoc"));
        std::fs::write(path.with_extension("ucas"), CONTENT).expect("writes");
        std::fs::write(path, bytes).expect("writes");
    }
    say(&format!("{containers} containers of {chunks} chunks, {:.1} MB of tables", mb(total)));
    let path = folder.display().to_string();
    let wanted = "Game/Content/Container7/Area0/Folder3/SM_Object_345.uasset";
    for (what, args) in [
        ("list of one path", vec!["list", &path, wanted]),
        ("get of one chunk by path", vec!["get", &path, wanted]),
        ("get of one chunk by name", vec!["get", &path, "SM_Object_345.uasset", "--quiet"]),
    ] {
        let (took, peak) = run(&args, ROUNDS, || ());
        say(&format!("  {what:<26} {took:>9.2?}   {:.2} × the files in memory", mb(peak) / mb(total)));
    }
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}
