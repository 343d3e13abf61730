//! What values refer to: the names and objects of their package, and the schemas of structs and classes.

use super::kind::{Kind, Plain};
use super::object::{self, is_struct_class};
use super::schema::{Enumeration, Layout, Schema, Schemas, Slot, StructName};
use super::value::{Record, Value};
use crate::package::legacy::{Export, Name, Package, PackageIndex, PackageRef};
use crate::version::{CustomVersionKey, PropertyVersions, Release};
use crate::wire::{Fault, FaultKind, Reader};
use foldhash::HashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// What lies outside a package.
pub trait World {
    /// A struct or class of another package that is not native.
    fn schema(&self, _package: &str, _name: &str) -> Option<Arc<Schema>> {
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
    /// Name of the package, as others refer to it.
    pub(super) own_name: Arc<str>,
    /// Texts of names without numbers.
    names: RefCell<Vec<Option<Arc<str>>>>,
    layouts: RefCell<HashMap<Box<str>, Option<Arc<Layout>>>>,
    /// Schemas of the structs and classes in the package; `None` while one is being read.
    own: RefCell<HashMap<u32, Option<Arc<Schema>>>>,
    own_enums: RefCell<HashMap<Box<str>, Option<Arc<Enumeration>>>>,
}

impl std::fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scope").field("package", &self.own_name).finish_non_exhaustive()
    }
}

impl<'a> Scope<'a> {
    /// A package whose export data `data` starts at `data_at`, counted as the offsets of its exports are: 0 where header and
    /// data are one file, the length of the header where they are two.
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
            own_name: package.name().into(),
            names: RefCell::new(vec![None; package.names.len()]),
            layouts: RefCell::default(),
            own: RefCell::default(),
            own_enums: RefCell::default(),
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

    /// The bytes of an export; `None` if they are not there.
    #[must_use]
    pub fn bytes(&self, export: &Export) -> Option<&'a [u8]> {
        let start = u64::try_from(export.serial_offset).ok()?.checked_sub(self.data_at)?;
        let start = usize::try_from(start).ok()?;
        self.data.get(start..start.checked_add(usize::try_from(export.serial_len).ok()?)?)
    }

    /// Reads a name that must be in the table.
    pub(super) fn read_name(&self, r: &mut Reader<'_>, field: &'static str) -> Result<Name, Fault> {
        let at = r.clone();
        let name = Name { index: r.u32(field)?, number: r.u32(field)? };
        if (name.index as usize) < self.package.names.len() && i32::try_from(name.number).is_ok() {
            return Ok(name);
        }
        Err(at.fault(field, FaultKind::out_of_range(name.index, self.package.names.len())))
    }

    /// Reads a reference to an object that must be there.
    pub(super) fn read_object(&self, r: &mut Reader<'_>, field: &'static str) -> Result<PackageIndex, Fault> {
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
    pub(super) fn is_none(&self, name: Name) -> bool {
        name.number == 0 && self.package.text(name).base.eq_ignore_ascii_case("None")
    }

    /// The text of a name, to be kept.
    pub(super) fn shared(&self, name: Name) -> Arc<str> {
        if name.number != 0 {
            return self.package.text(name).to_string().into();
        }
        let mut names = self.names.borrow_mut();
        let Some(known) = names.get_mut(name.index as usize) else { return "".into() };
        Arc::clone(known.get_or_insert_with(|| self.package.text(name).base.into()))
    }

    /// Name of an object, with its package.
    pub(super) fn struct_name(&self, index: PackageIndex) -> Option<StructName> {
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

    /// The schema of a struct with all that it extends.
    pub(super) fn layout(&self, name: &StructName) -> Option<Arc<Layout>> {
        let key = format!("{} {}", name.package.as_deref().unwrap_or_default(), name.name).to_lowercase();
        if let Some(known) = self.layouts.borrow().get(&*key) {
            return known.clone();
        }
        let first = self.schema(name);
        let layout = first.map(|first| Arc::new(Layout::new(first, |base| self.schema(base))));
        self.layouts.borrow_mut().insert(key.into(), layout.clone());
        layout
    }

    /// The schema of a struct: from this package, from the mappings, or from another package.
    pub(super) fn schema(&self, name: &StructName) -> Option<Arc<Schema>> {
        let native = |package: &str| package.starts_with("/Script/");
        let elsewhere =
            name.package.as_deref().filter(|package| !package.eq_ignore_ascii_case(&self.own_name));
        if elsewhere.is_none()
            && let Some(found) = self.own_schema(&name.name)
        {
            return Some(found);
        }
        let mapped = self.mappings.and_then(|mappings| mappings.schema(&name.name)).cloned();
        mapped.or_else(|| self.world.schema(elsewhere.filter(|package| !native(package))?, &name.name))
    }

    /// The schema of a struct or class of this package, for others that use it.
    #[must_use]
    pub fn own_schema(&self, name: &str) -> Option<Arc<Schema>> {
        let is_wanted = |export: &Export| {
            let text = self.package.text(export.name);
            let same = if text.number == 0 {
                text.base.eq_ignore_ascii_case(name)
            } else {
                name.len() > text.base.len() && text.to_string().eq_ignore_ascii_case(name)
            };
            same && self.class_name(export).is_some_and(|class| is_struct_class(&class))
        };
        let place = self.package.exports.iter().position(is_wanted)?;
        self.own_schema_at(u32::try_from(place).ok()?)
    }

    pub(super) fn own_schema_at(&self, at: u32) -> Option<Arc<Schema>> {
        if let Some(known) = self.own.borrow().get(&at) {
            return known.clone();
        }
        self.own.borrow_mut().insert(at, None);
        let export = self.package.exports.get(at as usize)?;
        let found = object::struct_record(self, export).map(|record| self.schema_of(export, &record));
        let found = found.map(Arc::new);
        self.own.borrow_mut().insert(at, found.clone());
        found
    }

    /// The schema that the tail of a struct or class describes.
    fn schema_of(&self, export: &Export, record: &Record) -> Schema {
        let name = StructName { name: self.shared(export.name), package: Some(Arc::clone(&self.own_name)) };
        self.schema_of_fields(name, record)
    }

    /// The schema of a struct of this name that `record` describes.
    pub(super) fn schema_of_fields(&self, name: StructName, record: &Record) -> Schema {
        let base = self.struct_name(record.object("SuperStruct"));
        let mut slots = Vec::new();
        for field in record.records("ChildProperties") {
            let (Some(Value::Name(name)), Some(Value::Int(dim))) = (field.get("Name"), field.get("ArrayDim"))
            else {
                continue;
            };
            let (name, kind) = (self.shared(*name), Arc::new(self.field_kind(field, 0)));
            // No class has so many elements that this could be wrong.
            for element in 0..u16::try_from((*dim).clamp(1, 4096)).unwrap_or(1) {
                slots.push(Some(Slot { name: Arc::clone(&name), element, kind: Arc::clone(&kind) }));
            }
        }
        Schema { name, base, slots }
    }

    /// The type of a field of a class.
    fn field_kind(&self, field: &Record, depth: usize) -> Kind {
        let Some(Value::Name(kind)) = field.get("Type") else { return Kind::Unknown("".into()) };
        let kind = self.shared(*kind);
        let inner = |name: &str| match field.get(name).and_then(Value::record) {
            Some(inner) if depth < 16 => Box::new(self.field_kind(inner, depth + 1)),
            _ => Box::new(Kind::Unknown("".into())),
        };
        let object = |name: &str| self.struct_name(field.object(name));
        match super::kind::bare(&kind) {
            "Struct" => Kind::Struct(object("Struct").unwrap_or_else(|| StructName::new(""))),
            "Byte" => Kind::Byte(object("Enum").map(|of| of.name)),
            "Enum" => Kind::Enum(object("Enum").map(|of| of.name), inner("UnderlyingProp")),
            "Array" => Kind::Array(inner("Inner")),
            "Set" => Kind::Set(inner("ElementProp")),
            "Optional" => Kind::Optional(inner("ValueProperty")),
            "Map" => Kind::Map(inner("KeyProp"), inner("ValueProp")),
            _ => Kind::of_name(&kind),
        }
    }

    /// Name of an export's class; `None` for what has none, which is a class itself.
    pub(super) fn class_name(&self, export: &Export) -> Option<Arc<str>> {
        Some(self.struct_name(export.class)?.name)
    }

    /// An enum by its name; one without values if it is not known.
    pub(super) fn enumeration(&self, name: Option<&Arc<str>>) -> Arc<Enumeration> {
        let Some(name) = name else { return Arc::default() };
        if let Some(known) = self.mappings.and_then(|mappings| mappings.enumeration(name)) {
            return Arc::clone(known);
        }
        let found = self.own_enum(name);
        found.unwrap_or_else(|| Arc::new(Enumeration { name: Arc::clone(name), values: Vec::new() }))
    }

    /// An enum of this package.
    fn own_enum(&self, name: &str) -> Option<Arc<Enumeration>> {
        let key: Box<str> = name.to_lowercase().into();
        if let Some(known) = self.own_enums.borrow().get(&key) {
            return known.clone();
        }
        let is_enum = |export: &Export| {
            let named = self.package.text(export.name).to_string().eq_ignore_ascii_case(name);
            named && self.class_name(export).is_some_and(|class| class.ends_with("Enum"))
        };
        self.own_enums.borrow_mut().insert(key.clone(), None);
        let export = self.package.exports.iter().find(|export| is_enum(export));
        let record = export.and_then(|export| object::struct_record(self, export));
        let found = record.map(|record| {
            let value = |record: &Record| match (record.get("Name"), record.get("Value")) {
                (Some(Value::Name(name)), Some(number)) => {
                    let text = self.shared(*name);
                    let short = text.rsplit("::").next().unwrap_or_default().into();
                    Some((i64::try_from(super::value::whole(number)?).ok()?, short))
                }
                _ => None,
            };
            Arc::new(Enumeration {
                name: name.into(),
                values: record.records("Names").filter_map(value).collect(),
            })
        });
        self.own_enums.borrow_mut().insert(key, found.clone());
        found
    }

    /// The type of a property of a struct, for lists whose tags do not say all of it.
    pub(super) fn hint(&self, owner: Option<&StructName>, property: &str) -> Option<Arc<Kind>> {
        self.layout(owner?)?.kind_of(property).cloned()
    }

    /// Whether a class is of this name, or extends one that is.
    pub(super) fn classes(&self, class: PackageIndex) -> Vec<Arc<str>> {
        let Some(name) = self.struct_name(class) else { return vec!["Class".into()] };
        let mut names: Vec<Arc<str>> = match self.layout(&name) {
            Some(layout) => layout.names().map(Into::into).collect(),
            None => vec![name.name],
        };
        super::native::complete(&mut names);
        names
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

/// The type of what is stored as a number.
pub(super) const fn width_of(kind: &Kind) -> Option<u8> {
    match kind {
        Kind::Byte(_) | Kind::Plain(Plain::Int8) => Some(1),
        Kind::Plain(Plain::Int16 | Plain::UInt16) => Some(2),
        Kind::Plain(Plain::Int | Plain::UInt32) => Some(4),
        Kind::Plain(Plain::Int64 | Plain::UInt64) => Some(8),
        _ => None,
    }
}
