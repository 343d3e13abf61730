//! Decoding speed against `oozextract`, one thread, over a working set larger than the caches.
//!
//! ```text
//! cargo bench --bench oodle -- [row … encode]   OODLE_ROUNDS=9 by default
//! OODLE_KERNELS=Avx2,Safe                       only these sets of kernels
//! cargo bench --bench oodle -- --test           every item once, without measuring
//! ```
//!
//! The working set holds several copies of the data, all of it touched before. The decoders take turns, a short slice
//! each: the same bytes, but of copies so far apart that neither finds in the caches what the other has left there.
//! What disturbs the machine for longer than a slice slows both; what is shorter is an outlier, of which the medians
//! per slice know nothing. The ratio is that of the sums of medians; behind it, the least and the greatest round.
#![expect(clippy::print_stdout, reason = "a report")]
#![expect(clippy::indexing_slicing, reason = "a fault may stop the benchmark")]

#[path = "../tests/it/oodle/support/mod.rs"]
mod oodle_support;

use std::io::Write as _;

use oodle_support as support;
use uncask::codec::oodle::{Backend, Format, Matcher, Scratch, compress, decompress};

/// Stored and raw bytes of a working set, at least.
const WORKING_SET: usize = 96 << 20;

/// Raw bytes of a slice, at least; a stream is never cut.
const SLICE_LEN: usize = 0x8_0000;

/// One line of the table.
struct Row {
    name: &'static str,
    least: f64,
    aim: f64,
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
        Row { name: "iostore", least: 2.6, aim: 3.2, items: blocks },
        Row { name: "kraken", least: 2.3, aim: 2.8, items: streams("kraken") },
        Row { name: "mermaid", least: 3.9, aim: 4.6, items: streams("mermaid") },
        Row { name: "selkie", least: 4.8, aim: 5.6, items: streams("selkie") },
        Row { name: "leviathan", least: 2.1, aim: 2.6, items: streams("leviathan") },
    ];
    if std::env::args().any(|arg| arg == "--test") {
        return smoke(&rows);
    }
    println!(
        "{:<10} {:<12} {:>8} {:>8}   ratio (least .. greatest)   target",
        "data", "kernels", "MB/s", "oozx"
    );
    if wanted.is_empty() || wanted.iter().any(|name| name == "encode") {
        encode(&rows[0].items);
    }
    for row in rows.iter().filter(|row| wanted.is_empty() || wanted.iter().any(|name| row.name == name)) {
        for backend in kernels().into_iter().rev() {
            let rounds = if backend == Backend::detect() { rounds } else { rounds.div_ceil(3) };
            measure(row, backend, rounds);
        }
    }
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

/// Ratio and speed of the encoder on the blocks of the containers, beside zlib and Zstandard.
fn encode(items: &[(Vec<u8>, usize)]) {
    let mut scratch = Scratch::default();
    let raw = items.iter().map(|(stored, raw_len)| {
        let mut raw = vec![0; *raw_len];
        assert!(decompress(stored, &mut raw, &mut scratch).is_ok(), "a block does not decode");
        raw
    });
    let raw: Vec<_> = raw.collect();
    let mut matcher = Matcher::default();
    for format in [Format::Kraken, Format::Mermaid, Format::Selkie] {
        report_encoder(&format!("{format:?}"), &raw, |raw| {
            let mut out = Vec::new();
            compress(format, raw, &mut out, &mut matcher);
            out.len()
        });
    }
    report_encoder("zlib -6", &raw, |raw| {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(6));
        encoder.write_all(raw).and_then(|()| encoder.finish()).map_or(0, |out| out.len())
    });
    report_encoder("zstd -3", &raw, |raw| zstd::bulk::compress(raw, 3).map_or(0, |out| out.len()));
}

fn report_encoder(name: &str, blocks: &[Vec<u8>], mut encode: impl FnMut(&[u8]) -> usize) {
    let start = cpu_seconds();
    let stored_len: usize = blocks.iter().map(|raw| encode(raw).min(raw.len())).sum();
    let seconds = cpu_seconds() - start;
    let raw_len: usize = blocks.iter().map(Vec::len).sum();
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let (ratio, speed) = (raw_len as f64 / stored_len as f64, raw_len as f64 / 1e6 / seconds);
    println!("encode     {name:<12} {speed:>8.0} MB/s  ratio {ratio:.3}  ({stored_len} of {raw_len} bytes)");
}

/// One decoder's view of a round: the seconds that each slice took.
type Times = Vec<f64>;

fn measure(row: &Row, backend: Backend, rounds: usize) {
    let mut scratch = Scratch::with_backend(backend);
    let mut extractor = oozextract::Extractor::new();
    let mut own = |stored: &[u8], raw: &mut [u8]| decompress(stored, raw, &mut scratch).is_ok();
    let mut other = |stored: &[u8], raw: &mut [u8]| extractor.read_from_slice(stored, raw).is_ok();
    let mut copies = copies(row);
    // Touches all memory, and trains both decoders.
    for slice in copies.iter_mut().flatten() {
        slice.time(&mut own);
        slice.time(&mut other);
    }
    let count = copies.len();
    let slices = copies[0].len();
    let mut rounds_seen: Vec<[Times; 2]> = Vec::new();
    for round in 0..rounds.max(1) * count {
        let mut times = [Times::new(), Times::new()];
        for slice in 0..slices {
            times[0].push(copies[round % count][slice].time(&mut own));
            times[1].push(copies[(round + count / 2) % count][slice].time(&mut other));
        }
        rounds_seen.push(times);
    }
    // One turn through all copies is a round: shorter ones say little.
    let mut ratios: Vec<f64> = rounds_seen
        .chunks(count)
        .map(|turn| {
            let sum = |which: usize| turn.iter().flat_map(|times| &times[which]).sum::<f64>();
            sum(1) / sum(0)
        })
        .collect();
    let typical = |which: usize| -> f64 {
        let of_slice = |slice| rounds_seen.iter().map(|times| times[which][slice]).collect::<Vec<_>>();
        (0..slices).map(|slice| median(&mut of_slice(slice))).sum()
    };
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let megabytes = row.items.iter().map(|(_, raw_len)| raw_len).sum::<usize>() as f64 / 1e6;
    let (own, other) = (typical(0), typical(1));
    median(&mut ratios);
    println!(
        "{:<10} {:<12} {:>8.0} {:>8.0}   {:>5.2} ({:.2} .. {:.2})        {:.1} / {:.1}",
        row.name,
        name(backend),
        megabytes / own,
        megabytes / other,
        other / own,
        ratios[0],
        ratios[ratios.len() - 1],
        row.least,
        row.aim,
    );
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

/// Seconds that this thread has run, where the system tells; else seconds of the clock. A shared machine takes
/// the processor away too often for the clock to mean much.
#[cfg(target_os = "linux")]
fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    std::time::Duration::try_from(time).map_or(0.0, |time| time.as_secs_f64())
}

#[cfg(not(target_os = "linux"))]
fn cpu_seconds() -> f64 {
    /// What clock times are told from.
    static EPOCH: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    EPOCH.elapsed().as_secs_f64()
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
