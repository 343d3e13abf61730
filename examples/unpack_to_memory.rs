//! Unpacks chunks into memory instead of a folder.
//!
//! ```text
//! cargo run --example unpack_to_memory -- testdata/demo '*.umap'
//! ```

use std::error::Error;
use std::io::Write;
use std::sync::Arc;
use uncask::extract::{Filter, FilterSpec, Outputs, UnpackOptions, unpack};
use uncask::job::{Budget, Context, Cpu};
use uncask::sink::MemorySink;
use uncask::store::{Store, StoreOptions};

/// Unpacks what is in `INPUT` and matches one of the `PATTERN`s, and says what is in memory then.
pub(crate) fn run(args: &[String], out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let [input, patterns @ ..] = args else {
        return Err("usage: unpack_to_memory INPUT [PATTERN…]".into());
    };
    let store = Store::open(&[input.into()], &[], &StoreOptions::default())?;
    let filter = Filter::new(&FilterSpec { patterns: patterns.to_vec(), ..FilterSpec::default() })?;
    let outputs = Outputs::new(&store, &filter.select(&store, false), None);

    // A clone is another handle of the same files.
    let sink = MemorySink::default();
    let context = Context::new(Cpu::new(0)?, Budget::new(64 << 20), true);
    let options = UnpackOptions { verify: true, strict: true, ..UnpackOptions::default() };
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let job = unpack(&store, outputs, Arc::new(sink.clone()), &context, options);
    let outcome = runtime.block_on(job);

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
