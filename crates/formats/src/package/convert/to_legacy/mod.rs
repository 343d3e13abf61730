//! Zen package to legacy package: restores what the container builder removed.
//!
//! ```text
//! zen header ──┬─ names ───────► A: used by export data, unchanged │ B: needed by the tables, sorted
//!              ├─ import map ──► imports: paths from neighbours, classes by rule         imports.rs, classes.rs
//!              ├─ export map ──► exports: rows, flags by rule                            exports.rs
//!              ├─ bundles ─────► preload dependencies                                    preload.rs, arcs.rs
//!              └─ bulk map ────► data resources                                          resources.rs
//! zen body ────┬─ from 5.3 the `.uexp` itself; before, sorted by export                  body.rs
//! └─ property tags ► end of script properties                             properties.rs
//! ```
//!
//! The result is a package as values. Written, it is the cooker's own file, byte for byte, as far as the zen
//! package still holds that file's content. Otherwise the asset is complete and loads, and a [`Loss`]
//! describes what is missing.
//!
//! UE 4.26 to 6.0. Source: the package sheet, sections 2 to 4, whose rules were drawn from pairs of zen and cooked files.

mod adjust;
mod arcs;
mod body;
mod check;
mod class;
mod class_heuristics;
mod classes;
mod converted;
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

pub use check::{CheckFault, check};
pub use converted::{Asset, Converted, Input, Target};
pub use engine::{Clue, Evidence, How, is_settled};
pub use error::ConvertError;
pub use loss::Loss;

use super::common::CONTAINS_MAP;
use crate::package::zen::Neighbours;
use engine::Engine;
use job::ConvertJob;

/// Converts a package into values; [`Converted::write`] makes files of them. `neighbours` supply script
/// objects and other packages.
pub fn convert<'a, N: Neighbours>(
    input: &Input<'a>,
    neighbours: &N,
    target: &Target,
) -> Result<Converted<'a>, ConvertError> {
    let engine = Engine::choose(input.header, target.release, input.evidence)?;
    let body = body::join(input.header, input.chunk)?;
    let mut job = ConvertJob::new(input, engine, &body, neighbours);
    // Order matters: classes need the imports' names, exports and dependencies need the table of imports.
    imports::name(&mut job);
    classes::assign(&mut job);
    exports::list(&mut job);
    preload::list(&mut job);
    resources::list(&mut job);
    let package = settle::settle(&mut job)?;
    let noted_len = settle::noted_len(&job, &package);
    // After settling, which may replace guesses.
    job.losses.extend(job.imports.guesses());
    if !engine.objects.has_saved_hash() {
        job.losses.push(Loss::PackageGuid);
    }
    let losses = job.losses;
    Ok(Converted {
        package,
        body,
        is_map: input.header.package_flags & CONTAINS_MAP != 0,
        release: engine.release,
        how: engine.how,
        left: engine.left,
        is_open: engine.is_open,
        losses,
        noted_len,
    })
}

#[cfg(test)]
mod tests;
