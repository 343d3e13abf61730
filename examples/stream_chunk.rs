//! Streams one chunk as `tokio::io::AsyncRead`, in bounded memory, and counts its lines.
//!
//! ```text
//! cargo run --example stream_chunk -- testdata/demo '*.ini'
//! ```

use std::error::Error;
use std::io::Write;
use tokio::io::{AsyncBufReadExt, BufReader};
use uncask::GameOptions;

/// Counts bytes and lines of the first chunk in `INPUT` that `PATTERN` matches.
pub(crate) fn run(args: &[String], out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let [input, pattern] = args else { return Err("usage: stream_chunk INPUT PATTERN".into()) };
    // All threads, 16 MiB for data in flight, and hashes are checked: a chunk of any size fits.
    let game = GameOptions::default().memory(16 << 20).open(input)?;
    let chunk = game.matching([pattern.as_str()])?.chunks().next().ok_or("nothing matches")?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let (bytes, lines) = runtime.block_on(async {
        let mut content = BufReader::new(game.stream(chunk.entry())?);
        let (mut bytes, mut lines, mut line) = (0, 0, Vec::new());
        loop {
            line.clear();
            match content.read_until(b'\n', &mut line).await? {
                0 => return Ok::<_, Box<dyn Error>>((bytes, lines)),
                read => (bytes, lines) = (bytes + read, lines + 1),
            }
        }
    })?;
    writeln!(out, "{}: {bytes} bytes, {lines} lines", chunk.display_path())?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    run(&args, &mut std::io::stdout().lock())
}
