//! Decoded objects of a package.

use super::each::PackageJob;
use super::inputs::PackageInputs;
use super::json::{JsonForm, write};
use super::levels::LevelReader;
use super::loaded::Loaded;
use super::options::ValueOptions;
use super::unread::{UnreadCause, UnreadValues};
use crate::asset::{self, Summary};
use crate::bytecode::BlueprintSummary;
use crate::error::{Error, Result};
use crate::job::CancelToken;
use crate::package::legacy::{Export, Package, PackageIndex};
use crate::property::json::{FModel, Tree};
use crate::property::{FromValue, Member, Object, Value, ValuePlace};
use crate::store::packages::Packages;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::sync::Arc;

/// The decoded objects of a package.
///
/// ```
/// let game = uncask::Game::open("testdata/demo")?;
/// let objects = game.objects("/Game/Maps/Start")?;
/// for object in objects.iter() {
///     println!("{} ({})", object.path(), object.class());
///     for property in object.properties() {
///         println!("    {}", property.name);
///     }
/// }
/// let world = objects.find("Start").expect("the map");
/// assert_eq!(world.get::<i32>("Count"), Some(1));
/// # Ok::<(), uncask::GameError>(())
/// ```
pub struct Objects {
    job: PackageJob,
    loaded: Loaded,
    objects: Vec<Object>,
}

impl std::fmt::Debug for Objects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Objects").field("package", &self.loaded.path).finish_non_exhaustive()
    }
}

/// An object of a package.
#[derive(Debug, Clone, Copy)]
pub struct ObjectRef<'o> {
    of: &'o Objects,
    at: u32,
    export: &'o Export,
    object: &'o Object,
}

/// Reads the first of some packages; references may lead to all of them. `None` if there is none.
pub fn read_objects(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    options: ValueOptions,
    cancel: &CancelToken,
) -> Result<Option<Objects>> {
    let job = PackageJob::new(packages, inputs, options);
    let Some(item) = job.inputs.items().first() else { return Ok(None) };
    let loaded = job.load(item)?;
    let scope = job.scope(&loaded);
    // Checked per object: a large map takes seconds.
    let read = |export| cancel.check().map(|()| Object::read(&scope, export));
    let objects = loaded.package.exports.iter().map(read).collect::<Result<_>>()?;
    // The scope borrows what is moved into the result.
    drop(scope);
    Ok(Some(Objects { job, loaded, objects }))
}

/// Facts about an asset of a package.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AssetFacts {
    /// Path in its package.
    pub object: String,
    /// Its class.
    pub class: String,
    /// Summary of the asset; `None` if it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asset: Option<Summary>,
    /// Summary of a blueprint class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blueprint: Option<BlueprintSummary>,
    /// The error, if it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Reads the assets in the first of some packages, and no other objects.
pub fn read_assets(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    options: ValueOptions,
) -> Result<Vec<AssetFacts>> {
    let job = PackageJob::new(packages, inputs, options);
    let Some(item) = job.inputs.items().first() else { return Ok(Vec::new()) };
    let loaded = job.load(item)?;
    let scope = job.scope(&loaded);
    let package = &loaded.package;
    let known = (0..).zip(&package.exports).filter(|(_, export)| asset::is_known(&scope, export));
    let facts = known.filter_map(|(at, export)| {
        let object = Object::read(&scope, export);
        let found = asset::read(&scope, export, &object)?;
        let class = package.class_path(export).rsplit(['.', '/']).next().unwrap_or_default().to_owned();
        let (asset, problem) = match found {
            Ok(found) => (Some(Summary::new(&found.asset, &scope, &object)), None),
            Err(error) => (None, Some(error.to_string())),
        };
        Some(AssetFacts { object: path_of(package, at), class, asset, blueprint: None, problem })
    });
    let mut facts: Vec<AssetFacts> = facts.collect();
    facts.extend(BlueprintSummary::all(&scope).into_iter().filter_map(|(at, summary)| {
        let class = package.class_path(package.exports.get(at as usize)?);
        let class = class.rsplit(['.', '/']).next().unwrap_or_default().to_owned();
        let (object, blueprint) = (path_of(package, at), Some(summary));
        Some(AssetFacts { object, class, asset: None, blueprint, problem: None })
    }));
    Ok(facts)
}

/// The path of an export in its package.
fn path_of(package: &Package, at: u32) -> String {
    let path = PackageIndex::export(at).and_then(|index| package.path(index, ""));
    path.map(|path| path.in_package("").to_string()).unwrap_or_default()
}

impl Objects {
    /// The objects, in file order.
    pub fn iter(&self) -> impl Iterator<Item = ObjectRef<'_>> {
        let exports = (0..).zip(&self.loaded.package.exports).zip(&self.objects);
        exports.map(|((at, export), object)| ObjectRef { of: self, at, export, object })
    }

    /// The first object with this name, in any letter case.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<ObjectRef<'_>> {
        self.iter().find(|object| object.name().eq_ignore_ascii_case(name))
    }

    /// Takes the hash mismatch of the package, which could be read anyway; `None` from the second call on.
    pub const fn take_mismatch(&mut self) -> Option<Error> {
        self.loaded.mismatch.take()
    }

    /// True if objects could not be read for lack of mappings.
    #[must_use]
    pub fn lacks_mappings(&self) -> bool {
        self.unread().iter().any(|unread| unread.cause == UnreadCause::NoMappings)
    }

    /// Exports with unreadable values, grouped by cause.
    #[must_use]
    pub fn unread(&self) -> Vec<UnreadValues> {
        let unread = self.job.unread(&self.loaded);
        self.loaded
            .package
            .exports
            .iter()
            .zip(&self.objects)
            .for_each(|(export, object)| unread.see(export, object));
        if let Some(item) = self.job.inputs.items().first() {
            self.job.note_unread(item, unread);
        }
        self.job.unread.take()
    }

    /// True if no object has readable properties.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.iter().all(|object| object.properties.is_none())
    }

    /// The package as a JSON document.
    pub fn json(&self, form: JsonForm) -> Result<Vec<u8>> {
        let mut document = Vec::new();
        self.write_json(form, &mut document)?;
        Ok(document)
    }

    /// Writes the package as a JSON document. If the writer fails with an [`Error`], that error is returned.
    pub fn write_json(&self, form: JsonForm, out: impl std::io::Write) -> Result<()> {
        write((&self.job, &self.loaded), (form, &LevelReader::default()), &|_, _| (), out)
    }
}

impl<'o> ObjectRef<'o> {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> String {
        self.of.loaded.package.text(self.export.name).to_string()
    }

    /// Its path in the package: `Start.PersistentLevel` for an object inside `Start`.
    #[must_use]
    pub fn path(&self) -> String {
        let path = PackageIndex::export(self.at).and_then(|index| self.of.loaded.package.path(index, ""));
        path.map_or_else(|| self.name(), |path| path.in_package("").to_string())
    }

    /// Full path of its class, such as `/Script/Engine.World`.
    #[must_use]
    pub fn class(&self) -> String {
        self.of.loaded.package.class_path(self.export)
    }

    /// The property with this name, in any letter case.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Member<'o>> {
        self.object.properties.as_ref()?.find(&self.of.loaded.package, name)
    }

    /// The property with this name, in any letter case, as a Rust type; `None` if it does not exist or has another
    /// type.
    #[must_use]
    pub fn get<T: FromValue<'o>>(&self, name: &str) -> Option<T> {
        self.find(name)?.get()
    }

    /// Its properties.
    pub fn properties(&self) -> impl Iterator<Item = Member<'o>> {
        let list = self.object.properties.as_ref();
        list.into_iter().flat_map(|list| list.members(&self.of.loaded.package))
    }

    /// Summary of a texture, sound, mesh, skeleton or animation; `None` for others, or if it cannot be read.
    ///
    /// ```
    /// use uncask::asset::Summary;
    ///
    /// let game = uncask::Game::open("testdata/demo")?;
    /// let objects = game.objects("/Game/Textures/T_Rock")?;
    /// let rock = objects.find("T_Rock").and_then(|rock| rock.asset()).expect("a texture");
    /// assert!(matches!(&rock, Summary::Texture(rock) if (rock.width, rock.height) == (256, 256)));
    /// assert_eq!(rock.to_string(), "texture: PF_B8G8R8A8 256 x 256, sRGB, 2 mips, 1 of them in .ubulk");
    /// # Ok::<(), uncask::GameError>(())
    /// ```
    #[must_use]
    pub fn asset(&self) -> Option<Summary> {
        let scope = self.of.job.scope(&self.of.loaded);
        let found = asset::read(&scope, self.export, self.object)?.ok()?;
        Some(Summary::new(&found.asset, &scope, self.object))
    }

    /// All decoded data of the object.
    #[must_use]
    pub const fn object(&self) -> &'o Object {
        self.object
    }

    /// Calls `visit` with every value, its path, and its text if it contains no other values. Returning `false` skips
    /// the values inside it.
    pub fn walk(&self, visit: &mut dyn FnMut(&ValuePlace<'_>, &Value, Option<&str>) -> bool) {
        let scope = self.of.job.scope(&self.of.loaded);
        self.object.walk(&scope, &mut |place, value| visit(place, value, value.text(&scope).as_deref()));
    }

    /// A value with its type and contents, for any serializer.
    ///
    /// ```
    /// let game = uncask::Game::open("testdata/demo")?;
    /// let objects = game.objects("/Game/Maps/Start")?;
    /// let world = objects.find("Start").expect("the map");
    /// let count = world.find("Count").and_then(|count| count.value).expect("a value");
    /// let mut json = Vec::new();
    /// let mut to_json = serde_json::Serializer::new(&mut json);
    /// world.serialize_value(count, &mut to_json)?;
    /// assert_eq!(json, br#"{"Int":1}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn serialize_value<S: Serializer>(
        &self,
        value: &Value,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        let scope = self.of.job.scope(&self.of.loaded);
        Tree::new(&scope).value(value).serialize(serializer)
    }

    /// A value on a single line of about `limit` characters.
    #[must_use]
    pub fn line(&self, value: &Value, limit: usize) -> String {
        value.line(&self.of.job.scope(&self.of.loaded), limit)
    }
}

/// Serializes an object in FModel's form: `Type`, `Name`, `Class` and its `Properties`.
impl Serialize for ObjectRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let scope = self.of.job.scope(&self.of.loaded);
        let class = self.class();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("Type", class.rsplit(['.', '/']).next().unwrap_or_default())?;
        map.serialize_entry("Name", &self.name())?;
        map.serialize_entry("Class", &class)?;
        if let Some(list) = &self.object.properties {
            map.serialize_entry("Properties", &FModel::new(&scope).properties(list))?;
        }
        map.end()
    }
}
