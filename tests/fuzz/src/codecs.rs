//! Blocks: the output is filled exactly, or there is an error.

use super::number;
use uncask::codec::{Method, Scratch, compress as pack, decode};
use uncask_oodle::{self as oodle, Backend};

/// The largest output that an input may ask for.
const MAX_RAW: u32 = 0x4_2000;

/// The length of the output, then a block.
fn block(method: Method, mut data: &[u8]) {
    let mut raw = vec![0; (number(&mut data) % MAX_RAW) as usize];
    // An allocation of exactly this size, so that a read after it is seen.
    let stored = data.to_vec().into_boxed_slice();
    let mut scratch = Scratch::default();
    let first = decode(method, &stored, &mut raw, &mut scratch).map(|()| raw.clone());
    raw.fill(0xA5);
    let again = decode(method, &stored, &mut raw, &mut scratch).map(|()| raw);
    assert_eq!(first.ok(), again.ok(), "what the output or the scratch held before does not matter");
}

pub(super) fn zlib(data: &[u8]) {
    block(Method::Zlib, data);
}

pub(super) fn gzip(data: &[u8]) {
    block(Method::Gzip, data);
}

pub(super) fn lz4(data: &[u8]) {
    block(Method::Lz4, data);
}

pub(super) fn zstd(data: &[u8]) {
    block(Method::Zstd, data);
}

/// Method and level, then bytes that come back from a round trip.
pub(super) fn compress(mut data: &[u8]) {
    let choice = number(&mut data);
    let method = Method::ALL[choice as usize % Method::ALL.len()];
    let level = (choice & 0x100 != 0).then_some((choice >> 16 & 31).cast_signed() - 8);
    let (mut stored, mut scratch) = (Vec::new(), Scratch::default());
    if pack(method, data, level, &mut stored, &mut scratch).is_err() {
        return;
    }
    let mut raw = vec![0; data.len()];
    decode(method, &stored, &mut raw, &mut scratch).expect("what was packed");
    assert_eq!(raw, data);
}

/// The length of the output, then an Oodle stream: all kernels agree.
pub(super) fn oodle_block(mut data: &[u8]) {
    let raw_len = number(&mut data) % (2 * MAX_RAW);
    streams_agree(data, raw_len as usize);
}

/// An entropy-coded array, which becomes a chunk that is nothing else.
pub(super) fn oodle_entropy(data: &[u8]) {
    let Some(raw_len) = array_len(data) else { return };
    if (1..=0x2_0000).contains(&raw_len) && (1..raw_len).contains(&data.len()) {
        streams_agree(&stream(6, data), raw_len);
    }
}

/// The recorded length of an array, in bytes.
fn array_len(data: &[u8]) -> Option<usize> {
    let [first, second, third, fourth, fifth] = *data.first_chunk()?;
    let word = u32::from_be_bytes([second, third, fourth, fifth]) as usize;
    Some(match (first & 0x80 != 0, first >> 4 & 7) {
        // A chunk that starts with bit 7 is no array; the long forms can say the same.
        (true, _) | (_, 0) => return None,
        (false, _) => (usize::from(first & 15) << 14 | word >> 18) + 1,
    })
}

/// Codec, literal mode and length of the output, then the LZ layer of one chunk.
pub(super) fn oodle_lz(mut data: &[u8]) {
    let choice = number(&mut data);
    let codec = [6, 10, 12][(choice & 0xFF) as usize % 3];
    let (mode, raw_len) = ((choice >> 8 & 15) as usize, 16 + (choice >> 14) as usize % 0x1_FF00);
    if data.len() + 3 >= raw_len {
        return;
    }
    let word = 0x80_0000 | mode << 19 | data.len();
    let chunk = [&be24(word)[..], data].concat();
    streams_agree(&stream(codec, &chunk), raw_len);
    // The same bytes as second chunk, so that matches may reach back into the first.
    let first = chunk_of_one_symbol();
    streams_agree(&stream(codec, &[&first, &chunk[..]].concat()), 0x2_0000 + raw_len);
}

/// A chunk of 128 KiB of the same byte.
fn chunk_of_one_symbol() -> Vec<u8> {
    // Long form of the run-length coding: one byte of payload.
    let (raw_len, stored_len) = (0x2_0000_usize, 1_usize);
    let low = u32::try_from((raw_len - 1) << 18 & 0xFFFF_FFFF | stored_len).expect("32 bits");
    let high = 0x30 | u8::try_from((raw_len - 1) >> 14).expect("4 bits");
    [&[high][..], &low.to_be_bytes(), b"x"].concat()
}

/// A stream of one block of one quantum.
fn stream(codec: u8, payload: &[u8]) -> Vec<u8> {
    [&[0x8C, codec][..], &be24(payload.len() - 1), payload].concat()
}

fn be24(word: usize) -> [u8; 3] {
    let [_, bytes @ ..] = u32::try_from(word).expect("24 bits").to_be_bytes();
    bytes
}

/// Decodes with every set of kernels: the same verdict, and the same bytes if it is good.
fn streams_agree(stored: &[u8], raw_len: usize) {
    let stored = stored.to_vec().into_boxed_slice();
    let mut verdicts = Vec::new();
    for backend in Backend::all() {
        let mut scratch = SCRATCHES.take().unwrap_or_default();
        let own =
            scratch.entry(format!("{backend:?}")).or_insert_with(|| oodle::Scratch::with_backend(backend));
        let mut raw = vec![0xAA; raw_len];
        verdicts.push(oodle::decompress(&stored, &mut raw, own).map(|()| raw).ok());
        SCRATCHES.set(Some(scratch));
    }
    assert!(verdicts.windows(2).all(|pair| pair[0] == pair[1]), "kernels disagree");
}

thread_local! {
    /// One scratch for each set of kernels: making them costs more than most inputs.
    static SCRATCHES: std::cell::Cell<Option<std::collections::BTreeMap<String, oodle::Scratch>>> =
        const { std::cell::Cell::new(None) };
}
