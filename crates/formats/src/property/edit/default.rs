//! Values known only by their types: members that a list omits, and new elements.

use super::context::Context;
use super::names::Names;
use crate::package::legacy::{Name, PackageIndex};
use crate::property::decode::{Decoder, ReadPlace};
use crate::property::header::Header;
use crate::property::indices::TableIndices;
use crate::property::kind::{Kind, Plain, StructName};
use crate::property::schema::Enumeration;
use crate::property::structs;
use crate::property::value::{Enumerator, List, TaggedList, UnversionedList, Value};

/// The name that stands for none.
const NONE: &str = "None";

/// Zeros to read a native struct from; longer than any of them.
const ZEROS: [u8; 1024] = [0; 1024];

/// True if values of an enum are written without its name. Old C++ enums share their scope, so their values
/// carry a prefix: `TC_Default`, `TC_Normalmap`.
pub(super) fn has_bare_names(of: &Enumeration) -> bool {
    // The `MAX` value that the engine adds may lack the prefix.
    let mut names = of.values().map(|(_, name)| name).filter(|name| !name.ends_with("MAX"));
    let Some((prefix, _)) = names.next().and_then(|name| name.split_once('_')) else { return false };
    let is_like = |name: &str| name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('_'));
    let mut others = names.peekable();
    others.peek().is_some() && others.all(is_like)
}

impl Context<'_, '_> {
    /// The zero of a type; `None` if the type alone is not enough.
    pub(super) fn default_of(&mut self, kind: &Kind, place: ReadPlace) -> Option<Value> {
        let tagged = !self.scope.package.form.unversioned_properties;
        match kind {
            Kind::Plain(Plain::Name) => Some(Value::Name(self.none())),
            // Stored as a name here, so the value 0 needs a name: its own, else the first of the enum.
            Kind::Byte(Some(of)) | Kind::Enum(Some(of), _) if tagged || place == ReadPlace::Element => {
                let of = self.scope.enumeration(Some(of));
                let Some(zero) = of.name_of(0).or_else(|| of.values().next().map(|(_, name)| name)) else {
                    return Some(Value::Enum(self.none()));
                };
                let prefix = if has_bare_names(&of) { String::new() } else { format!("{}::", of.name) };
                Some(Value::Enum(self.names.find_or_add(&format!("{prefix}{zero}"))))
            }
            Kind::Byte(of @ Some(_)) => {
                let of = self.scope.enumeration(of.as_ref());
                Some(Value::Enumerator(Enumerator { of, number: 0, width: 1 }))
            }
            Kind::Struct(name) => self.default_struct(name),
            Kind::Unknown(_) => None,
            // All other types are zero where their bytes are zero.
            kind => {
                let mut value = Decoder::new(self.scope, &ZEROS).value(kind, place).ok()?;
                self.clear_names(&mut value);
                Some(value)
            }
        }
    }

    fn default_struct(&mut self, name: &StructName) -> Option<Value> {
        // A native struct first; it may be a plain list in this version.
        if let Ok(Some(mut value)) = structs::read(&mut Decoder::new(self.scope, &ZEROS), name) {
            self.clear_names(&mut value);
            return Some(value);
        }
        let list = if self.scope.package.form.unversioned_properties {
            let layout = self.scope.layout(name)?;
            let header = Header::new(std::iter::empty(), layout.len());
            List::Unversioned(UnversionedList { layout, header, values: Vec::new() })
        } else {
            List::Tagged(TaggedList { end: Some(self.none()), ..TaggedList::default() })
        };
        let name = Some(std::sync::Arc::clone(&name.name)).filter(|name| !name.is_empty());
        Some(Value::list(name, list))
    }

    fn none(&mut self) -> Name {
        self.names.find_or_add(NONE)
    }

    /// Replaces names read from zeros: they are the first name of the table, whatever that is.
    fn clear_names(&mut self, value: &mut Value) {
        value.visit_indices(&mut ClearNames(&mut self.names));
    }
}

/// Replaces all names; everything else read from zeros is right.
struct ClearNames<'n>(&'n mut Names);

impl TableIndices for ClearNames<'_> {
    fn name(&mut self, name: &mut Name) {
        // Only now: a package without names in its values need not have this one.
        *name = self.0.find_or_add(NONE);
    }
    fn object(&mut self, _: &mut PackageIndex) {}
    fn soft_path(&mut self, _: &mut i32) {}
}
