//! Decodes Oodle streams again and again: the same code as WebAssembly and natively, on one thread. `run.mjs` takes the times.

use uncask_oodle::{Scratch, decompress};
use wasm_bindgen::prelude::wasm_bindgen;

/// Decodes a stream so many times; returns a sum of what it decodes to, or why it does not.
#[wasm_bindgen]
pub fn decode(stream: &[u8], raw_len: usize, rounds: u32) -> Result<u32, String> {
    let (mut raw, mut scratch) = (vec![0; raw_len], Scratch::default());
    for _ in 0..rounds {
        decompress(stream, &mut raw, &mut scratch).map_err(|error| error.to_string())?;
    }
    Ok(raw.iter().fold(0, |sum: u32, byte| sum.wrapping_mul(31).wrapping_add(u32::from(*byte))))
}
