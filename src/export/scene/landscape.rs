//! Landscapes of a scene: a mesh for each component, and pictures of the whole.

use super::file::Growing;
use super::shown::{LandscapeComponent, Shown};
use super::tiles::Tile;
use crate::asset::gltf::{self, GltfError, MeshPart, Surface};
use crate::asset::{Asset, Material};
use crate::error::{Error, Result};
use crate::export::asker::Asker;
use crate::export::exporter::{ExportTally, Exporter, Opened, report_failures};
use crate::export::inner::InnerObjects;
use crate::export::outcome::{ExportedAssets, PackageMade};
use crate::export::source::Source;
use crate::job::{Context, Outcome, Worked};
use crate::level::Link;
use crate::level::landscape::{Grid, HeightPixels, Heights, LayerMask, Weights};
use crate::package::ObjectPath;
use crate::package::legacy::{Package, PackageIndex};
use crate::property::{Object, Scope};
use crate::scene::{Level, World};
use crate::values::{PackageInput, PackageJob};
use std::collections::HashMap;
use std::sync::Arc;

/// A component as a worker makes it.
struct Made {
    part: MeshPart,
    material: (String, gltf::Material),
    tile: Tile,
    note: Option<String>,
}

/// A package as a worker makes it: components, or why one is left out.
type Parts = (PackageMade, Vec<(LandscapeComponent, std::result::Result<Made, String>)>);

/// Texels of a height map, with what the user should know about them.
struct FoundPixels {
    pixels: HeightPixels,
    note: Option<String>,
}

/// Width and texels of a texture of weights.
type WeightTexels = Option<(u32, Arc<[u8]>)>;

/// A layer of a component, with the texture that has its weights.
struct Layer {
    mask: LayerMask,
    width: u32,
    texels: Arc<[u8]>,
}

/// Weight from which a vertex is in a hole: two thirds.
const HOLE: u8 = 170;

/// Adds all landscapes that are shown.
pub(super) async fn add_all(
    job: &Arc<PackageJob>,
    exporter: &Arc<Exporter>,
    (world, shown, owner): (&World, &Shown, &PackageInput),
    growing: &mut Growing,
    (context, outcome): (&Context, &mut Outcome<ExportedAssets>),
) -> Result<()> {
    let wanted: Vec<(usize, Vec<LandscapeComponent>)> = shown.landscape_components();
    let levels = wanted.iter().filter_map(|(level, _)| world.levels.get(*level));
    let items: Vec<PackageInput> = levels.clone().map(|level| level.item.clone()).collect();
    let jobs: Vec<(Level, Vec<LandscapeComponent>)> =
        levels.map(|level| level.level.clone()).zip(wanted.iter().map(|(_, of)| of.clone())).collect();
    let (exporter, owner) = (Arc::clone(exporter), owner.clone());
    let work = move |job: &PackageJob, at: usize, item: &PackageInput| -> Worked<_> {
        let mut loaded = job.load(item)?;
        let scope = job.scope(&loaded);
        let (unread, inner) = (job.unread(&loaded), InnerObjects::default());
        let opened = Opened {
            job,
            item,
            owner: &owner,
            loaded: &loaded,
            scope: &scope,
            unread: &unread,
            inner: &inner,
        };
        let (mut package, mut parts) = (PackageMade::default(), Vec::new());
        if let Some((level, wanted)) = jobs.get(at) {
            for of in wanted {
                match exporter.landscape(&opened, (level, of), &mut package) {
                    Ok(made) => parts.push((of.clone(), made)),
                    Err(why) => parts.push((of.clone(), Err(why.to_string()))),
                }
            }
        }
        job.note_unread(item, unread);
        drop(scope);
        Ok(((package, parts), loaded.take_mismatch()))
    };
    let mut materials: HashMap<String, usize> = HashMap::new();
    let (count, raw_bytes) = (outcome.count, outcome.raw_bytes);
    let done = |tally: &mut ExportTally<'_>, item: &PackageInput, (mut package, parts): Parts| {
        report_failures(tally, item, &mut package);
        for (of, made) in parts {
            let made = match made {
                Ok(made) => made,
                Err(why) => {
                    growing.note(format!("a part of a landscape is left out: {why}"));
                    continue;
                }
            };
            made.note.into_iter().for_each(|note| growing.note(note));
            let (key, material) = &made.material;
            let file = &mut growing.file;
            let material = *materials.entry(key.clone()).or_insert_with(|| file.add_material(material));
            growing.add_landscape(&of, made.part, material)?;
            growing.tiles.add(of.landscape, &made.tile)?;
        }
        Ok(())
    };
    job.each_of(&items, context, outcome, work, done).await?;
    // These packages are not inputs, so they are not counted.
    (outcome.count, outcome.raw_bytes) = (count, raw_bytes);
    Ok(())
}

impl Exporter {
    /// Makes a component into a mesh. The text says why there is none.
    fn landscape(
        &self,
        opened: &Opened<'_, '_>,
        (level, of): (&Level, &LandscapeComponent),
        made: &mut PackageMade,
    ) -> Result<std::result::Result<Made, String>> {
        let Some(component) = level.components.get(of.component) else { return Ok(Err(String::new())) };
        let values = &component.component.values.landscape;
        let grid = Grid::new(values).map_err(Error::malformed("landscape", &opened.loaded.path))?;
        let Some(Link(Some(texture))) = &values.height_map else {
            return Ok(Err("it has no heights".to_owned()));
        };
        let FoundPixels { pixels, note } = match self.pixels(opened, texture, made) {
            Ok(found) => found,
            Err(why) => return Ok(Err(why)),
        };
        let [_, _, bias_x, bias_y] = values.height_scale.unwrap_or_default();
        let heights = Heights::new(grid, [bias_x, bias_y], &pixels);
        let heights = heights.map_err(Error::malformed("landscape", &opened.loaded.path))?;
        let layers = self.layers(opened, (values.materials.as_deref(), made));
        let [_, _, weight_x, weight_y] = values.weight_scale.unwrap_or_default();
        let weights: Vec<(LayerMask, Vec<u8>)> = layers
            .into_iter()
            .filter_map(|Layer { mask, width, texels }| {
                let Weights(weights) =
                    Weights::new(grid, [weight_x, weight_y], (width, &texels), mask.channel)?;
                Some((mask, weights))
            })
            .collect();
        let holes = weights.iter().find(|(mask, _)| mask.is_holes());
        let holes: Vec<bool> = holes
            .map(|(_, weights)| weights.iter().map(|weight| *weight >= HOLE).collect())
            .unwrap_or_default();
        let side = heights.side;
        let z: Vec<f64> =
            (0..side).flat_map(|y| (0..side).map(move |x| (x, y))).map(|(x, y)| heights.z(x, y)).collect();
        let normals = normals(&heights, &z, component.place.scale);
        let actor = level.actors.get(component.component.actor);
        let material = actor.and_then(|actor| match &actor.values.landscape.material {
            Some(Link(path)) => path.as_ref(),
            None => None,
        });
        let surface =
            Surface { side, heights: &z, normals: &normals, first: of.first, whole: of.whole, holes: &holes };
        let part = match MeshPart::of_surface(&surface, "landscape") {
            Ok(part) => part,
            Err(GltfError::Empty) => return Ok(Err("it is one hole".to_owned())),
            Err(error) => return Ok(Err(error.to_string())),
        };
        let asker = Asker {
            job: opened.job,
            options: &self.options,
            owner: opened.owner,
            target: &self.target,
            with_pictures: self.options.scene.textures,
        };
        let material = match material {
            Some(path) => (path.to_string().to_lowercase(), self.materials.of_path(&asker, path)),
            None => (String::new(), gltf::Material::named("Landscape")),
        };
        let layers = weights.into_iter().map(|(mask, weights)| (mask.layer, weights)).collect();
        let tile = Tile { first: of.first, side, heights: heights.heights, layers };
        Ok(Ok(Made { part, material, tile, note }))
    }

    /// The texels of a height map: its own, or those of the object that has them in its place. The text says why there are none.
    fn pixels(
        &self,
        opened: &Opened<'_, '_>,
        texture: &ObjectPath,
        made: &mut PackageMade,
    ) -> std::result::Result<FoundPixels, String> {
        let package = &opened.loaded.package;
        let Some((at, export)) = export_of(package, opened.scope, texture) else {
            return Err("its heights are not there".to_owned());
        };
        let index = PackageIndex::export(at);
        let inner = (0..).zip(&package.exports).find(|(_, export)| {
            Some(export.outer) == index
                && package.class_path(export).ends_with("TextureStorageProviderFactory")
        });
        let mut found = None;
        self.asset(opened, inner.unwrap_or((at, export)), made, |source, _| {
            found = match &source.found.asset {
                Asset::HeightMap(map) => stored(source, map)?,
                Asset::Texture(_) => texels(source)?.map(|(width, bytes, whole)| {
                    let note = (!whole)
                        .then(|| "the largest mips of a height map are not there: it is coarser".to_owned());
                    FoundPixels { pixels: HeightPixels::of_texels(width, &bytes), note }
                }),
                _ => None,
            };
            Ok(None)
        });
        found.ok_or_else(|| "its heights cannot be read".to_owned())
    }

    /// The layers of a component, each with the width and the texels of its texture.
    fn layers(
        &self,
        opened: &Opened<'_, '_>,
        (materials, made): (Option<&[Link]>, &mut PackageMade),
    ) -> Vec<Layer> {
        let Some([Link(Some(material)), ..]) = materials else { return Vec::new() };
        let package = &opened.loaded.package;
        let Some((_, export)) = export_of(package, opened.scope, material) else { return Vec::new() };
        let mut material = Material::new(opened.scope, &Object::read(opened.scope, export));
        // The instance of a component may extend another one of the same package, which has the layers.
        for _ in 0..4 {
            let Some(parent) = material.parent.take() else { break };
            let Some((_, export)) = export_of(package, opened.scope, &parent) else { break };
            material.inherit(Material::new(opened.scope, &Object::read(opened.scope, export)));
        }
        let masks = LayerMask::of_material(&material);
        let mut found: HashMap<String, WeightTexels> = HashMap::new();
        let mut layers = Vec::new();
        for mask in masks {
            let key = mask.texture.to_string();
            if !found.contains_key(&key) {
                let mut read = None;
                if let Some((at, export)) = export_of(package, opened.scope, &mask.texture) {
                    self.asset(opened, (at, export), made, |source, _| {
                        read = texels(source)?.map(|(width, bytes, _)| (width, Arc::from(bytes)));
                        Ok(None)
                    });
                }
                found.insert(key.clone(), read);
            }
            if let Some((width, texels)) = found.get(&key).cloned().flatten() {
                layers.push(Layer { mask, width, texels });
            }
        }
        layers
    }
}

/// The export of a path, in its own package.
fn export_of<'p>(
    package: &'p Package,
    scope: &Scope<'_>,
    path: &ObjectPath,
) -> Option<(u32, &'p crate::package::legacy::Export)> {
    let name = path.name();
    let mut exports = (0..).zip(&package.exports);
    exports.find(|(at, export)| {
        package.text(export.name).to_string().eq_ignore_ascii_case(name)
            && PackageIndex::export(*at).and_then(|index| package.path(index, scope.name())).as_ref()
                == Some(path)
    })
}

/// The heights of the best resolution whose data is there.
fn stored(source: &Source<'_, '_>, map: &crate::asset::HeightMap<'_>) -> Result<Option<FoundPixels>> {
    for (level, mip) in map.mips.iter().enumerate() {
        let Some(bytes) = source.bulk(&mip.data)? else { continue };
        let heights = map.heights(level, &bytes);
        let heights = heights.map_err(Error::malformed("height map", &source.loaded.path))?;
        let [width, _] = mip.size;
        let note = (level > 0).then(|| "the largest mips of a height map are not there".to_owned());
        let pixels = HeightPixels { width, heights, normals: Vec::new() };
        return Ok(Some(FoundPixels { pixels, note }));
    }
    Ok(None)
}

/// Width and texels of a texture's largest mip whose data is there, and true if it is the largest of all; `None` if it has no
/// texels of blue, green, red and alpha.
fn texels(source: &Source<'_, '_>) -> Result<Option<(u32, Vec<u8>, bool)>> {
    let Asset::Texture(texture) = &source.found.asset else { return Ok(None) };
    if texture.format.name() != "PF_B8G8R8A8" {
        return Ok(None);
    }
    for (level, mip) in texture.mips.iter().enumerate() {
        let Some(bytes) = source.bulk(&mip.data)? else { continue };
        return Ok(Some((mip.width, bytes.into_owned(), level == 0)));
    }
    Ok(None)
}

/// Normals in the space of the component: the stored ones, which are those of the world, or those of the heights.
fn normals(heights: &Heights, z: &[f64], scale: [f64; 3]) -> Vec<[f32; 3]> {
    if !heights.normals.is_empty() {
        let of_world = |normal: &[f32; 3]| {
            let [x, y, z] = *normal;
            unit([f64::from(x) * scale[0], f64::from(y) * scale[1], f64::from(z) * scale[2]])
        };
        return heights.normals.iter().map(of_world).collect();
    }
    let side = heights.side as usize;
    let at = |x: usize, y: usize| z.get(y * side + x).copied().unwrap_or_default();
    let last = side.saturating_sub(1);
    let slope = |below: usize, above: usize, of: &dyn Fn(usize) -> f64| {
        #[expect(clippy::cast_precision_loss, reason = "one or two")]
        let steps = (above - below).max(1) as f64;
        (of(above) - of(below)) / steps
    };
    let normal = |(x, y): (usize, usize)| {
        let along_x = slope(x.saturating_sub(1), (x + 1).min(last), &|x| at(x, y));
        let along_y = slope(y.saturating_sub(1), (y + 1).min(last), &|y| at(x, y));
        unit([-along_x, -along_y, 1.0])
    };
    (0..side).flat_map(|y| (0..side).map(move |x| (x, y))).map(normal).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "files have floats")]
fn unit(of: [f64; 3]) -> [f32; 3] {
    let length = of.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length.is_normal() { of.map(|part| (part / length) as f32) } else { [0.0, 0.0, 1.0] }
}
