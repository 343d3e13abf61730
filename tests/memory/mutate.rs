//! Ways to damage a file of which nothing is known.

use super::hostile::Rng;

/// One to four accidents, the same for the same seed.
pub(crate) fn mutate(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let mut bytes = bytes.to_vec();
    for _ in 0..=rng.below(4) {
        if bytes.len() < 16 {
            break;
        }
        match rng.below(8) {
            0 | 1 => flip_bit(&mut bytes, &mut rng),
            2 | 3 => inflate(&mut bytes, &mut rng),
            4 => swap(&mut bytes, &mut rng),
            5 => splice(&mut bytes, &mut rng),
            6 => saturate(&mut bytes, &mut rng),
            _ => resize(&mut bytes, &mut rng),
        }
    }
    bytes
}

/// Half of the accidents happen to the front, where counts and offsets are.
fn place(bytes: &[u8], room: usize, rng: &mut Rng) -> usize {
    let reach = bytes.len().saturating_sub(room).max(1);
    if rng.below(2) == 0 { rng.below(reach) } else { rng.below(reach.min(256)) }
}

fn flip_bit(bytes: &mut [u8], rng: &mut Rng) {
    let at = place(bytes, 0, rng);
    bytes[at] ^= 1 << rng.below(8);
}

/// Makes what may be a count, a size or an offset a little or a lot larger.
fn inflate(bytes: &mut [u8], rng: &mut Rng) {
    let at = place(bytes, 4, rng) & !3;
    let old = u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let choices =
        [old.wrapping_add(1), old.wrapping_sub(1), old.wrapping_mul(2), 1 << 20, i32::MAX as u32, u32::MAX];
    bytes[at..at + 4].copy_from_slice(&choices[rng.below(choices.len())].to_le_bytes());
}

/// Exchanges two short runs: ids, offsets, links.
fn swap(bytes: &mut [u8], rng: &mut Rng) {
    let len = 1 + rng.below(12);
    let (a, b) = (place(bytes, len, rng), place(bytes, len, rng));
    for at in 0..len.min(bytes.len() - a.max(b)) {
        bytes.swap(a + at, b + at);
    }
}

/// Copies a run over another place.
fn splice(bytes: &mut [u8], rng: &mut Rng) {
    let len = (1 + rng.below(64)).min(bytes.len() / 2);
    let (from, to) = (place(bytes, len, rng), place(bytes, len, rng));
    bytes.copy_within(from..from + len, to);
}

/// Fills a short run with ones or zeros: huge numbers, and links to nowhere or to the root.
fn saturate(bytes: &mut [u8], rng: &mut Rng) {
    let len = 1 + rng.below(8);
    let at = place(bytes, len, rng);
    let value = if rng.below(2) == 0 { 0 } else { 0xFF };
    bytes[at..at + len].fill(value);
}

/// Cuts the end off, takes a run out, or puts one in.
fn resize(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let (at, len) = (place(bytes, 0, rng), 1 + rng.below(16));
    match rng.below(3) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..(at + len).min(bytes.len()))),
        _ => drop(bytes.splice(at..at, vec![0; len])),
    }
}
