//! Huffman arrays: a table of code lengths, then three or six interleaved bit streams.
//!
//! ```text
//!   3 streams:  lengths │ u16 a │ A →      │ C →    ← B │        output byte i: A, B, C for i mod 3 = 0, 1, 2
//!                               └─ a bytes ┘
//!   6 streams:  lengths │ u24 m │ three streams (m bytes): first half │ three streams: second half
//! ```
//!
//! A stream is read least significant bit first, B from its last byte back. No code is longer than 11 bits, so five
//! symbols fit into one 64-bit load.

#[cfg(not(feature = "safe-only"))]
mod fast;
mod streams;
mod table;

use crate::backend::Backend;
use crate::error::{Result, StreamPart};
use crate::views::Input;
use streams::{Body, Lanes};
pub(crate) use table::Table;

/// Decodes an array of three streams.
pub(super) fn decode_three(
    table: &mut Table,
    backend: Backend,
    payload: Input<'_>,
    dst: &mut [u8],
) -> Result<()> {
    let Some(body) = table.read(backend, payload, dst)? else { return Ok(()) };
    decode(table, backend, [Body::parse(body)?], [dst])
}

/// Decodes an array of six streams.
pub(super) fn decode_six(
    table: &mut Table,
    backend: Backend,
    payload: Input<'_>,
    dst: &mut [u8],
) -> Result<()> {
    let Some(mut body) = table.read(backend, payload, dst)? else { return Ok(()) };
    // One table serves both halves.
    let split = body.u24_le(StreamPart::HuffmanStream)?;
    let first = Body::parse(body.take(split, StreamPart::HuffmanStream)?)?;
    let (first_half, second_half) = dst.split_at_mut(dst.len().div_ceil(2));
    decode(table, backend, [first, Body::parse(body)?], [first_half, second_half])
}

/// Decodes each body into its output: as far as the fast loop gets, the rest symbol by symbol.
fn decode<const BODIES: usize>(
    table: &Table,
    backend: Backend,
    bodies: [Body<'_>; BODIES],
    mut outputs: [&mut [u8]; BODIES],
) -> Result<()> {
    let mut lanes = bodies.map(|body| Lanes::new(&body));
    let halves = outputs.each_mut().map(|output| &mut **output);
    let filled = match backend {
        Backend::Safe => streams::advance(table, &mut lanes, halves),
        #[cfg(not(feature = "safe-only"))]
        _ => fast::advance(table, backend, &mut lanes, halves),
    };
    // The plain loop also compares all cursors with their ends, whichever loop came first.
    for (lanes, output) in lanes.iter_mut().zip(&mut outputs) {
        lanes.finish(table, output.get_mut(filled..).unwrap_or_default())?;
    }
    Ok(())
}
