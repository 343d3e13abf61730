//! Decoding speed against `oozextract`, one thread, over a working set larger than the caches.
//!
//! ```text
//! cargo bench --bench oodle -- [row … encode]   OODLE_ROUNDS=9 by default
//! OODLE_KERNELS=Avx2,Safe                       only these sets of kernels
//! OODLE_ENCODERS=fast,LZ4                       only these encoders
//! cargo bench --bench oodle -- --test           every item once, without measuring
//! ```
//!
//! The working set holds several copies of the data, all of it touched before. The decoders take turns, a short slice
//! each: the same bytes, but of copies so far apart that neither finds in the caches what the other has left there.
//! A round takes every row in turn, so that all of them see the good and the bad times of the machine. What disturbs it
//! for longer than a slice slows both decoders; what is shorter is an outlier, of which the medians per slice know
//! nothing. The ratio is that of the sums of medians; after it, the least and the greatest round.
#![expect(clippy::print_stdout, reason = "a report")]
#![expect(clippy::indexing_slicing, reason = "a fault may stop the benchmark")]

#[expect(dead_code, reason = "the tests take the rest of it")]
#[path = "../tests/it/support/mod.rs"]
mod oodle_support;

use std::io::Write as _;

use oodle_support as support;
use uncask_oodle::{Backend, Compressor, Effort, Matcher, Scratch, compress, decompress};

/// Stored and raw bytes of a working set, at least.
const WORKING_SET: usize = 96 << 20;

/// Raw bytes of a slice, at least; a stream is never cut.
const SLICE_LEN: usize = 0x8_0000;

/// One line of the table.
struct Row {
    name: &'static str,
    /// The ratio to reach, and that for the kernels without `unsafe`.
    target: f64,
    safe_target: f64,
    items: Vec<(Vec<u8>, usize)>,
}

fn main() {
    let Some(corpus) = support::corpus() else { return println!("no corpus, nothing to measure") };
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let rounds: usize =
        std::env::var("OODLE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(9);
    let blocks =
        support::oodle_blocks(&corpus).into_iter().map(|block| (block.stored, block.raw_len)).collect();
    let streams = |extension| {
        support::streams(&corpus, extension)
            .into_iter()
            .map(|stream| (stream.stored, stream.raw_len))
            .collect()
    };
    let rows = [
        Row { name: "iostore", target: 2.75, safe_target: 1.6, items: blocks },
        Row { name: "kraken", target: 2.8, safe_target: 1.8, items: streams("kraken") },
        Row { name: "mermaid", target: 4.6, safe_target: 2.5, items: streams("mermaid") },
        Row { name: "selkie", target: 6.9, safe_target: 4.0, items: streams("selkie") },
        Row { name: "leviathan", target: 2.3, safe_target: 1.4, items: streams("leviathan") },
    ];
    if std::env::args().any(|arg| arg == "--test") {
        return smoke(&rows);
    }
    println!(
        "{:<10} {:<12} {:>8} {:>8}   ratio (least .. greatest)   target",
        "data", "kernels", "MB/s", "oozx"
    );
    let is_wanted = |row: &str| wanted.is_empty() || wanted.iter().any(|name| name == row);
    if is_wanted("encode") {
        let real_len: usize = rows[0].items.iter().map(|(stored, _)| stored.len()).sum();
        println!("blocks of containers; the real Kraken has {real_len} bytes");
        encode(&raw(&rows[0].items), real_len, rounds);
        let streams: Vec<_> = raw(&rows[1].items).concat();
        let streams: Vec<_> = streams.chunks(0x1_0000).step_by(5).map(<[u8]>::to_vec).collect();
        println!("64 KiB pieces of streams");
        encode(&streams, 0, rounds);
    }
    let mut extractor = oozextract::Extractor::new();
    let mut contests: Vec<_> = rows
        .iter()
        .filter(|row| is_wanted(row.name))
        .flat_map(|row| kernels().into_iter().rev().map(move |backend| (row, backend)))
        .map(|(row, backend)| Contest::new(row, backend, &mut extractor))
        .collect();
    for _ in 0..rounds.max(1) {
        for contest in &mut contests {
            contest.round(&mut extractor);
        }
    }
    contests.iter().for_each(Contest::report);
}

/// Decodes every item once: whether the benchmark still runs.
fn smoke(rows: &[Row]) {
    let mut scratch = Scratch::default();
    for row in rows {
        for (stored, raw_len) in &row.items {
            let mut raw = vec![0; *raw_len];
            let result = decompress(stored, &mut raw, &mut scratch);
            assert!(result.is_ok(), "{}: {result:?}", row.name);
        }
        println!("{:<10} {} items decode", row.name, row.items.len());
    }
}

/// The decoded items.
fn raw(items: &[(Vec<u8>, usize)]) -> Vec<Vec<u8>> {
    let mut scratch = Scratch::default();
    let raw = items.iter().map(|(stored, raw_len)| {
        let mut raw = vec![0; *raw_len];
        assert!(decompress(stored, &mut raw, &mut scratch).is_ok(), "an item does not decode");
        raw
    });
    raw.collect()
}

/// Ratio and speed of the encoder on these blocks, and the speed of decoding what it wrote, beside LZ4, zlib and Zstandard, which
/// take turns with it. If the length of what the real encoder makes of them is known (not 0), sizes are given as multiples of that,
/// too.
fn encode(blocks: &[Vec<u8>], real_len: usize, rounds: usize) {
    let mut matcher = Matcher::default();
    let mut oodle = |format, effort, raw: &[u8]| {
        let mut out = Vec::new();
        matcher.set_effort(effort);
        compress(format, raw, &mut out, &mut matcher);
        out
    };
    let zlib = |raw: &[u8]| {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(6));
        encoder.write_all(raw).and_then(|()| encoder.finish()).unwrap_or_default()
    };
    let zstd = |raw: &[u8]| zstd::bulk::compress(raw, 3).unwrap_or_default();
    let lz4 = |raw: &[u8]| lz4_flex::block::compress(raw);
    let wanted = std::env::var("OODLE_ENCODERS").unwrap_or_default();
    let mut seconds: [Times; 13] = Default::default();
    let mut decoding: [Times; 13] = Default::default();
    let mut stored_lens = [0; 13];
    for _ in 0..rounds.max(1) {
        let all = seconds.iter_mut().zip(&mut decoding).zip(&mut stored_lens).zip(ENCODERS);
        for (((seconds, decoding), stored_len), (name, own)) in all {
            if !wanted.is_empty() && !wanted.split(',').any(|wanted| wanted == name) {
                continue;
            }
            let start = cpu_seconds();
            let stored = blocks.iter().map(|raw| match (own, name) {
                (Some((format, effort)), _) => oodle(format, effort, raw),
                (None, "LZ4") => lz4(raw),
                (None, "zlib -6") => zlib(raw),
                _ => zstd(raw),
            });
            let stored: Vec<Vec<u8>> = stored.collect();
            seconds.push(cpu_seconds() - start);
            *stored_len = stored.iter().zip(blocks).map(|(stored, raw)| stored.len().min(raw.len())).sum();
            if own.is_some() {
                decoding.push(decode(&stored, blocks));
            }
        }
    }
    let raw_len: usize = blocks.iter().map(Vec::len).sum();
    let (normal_len, normal_seconds) = (stored_lens[0], least(&seconds[0]));
    for ((((name, _), seconds), decoding), stored_len) in
        ENCODERS.into_iter().zip(seconds).zip(decoding).zip(stored_lens)
    {
        if seconds.is_empty() {
            continue;
        }
        let of = |len: usize, other: usize| -> f64 {
            #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
            let (len, other) = (len as f64, other as f64);
            len / other
        };
        let real = match real_len {
            0 => String::new(),
            _ => format!("{:.4} of the real Kraken, ", of(stored_len, real_len)),
        };
        let decoded = match of(raw_len, 1_000_000) / least(&decoding) {
            rate if rate > 0.0 => format!(", decoded at {rate:.0} MB/s"),
            _ => String::new(),
        };
        println!(
            "encode     {name:<15} {:>5.0} MB/s  ratio {:.3}, {stored_len} bytes: {real}{:.4} of our Kraken at {:.2} \
             times its speed{decoded}",
            of(raw_len, 1_000_000) / least(&seconds),
            of(raw_len, stored_len),
            of(stored_len, normal_len),
            normal_seconds / least(&seconds),
        );
    }
    println!(
        "targets: smallest 0.980 of the real Kraken at 10 MB/s, optimal 1.000 at 40 MB/s, fast 300 MB/s"
    );
}

/// Encoders, by name: of Oodle streams, and others.
const ENCODERS: [(&str, Option<(Compressor, Effort)>); 13] = [
    ("Kraken", Some((Compressor::Kraken, Effort::Normal))),
    ("fast", Some((Compressor::Kraken, Effort::Fast))),
    ("optimal", Some((Compressor::Kraken, Effort::Optimal))),
    ("smallest", Some((Compressor::Kraken, Effort::Smallest))),
    ("Mermaid", Some((Compressor::Mermaid, Effort::Normal))),
    ("fast Mermaid", Some((Compressor::Mermaid, Effort::Fast))),
    ("optimal Mermaid", Some((Compressor::Mermaid, Effort::Optimal))),
    ("smallest Mermaid", Some((Compressor::Mermaid, Effort::Smallest))),
    ("Selkie", Some((Compressor::Selkie, Effort::Normal))),
    ("fast Selkie", Some((Compressor::Selkie, Effort::Fast))),
    ("LZ4", None),
    ("zlib -6", None),
    ("zstd -3", None),
];

/// Decodes all streams; returns how many seconds that took.
fn decode(stored: &[Vec<u8>], blocks: &[Vec<u8>]) -> f64 {
    let mut scratch = Scratch::default();
    let mut raw = vec![0; blocks.iter().map(Vec::len).max().unwrap_or_default()];
    let start = cpu_seconds();
    for (stored, block) in stored.iter().zip(blocks) {
        let decoded = decompress(stored, &mut raw[..block.len()], &mut scratch);
        assert!(decoded.is_ok(), "a stream does not decode");
    }
    cpu_seconds() - start
}

/// Seconds, one number for each time that something was done.
type Times = Vec<f64>;

/// One set of kernels against the other decoder, over one row.
struct Contest<'r> {
    row: &'r Row,
    backend: Backend,
    scratch: Scratch,
    copies: Vec<Vec<Slice>>,
    /// For each pass over the slices of a copy, the times of both decoders.
    passes: Vec<[Times; 2]>,
}

impl<'r> Contest<'r> {
    /// Touches all memory, and trains both decoders.
    fn new(row: &'r Row, backend: Backend, extractor: &mut oozextract::Extractor) -> Self {
        let mut scratch = Scratch::with_backend(backend);
        let mut copies = copies(row);
        for slice in copies.iter_mut().flatten() {
            slice.time(|stored, raw| decompress(stored, raw, &mut scratch).is_ok());
            slice.time(|stored, raw| extractor.read_from_slice(stored, raw).is_ok());
        }
        Self { row, backend, scratch, copies, passes: Vec::new() }
    }

    /// One turn of both decoders through all copies.
    fn round(&mut self, extractor: &mut oozextract::Extractor) {
        let count = self.copies.len();
        for copy in 0..count {
            let mut times = [Times::new(), Times::new()];
            for slice in 0..self.copies[copy].len() {
                let own = &mut self.copies[copy][slice];
                times[0].push(own.time(|stored, raw| decompress(stored, raw, &mut self.scratch).is_ok()));
                let other = &mut self.copies[(copy + count / 2) % count][slice];
                times[1].push(other.time(|stored, raw| extractor.read_from_slice(stored, raw).is_ok()));
            }
            self.passes.push(times);
        }
    }

    fn report(&self) {
        let sum = |passes: &[[Times; 2]], which: usize| -> f64 {
            passes.iter().flat_map(|times| &times[which]).sum()
        };
        let rounds = self.passes.chunks(self.copies.len());
        let mut ratios: Vec<f64> = rounds.map(|round| sum(round, 1) / sum(round, 0)).collect();
        let typical = |which: usize| -> f64 {
            let of_slice = |slice| self.passes.iter().map(|times| times[which][slice]).collect::<Vec<_>>();
            (0..self.copies[0].len()).map(|slice| median(&mut of_slice(slice))).sum()
        };
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let megabytes = self.row.items.iter().map(|(_, raw_len)| raw_len).sum::<usize>() as f64 / 1e6;
        let (own, other) = (typical(0), typical(1));
        median(&mut ratios);
        let target = if self.backend == Backend::Safe { self.row.safe_target } else { self.row.target };
        println!(
            "{:<10} {:<12} {:>8.0} {:>8.0}   {:>5.2} ({:.2} .. {:.2})        {target:.2}",
            self.row.name,
            name(self.backend),
            megabytes / own,
            megabytes / other,
            other / own,
            ratios[0],
            ratios[ratios.len() - 1],
        );
    }
}

/// Streams that are decoded at a stretch, and room for their bytes.
struct Slice {
    items: Vec<(Vec<u8>, usize)>,
    output: Vec<u8>,
}

impl Slice {
    /// Decodes all streams; returns how many seconds that took.
    fn time(&mut self, mut decode: impl FnMut(&[u8], &mut [u8]) -> bool) -> f64 {
        let mut rest = &mut self.output[..];
        let start = cpu_seconds();
        for (stored, raw_len) in &self.items {
            let (raw, left) = rest.split_at_mut(*raw_len);
            assert!(decode(stored, raw), "a stream does not decode");
            rest = left;
        }
        cpu_seconds() - start
    }
}

/// The working set of a row: an even number of copies of its data, each cut into the same slices.
fn copies(row: &Row) -> Vec<Vec<Slice>> {
    let set_len: usize = row.items.iter().map(|(stored, raw_len)| stored.len() + raw_len).sum();
    let count = WORKING_SET.div_ceil(set_len).next_multiple_of(2);
    (0..count).map(|_| slices(&row.items)).collect()
}

fn slices(items: &[(Vec<u8>, usize)]) -> Vec<Slice> {
    let mut slices = Vec::new();
    let mut open = Slice { items: Vec::new(), output: Vec::new() };
    let mut len = 0;
    for (index, item) in items.iter().enumerate() {
        open.items.push(item.clone());
        len += item.1;
        if len >= SLICE_LEN || index + 1 == items.len() {
            // Not zero: such memory may not be there until it is written.
            open.output = vec![1; std::mem::take(&mut len)];
            slices.push(std::mem::replace(&mut open, Slice { items: Vec::new(), output: Vec::new() }));
        }
    }
    slices
}

/// Seconds that this thread has run, where the system says so; else seconds of the clock. A shared machine takes
/// the processor away too often for the clock to mean much.
#[cfg(target_os = "linux")]
fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    std::time::Duration::try_from(time).map_or(0.0, |time| time.as_secs_f64())
}

#[cfg(not(target_os = "linux"))]
fn cpu_seconds() -> f64 {
    /// Start of the clock: times are seconds since then.
    static EPOCH: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    EPOCH.elapsed().as_secs_f64()
}

/// The least value: what the machine can do when nothing disturbs it.
fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The middle value; sorts.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The sets of kernels to measure: all, or those that `OODLE_KERNELS` names.
fn kernels() -> Vec<Backend> {
    let wanted = std::env::var("OODLE_KERNELS").unwrap_or_default();
    Backend::all()
        .into_iter()
        .filter(|backend| wanted.is_empty() || wanted.contains(&name(*backend)))
        .collect()
}

fn name(backend: Backend) -> String {
    format!("{backend:?}").chars().take_while(|letter| letter.is_alphanumeric()).collect()
}
