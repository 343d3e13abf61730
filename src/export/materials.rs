//! Materials of meshes, with their textures as separate picture files.
//!
//! Each texture is written once, however many meshes use it: after all meshes, unless its package is exported anyway. A
//! mesh only needs the future path of the file.

use super::asker::Asker;
use super::files::{Files, Target};
use super::options::{ExportForm, Levels};
use super::other;
use super::source::Source;
use super::wanted::{Owner, Purpose, Wanted};
use crate::asset::material::Packing;
use crate::asset::texture::{Shape, Texture};
use crate::asset::{Asset, Material, gltf};
use crate::package::ObjectPath;
use crate::package::legacy::PackageIndex;
use crate::values::{PackageInput, PackageJob};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Materials met so far, and the pictures they need.
#[derive(Default)]
pub(super) struct Materials {
    known: Mutex<HashMap<String, Option<Arc<Whole>>>>,
    textures: Mutex<HashMap<String, Option<Arc<Facts>>>>,
    wanted: Mutex<HashMap<(String, Purpose), Wanted>>,
    sprites: Mutex<Vec<Wanted>>,
}

/// A material with everything that it inherits.
pub(super) struct Whole {
    /// Its parameters, and those of its parents.
    pub(super) material: Material,
    /// Its parent, the parent's parent, and so on.
    pub(super) parents: Vec<ObjectPath>,
    /// The next parent, which was not found.
    pub(super) missing: Option<ObjectPath>,
}

/// Facts about a texture, known without decoding pixels.
struct Facts {
    item: PackageInput,
    /// True if its package is exported anyway.
    is_exported: bool,
    is_normal_map: bool,
    is_srgb: bool,
}

/// The most parents of a material that are followed.
const MAX_PARENTS: usize = 32;

impl Materials {
    /// The material of a mesh slot, as far as it can be found.
    pub(super) fn of(
        &self,
        source: &Source<'_, '_>,
        target: &Target,
        object: PackageIndex,
        slot: &str,
    ) -> gltf::Material {
        match source.loaded.package.path(object, source.scope.name()) {
            Some(path) => self.of_path(&source.asker(target), &path),
            None => gltf::Material::named(slot),
        }
    }

    /// The material of a path, as far as it can be found.
    pub(super) fn of_path(&self, asker: &Asker<'_>, path: &ObjectPath) -> gltf::Material {
        // A material that cannot be read still gives its name, so that it can be assigned by hand.
        let Some(whole) = self.whole(asker.job, path) else { return gltf::Material::named(path.name()) };
        let material = &whole.material;
        let facts = |texture: &ObjectPath| self.facts(asker.job, texture);
        let look = material.look(
            |texture| facts(texture).is_some_and(|facts| facts.is_normal_map),
            |texture| facts(texture).is_some_and(|facts| facts.is_srgb),
        );
        let picture =
            |texture: Option<&ObjectPath>, purpose: Purpose| self.picture(asker, texture?, &purpose);
        let surface = look.surface.as_ref();
        let packing = surface.map(|(_, packing)| *packing);
        let surface =
            surface.and_then(|(texture, packing)| picture(Some(texture), Purpose::Surface(*packing)));
        // glTF takes occlusion from the red channel. Only a packed texture has it there.
        let has_occlusion = packing.is_some_and(|packing| packing != Packing::Roughness);
        let occlusion = surface.clone().filter(|_| has_occlusion);
        let opacity = look.opacity_map.clone().filter(|map| facts(map).is_some());
        let base_color = match (&look.base_color, opacity) {
            (Some(color), Some(opacity)) => picture(Some(color), Purpose::Masked(opacity)),
            (None, Some(opacity)) => picture(Some(&opacity), Purpose::Opacity),
            (color, None) => picture(color.as_ref(), Purpose::Color),
        };
        let pictures = gltf::Pictures {
            base_color,
            normal: picture(look.normal.as_ref(), Purpose::Normal),
            metallic_roughness: surface,
            occlusion: occlusion.or_else(|| picture(look.occlusion.as_ref(), Purpose::Color)),
            emissive: picture(look.emissive.as_ref(), Purpose::Color),
        };
        let extras =
            Some(extras(material)).filter(|extras| extras.as_object().is_some_and(|of| !of.is_empty()));
        gltf::Material { name: path.name().to_owned(), look: Some(look), pictures, extras }
    }

    /// Takes the pictures that are not exported anyway, grouped by package.
    pub(super) fn take_wanted(&self) -> Vec<Vec<Wanted>> {
        let wanted = std::mem::take(&mut *lock(&self.wanted));
        let mut packages: HashMap<String, Vec<Wanted>> = HashMap::new();
        let sprites = std::mem::take(&mut *lock(&self.sprites));
        for wanted in wanted.into_values().filter(|wanted| !wanted.is_exported).chain(sprites) {
            packages.entry(wanted.item.name.clone()).or_default().push(wanted);
        }
        // Hash maps have no order: sort packages and pictures, so that every run writes the same.
        let mut packages: Vec<Vec<Wanted>> = packages.into_values().collect();
        for wanted in &mut packages {
            wanted.sort_by(|a, b| a.path.as_str().cmp(b.path.as_str()));
        }
        packages.sort_by(|a, b| {
            a.first().map(|wanted| &wanted.item.name).cmp(&b.first().map(|wanted| &wanted.item.name))
        });
        packages
    }

    /// A material with its inherited parameters.
    fn whole(&self, job: &PackageJob, path: &ObjectPath) -> Option<Arc<Whole>> {
        let key = path.to_string().to_lowercase();
        if let Some(known) = lock(&self.known).get(&key) {
            return known.clone();
        }
        let found = material(job, path).map(|found| Arc::new(Whole::new(job, path, found)));
        lock(&self.known).insert(key, found.clone());
        found
    }

    fn facts(&self, job: &PackageJob, path: &ObjectPath) -> Option<Arc<Facts>> {
        let key = path.to_string().to_lowercase();
        if let Some(known) = lock(&self.textures).get(&key) {
            return known.clone();
        }
        let found = self::facts(job, path).map(Arc::new);
        lock(&self.textures).insert(key, found.clone());
        found
    }

    /// Asks for a rectangle of a texture as the picture of a sprite; false if there is no such texture.
    pub(super) fn cut(
        &self,
        source: &Source<'_, '_>,
        (texture, at, size): (&ObjectPath, [u32; 2], [u32; 2]),
        files: &mut Files<'_>,
    ) -> bool {
        let Some(facts) = self.facts(source.job, texture) else { return false };
        let owner = Owner {
            package: source.item.package_name(),
            object: source.object.clone(),
            class: source.class.clone(),
        };
        lock(&self.sprites).push(Wanted {
            item: facts.item.clone(),
            object: texture.name().to_owned(),
            purpose: Purpose::Sprite(at, size),
            path: files.claim_later("png"),
            needed_by: source.item.name.clone(),
            is_exported: false,
            owner: Some(owner),
        });
        true
    }

    /// The path of a picture, relative to the file of the asset that needs it.
    pub(super) fn picture(
        &self,
        asker: &Asker<'_>,
        texture: &ObjectPath,
        purpose: &Purpose,
    ) -> Option<String> {
        let Asker { job, options, owner, target, with_pictures } = *asker;
        // A texture that is not found, or is no flat picture, leaves its slot empty.
        let facts = with_pictures.then(|| self.facts(job, texture))??;
        let is_as_it_is = matches!(purpose, Purpose::Color);
        // An export is only used as it is if it has the same content: unchanged colours, the best mip, and PNG.
        let is_exported = facts.is_exported
            && is_as_it_is
            && options.mips == Levels::Best
            && options.forms.wants(ExportForm::Png, true);
        let suffix = match purpose {
            // Sprites are named like themselves.
            Purpose::Color | Purpose::Sprite(..) => Cow::Borrowed(""),
            Purpose::Normal => "_OpenGL".into(),
            Purpose::Surface(_) => "_ORM".into(),
            Purpose::Masked(opacity) => format!("_{}", opacity.name()).into(),
            Purpose::Opacity => "_Opacity".into(),
        };
        let wanted = || Wanted {
            item: facts.item.clone(),
            object: texture.name().to_owned(),
            purpose: purpose.clone(),
            path: target.picture(&facts.item, texture.name(), &suffix, is_exported),
            needed_by: owner.name.clone(),
            is_exported,
            owner: None,
        };
        let key = (texture.to_string().to_lowercase(), purpose.clone());
        // The first asset to ask decides; later ones share the picture.
        let path = lock(&self.wanted).entry(key).or_insert_with(wanted).path.clone();
        Some(relative(owner.output.as_str(), path.as_str()))
    }
}

impl Whole {
    /// Materials inherit from their parents, up to the base material with the defaults.
    pub(super) fn new(job: &PackageJob, path: &ObjectPath, mut material: Material) -> Self {
        let (mut parents, mut missing) = (Vec::new(), None);
        // A crafted material may be its own ancestor; each parent is visited once.
        let mut seen = HashSet::from([path.to_string().to_lowercase()]);
        while let Some(path) = material.parent.take() {
            let is_new = seen.len() <= MAX_PARENTS && seen.insert(path.to_string().to_lowercase());
            let Some(parent) = is_new.then(|| self::material(job, &path)).flatten() else {
                missing = Some(path);
                break;
            };
            material.inherit(parent);
            parents.push(path);
        }
        Self { material, parents, missing }
    }
}

fn material(job: &PackageJob, path: &ObjectPath) -> Option<Material> {
    other::object(job, path, |scope, _, object| {
        object.properties.is_some().then(|| Material::new(scope, object))
    })
}

fn facts(job: &PackageJob, path: &ObjectPath) -> Option<Facts> {
    let (item, is_exported) = other::input(job, path)?;
    let (is_normal_map, is_srgb) =
        other::object(job, path, |scope, export, object| {
            match crate::asset::read(scope, export, object)?.ok()?.asset {
                Asset::Texture(texture) => picture_format(&texture)
                    .map(|format| (texture.is_normal_map(format), texture.settings.srgb)),
                _ => None,
            }
        })?;
    Some(Facts { item, is_exported, is_normal_map, is_srgb })
}

/// The format of a texture that is a single picture and can be stored as PNG.
fn picture_format(texture: &Texture<'_>) -> Option<crate::image::PixelFormat> {
    let format = match &texture.virtual_texture {
        // Several blocks (UDIM) become several files, which a glTF material cannot refer to.
        Some(tiles) if tiles.blocks.iter().all(|count| *count <= 1) => tiles.layers.first()?.format,
        Some(_) => return None,
        None => texture.format,
    };
    let is_flat = texture.shape == Shape::Flat && texture.slices == 1;
    (is_flat && format.layout().is_in_png()).then_some(format)
}

/// All parameters of a material, as glTF extras.
fn extras(material: &Material) -> Value {
    let mut extras = serde_json::Map::new();
    let textures = material.textures.iter().map(|(name, path)| (name.to_string(), json!(path.to_string())));
    // JSON has no NaN or infinity.
    let scalars = material.scalars.iter().filter(|(_, number)| number.is_finite());
    let scalars = scalars.map(|(name, number)| (name.to_string(), json!(number)));
    let vectors = material.vectors.iter().filter(|(_, vector)| vector.iter().all(|part| part.is_finite()));
    let vectors = vectors.map(|(name, vector)| (name.to_string(), json!(vector)));
    let switches = material.switches.iter().map(|(name, on)| (name.to_string(), json!(on)));
    let lists: [(&str, serde_json::Map<String, Value>); 4] = [
        ("textures", textures.collect()),
        ("scalars", scalars.collect()),
        ("vectors", vectors.collect()),
        ("switches", switches.collect()),
    ];
    extras.extend(
        lists
            .into_iter()
            .filter(|(_, list)| !list.is_empty())
            .map(|(name, list)| (name.to_owned(), list.into())),
    );
    extras.into()
}

/// The relative path from one file to another.
fn relative(from: &str, to: &str) -> String {
    let folders =
        |path: &str| path.rsplit_once('/').map_or_else(String::new, |(folder, _)| folder.to_owned());
    let (own, theirs) = (folders(from), folders(to));
    let split =
        |path: &str| path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (own, theirs) = (split(&own), split(&theirs));
    let common = own.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    let up = own.iter().skip(common).map(|_| "..".to_owned());
    let down = theirs.into_iter().skip(common);
    let name = to.rsplit('/').next().unwrap_or_default().to_owned();
    up.chain(down).chain([name]).collect::<Vec<_>>().join("/")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::relative;

    #[test]
    fn paths_lead_from_file_to_file() {
        assert_eq!(relative("a/b/SM.glb", "a/b/T.png"), "T.png");
        assert_eq!(relative("a/b/SM.glb", "a/c/d/T.png"), "../c/d/T.png");
        assert_eq!(relative("SM.glb", "a/T.png"), "a/T.png");
        assert_eq!(relative("a/SM.glb", "T.png"), "../T.png");
    }
}
