//! Lists chunks: sizes, type and path.
//!
//! ```text
//! cargo run --example list -- testdata/demo '*.umap'
//! ```

use std::error::Error;
use std::io::Write;
use uncask::Game;

/// Lists what is in `INPUT` and matches one of the `PATTERN`s; all of it, if there are none.
pub(crate) fn run(args: &[String], out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let [input, patterns @ ..] = args else { return Err("usage: list INPUT [PATTERN…]".into()) };
    let game = Game::open(input)?;
    // A container that cannot be opened does not end the job: the others are there.
    for error in game.failed() {
        writeln!(out, "cannot be opened: {error}")?;
    }
    for chunk in game.matching(patterns.iter().map(String::as_str))?.chunks() {
        writeln!(out, "{:>10} {:<20} {}", chunk.len(), chunk.kind(), chunk.display_path())?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    run(&args, &mut std::io::stdout().lock())
}
