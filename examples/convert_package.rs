//! Rebuilds one package of a container as the cooker wrote it.
//!
//! ```text
//! cargo run --example convert_package -- MyGame/ /Game/Maps/Start out
//! ```

use std::error::Error;
use std::io::Write;
use std::sync::Arc;
use uncask::extract::legacy::{LegacyOptions, LegacyOutputs, LegacySelection, to_legacy};
use uncask::extract::{Filter, FilterSpec};
use uncask::job::{Budget, Context, Cpu};
use uncask::sink::DirectorySink;
use uncask::store::packages::Packages;
use uncask::store::{Store, StoreOptions};

/// Rebuilds the package that `PACKAGE` names, with its bulk data, below the folder `OUT`.
pub(crate) fn run(args: &[String], out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let [input, package, folder] = args else {
        return Err("usage: convert_package INPUT PACKAGE OUT".into());
    };
    let store = Store::open(&[input.into()], &[], &StoreOptions::default())?;
    let filter = Filter::new(&FilterSpec { patterns: vec![package.clone()], ..FilterSpec::default() })?;
    // Whatever chunk of a package was named, all of its chunks are taken.
    let selection = LegacySelection::new(&store, &filter.select(&store, false), false);
    let outputs = LegacyOutputs::new(&store, &selection);

    let memory = 256 << 20;
    let context = Context::new(Cpu::new(0)?, Budget::new(memory), true);
    let sink = Arc::new(DirectorySink::open(folder.as_ref())?);
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    // Imports are named by all packages of the store, and by its script objects.
    let packages = Packages::new(&store, memory);
    let job = to_legacy(packages, outputs, sink, &context, LegacyOptions::default());
    let outcome = runtime.block_on(job);

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
