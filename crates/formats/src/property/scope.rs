//! The context of values: names and objects of their package, and schemas of structs and classes.

use super::class::Class;
use super::kind::{StructName, Word};
use super::layout::Layout;
use super::remembered::Remembered;
use super::schema::{Enumeration, Schema};
use super::schemas::Schemas;
use super::tag::CompleteType;
use crate::package::legacy::{Export, Name, Package, PackageIndex, PackageRef};
use crate::version::{CustomVersionKey, PropertyVersions, Release};
use crate::wire::{Fault, FaultKind, Reader};
use foldhash::HashMap;
use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

/// Everything outside a package.
pub trait World {
    /// The schema of a non-native struct or class of another package.
    fn schema(&self, _package: &str, _name: &str) -> Option<Arc<Schema>> {
        None
    }

    /// The package of a native struct or enum; needed to write a new tag.
    fn package_of(&self, _name: &str) -> Option<Arc<str>> {
        None
    }

    /// The path of a package's file in the game without extensions, such as `Game/Content/Items/Sword`.
    fn file_of(&self, _package: &str) -> Option<String> {
        None
    }

    /// The export index of an object in another package; `names` lead to it, outermost first.
    fn export_index(&self, _package: &str, _names: &[Arc<str>]) -> Option<u32> {
        None
    }
}

/// An empty world: the package alone.
impl World for () {}

/// Length of a [build](Scope::build) in hex digits.
const BUILD_LEN: usize = 16;

/// A package, with everything needed to read its property data.
pub struct Scope<'a> {
    /// The package.
    pub package: &'a Package,
    /// Its versions.
    pub versions: PropertyVersions,
    pub(super) mappings: Option<&'a Schemas>,
    pub(super) world: &'a dyn World,
    /// The bytes of its exports; the first one is at `data_at` in the package's offsets.
    data: &'a [u8],
    data_at: u64,
    /// Total length of all exports in bytes, overlaps counted repeatedly.
    claimed: u64,
    /// Number of names at the start of the table that data may refer to.
    name_count: usize,
    /// The name of the package, as other packages spell it.
    pub(super) own_name: Arc<str>,
    /// Texts of names without numbers.
    names: RefCell<Vec<Option<Arc<str>>>>,
    pub(super) layouts: RefCell<HashMap<Box<str>, Option<Arc<Layout>>>>,
    /// Schemas of the structs and classes in the package, by export; `None` while one is being read.
    pub(super) own: RefCell<HashMap<u32, Option<Arc<Schema>>>>,
    pub(super) own_enums: RefCell<HashMap<Box<str>, Option<Arc<Enumeration>>>>,
    pub(super) places: OnceCell<Places>,
    /// Recursion depth while resolving schemas of the package.
    pub(super) depth: Cell<u8>,
    /// Classes with their bases, by object index.
    pub(super) classes: RefCell<HashMap<i32, Arc<Class>>>,
    /// Names of structs and classes by their indices.
    struct_names: RefCell<HashMap<i32, Option<StructName>>>,
    /// Names as types; `None` if not looked up yet.
    words: RefCell<Vec<Option<Word>>>,
    types: RefCell<Types>,
    /// The texts of references.
    pub(super) references: Remembered,
}

/// The types in tags: a package has few, each used by many tags.
#[derive(Default)]
struct Types {
    /// The type read last for each property name.
    last: Vec<Option<Arc<CompleteType>>>,
    /// All types, by their bytes.
    all: HashMap<Box<[u8]>, Arc<CompleteType>>,
}

/// Export indices of the structs and enums of a package, by name. Of several with the same name, the first
/// one wins.
#[derive(Default)]
pub(super) struct Places {
    pub(super) structs: HashMap<u128, u32>,
    pub(super) enums: HashMap<u128, u32>,
}

impl std::fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scope").field("package", &self.own_name).finish_non_exhaustive()
    }
}

/// Limit of the exports' total length, as a multiple of the data's. Exports of real packages do not
/// overlap.
const MAX_SHARING: u64 = 4;

fn claimed(package: &Package, data: &[u8], data_at: u64) -> u64 {
    let len = |export| bytes(export, data, data_at).map_or(0, |bytes| bytes.len() as u64);
    package.exports.iter().fold(0, |sum, export| sum.saturating_add(len(export)))
}

fn bytes<'a>(export: &Export, data: &'a [u8], data_at: u64) -> Option<&'a [u8]> {
    let start = u64::try_from(export.serial_offset).ok()?.checked_sub(data_at)?;
    let start = usize::try_from(start).ok()?;
    data.get(start..start.checked_add(usize::try_from(export.serial_len).ok()?)?)
}

impl<'a> Scope<'a> {
    /// A package and the data of its exports. `data_at` is the offset of `data` in the package: 0 if header
    /// and data are one file, [`Package::header_len`] if they are two.
    ///
    /// `release` is the version of the engine that wrote an unversioned package; `None` uses the release
    /// the header was parsed with.
    #[must_use]
    pub fn new(package: &'a Package, data: &'a [u8], data_at: u64, release: Option<&Release>) -> Self {
        Self {
            package,
            versions: versions(package, release),
            mappings: None,
            world: &(),
            data,
            data_at,
            claimed: claimed(package, data, data_at),
            name_count: package.names.len(),
            own_name: package.name().into(),
            names: RefCell::new(vec![None; package.names.len()]),
            layouts: RefCell::default(),
            own: RefCell::default(),
            own_enums: RefCell::default(),
            places: OnceCell::new(),
            depth: Cell::new(0),
            classes: RefCell::default(),
            struct_names: RefCell::default(),
            words: RefCell::new(vec![None; package.names.len()]),
            types: RefCell::default(),
            references: Remembered::default(),
        }
    }

    /// Adds schemas of native structs and classes.
    #[must_use]
    pub fn with_mappings(self, mappings: Option<&'a Schemas>) -> Self {
        Self { mappings, ..self }
    }

    /// Adds other packages.
    #[must_use]
    pub fn with_world(self, world: &'a dyn World) -> Self {
        Self { world, ..self }
    }

    /// Limits names to the first `count` of the table, as containers record it.
    #[must_use]
    pub fn with_name_count(self, count: usize) -> Self {
        Self { name_count: count.min(self.package.names.len()), ..self }
    }

    /// Sets the name of a package that does not store its own.
    #[must_use]
    pub fn with_name(self, name: &str) -> Self {
        if self.own_name.is_empty() { Self { own_name: name.into(), ..self } } else { self }
    }

    /// Name of the package.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.own_name
    }

    /// The bytes of an export; `None` if they are missing, or if exports overlap. No engine writes
    /// overlapping exports, and reading them would take time quadratic in the file.
    #[must_use]
    pub fn bytes(&self, export: &Export) -> Option<&'a [u8]> {
        if self.too_much_claimed().is_some() { None } else { bytes(export, self.data, self.data_at) }
    }

    /// The bytes after the data of all exports: payloads, and the end of the file.
    #[must_use]
    pub(crate) fn after_exports(&self) -> &'a [u8] {
        let end = |export: &Export| export.serial_offset.saturating_add(export.serial_len);
        let end = self.package.exports.iter().map(end).max().unwrap_or_default();
        let end = u64::try_from(end).unwrap_or_default().saturating_sub(self.data_at);
        usize::try_from(end).ok().and_then(|end| self.data.get(end..)).unwrap_or_default()
    }

    /// Identity of the package's content: another build of it has another one, in containers and in files alike.
    #[must_use]
    pub fn build(&self) -> String {
        let mut hash = blake3::Hasher::new();
        for name in &self.package.names {
            hash.update(name.text.as_str().as_bytes()).update(&[0]);
        }
        for export in &self.package.exports {
            hash.update(self.bytes(export).unwrap_or_default());
        }
        let mut hex = hash.finalize().to_hex().to_string();
        hex.truncate(BUILD_LEN);
        hex
    }

    /// The fault if exports overlap.
    pub(super) fn too_much_claimed(&self) -> Option<FaultKind> {
        let limit = MAX_SHARING * self.data.len() as u64;
        (self.claimed > limit).then_some(FaultKind::TooLarge { found: self.claimed, limit })
    }

    /// Reads a name, which must be in the table.
    pub(crate) fn read_name(&self, r: &mut Reader<'_>, field: &'static str) -> Result<Name, Fault> {
        let at = r.clone();
        let name = Name { index: r.u32(field)?, number: r.u32(field)? };
        // The number is an `int32` in the engine, so the high bit is never set.
        if (name.index as usize) < self.name_count && i32::try_from(name.number).is_ok() {
            return Ok(name);
        }
        Err(at.fault(field, FaultKind::out_of_range(name.index, self.name_count)))
    }

    /// Reads a reference to an object, which must exist.
    pub(crate) fn read_object(&self, r: &mut Reader<'_>, field: &'static str) -> Result<PackageIndex, Fault> {
        let at = r.clone();
        let index = PackageIndex(r.i32(field)?);
        let (place, count) = match index.decode() {
            PackageRef::None => return Ok(index),
            PackageRef::Import(place) => (place, self.package.imports.len()),
            PackageRef::Export(place) => (place, self.package.exports.len()),
        };
        if (place as usize) < count {
            Ok(index)
        } else {
            Err(at.fault(field, FaultKind::out_of_range(place, count)))
        }
    }

    /// True if fields of classes omit their flags: in packages cooked by 5.8 or later. Only the header
    /// tells for certain.
    pub(super) fn has_lean_fields(&self) -> bool {
        let form = &self.package.form;
        form.cooked && (form.cooked_import_names || self.versions.has_enum_type())
    }

    /// True if a name is `None`.
    pub(crate) fn is_none(&self, name: Name) -> bool {
        name.number == 0 && self.package.text(name).base.eq_ignore_ascii_case("None")
    }

    /// The text of a name, shared by all its uses.
    pub(crate) fn shared(&self, name: Name) -> Arc<str> {
        // Names with numbers are made anew: each number is another text.
        if name.number != 0 {
            return self.package.text(name).to_string().into();
        }
        let mut names = self.names.borrow_mut();
        let Some(known) = names.get_mut(name.index as usize) else { return "".into() };
        Arc::clone(known.get_or_insert_with(|| self.package.text(name).base.into()))
    }

    /// The type last read for this property name, if the next bytes begin with it. No type is a prefix of
    /// another.
    pub(super) fn type_of_last(&self, property: Name, bytes: &[u8]) -> Option<Arc<CompleteType>> {
        let types = self.types.borrow();
        let last = types.last.get(property.index as usize)?.as_ref()?;
        bytes.starts_with(&last.bytes).then(|| Arc::clone(last))
    }

    /// The type with these bytes; also remembers it for the property.
    pub(super) fn type_of(&self, property: Name, bytes: &[u8]) -> Arc<CompleteType> {
        let known = self.types.borrow().all.get(bytes).cloned();
        let found = known.unwrap_or_else(|| {
            let new = Arc::new(CompleteType::of_bytes(bytes, self));
            self.types.borrow_mut().all.insert(bytes.into(), Arc::clone(&new));
            new
        });
        let mut types = self.types.borrow_mut();
        if types.last.is_empty() {
            types.last.resize(self.package.names.len(), None);
        }
        if let Some(last) = types.last.get_mut(property.index as usize) {
            *last = Some(Arc::clone(&found));
        }
        found
    }

    /// The package of a struct or enum, if the package's own names or the tags read so far tell it.
    pub(super) fn package_of(&self, name: &str) -> Option<Arc<str>> {
        let package = self.package;
        let is_called = |found: Name| package.text(found).to_string().eq_ignore_ascii_case(name);
        let own = package.exports.iter().any(|export| is_called(export.name));
        let import = || {
            let import = package.imports.iter().find(|import| is_called(import.name))?;
            Some(package.path(import.outer, &self.own_name)?.package().into())
        };
        // Since 5.4 a tag holds the name of a struct or enum, followed by its package without parameters.
        let typed = || {
            let types = self.types.borrow();
            types.all.values().find_map(|of| {
                let nodes: Vec<(Name, i32)> = of.nodes().collect();
                let mut pairs = nodes.windows(2);
                pairs.find_map(|pair| match pair {
                    [(found, 1..), (package, 0)] if is_called(*found) => Some(self.shared(*package)),
                    _ => None,
                })
            })
        };
        own.then(|| Arc::clone(&self.own_name))
            .or_else(import)
            .or_else(typed)
            .or_else(|| self.world.package_of(name))
    }

    /// The type that a name stands for.
    pub(super) fn word(&self, name: Name) -> Word {
        let of_text = || Word::from_name(self.package.text(name).base);
        // No type is called `IntProperty_1`.
        if name.number != 0 {
            return Word::Unknown;
        }
        match self.words.borrow_mut().get_mut(name.index as usize) {
            Some(known) => *known.get_or_insert_with(of_text),
            None => Word::Unknown,
        }
    }

    /// The name of an object, with its package.
    pub(super) fn struct_name(&self, index: PackageIndex) -> Option<StructName> {
        if let Some(known) = self.struct_names.borrow().get(&index.0) {
            return known.clone();
        }
        let found = self.find_struct_name(index);
        self.struct_names.borrow_mut().insert(index.0, found.clone());
        found
    }

    fn find_struct_name(&self, index: PackageIndex) -> Option<StructName> {
        let package = &self.package;
        let (name, outer) = match index.decode() {
            PackageRef::None => return None,
            PackageRef::Import(at) => {
                let import = package.imports.get(at as usize)?;
                (import.name, package.path(import.outer, &self.own_name).map(|path| path.package().into()))
            }
            PackageRef::Export(at) => {
                (package.exports.get(at as usize)?.name, Some(Arc::clone(&self.own_name)))
            }
        };
        Some(StructName { name: self.shared(name), package: outer })
    }

    /// The name of an export's class; `None` for an export that is itself a class.
    #[must_use]
    pub fn class_name(&self, export: &Export) -> Option<Arc<str>> {
        Some(self.struct_name(export.class)?.name)
    }
}

/// The versions that property data depends on.
fn versions(package: &Package, release: Option<&Release>) -> PropertyVersions {
    use crate::package::legacy::VersionEvidence as Evidence;
    let custom = |key: CustomVersionKey| {
        let versions = &package.summary.custom_versions;
        versions.iter().find(|found| found.key.0 == key.to_bytes()).map(|found| found.number)
    };
    let objects = package.form.versions;
    let assumed = match package.evidence {
        Evidence::File => None,
        Evidence::Given(name) | Evidence::Probed(name) => Some(name),
    };
    let assumed =
        assumed.map(|name| release.or_else(|| Release::from_name(name)).unwrap_or(Release::newest()));
    match assumed {
        // The file tells its versions; custom ones are in its header.
        None => PropertyVersions::own(objects, custom),
        // The release stands for all custom versions, but what the header was parsed as still counts.
        Some(release) => PropertyVersions::of_release(release).with_objects(objects),
    }
}
