//! Lookup of structs, classes and enums by name: in the package itself, in the mappings, in other packages.

use super::class::Class;
use super::from_value::whole;
use super::key::{name_key, with_key};
use super::kind::{self, Kind, StructName};
use super::layout::Layout;
use super::object::Object;
use super::schema::{Enumeration, Schema, Slot};
use super::scope::{Places, Scope};
use super::value::{Record, Value};
use crate::package::legacy::{Export, PackageIndex};
use std::sync::Arc;

/// Recursion limit for schemas of the package that need each other. Real packages need few levels: the classes
/// of the engine are native.
const MAX_DEPTH: u8 = 8;

impl Scope<'_> {
    /// The schema of a struct with all its bases; `None` if the struct is unknown.
    pub(super) fn layout(&self, name: &StructName) -> Option<Arc<Layout>> {
        let parts = [name.package.as_deref().unwrap_or_default(), &*name.name];
        if let Some(known) = with_key(&parts, |key| self.layouts.borrow().get(key).cloned()) {
            return known;
        }
        let layout = self.read_layout(name);
        with_key(&parts, |key| self.layouts.borrow_mut().insert(key.into(), layout.clone()));
        layout
    }

    fn read_layout(&self, name: &StructName) -> Option<Arc<Layout>> {
        let first = self.schema(name)?;
        let native = self.mappings.and_then(|mappings| mappings.layout(&name.name));
        // A complete native chain is shared by all packages, as native structs extend only native ones.
        match native.filter(|native| native.is_of(&first) && native.missing().is_none()) {
            Some(native) => Some(Arc::clone(native)),
            None => Some(Arc::new(Layout::new(first, |base| self.schema(base)))),
        }
    }

    /// The schema of a struct: from this package, else from the mappings, else from another package.
    pub(super) fn schema(&self, name: &StructName) -> Option<Arc<Schema>> {
        let native = |package: &str| package.starts_with("/Script/");
        // A package may name itself in the type of a property.
        let elsewhere =
            name.package.as_deref().filter(|package| !package.eq_ignore_ascii_case(&self.own_name));
        if elsewhere.is_none()
            && let Some(found) = self.own_schema(&name.name)
        {
            return Some(found);
        }
        let mapped = self.mappings.and_then(|mappings| mappings.schema(&name.name)).cloned();
        // A native struct that the mappings lack is in no package at all.
        mapped.or_else(|| self.world.schema(elsewhere.filter(|package| !native(package))?, &name.name))
    }

    /// Names of all members of a struct, those of its bases first; `None` if they are not all known.
    pub(crate) fn member_names(&self, of: PackageIndex) -> Option<Vec<Arc<str>>> {
        const MAX_BASES: usize = 16;
        let mut chain = vec![self.schema(&self.struct_name(of)?)?];
        while let Some(base) = chain.last().and_then(|schema| schema.base.as_ref()) {
            // A chain that does not end in time is damaged, and then no name is certain.
            let schema = self.schema(base).filter(|_| chain.len() < MAX_BASES)?;
            chain.push(schema);
        }
        let slots = chain.iter().rev().flat_map(|schema| &schema.slots);
        let names = slots.flat_map(|slot| std::iter::repeat_n(&slot.name, slot.elements.into()));
        Some(names.cloned().collect())
    }

    /// The schema of a struct or class of this package, for other packages that use it.
    #[must_use]
    pub fn own_schema(&self, name: &str) -> Option<Arc<Schema>> {
        self.own_schema_at(*self.places().structs.get(&name_key(name))?)
    }

    pub(super) fn own_schema_at(&self, at: u32) -> Option<Arc<Schema>> {
        if let Some(known) = self.own.borrow().get(&at) {
            return known.clone();
        }
        // Set before reading: a struct that needs itself finds `None` instead of recursing forever.
        self.own.borrow_mut().insert(at, None);
        let export = self.package.exports.get(at as usize)?;
        let record = self.deeper(|| struct_record(self, export))?;
        let found = Some(Arc::new(self.schema_of(export, &record)));
        self.own.borrow_mut().insert(at, found.clone());
        found
    }

    /// Reads something that may need further schemas of this package, such as a class whose class is in the
    /// same package.
    fn deeper<T>(&self, read: impl FnOnce() -> Option<T>) -> Option<T> {
        let depth = self.depth.get();
        if depth == MAX_DEPTH {
            return None;
        }
        self.depth.set(depth + 1);
        let found = read();
        self.depth.set(depth);
        found
    }

    fn places(&self) -> &Places {
        self.places.get_or_init(|| Places::new(self))
    }

    /// The schema described by the tail of a struct or class.
    fn schema_of(&self, export: &Export, record: &Record) -> Schema {
        let name = StructName { name: self.shared(export.name), package: Some(Arc::clone(&self.own_name)) };
        self.schema_of_fields(name, record)
    }

    /// The schema of a struct with this name, from the fields in its tail.
    pub(super) fn schema_of_fields(&self, name: StructName, record: &Record) -> Schema {
        let base = self.struct_name(record.object("SuperStruct"));
        let (mut slots, mut len) = (Vec::new(), 0_u32);
        for field in record.records("ChildProperties") {
            let (Some(Value::Name(name)), Some(Value::Int(dim))) = (field.get("Name"), field.get("ArrayDim"))
            else {
                continue;
            };
            let (name, kind) = (self.shared(*name), Arc::new(self.field_kind(field, 0)));
            // Clamped to a bound that no real class reaches, so that a damaged dimension cannot make a huge
            // schema.
            let elements = u16::try_from((*dim).clamp(1, 4096)).unwrap_or(1);
            let leads_to = self.leads_to(field);
            slots.push(Slot { name, first: len, elements, kind, leads_to });
            len = len.saturating_add(elements.into());
        }
        Schema::new(name, base, slots, len as usize)
    }

    /// The target class of a field's references, also inside an array, a set or an optional. Maps are not
    /// followed, as their key and value may differ.
    fn leads_to(&self, field: &Record) -> Option<StructName> {
        let inner = ["Inner", "ElementProp", "ValueProperty"];
        let inner = inner.into_iter().find_map(|name| field.get(name)?.record());
        let field = inner.unwrap_or(field);
        let of = ["MetaClass", "InterfaceClass", "PropertyClass"]
            .into_iter()
            .find(|name| field.get(name).is_some())?;
        self.struct_name(field.object(of))
    }

    /// The type of a field of a class; `depth` bounds the nesting of damaged fields.
    fn field_kind(&self, field: &Record, depth: usize) -> Kind {
        let Some(Value::Name(kind)) = field.get("Type") else { return Kind::Unknown("".into()) };
        let kind = self.shared(*kind);
        let inner = |name: &str| match field.get(name).and_then(Value::record) {
            Some(inner) if depth < 16 => Box::new(self.field_kind(inner, depth + 1)),
            _ => Box::new(Kind::Unknown("".into())),
        };
        // The struct or enum may be in another package, so its name includes the package.
        let object = |name: &str| self.struct_name(field.object(name));
        match kind::bare(&kind) {
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

    /// An enum by its name; an unknown one has no values.
    pub(super) fn enumeration(&self, name: Option<&Arc<str>>) -> Arc<Enumeration> {
        let Some(name) = name else { return Arc::default() };
        // Native enums come first: they are the common case, and only blueprint enums are in the package.
        if let Some(known) = self.mappings.and_then(|mappings| mappings.enumeration(name)) {
            return Arc::clone(known);
        }
        let found = self.own_enum(name);
        found.unwrap_or_else(|| Arc::new(Enumeration::new(Arc::clone(name), Vec::new())))
    }

    /// An enum of this package.
    fn own_enum(&self, name: &str) -> Option<Arc<Enumeration>> {
        if let Some(known) = with_key(&[name], |key| self.own_enums.borrow().get(key).cloned()) {
            return known;
        }
        let key: Box<str> = name.to_lowercase().into();
        // Set before reading, as for schemas.
        self.own_enums.borrow_mut().insert(key.clone(), None);
        let place = self.places().enums.get(&name_key(name));
        let export = place.and_then(|at| self.package.exports.get(*at as usize));
        let record = export.and_then(|export| self.deeper(|| struct_record(self, export)));
        let found = record.map(|record| {
            let value = |record: &Record| match (record.get("Name"), record.get("Value")) {
                (Some(Value::Name(name)), Some(number)) => {
                    let text = self.shared(*name);
                    // Stored as `Enum::Value`; values are looked up without the enum.
                    let short = text.rsplit("::").next().unwrap_or_default().into();
                    Some((i64::try_from(whole(number)?).ok()?, short))
                }
                _ => None,
            };
            Arc::new(Enumeration::new(name.into(), record.records("Names").filter_map(value).collect()))
        });
        self.own_enums.borrow_mut().insert(key, found.clone());
        found
    }

    /// The type of a property of a struct, for tags that do not describe it completely.
    pub(super) fn hint(&self, owner: Option<&StructName>, property: &str) -> Option<Arc<Kind>> {
        self.layout(owner?)?.kind_of(property).cloned()
    }

    /// Names of a class and of all its bases, the class itself first.
    pub(crate) fn classes(&self, class: PackageIndex) -> Vec<Arc<str>> {
        self.class(class).names.clone()
    }

    /// The class for reading objects of it.
    pub(super) fn class(&self, class: PackageIndex) -> Arc<Class> {
        if let Some(known) = self.classes.borrow().get(&class.0) {
            return Arc::clone(known);
        }
        let found = match self.struct_name(class) {
            // A null class means that the object is itself a class.
            None => Arc::new(Class::new(vec!["Class".into()])),
            Some(name) => match self.layout(&name) {
                Some(layout) => Arc::clone(layout.class()),
                // Without a schema, the table of native classes may still know the bases.
                None => Arc::new(Class::new(vec![name.name])),
            },
        };
        self.classes.borrow_mut().insert(class.0, Arc::clone(&found));
        found
    }
}

impl Places {
    fn new(scope: &Scope<'_>) -> Self {
        let mut this = Self::default();
        for (at, export) in (0..).zip(&scope.package.exports) {
            let places = match scope.class_name(export) {
                Some(class) if is_struct_class(&class) => &mut this.structs,
                // `Enum` and `UserDefinedEnum`.
                Some(class) if class.ends_with("Enum") => &mut this.enums,
                _ => continue,
            };
            places.entry(name_key(&scope.package.text(export.name).to_string())).or_insert(at);
        }
        this
    }
}

/// The tail of a struct, class or enum; `None` if it could not be read that far.
fn struct_record(scope: &Scope<'_>, export: &Export) -> Option<Record> {
    let tail = Object::read(scope, export).tail;
    (tail.get("SuperStruct").is_some() || tail.get("Names").is_some()).then_some(tail)
}

/// True if the exports of this class are structs or classes.
fn is_struct_class(class: &str) -> bool {
    // `BlueprintGeneratedClass`, `ScriptStruct` and others by their ends.
    ["Class", "Struct"].iter().any(|end| class.ends_with(end))
}
