//! Features that no available encoder uses, in streams of random commands; and how blocks follow each other.

use super::support::{Random, synthetic};
use synthetic::{Features, all_features};
use uncask_oodle::{Backend, Compressor, Matcher, Scratch, compress, decompress};

/// Output bytes of a block.
const BLOCK_LEN: usize = 0x4_0000;

/// True for streams that `oozextract` is known to decode wrongly: with checksums or excess framing.
fn is_foreign(features: Features) -> bool {
    features.checksum || features.excess
}

#[test]
fn every_combination_of_features_decodes() {
    let mut random = Random::new(7);
    let mut scratches: Vec<_> = Backend::all().into_iter().map(Scratch::with_backend).collect();
    for features in all_features() {
        for len in [800, 2000, 20_000, 100_000] {
            let (stored, expected) = synthetic::stream(features, &mut random, len);
            let mut raw = vec![0; expected.len()];
            for scratch in &mut scratches {
                raw.fill(0);
                decompress(&stored, &mut raw, scratch)
                    .unwrap_or_else(|error| panic!("{features:?}: {error}"));
                assert!(raw == expected, "{features:?}: other bytes");
            }
            if !is_foreign(features) {
                raw.fill(0);
                let read = oozextract::Extractor::new().read_from_slice(&stored, &mut raw);
                assert!(read.is_ok() && raw == expected, "{features:?} by oozextract");
            }
        }
    }
}

#[test]
fn a_restart_forgets_the_history_before_it() {
    let mut random = Random::new(8);
    let mut matcher = Matcher::default();
    let mut raw = super::support::mixed(&mut random, 3 * BLOCK_LEN - 1000);
    let repeated = raw[..BLOCK_LEN / 2].to_vec();
    raw[BLOCK_LEN..BLOCK_LEN + repeated.len()].copy_from_slice(&repeated);
    for format in [Compressor::Kraken, Compressor::Mermaid, Compressor::Selkie] {
        let mut stored = Vec::new();
        // Two streams, one after the other, are one stream with a restart in between.
        compress(format, &raw[..BLOCK_LEN], &mut stored, &mut matcher);
        compress(format, &raw[BLOCK_LEN..], &mut stored, &mut matcher);
        for backend in Backend::all() {
            let mut back = vec![0; raw.len()];
            decompress(&stored, &mut back, &mut Scratch::with_backend(backend)).expect("a good stream");
            assert!(back == raw, "{format:?} by {backend:?}");
        }
    }
}

#[test]
fn a_match_before_the_restart_is_an_error() {
    let raw = super::support::mixed(&mut Random::new(9), 2 * BLOCK_LEN);
    let mut stored = Vec::new();
    compress(Compressor::Kraken, &[raw.as_slice(), &raw].concat(), &mut stored, &mut Matcher::default());
    let mut back = vec![0; 2 * raw.len()];
    assert_eq!(decompress(&stored, &mut back, &mut Scratch::default()), Ok(()));
    // The second block's header, after the first quantum, becomes that of a keyframe.
    let quantum_len = usize::from(stored[2]) << 16 | usize::from(stored[3]) << 8 | usize::from(stored[4]);
    let second = 5 + quantum_len + 1;
    assert_eq!(stored[second..second + 2], [0x0C, 6]);
    stored[second] |= 0x80;
    assert!(decompress(&stored, &mut back, &mut Scratch::default()).is_err());
}

#[test]
fn codecs_may_change_between_blocks() {
    let raw = super::support::mixed(&mut Random::new(10), 2 * BLOCK_LEN);
    let mut stored = Vec::new();
    for (raw, format) in raw.chunks(BLOCK_LEN).zip([Compressor::Mermaid, Compressor::Kraken]) {
        compress(format, raw, &mut stored, &mut Matcher::default());
    }
    let mut back = vec![0; raw.len()];
    decompress(&stored, &mut back, &mut Scratch::default()).expect("a good stream");
    assert!(back == raw);
}
