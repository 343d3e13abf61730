//! What values refer to: the names and objects of their package, and the schemas of structs and classes.

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

/// What lies outside a package.
pub trait World {
    /// A struct or class of another package that is not native.
    fn schema(&self, _package: &str, _name: &str) -> Option<Arc<Schema>> {
        None
    }

    /// The package of a native struct or enum.
    fn package_of(&self, _name: &str) -> Option<Arc<str>> {
        None
    }

    /// The place of an object among the exports of another package: `names` lead to it, the outermost first.
    fn export_index(&self, _package: &str, _names: &[Arc<str>]) -> Option<u32> {
        None
    }
}

/// A package by itself.
impl World for () {}

/// A package, and everything that is needed to read its property data.
pub struct Scope<'a> {
    /// The package.
    pub package: &'a Package,
    /// Its versions.
    pub versions: PropertyVersions,
    pub(super) mappings: Option<&'a Schemas>,
    pub(super) world: &'a dyn World,
    /// The bytes of its exports, which start at `data_at` in the offsets of the package.
    data: &'a [u8],
    data_at: u64,
    /// Bytes that all exports have together, each counted by itself.
    claimed: u64,
    /// How many names of the table data may refer to.
    name_count: usize,
    /// Name of the package, as others refer to it.
    pub(super) own_name: Arc<str>,
    /// Texts of names without numbers.
    names: RefCell<Vec<Option<Arc<str>>>>,
    pub(super) layouts: RefCell<HashMap<Box<str>, Option<Arc<Layout>>>>,
    /// Schemas of the structs and classes in the package; `None` while one is being read.
    pub(super) own: RefCell<HashMap<u32, Option<Arc<Schema>>>>,
    pub(super) own_enums: RefCell<HashMap<Box<str>, Option<Arc<Enumeration>>>>,
    pub(super) places: OnceCell<Places>,
    /// Structs, classes and enums of the package that are being read, each for the sake of the one before.
    pub(super) depth: Cell<u8>,
    /// Classes by their indices, with all that they extend.
    pub(super) classes: RefCell<HashMap<i32, Arc<Class>>>,
    /// Names of structs and classes by their indices.
    struct_names: RefCell<HashMap<i32, Option<StructName>>>,
    /// What the texts of the table are as types; `None` for those that were not asked for yet.
    words: RefCell<Vec<Option<Word>>>,
    types: RefCell<Types>,
    /// What references to objects are written as.
    pub(super) references: Remembered,
}

/// Types of tags: a package has few, but each stands in many tags.
#[derive(Default)]
struct Types {
    /// The one that was read last for a property of each name.
    last: Vec<Option<Arc<CompleteType>>>,
    /// All of them, by their bytes.
    all: HashMap<Box<[u8]>, Arc<CompleteType>>,
}

/// Where the structs and enums of a package are among its exports, by their names. Of several with one name, the first one counts.
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

/// How many exports may have each byte, on average.
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
    /// A package whose export data `data` starts at `data_at`, counted as the offsets of its exports are: 0 where header and
    /// data are one file, [`Package::header_len`] where they are two.
    ///
    /// `release` is what wrote the package, for one that does not say; without it, what the header was read as counts.
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

    /// With schemas of native structs and classes.
    #[must_use]
    pub fn with_mappings(self, mappings: Option<&'a Schemas>) -> Self {
        Self { mappings, ..self }
    }

    /// With other packages.
    #[must_use]
    pub fn with_world(self, world: &'a dyn World) -> Self {
        Self { world, ..self }
    }

    /// With no more names than the first `count` of the table for data to refer to: those are what a container keeps for it.
    #[must_use]
    pub fn with_name_count(self, count: usize) -> Self {
        Self { name_count: count.min(self.package.names.len()), ..self }
    }

    /// With a name for a package that does not know its own.
    #[must_use]
    pub fn with_name(self, name: &str) -> Self {
        if self.own_name.is_empty() { Self { own_name: name.into(), ..self } } else { self }
    }

    /// Name of the package.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.own_name
    }

    /// The bytes of an export; `None` if they are not there, or if the exports share them: no engine writes that, and reading
    /// them all would take as long as there are exports times bytes.
    #[must_use]
    pub fn bytes(&self, export: &Export) -> Option<&'a [u8]> {
        if self.too_much_claimed().is_some() { None } else { bytes(export, self.data, self.data_at) }
    }

    /// What is wrong if exports share their bytes.
    pub(super) fn too_much_claimed(&self) -> Option<FaultKind> {
        let limit = MAX_SHARING * self.data.len() as u64;
        (self.claimed > limit).then_some(FaultKind::TooLarge { found: self.claimed, limit })
    }

    /// Reads a name that must be in the table.
    pub(crate) fn read_name(&self, r: &mut Reader<'_>, field: &'static str) -> Result<Name, Fault> {
        let at = r.clone();
        let name = Name { index: r.u32(field)?, number: r.u32(field)? };
        if (name.index as usize) < self.name_count && i32::try_from(name.number).is_ok() {
            return Ok(name);
        }
        Err(at.fault(field, FaultKind::out_of_range(name.index, self.name_count)))
    }

    /// Reads a reference to an object that must be there.
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

    /// Whether fields of classes leave out their flags: cooked ones do since 5.8, which only the header tells for certain.
    pub(super) fn has_lean_fields(&self) -> bool {
        let form = &self.package.form;
        form.cooked && (form.cooked_import_names || self.versions.has_enum_type())
    }

    /// Whether a name is that of nothing.
    pub(crate) fn is_none(&self, name: Name) -> bool {
        name.number == 0 && self.package.text(name).base.eq_ignore_ascii_case("None")
    }

    /// The text of a name, to be kept.
    pub(crate) fn shared(&self, name: Name) -> Arc<str> {
        if name.number != 0 {
            return self.package.text(name).to_string().into();
        }
        let mut names = self.names.borrow_mut();
        let Some(known) = names.get_mut(name.index as usize) else { return "".into() };
        Arc::clone(known.get_or_insert_with(|| self.package.text(name).base.into()))
    }

    /// The type that properties of a name had last, if what follows starts with it. No type starts with another one.
    pub(super) fn type_of_last(&self, property: Name, bytes: &[u8]) -> Option<Arc<CompleteType>> {
        let types = self.types.borrow();
        let last = types.last.get(property.index as usize)?.as_ref()?;
        bytes.starts_with(&last.bytes).then(|| Arc::clone(last))
    }

    /// The type of these bytes, which is that of a property.
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

    /// The package of a struct or an enum, as far as the package or the tags that were read name it.
    pub(super) fn package_of(&self, name: &str) -> Option<Arc<str>> {
        let package = self.package;
        let is_called = |found: Name| package.text(found).to_string().eq_ignore_ascii_case(name);
        let own = package.exports.iter().any(|export| is_called(export.name));
        let import = || {
            let import = package.imports.iter().find(|import| is_called(import.name))?;
            Some(package.path(import.outer, &self.own_name)?.package().into())
        };
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

    /// What a name is as a type.
    pub(super) fn word(&self, name: Name) -> Word {
        let of_text = || Word::from_name(self.package.text(name).base);
        if name.number != 0 {
            return Word::Unknown;
        }
        match self.words.borrow_mut().get_mut(name.index as usize) {
            Some(known) => *known.get_or_insert_with(of_text),
            None => Word::Unknown,
        }
    }

    /// Name of an object, with its package.
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

    /// Name of an export's class; `None` for what has none, which is a class itself.
    pub(super) fn class_name(&self, export: &Export) -> Option<Arc<str>> {
        Some(self.struct_name(export.class)?.name)
    }
}

/// The versions of a package.
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
        None => PropertyVersions::own(objects, custom),
        Some(release) => PropertyVersions::of_release(release).with_objects(objects),
    }
}
