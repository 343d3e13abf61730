//! Lists chunks: sizes, type and path.
//!
//! ```text
//! cargo run --example list -- testdata/demo '*.umap'
//! ```

use std::error::Error;
use std::io::Write;
use uncask::extract::{Filter, FilterSpec};
use uncask::store::{Store, StoreOptions};

/// Lists what is in `INPUT` and matches one of the `PATTERN`s; all of it, if there are none.
pub(crate) fn run(args: &[String], out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let [input, patterns @ ..] = args else { return Err("usage: list INPUT [PATTERN…]".into()) };
    let store = Store::open(&[input.into()], &[], &StoreOptions::default())?;
    // A container that cannot be opened does not end the job: the others are there.
    for error in store.failed() {
        writeln!(out, "cannot be opened: {error}")?;
    }
    let filter = Filter::new(&FilterSpec { patterns: patterns.to_vec(), ..FilterSpec::default() })?;
    for entry in filter.select(&store, false) {
        let Some(container) = store.container(entry) else { continue };
        let (len, kind) =
            (container.table().chunk_len(entry.chunk), container.table().chunk_kind(entry.chunk));
        writeln!(out, "{len:>10} {kind:<20} {}", store.display_path(entry))?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    run(&args, &mut std::io::stdout().lock())
}
