//! Meshes and materials of a scene, read on all workers.

use super::file::{AddedMesh, Growing};
use super::part::{ScenePart, scene_part};
use super::shown::{Shown, WantedMesh};
use crate::asset::gltf;
use crate::error::Result;
use crate::export::asker::Asker;
use crate::export::exporter::{ExportTally, Exporter, Opened, report_failures};
use crate::export::files::Files;
use crate::export::inner::InnerObjects;
use crate::export::outcome::{ExportedAssets, PackageMade};
use crate::job::{Context, Outcome, Worked, on_worker};
use crate::values::{PackageInput, PackageJob};
use std::collections::HashMap;
use std::sync::Arc;

/// Meshes of one package, with their positions in the list.
type Wanted = Vec<(usize, WantedMesh)>;

/// A package as a worker makes it.
struct Made {
    package: PackageMade,
    parts: Vec<(usize, ScenePart)>,
}

/// Adds all meshes that are shown. Those that are not there stay away.
pub(super) async fn add_all(
    job: &Arc<PackageJob>,
    exporter: &Arc<Exporter>,
    (shown, owner): (&Shown, &PackageInput),
    growing: &mut Growing,
    (context, outcome): (&Context, &mut Outcome<ExportedAssets>),
) -> Result<()> {
    growing.meshes = vec![None; shown.meshes.len()];
    let (items, wanted) = packages(job, owner, &shown.meshes);
    let (wanted, exporter, owner) = (Arc::new(wanted), Arc::clone(exporter), owner.clone());
    let work = move |job: &PackageJob, at: usize, item: &PackageInput| -> Worked<Made> {
        let own = wanted.get(at).map_or(&[][..], Vec::as_slice);
        exporter.scene_parts(job, (item, &owner), own)
    };
    // Materials by their paths, of all meshes.
    let mut materials: HashMap<String, usize> = HashMap::new();
    let (count, raw_bytes) = (outcome.count, outcome.raw_bytes);
    let done = |tally: &mut ExportTally<'_>, item: &PackageInput, mut made: Made| {
        report_failures(tally, item, &mut made.package);
        let package = item.package_name();
        let lists = [(made.package.failed_assets, true), (made.package.left, false)];
        for (assets, failed) in lists {
            let assets = assets.into_iter().map(|asset| (package.clone(), asset));
            let done = &mut tally.outcome.done;
            if failed { done.failed.extend(assets) } else { done.left.extend(assets) }
        }
        for (at, part) in made.parts {
            part.note.into_iter().for_each(|note| growing.note(note));
            let mut slots = Vec::with_capacity(part.materials.len());
            for (key, material) in &part.materials {
                let file = &mut growing.file;
                slots.push(*materials.entry(key.clone()).or_insert_with(|| file.add_material(material)));
            }
            let triangles = part.part.triangles();
            let number = growing.file.add_mesh(&part.name, part.part);
            growing.spool()?;
            if let Some(place) = growing.meshes.get_mut(at) {
                *place = Some(AddedMesh { number, slots, triangles });
            }
        }
        Ok(())
    };
    job.each_of(&items, context, outcome, work, done).await?;
    // These packages are not inputs, so they are not counted.
    (outcome.count, outcome.raw_bytes) = (count, raw_bytes);
    Ok(())
}

/// Meshes that a worker makes of a package before they are on disk: a mesh may be bent along any number of curves.
const AT_ONCE: usize = 16;

/// The packages of meshes, and what is wanted of each. A package of which much is wanted is there more than once.
fn packages(
    job: &PackageJob,
    owner: &PackageInput,
    meshes: &[WantedMesh],
) -> (Vec<PackageInput>, Vec<Wanted>) {
    let (mut items, mut wanted): (Vec<PackageInput>, Vec<Wanted>) = (Vec::new(), Vec::new());
    let mut known: HashMap<String, Option<usize>> = HashMap::new();
    for (at, mesh) in meshes.iter().enumerate() {
        let of = known.entry(mesh.path.package().to_lowercase()).or_insert_with(|| {
            items.push(job.library.input_anywhere(mesh.path.package(), owner)?);
            wanted.push(Vec::new());
            Some(items.len() - 1)
        });
        let Some(item) = *of else { continue };
        let is_full = wanted.get(item).is_some_and(|wanted| wanted.len() >= AT_ONCE);
        if let (true, Some(again)) = (is_full, items.get(item).cloned()) {
            items.push(again);
            wanted.push(Vec::new());
            *of = Some(items.len() - 1);
        }
        if let Some(wanted) = of.and_then(|of| wanted.get_mut(of)) {
            wanted.push((at, mesh.clone()));
        }
    }
    (items, wanted)
}

impl Exporter {
    /// Makes meshes of a package into parts of a scene. `owner` is the package of the scene.
    fn scene_parts(
        &self,
        job: &PackageJob,
        (item, owner): (&PackageInput, &PackageInput),
        wanted: &[(usize, WantedMesh)],
    ) -> Worked<Made> {
        let mut loaded = job.load(item)?;
        let mut made = Made { package: PackageMade::default(), parts: Vec::new() };
        let scope = job.scope(&loaded);
        let (unread, inner) = (job.unread(&loaded), InnerObjects::default());
        let opened =
            Opened { job, item, owner, loaded: &loaded, scope: &scope, unread: &unread, inner: &inner };
        for (at, export) in (0..).zip(&loaded.package.exports) {
            let name = loaded.package.text(export.name).to_string();
            // A mesh that is bent along many curves becomes one for each.
            for (number, wanted) in wanted.iter().filter(|(_, of)| of.path.name().eq_ignore_ascii_case(&name))
            {
                let Made { package, parts } = &mut made;
                self.asset(&opened, (at, export), package, |source, files: &mut Files<'_>| {
                    Ok(match scene_part(source, &self.materials, files.target)? {
                        Ok(mut part) => {
                            wanted.bend.iter().for_each(|bend| part.part.bend(bend));
                            parts.push((*number, part));
                            None
                        }
                        Err(why) => Some(why),
                    })
                });
            }
        }
        job.note_unread(item, unread);
        drop(scope);
        Ok((made, loaded.take_mismatch()))
    }
}

/// Adds the materials that take the place of those of meshes.
pub(super) async fn add_materials(
    job: &Arc<PackageJob>,
    exporter: &Arc<Exporter>,
    (shown, owner): (&Shown, &PackageInput),
    growing: &mut Growing,
    context: &Context,
) -> Result<()> {
    let (job, exporter, own) = (Arc::clone(job), Arc::clone(exporter), owner.clone());
    let paths = shown.materials.clone();
    let work = move || {
        let asker = Asker {
            job: &job,
            options: &exporter.options,
            owner: &own,
            target: &exporter.target,
            with_pictures: exporter.options.scene.textures,
        };
        Ok(paths.iter().map(|path| exporter.materials.of_path(&asker, path)).collect::<Vec<gltf::Material>>())
    };
    let made = on_worker(context, owner.name.clone(), work).await?;
    growing.materials = made.iter().map(|material| growing.file.add_material(material)).collect();
    Ok(())
}
