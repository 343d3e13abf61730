//! The verdict about a bad stream, error and all, is the same whatever the scratch was used for before.
#![expect(clippy::print_stderr, reason = "tests say that they were skipped")]

use super::support::{self, Random, synthetic};
use std::collections::BTreeMap;
use synthetic::all_features;
use uncask_oodle::{Backend, Error, Scratch, decompress};

const KRAKEN: u8 = 6;
const MERMAID: u8 = 10;
const LEVIATHAN: u8 = 12;

/// Decoders with the scratch that earlier streams left them.
struct Decoders {
    scratches: Vec<Scratch>,
    /// Streams to decode before, and how long they say they are.
    earlier: Vec<Vec<(Vec<u8>, usize)>>,
}

impl Decoders {
    fn new() -> Self {
        let mut random = Random::new(3);
        let sound = |features| {
            let (stored, raw) = synthetic::stream(features, &mut random, 4000);
            (stored, raw.len())
        };
        let sound = all_features().into_iter().step_by(25).map(sound).collect();
        let earlier = vec![vec![noise(0)], vec![noise(0xFF)], vec![noise(0x5A)], sound];
        Self { scratches: Backend::all().into_iter().map(Scratch::with_backend).collect(), earlier }
    }

    /// The verdict of all decoders on a stream; they must agree.
    fn verdict(&mut self, stored: &[u8], len: usize, what: &str) -> Result<Vec<u8>, Error> {
        let mut verdicts: Vec<Result<Vec<u8>, Error>> = Vec::new();
        for scratch in &mut self.scratches {
            for (byte, earlier) in [0, 0x55, 0xAA, 0xFF].into_iter().zip(&self.earlier) {
                for (stored, len) in earlier {
                    let _ = decompress(stored, &mut vec![0; *len], scratch);
                }
                let mut raw = vec![byte; len];
                verdicts.push(decompress(stored, &mut raw, scratch).map(|()| raw));
            }
        }
        let same = verdicts.windows(2).all(|pair| pair[0] == pair[1]);
        let errors: Vec<_> = verdicts.iter().map(|verdict| verdict.as_ref().err()).collect();
        assert!(same, "{what}: {errors:?}");
        verdicts.remove(0)
    }

    /// True if a stream with a few flipped bits is still good.
    fn mutant_is_good(&mut self, stored: &[u8], len: usize, random: &mut Random, what: &str) -> bool {
        let mut stored = stored.to_vec();
        // Most faults come of headers and tables, which are at the start.
        let reach = if random.below(4) == 0 { stored.len() } else { stored.len().min(64) };
        for _ in 0..=random.below(3) {
            stored[random.below(reach)] ^= 1 << random.below(8);
        }
        self.verdict(&stored, len, what).is_ok()
    }
}

/// The longest quantum there is, of one byte: no sound stream, but it is in the scratch before anyone finds out.
fn noise(byte: u8) -> (Vec<u8>, usize) {
    ([&[0x8C, 6, 3, 0xFF, 0xFD][..], &vec![byte; 0x3_FFFE]].concat(), 0x4_0000)
}

#[test]
fn the_verdict_does_not_depend_on_the_scratch() {
    let (mut decoders, mut random, mut counts) = (Decoders::new(), Random::new(5), BTreeMap::new());
    let seeds = support::seeds(support::corpus().as_deref());
    for (stored, len) in seeds.into_iter().filter(|(_, len)| *len <= 10_000) {
        let codec = stored[1] & 0x7F;
        // Most of the streams are of one codec.
        for _ in 0..if codec == KRAKEN { 2 } else { 10 } {
            let good = decoders.mutant_is_good(&stored, len, &mut random, &format!("codec {codec}"));
            *counts.entry((codec, good)).or_insert(0) += 1;
        }
    }
    for codec in [KRAKEN, MERMAID, LEVIATHAN] {
        assert!(counts[&(codec, false)] > 50, "bad streams: {counts:?}");
    }
}

/// A stream that once was another error after some streams than after others.
#[test]
fn the_verdict_about_a_hostile_stream_does_not_depend_on_the_scratch() {
    let Some(corpus) = support::corpus() else { return eprintln!("skipped: no corpus") };
    let stored = std::fs::read(corpus.join("hostile/oodle_safe_419718_1.bin")).expect("a hostile stream");
    let mut decoders = Decoders::new();
    for len in [0x1000, 0x1_0000, 0x2_0000, 0x4_0000] {
        decoders.verdict(&stored, len, "the hostile stream").expect_err("no sound stream");
    }
}
