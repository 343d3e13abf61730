//! Choices for an editor: members that are left out, and names of enum values.

use super::kind::{Kind, StructName};
use super::layout::Layout;
use super::object::Object;
use super::scope::Scope;
use super::value::{Body, List, Struct, Value};
use crate::package::legacy::Export;
use std::collections::HashSet;
use std::sync::Arc;

/// A member that an object or struct leaves out, so that its class decides the value.
#[derive(Debug, Clone, PartialEq)]
pub struct UnsetMember {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub kind: Arc<Kind>,
}

impl Scope<'_> {
    /// Properties that an object leaves out; none if its class is unknown.
    #[must_use]
    pub fn unset_of_object(&self, export: &Export, object: &Object) -> Vec<UnsetMember> {
        let Some(list) = &object.properties else { return Vec::new() };
        self.unset(list, self.struct_name(export.class))
    }

    /// Members that a struct leaves out; none if it is unknown, or always has all of them.
    #[must_use]
    pub fn unset_of_struct(&self, found: &Struct) -> Vec<UnsetMember> {
        let Body::List(list) = &found.body else { return Vec::new() };
        self.unset(list, found.name.as_deref().map(StructName::new))
    }

    /// The names that an enum value can have; none if its enum is unknown.
    #[must_use]
    pub fn enum_names(&self, value: &Value) -> Vec<Arc<str>> {
        let of = match value {
            Value::Enumerator(found) => Arc::clone(&found.of),
            // A value with a tag is `Enum::Value`.
            Value::Enum(name) => match self.package.text(*name).to_string().split_once("::") {
                Some((of, _)) => self.enumeration(Some(&of.into())),
                None => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        of.values.iter().map(|(_, name)| Arc::clone(name)).collect()
    }

    fn unset(&self, list: &List, owner: Option<StructName>) -> Vec<UnsetMember> {
        let layout: Option<Arc<Layout>> = match list {
            List::Unversioned(list) => Some(Arc::clone(&list.layout)),
            List::Tagged(_) => owner.and_then(|owner| self.layout(&owner)),
        };
        let Some(layout) = layout else { return Vec::new() };
        let present: HashSet<String> =
            list.members(self.package).map(|member| member.name.to_lowercase()).collect();
        let slots = layout.slots().filter(|(_, _, element)| *element == 0).map(|(_, slot, _)| slot);
        let slots = slots.filter(|slot| !present.contains(&slot.name.to_lowercase()));
        slots.map(|slot| UnsetMember { name: Arc::clone(&slot.name), kind: Arc::clone(&slot.kind) }).collect()
    }
}
