//! Variables of functions and classes: fields since 4.25, objects before.

use super::symbols::name_of;
use crate::package::legacy::{Name, Package, PackageIndex, PackageRef};
use crate::property::{Object, Record, Scope, Value};
use foldhash::{HashSet, HashSetExt};

/// A parameter, local variable or member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Name.
    pub name: Name,
    /// Type for people: `int`, `array<Actor>`, `map<name, Vector>`.
    pub kind: String,
    /// Flags (`EPropertyFlags`).
    pub flags: u64,
    /// Export index, before 4.25.
    pub export: Option<u32>,
}

/// Limit on nested types.
const MAX_DEPTH: usize = 8;

impl Variable {
    /// Returns true for a parameter or the return value.
    #[must_use]
    pub const fn is_parameter(&self) -> bool {
        self.flags & 0x80 != 0
    }

    /// Returns true if the function returns it; parameters by reference count as well.
    #[must_use]
    pub const fn is_output(&self) -> bool {
        // The flag 0x2 marks constant parameters, which are never outputs even if passed by reference.
        self.flags & 0x100 != 0 && self.flags & 0x2 == 0
    }

    /// Returns true for the return value.
    #[must_use]
    pub const fn is_return_value(&self) -> bool {
        self.flags & 0x400 != 0
    }

    /// Returns the variables of a struct, class or function, given by its export index.
    #[must_use]
    pub fn of_struct(scope: &Scope<'_>, place: u32, object: &Object) -> Vec<Self> {
        let tail = &object.tail;
        if tail.get("ChildProperties").is_some() {
            let fields = tail.records("ChildProperties");
            return fields.filter_map(|field| of_field(scope.package, field)).collect();
        }
        // Without fields the properties are exports.
        of_objects(scope, place, tail)
    }
}

fn of_field(package: &Package, field: &Record) -> Option<Variable> {
    let Some(Value::Name(name)) = field.get("Name") else { return None };
    Some(Variable { name: *name, kind: field_kind(package, field, 0), flags: flags(field), export: None })
}

fn flags(record: &Record) -> u64 {
    match record.get("PropertyFlags") {
        Some(Value::UInt64(flags)) => *flags,
        _ => 0,
    }
}

/// Returns the type of a field.
fn field_kind(package: &Package, field: &Record, depth: usize) -> String {
    let class = match field.get("Type") {
        Some(Value::Name(name)) => package.text(*name).to_string(),
        _ => return "?".to_owned(),
    };
    kind(package, &class, field, &mut |name| {
        let inner = field.get(name).and_then(Value::record).filter(|_| depth < MAX_DEPTH);
        inner.map_or_else(|| "?".to_owned(), |inner| field_kind(package, inner, depth + 1))
    })
}

/// Returns the type of a property of the given class; `inner` returns nested types.
fn kind(package: &Package, class: &str, of: &Record, inner: &mut dyn FnMut(&str) -> String) -> String {
    let object = |field: &str| name_of(package, of.object(field)).unwrap_or_else(|| "?".to_owned());
    match class.strip_suffix("Property").unwrap_or(class) {
        "Bool" => "bool".to_owned(),
        "Int" => "int".to_owned(),
        "Int8" | "Int16" | "Int64" | "UInt16" | "UInt32" | "UInt64" => {
            class.strip_suffix("Property").unwrap_or(class).to_ascii_lowercase()
        }
        "Float" => "float".to_owned(),
        "Double" => "double".to_owned(),
        "Str" => "string".to_owned(),
        "Name" => "name".to_owned(),
        "Text" => "text".to_owned(),
        // A byte with an enum is shown as the enum.
        "Byte" if of.object("Enum") == PackageIndex::NONE => "byte".to_owned(),
        "Byte" | "Enum" => object("Enum"),
        "Struct" => object("Struct"),
        "Object" | "ObjectPtr" => object("PropertyClass"),
        "Class" | "ClassPtr" => format!("class<{}>", object("MetaClass")),
        "SoftObject" | "AssetObject" => format!("soft<{}>", object("PropertyClass")),
        "SoftClass" | "AssetClass" => format!("soft_class<{}>", object("MetaClass")),
        "WeakObject" => format!("weak<{}>", object("PropertyClass")),
        "LazyObject" => format!("lazy<{}>", object("PropertyClass")),
        "Interface" => object("InterfaceClass"),
        "Array" => format!("array<{}>", inner("Inner")),
        "Set" => format!("set<{}>", inner("ElementProp")),
        "Optional" => format!("optional<{}>", inner("ValueProperty")),
        "Map" => {
            let key = inner("KeyProp");
            format!("map<{key}, {}>", inner("ValueProp"))
        }
        "Delegate" => "delegate".to_owned(),
        "MulticastDelegate" | "MulticastInlineDelegate" | "MulticastSparseDelegate" => {
            "dispatcher".to_owned()
        }
        "FieldPath" => "field_path".to_owned(),
        other => other.to_owned(),
    }
}

/// Returns properties that are exports: from a list, or, before there was one, each with a reference to the
/// next.
fn of_objects(scope: &Scope<'_>, place: u32, tail: &Record) -> Vec<Variable> {
    let (mut seen, mut variables) = (HashSet::new(), Vec::new());
    if let Some(children) = tail.get("Children").and_then(Value::items) {
        for child in children {
            if let Value::Object(index) = child
                && let Some((variable, _)) = of_object(scope, place, *index, &mut seen)
            {
                variables.extend(variable);
            }
        }
        return variables;
    }
    let mut next = tail.object("FirstChild");
    while let Some((variable, then)) = of_object(scope, place, next, &mut seen) {
        variables.extend(variable);
        next = then;
    }
    variables
}

/// Returns a property that is an export, and the next one. Each has one owner and is read for it once, so all
/// of them together are read once.
fn of_object(
    scope: &Scope<'_>,
    owner: u32,
    index: PackageIndex,
    seen: &mut HashSet<i32>,
) -> Option<(Option<Variable>, PackageIndex)> {
    let PackageRef::Export(place) = index.decode() else { return None };
    let package = scope.package;
    let export = package.exports.get(place as usize)?;
    // A property seen before would make the list endless.
    if Some(export.outer) != PackageIndex::export(owner) || !seen.insert(index.0) {
        return None;
    }
    let class = name_of(package, export.class).unwrap_or_default();
    let object = Object::read(scope, export);
    let next = object.tail.object("Next");
    // Functions are in the same list.
    if !class.ends_with("Property") {
        return Some((None, next));
    }
    let kind = object_kind(scope, &class, index, &object, 0);
    Some((Some(Variable { name: export.name, kind, flags: flags(&object.tail), export: Some(place) }), next))
}

/// Returns the type of a property that is an object; its nested types are exports inside of it.
fn object_kind(scope: &Scope<'_>, class: &str, index: PackageIndex, object: &Object, depth: usize) -> String {
    kind(scope.package, class, &object.tail, &mut |name| {
        let inner = object.tail.object(name);
        let PackageRef::Export(at) = inner.decode() else { return "?".to_owned() };
        let export = scope.package.exports.get(at as usize).filter(|inner| inner.outer == index);
        let Some(export) = export.filter(|_| depth < MAX_DEPTH) else { return "?".to_owned() };
        let class = name_of(scope.package, export.class).unwrap_or_default();
        object_kind(scope, &class, inner, &Object::read(scope, export), depth + 1)
    })
}
