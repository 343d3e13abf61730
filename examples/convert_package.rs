//! Rebuilds one package of a container as the cooker wrote it.
//!
//! ```text
//! cargo run --example convert_package -- MyGame/ /Game/Maps/Start out
//! ```

use std::error::Error;
use std::io::Write;
use uncask::Game;

/// Rebuilds the package that `PACKAGE` names, with its bulk data, below the folder `OUT`.
pub(crate) fn run(args: &[String], out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let [input, package, folder] = args else {
        return Err("usage: convert_package INPUT PACKAGE OUT".into());
    };
    let game = Game::open(input)?;
    // Whatever chunk of a package is named, all of its chunks are taken; imports are named by all packages of the game.
    let outcome = game.matching([package.as_str()])?.to_legacy(folder)?;

    for failure in outcome.problems() {
        writeln!(out, "{}: {}", failure.path, failure.error)?;
    }
    for asset in &outcome.done.assets {
        writeln!(out, "{} for {}: {} and {}", asset.package, asset.engine, asset.header, asset.exports)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    run(&args, &mut std::io::stdout().lock())
}
