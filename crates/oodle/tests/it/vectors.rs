//! Whole streams, each for one feature of the format.

use super::support::{VECTORS, unhex};
use uncask_oodle::{Backend, Error, Scratch, decompress};

const TEXT: &[u8] =
    b"the quick brown fox jumps over the lazy dog; the quick brown fox sleeps; the lazy dog jumps over \
the quick red fox and the slow brown fox; 0123456789 0123456789 01234567!";

#[test]
fn every_vector_decodes() {
    for backend in Backend::all() {
        let mut scratch = Scratch::with_backend(backend);
        for vector in &VECTORS {
            let mut raw = vec![0; vector.raw_len];
            decompress(&unhex(vector.hex), &mut raw, &mut scratch)
                .unwrap_or_else(|error| panic!("{} by {backend:?}: {error}", vector.what));
            assert_eq!(crc32(&raw), vector.crc, "{} by {backend:?}", vector.what);
        }
    }
}

#[test]
fn the_lz_vectors_hold_the_text() {
    for vector in &VECTORS[13..] {
        let mut raw = vec![0; vector.raw_len];
        decompress(&unhex(vector.hex), &mut raw, &mut Scratch::default()).expect(vector.what);
        assert_eq!(raw, TEXT);
    }
}

#[test]
fn every_truncation_and_every_other_length_is_an_error() {
    for backend in Backend::all() {
        let mut scratch = Scratch::with_backend(backend);
        for vector in &VECTORS[3..] {
            let stored = unhex(vector.hex);
            let mut raw = vec![0; vector.raw_len + 1];
            for len in 0..stored.len() {
                assert!(
                    decompress(&stored[..len], &mut raw[1..], &mut scratch).is_err(),
                    "{} to {len}",
                    vector.what
                );
            }
            assert!(decompress(&stored, &mut raw, &mut scratch).is_err(), "{} with a byte more", vector.what);
            assert!(
                decompress(&stored, &mut raw[2..], &mut scratch).is_err(),
                "{} with a byte less",
                vector.what
            );
        }
    }
}

#[test]
fn foreign_codecs_are_named() {
    for codec in [2, 5, 11] {
        let fault = decompress(&[0x8C, codec, 0, 0], &mut [0; 4], &mut Scratch::default());
        assert_eq!(fault, Err(Error::UnsupportedCodec(codec)));
    }
}

#[test]
fn nothing_decodes_to_nothing() {
    assert_eq!(decompress(&[], &mut [], &mut Scratch::default()), Ok(()));
    assert_eq!(decompress(&[0x8C], &mut [], &mut Scratch::default()), Err(Error::TrailingInput(1)));
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ (0xEDB8_8320 & 0u32.wrapping_sub(crc & 1)))
    })
}
