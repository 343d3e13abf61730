//! The decoder against streams of the real encoder.
#![expect(clippy::print_stderr, reason = "tests say that they were skipped")]

use super::support;
use uncask_oodle::{Backend, Scratch, decompress};

/// Name, BLAKE3 of the decoded bytes (first 16 hex digits).
const DIGESTS: [(&str, &str); 3] =
    [("dickens", "48870dedfdc7ecb8"), ("ooffice", "fff3e375068c7132"), ("xml", "6c3c4996b605e267")];

#[test]
fn every_stream_decodes_to_its_recorded_digest() {
    let Some(corpus) = support::corpus() else { return eprintln!("skipped: no corpus") };
    for backend in Backend::all() {
        let mut scratch = Scratch::with_backend(backend);
        for extension in ["kraken", "mermaid", "selkie", "leviathan"] {
            for stream in support::streams(&corpus, extension) {
                let mut raw = vec![0; stream.raw_len];
                decompress(&stream.stored, &mut raw, &mut scratch)
                    .unwrap_or_else(|error| panic!("{} by {backend:?}: {error}", stream.name));
                let digest = blake3::hash(&raw).to_hex();
                let expected =
                    DIGESTS.iter().find(|(name, _)| stream.name.starts_with(name)).expect("a known file").1;
                assert_eq!(&digest[..16], expected, "{} by {backend:?}", stream.name);
            }
        }
    }
}

#[test]
fn every_container_block_decodes_to_its_chunk_hash() {
    let Some(corpus) = support::corpus() else { return eprintln!("skipped: no corpus") };
    for backend in Backend::all() {
        let mut scratch = Scratch::with_backend(backend);
        let mut checked = 0;
        for (index, chunk) in support::containers(&corpus).iter().flatten().enumerate() {
            let mut raw = Vec::new();
            for block in &chunk.blocks {
                let start = raw.len();
                raw.resize(start + block.raw_len, 0);
                if block.is_oodle {
                    decompress(&block.stored, &mut raw[start..], &mut scratch)
                        .unwrap_or_else(|error| panic!("chunk {index} by {backend:?}: {error}"));
                } else {
                    raw[start..].copy_from_slice(&block.stored);
                }
            }
            assert_eq!(raw.len(), chunk.len);
            assert_eq!(blake3::hash(&raw).as_bytes()[..20], chunk.hash, "chunk {index} by {backend:?}");
            checked += 1;
        }
        assert!(checked >= 336, "only {checked} chunks");
    }
}
