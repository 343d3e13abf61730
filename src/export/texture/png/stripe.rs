//! Stripes of a picture: rows that are compressed apart from all others, in streams that are joined to one.
//!
//! ```text
//! zlib stream   78 01 · stripe · stripe · … · 01 0000 FFFF · Adler-32 of all      the last block is an empty one
//! stripe        block · end of block · 000 · zeros to the next byte · 0000 FFFF   an empty stored block fills up the byte
//!               or stored blocks, each 00 · length · inverted length · bytes      where that is smaller
//! ```
//!
//! `fdeflate` makes blocks faster than anything else, but each as the last one of a stream of its own. So its mark of the last block is
//! removed, and where the block ends is found: its end of block ends with a one, and only padding follows.
//!
//! Source: RFC 1950 and 1951.

use super::filter::RowFilter;
use std::io;

/// Bytes of pixels in a stripe. Each stripe takes 60 bytes more than the same rows in the stream of others.
const STRIPE: usize = 1 << 20;

/// Pixels of a picture, row by row.
pub(super) struct Rows<'v> {
    values: &'v [u8],
    row_len: usize,
    unit: usize,
}

/// Some rows, and the one before them; none before the first.
pub(super) struct Stripe<'v> {
    rows: &'v [u8],
    above: Option<&'v [u8]>,
    row_len: usize,
    unit: usize,
}

/// A compressed stripe.
pub(super) struct StripeStream {
    /// Blocks of DEFLATE, of which none is the last one; they end with a whole byte.
    blocks: Vec<u8>,
    /// Adler-32 of the filtered rows.
    adler: u32,
    /// Bytes of the filtered rows.
    len: usize,
}

impl<'v> Rows<'v> {
    /// Rows of `row_len` bytes, with `unit` bytes for each pixel.
    pub(super) fn new(values: &'v [u8], row_len: usize, unit: usize) -> Self {
        Self { values, row_len, unit }
    }

    pub(super) fn stripes(&self) -> Vec<Stripe<'v>> {
        let Self { values, row_len, unit } = *self;
        let len = (STRIPE / row_len.max(1)).max(1) * row_len.max(1);
        let above = |at: usize| values.get((at * len).checked_sub(row_len)?..at * len);
        let stripes = values.chunks(len).enumerate();
        stripes.map(|(at, rows)| Stripe { rows, above: above(at), row_len, unit }).collect()
    }
}

impl Stripe<'_> {
    pub(super) fn compress(&self) -> io::Result<StripeStream> {
        let filtered = self.filtered();
        let mut compressor = fdeflate::Compressor::new(Vec::with_capacity(filtered.len() / 2))?;
        compressor.write_data(&filtered)?;
        let stream = compressor.finish()?;
        let (Some(blocks), Some(adler)) = (stream.get(2..stream.len() - 4), stream.last_chunk()) else {
            return Err(io::Error::other("a stream without an end"));
        };
        let stored = || filtered.chunks(usize::from(u16::MAX)).map(stored_block).collect::<Vec<_>>().concat();
        let is_smaller = blocks.len() < filtered.len();
        let blocks = if is_smaller { aligned(blocks.to_vec()) } else { stored() };
        Ok(StripeStream { blocks, adler: u32::from_be_bytes(*adler), len: filtered.len() })
    }

    /// The rows, each after the number of its filter.
    fn filtered(&self) -> Vec<u8> {
        let outside = vec![0; self.row_len];
        let mut above = self.above.unwrap_or(&outside);
        let mut filter = RowFilter::default();
        let mut filtered = Vec::with_capacity(self.rows.len() + self.rows.len() / self.row_len.max(1));
        for row in self.rows.chunks(self.row_len.max(1)) {
            filter.append(row, above, self.unit, &mut filtered);
            above = row;
        }
        filtered
    }
}

/// True if blocks of `fdeflate` are as this module needs them: one block, the last one, whose end of block ends with a one. Other
/// releases of it might have other codes.
pub(super) fn can_be_joined() -> bool {
    // The end of block, 1111 1111 0001, follows five bits.
    matches!(fdeflate::compress_to_vec(&[]).get(2..56), Some([237, .., 0b1110_1111, 0b0001_1111, 1]))
}

/// Blocks after which others may follow.
fn aligned(mut blocks: Vec<u8>) -> Vec<u8> {
    if let Some(first) = blocks.first_mut() {
        // The lowest bit of a block tells that it is the last one.
        *first &= !1;
    }
    // An empty stored block begins with three zeros. If the padding has less of them, they reach into the next byte.
    if blocks.last().is_some_and(|last| last.leading_zeros() < 3) {
        blocks.push(0);
    }
    blocks.extend([0, 0, 0xFF, 0xFF]);
    blocks
}

fn stored_block(bytes: &[u8]) -> Vec<u8> {
    let len = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
    [&[0][..], &len.to_le_bytes(), &(!len).to_le_bytes(), bytes].concat()
}

/// Pieces of the stream of a whole picture.
pub(super) fn join(stripes: Vec<StripeStream>) -> impl Iterator<Item = Vec<u8>> {
    let mut adler = 1;
    for stripe in &stripes {
        adler = combined(adler, stripe.adler, stripe.len);
    }
    let last = [&[1, 0, 0, 0xFF, 0xFF][..], &adler.to_be_bytes()].concat();
    // The header goes with the first blocks: some readers want it whole in the first chunk of the file.
    let header = |(at, stripe): (usize, StripeStream)| {
        if at == 0 { [&[0x78, 1], &*stripe.blocks].concat() } else { stripe.blocks }
    };
    stripes.into_iter().enumerate().map(header).chain([last])
}

/// Adler-32 of bytes that are followed by `len` others.
///
/// Its low half is 1 plus the sum of all bytes, its high half the sum of all low halves so far; both modulo 65521. The low half that
/// comes first is in each of the later ones, in place of the 1.
fn combined(first: u32, second: u32, len: usize) -> u32 {
    const BASE: u64 = 65_521;
    let [[low, high], [next_low, next_high]] =
        [first, second].map(|sum| [u64::from(sum & 0xFFFF), u64::from(sum >> 16)]);
    let before = low + BASE - 1;
    let high = (high + next_high + before % BASE * (len as u64 % BASE)) % BASE;
    let low = (before + next_low) % BASE;
    u32::try_from(high << 16 | low).unwrap_or_default()
}
