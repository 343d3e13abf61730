//! The encoder: every output through every decoder.
#![expect(clippy::print_stderr, reason = "tests say that they were skipped")]

use super::support;
use support::Random;
use uncask_oodle::{Backend, Compressor, Effort, Matcher, Scratch, compress, decompress};

const FORMATS: [Compressor; 3] = [Compressor::Kraken, Compressor::Mermaid, Compressor::Selkie];

const EFFORTS: [Effort; 4] = [Effort::Normal, Effort::Fast, Effort::Optimal, Effort::Smallest];

fn matcher(effort: Effort) -> Matcher {
    let mut matcher = Matcher::default();
    matcher.set_effort(effort);
    matcher
}

/// Compresses, decompresses by every decoder, and returns the stored length.
fn round_trip(format: Compressor, raw: &[u8], matcher: &mut Matcher, what: &str) -> usize {
    let mut stored = Vec::new();
    compress(format, raw, &mut stored, matcher);
    assert!(stored.len() <= raw.len() + 2 * raw.len().div_ceil(0x4_0000), "{what} as {format:?} grows");
    for backend in Backend::all() {
        let mut back = vec![0; raw.len()];
        decompress(&stored, &mut back, &mut Scratch::with_backend(backend))
            .unwrap_or_else(|error| panic!("{what} as {format:?} by {backend:?}: {error}"));
        assert!(back == raw, "{what} as {format:?} by {backend:?}: other bytes");
    }
    let mut back = vec![0; raw.len()];
    let read = oozextract::Extractor::new().read_from_slice(&stored, &mut back);
    assert!(read.is_ok_and(|len| len == raw.len()), "{what} as {format:?} by oozextract");
    assert!(back == raw, "{what} as {format:?} by oozextract: other bytes");
    stored.len()
}

#[test]
fn mixed_content_of_any_length_survives() {
    let mut random = Random::new(1);
    let mut matchers = EFFORTS.map(|effort| (effort, matcher(effort)));
    let lengths =
        (0..200).chain([255, 256, 1000, 4095, 0xFFFF, 0x1_0000, 0x1_0001, 0x1_0100, 0x2_0000, 0x2_0001]);
    let lengths = lengths.chain([0x2_0007, 0x2_0080, 0x3_0000, 0x4_0000, 0x4_0001, 0x4_0009, 300_000]);
    for len in lengths {
        let raw = support::mixed(&mut random, len);
        for format in FORMATS {
            for (effort, matcher) in &mut matchers {
                round_trip(format, &raw, matcher, &format!("{len} bytes, {effort:?}"));
            }
        }
    }
}

#[test]
fn uniform_random_and_periodic_content_survives() {
    let mut random = Random::new(2);
    let mut matchers = EFFORTS.map(|effort| (effort, matcher(effort)));
    for len in [1, 7, 8, 9, 40, 500, 70_000, 140_000, 0x4_0000, 600_000] {
        let noise: Vec<u8> = (0..len).map(|_| random.next().to_le_bytes()[0]).collect();
        let zeros = vec![0; len];
        let periodic: Vec<u8> = (0..len).map(|at| (at % 11).to_le_bytes()[0]).collect();
        let ramp: Vec<u8> = (0..len).map(|at| (at / 3).to_le_bytes()[0]).collect();
        for format in FORMATS {
            for (raw, what) in [(&noise, "noise"), (&zeros, "zeros"), (&periodic, "period"), (&ramp, "ramp")]
            {
                for (effort, matcher) in &mut matchers {
                    round_trip(format, raw, matcher, &format!("{len} bytes of {what}, {effort:?}"));
                }
            }
        }
    }
}

#[test]
fn container_blocks_survive_and_come_near_the_real_size() {
    let Some(corpus) = support::corpus() else { return eprintln!("skipped: no corpus") };
    let [mut normal, mut fast, mut optimal, mut smallest] = EFFORTS.map(matcher);
    let (mut raw_len, mut real_len, mut own_len, mut fast_len) = (0, 0, [0; 3], [0; 3]);
    let (mut optimal_len, mut smallest_len) = (0, 0);
    for block in support::oodle_blocks(&corpus) {
        let mut raw = vec![0; block.raw_len];
        decompress(&block.stored, &mut raw, &mut Scratch::default()).expect("a good block");
        raw_len += raw.len();
        real_len += block.stored.len();
        for ((format, own_len), fast_len) in FORMATS.into_iter().zip(&mut own_len).zip(&mut fast_len) {
            *own_len += round_trip(format, &raw, &mut normal, "a block");
            *fast_len += round_trip(format, &raw, &mut fast, "a block");
        }
        optimal_len += round_trip(Compressor::Kraken, &raw, &mut optimal, "a block");
        smallest_len += round_trip(Compressor::Kraken, &raw, &mut smallest, "a block");
    }
    eprintln!(
        "raw {raw_len}, real Kraken {real_len}, own {own_len:?}, fast {fast_len:?}, optimal Kraken {optimal_len}, \
         smallest Kraken {smallest_len}"
    );
    assert!(smallest_len < real_len * 98 / 100, "smallest Kraken: {smallest_len} against {real_len}");
    assert!(optimal_len <= real_len, "optimal Kraken: {optimal_len} against {real_len}");
    assert!(own_len[0] < real_len * 105 / 100, "Kraken: {} against {real_len}", own_len[0]);
    assert!(own_len[1] < real_len * 118 / 100, "Mermaid: {} against {real_len}", own_len[1]);
    assert!(own_len[2] < real_len * 132 / 100, "Selkie: {} against {real_len}", own_len[2]);
    // The fast parse costs some, but not much.
    for (format, (fast_len, own_len)) in FORMATS.into_iter().zip(fast_len.into_iter().zip(own_len)) {
        assert!(fast_len > own_len, "{format:?}: {fast_len}, fast, against {own_len}: which one is fast?");
        assert!(fast_len < own_len * 110 / 100, "{format:?}: {fast_len}, fast, against {own_len}");
    }
}

#[test]
fn real_streams_survive_a_fast_parse() {
    let Some(corpus) = support::corpus() else { return eprintln!("skipped: no corpus") };
    let mut fast = matcher(Effort::Fast);
    for stream in support::streams(&corpus, "kraken") {
        let mut raw = vec![0; stream.raw_len];
        decompress(&stream.stored, &mut raw, &mut Scratch::default()).expect("a good stream");
        // A block as containers have them, and one with several chunks.
        for len in [0x1_0000, 700_000] {
            let raw = &raw[raw.len() - len..];
            for format in FORMATS {
                let stored_len = round_trip(format, raw, &mut fast, &stream.name);
                assert!(stored_len < len * 3 / 4, "{} as {format:?}: {stored_len} of {len}", stream.name);
            }
        }
    }
}

#[test]
fn efforts_share_a_matcher() {
    let mut random = Random::new(5);
    let mut shared = Matcher::default();
    for effort in [&EFFORTS[..], &[Effort::Normal, Effort::Optimal, Effort::Fast]].concat() {
        let raw = support::mixed(&mut random, 50_000);
        shared.set_effort(effort);
        for format in FORMATS {
            let mut own = Vec::new();
            compress(format, &raw, &mut own, &mut matcher(effort));
            let shared_len = round_trip(format, &raw, &mut shared, &format!("{effort:?}"));
            assert_eq!(shared_len, own.len(), "{format:?}, {effort:?}: what was before makes no difference");
        }
    }
}

#[test]
fn an_optimal_parse_is_smaller() {
    let raw = support::mixed(&mut Random::new(4), 0x1_2000);
    for format in FORMATS {
        let smallest = round_trip(format, &raw, &mut matcher(Effort::Smallest), "smallest");
        let optimal = round_trip(format, &raw, &mut matcher(Effort::Optimal), "optimal");
        assert!(smallest < optimal, "{format:?}: {smallest} against {optimal}");
        let normal = round_trip(format, &raw, &mut Matcher::default(), "normal");
        assert!(optimal < normal, "{format:?}: {optimal} against {normal}");
    }
}
