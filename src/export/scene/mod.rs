//! Levels as scenes: one file for each, with all levels that it loads.
//!
//! ```text
//! World ──► Shown: components that the file shows ──► their meshes, package by package ──► nodes ──► .glb
//!           and counts of the others                  on all workers; bytes go to the disk   in the order of the levels
//!                                                                                                └► .usda, and one of each mesh
//! ```
//!
//! A mesh is in the file once, however many components have it; a component with other materials shares its vertices. What
//! is not in memory is the binary part, which waits in a file without a name until the JSON before it is known.

mod counts;
mod file;
mod grid_picture;
mod landscape;
mod lights;
mod meshes;
mod nodes;
mod part;
mod shown;
mod tiles;
mod usd;

pub use counts::{SceneCounts, UnshownReason};

use super::exporter::Exporter;
use super::files::Files;
use super::options::{ExportForm, Forms};
use super::outcome::{Exported, ExportedAssets, Left};
use crate::error::Result;
use crate::job::{Context, Failure, Outcome, Subject};
use crate::package::legacy::Package;
use crate::scene::read_world;
use crate::values::levels::LevelReader;
use crate::values::{PackageInput, PackageJob};
use file::Growing;
use shown::Shown;
use std::sync::Arc;

/// True if levels are exported as scenes.
pub(super) fn is_wanted(forms: &Forms) -> bool {
    [ExportForm::Scene, ExportForm::Usd].into_iter().any(|form| forms.wants(form, false))
}

/// True if a package has a level.
pub(super) fn is_level(package: &Package) -> bool {
    package.exports.iter().any(|export| {
        let class = package.class_path(export);
        class.eq_ignore_ascii_case("/Script/Engine.World") && !export.is_default_object()
    })
}

/// Writes a scene for each of some packages with levels.
pub(super) async fn scenes(
    job: &Arc<PackageJob>,
    exporter: &Arc<Exporter>,
    levels: &[PackageInput],
    context: &Context,
    outcome: &mut Outcome<ExportedAssets>,
) -> Result<()> {
    let reader = Arc::<LevelReader>::default();
    for item in levels {
        if outcome.cancelled || context.cancel_token().is_cancelled() {
            break;
        }
        if let Some(exported) = scene(job, exporter, (&reader, item), context, outcome).await? {
            outcome.done.add_scene(item, exported);
        }
    }
    Ok(())
}

/// Writes the scene of a level; `None` if it failed, which was reported.
async fn scene(
    job: &Arc<PackageJob>,
    exporter: &Arc<Exporter>,
    (reader, item): (&Arc<LevelReader>, &PackageInput),
    context: &Context,
    outcome: &mut Outcome<ExportedAssets>,
) -> Result<Option<Exported>> {
    let problems = outcome.failures.len();
    let Some(world) = read_world(job, reader, item, context, outcome).await? else {
        // A package that failed was reported.
        if outcome.failures.len() == problems && !context.cancel_token().is_cancelled() {
            let (object, class) = (item.stem().to_owned(), "World".to_owned());
            let left = Left { object, class, reason: "it has no level".to_owned() };
            outcome.done.left.push((item.package_name(), left));
        }
        return Ok(None);
    };
    let choice = Shown::new(&world, &exporter.options.scene, context.budget().total());
    let mut growing = Growing::new(&exporter.target, exporter.options.scene.heights)?;
    meshes::add_all(job, exporter, (&choice, item), &mut growing, (context, outcome)).await?;
    landscape::add_all(job, exporter, (&world, &choice, item), &mut growing, (context, outcome)).await?;
    meshes::add_materials(job, exporter, (&choice, item), &mut growing, context).await?;
    if context.cancel_token().is_cancelled() {
        return Ok(None);
    }
    let counts = nodes::add_all(&world, &choice, &exporter.options.scene, &mut growing)?;
    let name = item.stem().rsplit('/').next().unwrap_or_default().to_owned();
    let mut files = Files::new(&exporter.target, item, &name);
    let finished = growing.finish(&name, &exporter.options.forms, &mut files).and_then(|()| {
        let landscapes = if exporter.options.scene.textures { &*choice.landscapes } else { &[] };
        for (at, landscape) in landscapes.iter().enumerate() {
            let of = (at, &*landscape.name);
            let note = growing.tiles.write(of, landscape.whole(), &exporter.target, &mut files)?;
            if let Some(note) = note {
                growing.note(note);
            }
        }
        Ok(())
    });
    if let Err(error) = finished {
        // No space, for one, fails the scene; the job goes on as for any other file.
        let failure = Failure { subject: Subject::Package, path: item.name.clone(), error };
        outcome.failures.push(failure);
        return Ok(None);
    }
    let note = counts.note(&world, growing.notes());
    let made = Exported::new(name, "World".to_owned(), files.written);
    Ok(Some(Exported { note, scene: Some(counts), ..made }))
}
