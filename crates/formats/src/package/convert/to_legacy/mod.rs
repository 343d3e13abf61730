//! Zen package to legacy package: what the container builder took away, put back.
//!
//! ```text
//! zen header ──┬─ names ───────► A: used by export data, as they are │ B: needed by the tables, sorted
//!              ├─ import map ──► imports: paths from neighbours, classes by rule         imports.rs, classes.rs
//!              ├─ export map ──► exports: rows, flags by rule                            exports.rs
//!              ├─ bundles ─────► preload dependencies                                    preload.rs, arcs.rs
//!              └─ bulk map ────► data resources                                          resources.rs
//! zen body ────┬─ from 5.3 the `.uexp` itself; before, put in order of exports           body.rs
//!              └─ property tags ► where script properties end                            properties.rs
//! ```
//!
//! The result is the cooker's own file, byte for byte, wherever the zen package still holds what that file held. Where it
//! does not, the asset is complete and loads, and a [`Loss`] says what is missing.
//!
//! UE 4.26 to 6.0. Source: the package sheet, sections 2 to 4, whose rules were drawn from pairs of zen and cooked files.

mod adjust;
mod arcs;
mod asset;
mod body;
mod check;
mod class;
mod class_heuristics;
mod classes;
mod dictionary;
mod engine;
mod error;
mod exports;
mod import_table;
mod imports;
mod job;
mod loss;
mod names;
mod naming_conventions;
mod preload;
mod preload_lists;
mod properties;
mod resources;
mod settle;
mod uses;

pub use asset::{Asset, Input, Target};
pub use check::{CheckFault, check};
pub use engine::{Clue, Evidence, How, is_settled};
pub use error::ConvertError;
pub use loss::Loss;

use super::common::flags::CONTAINS_MAP;
use crate::package::legacy;
use crate::package::zen::Neighbours;
use engine::Engine;
use job::Job;

/// Converts a package. `neighbours` are asked for script objects and other packages.
pub fn convert<'a, N: Neighbours>(
    input: &Input<'a>,
    neighbours: &N,
    target: &Target,
) -> Result<Asset<'a>, ConvertError> {
    let engine = Engine::choose(input.header, target.release, input.evidence)?;
    let body = body::join(input.header, input.chunk)?;
    let mut job = Job::new(input, engine, &body, neighbours);
    imports::name(&mut job);
    classes::assign(&mut job);
    exports::list(&mut job);
    preload::list(&mut job);
    resources::list(&mut job);
    let package = settle::settle(&mut job)?;
    let mut header = settle::write(&job, package)?;
    job.losses.extend(job.imports.guesses());
    seal(&mut job, &mut header);
    let losses = job.losses;
    Ok(Asset {
        is_map: input.header.package_flags & CONTAINS_MAP != 0,
        header,
        exports: body,
        release: engine.release,
        how: engine.how,
        fitting: engine.fitting,
        losses,
    })
}

/// Puts the saved hash in, where there is one.
fn seal<N>(job: &mut Job<'_, N>, header: &mut [u8]) {
    if !job.engine.objects.has_saved_hash() {
        job.losses.push(Loss::PackageGuid);
        return;
    }
    let data = job.body.strip_suffix(&legacy::END_TAG).unwrap_or(job.body);
    legacy::set_saved_hash(header, data);
}

#[cfg(test)]
mod tests;
