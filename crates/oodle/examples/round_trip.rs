//! Compresses a file in every way, checks that it comes back, and prints the sizes.
//!
//! ```text
//! cargo run --release --example round_trip -- FILE
//! ```
#![expect(clippy::print_stdout, reason = "a report")]

use std::error::Error;
use uncask_oodle::{Compressor, Matcher, Scratch, compress, decompress};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which file?")?;
    let raw = std::fs::read(path)?;
    // One of each for as many streams as there are.
    let (mut matcher, mut scratch) = (Matcher::default(), Scratch::default());
    for compressor in [Compressor::Kraken, Compressor::Mermaid, Compressor::Selkie] {
        let mut stored = Vec::new();
        compress(compressor, &raw, &mut stored, &mut matcher);
        // The stream does not record how long this has to be.
        let mut back = vec![0; raw.len()];
        decompress(&stored, &mut back, &mut scratch)?;
        if back != raw {
            return Err(format!("{compressor:?} does not come back").into());
        }
        println!("{compressor:?}: {} of {} bytes", stored.len(), raw.len());
    }
    Ok(())
}
