//! Decoding speed against `oozextract`, one thread, over working sets larger than the caches.
//!
//! ```text
//! cargo bench --bench oodle -- [row … encode]   OODLE_ROUNDS=9 by default
//! OODLE_BEST=1 cargo bench --bench oodle   the best speed of each set of kernels, without a comparison
//! OODLE_KERNELS=Avx2,Safe                 only these sets
//! cargo bench --bench oodle -- --test     every item once, without measuring
//! ```
//!
//! Every round runs both decoders over the same data in turn; a ratio is taken per round, and the median is printed
//! with the least and the greatest one.
#![expect(clippy::print_stdout, reason = "a report")]
#![expect(clippy::indexing_slicing, reason = "a fault may stop the benchmark")]

#[path = "../tests/it/oodle/support/mod.rs"]
mod oodle_support;

use std::io::Write as _;
use std::sync::LazyLock;
use std::time::Instant;

use oodle_support as support;
use uncask::codec::oodle::{Backend, Format, Matcher, Scratch, compress, decompress};

/// What clock times are told from.
static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Stored and raw bytes of a working set.
const WORKING_SET: usize = 72 << 20;

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
        if std::env::var_os("OODLE_BEST").is_some() {
            best(row, rounds);
            continue;
        }
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

/// For tuning on a noisy machine: the best time of each item, summed, for every set of kernels in turn.
fn best(row: &Row, rounds: usize) {
    let total: usize = row.items.iter().map(|(_, raw_len)| raw_len).sum();
    let mut scratches: Vec<_> = kernels().into_iter().map(|it| (it, Scratch::with_backend(it))).collect();
    let mut sums = vec![0.0; scratches.len()];
    for (stored, raw_len) in &row.items {
        let mut raw = vec![0; *raw_len];
        let mut times = vec![f64::INFINITY; scratches.len()];
        for _ in 0..rounds {
            for ((_, scratch), time) in scratches.iter_mut().zip(&mut times) {
                let start = Instant::now();
                assert!(decompress(stored, &mut raw, scratch).is_ok(), "a stream does not decode");
                *time = start.elapsed().as_secs_f64().min(*time);
            }
        }
        sums.iter_mut().zip(times).for_each(|(sum, time)| *sum += time);
    }
    for ((backend, _), sum) in scratches.iter().zip(sums) {
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let speed = total as f64 / 1e6 / sum;
        println!("{:<10} {:<12} {speed:>8.0} MB/s at best", row.name, name(*backend));
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

fn measure(row: &Row, backend: Backend, rounds: usize) {
    let set_len: usize = row.items.iter().map(|(stored, raw_len)| stored.len() + raw_len).sum();
    let copies = WORKING_SET.div_ceil(set_len);
    let items: Vec<_> = (0..copies).flat_map(|_| row.items.iter().cloned()).collect();
    let total: usize = items.iter().map(|(_, raw_len)| raw_len).sum();
    let mut output = vec![0u8; total];
    let mut scratch = Scratch::with_backend(backend);
    let mut extractor = oozextract::Extractor::new();
    pass(&items, &mut output, |stored, raw| decompress(stored, raw, &mut scratch).is_ok());
    let mut own_speeds = Vec::new();
    let mut their_speeds = Vec::new();
    let mut ratios = Vec::new();
    for _ in 0..rounds {
        let own = pass(&items, &mut output, |stored, raw| decompress(stored, raw, &mut scratch).is_ok());
        let theirs = pass(&items, &mut output, |stored, raw| extractor.read_from_slice(stored, raw).is_ok());
        own_speeds.push(own);
        their_speeds.push(theirs);
        ratios.push(own / theirs);
    }
    println!(
        "{:<10} {:<12} {:>8.0} {:>8.0}   {:>5.2} ({:.2} .. {:.2})        {:.1} / {:.1}",
        row.name,
        name(backend),
        median(&mut own_speeds),
        median(&mut their_speeds),
        median(&mut ratios),
        ratios[0],
        ratios[ratios.len() - 1],
        row.least,
        row.aim,
    );
}

/// The speed of one decoder over all items, in MB (10^6 bytes) of output per second.
fn pass(
    items: &[(Vec<u8>, usize)],
    output: &mut [u8],
    mut decode: impl FnMut(&[u8], &mut [u8]) -> bool,
) -> f64 {
    let mut rest = &mut *output;
    let start = cpu_seconds();
    for (stored, raw_len) in items {
        let (raw, left) = rest.split_at_mut(*raw_len);
        assert!(decode(stored, raw), "a stream does not decode");
        rest = left;
    }
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let megabytes = output.len() as f64 / 1e6;
    megabytes / (cpu_seconds() - start)
}

/// Seconds that this thread has run, where the system tells; else seconds of the clock. A shared machine takes
/// the processor away too often for the clock to mean much.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat");
    let nanoseconds = stat.ok().and_then(|stat| stat.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| EPOCH.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
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
