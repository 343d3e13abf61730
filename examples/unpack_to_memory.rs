//! Unpacks chunks into memory instead of a folder.
//!
//! ```text
//! cargo run --example unpack_to_memory -- testdata/demo '*.umap'
//! ```

use std::error::Error;
use std::io::Write;
use std::sync::Arc;
use uncask::game::{Filter, FilterSpec, Game, MemorySink, UnpackOptions};

/// Unpacks what is in `INPUT` and matches one of the `PATTERN`s, and says what is in memory then.
pub(crate) fn run(args: &[String], out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let [input, patterns @ ..] = args else {
        return Err("usage: unpack_to_memory INPUT [PATTERN…]".into());
    };
    let game = Game::open(input)?;
    let filter = Filter::new(&FilterSpec { patterns: patterns.to_vec(), ..FilterSpec::default() })?;
    let outputs = game.outputs(&game.select(&filter, false), None);

    // A clone is another handle of the same files.
    let sink = MemorySink::default();
    let options = UnpackOptions { verify: true, strict: true, ..UnpackOptions::default() };
    let outcome = game.unpack(outputs, Arc::new(sink.clone()), options)?;

    for failure in outcome.problems() {
        writeln!(out, "{}: {}", failure.path, failure.error)?;
    }
    for (path, bytes) in sink.files() {
        writeln!(out, "{path}: {} bytes", bytes.len())?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    run(&args, &mut std::io::stdout().lock())
}
