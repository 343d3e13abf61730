//! Checks if an object fits a reference. The expected class comes from a blueprint's own fields, or from
//! the current object; without either, a note says that nothing was checked.

use super::context::Context;
use super::error::EditError;
use super::wish::Wish;
use crate::package::legacy::{PackageIndex, PackageRef};
use crate::property::kind::{Kind, Plain, StructName};
use std::sync::Arc;

/// The result of asking if one class extends another.
enum Extends {
    Yes,
    No,
    /// Part of the class chain is unknown.
    Unknown,
}

impl Context<'_, '_> {
    /// Refuses an object that does not fit, and notes one that cannot be checked.
    pub(super) fn check_reference(
        &mut self,
        current: PackageIndex,
        new: PackageIndex,
        wish: &Wish<'_>,
    ) -> Result<(), EditError> {
        let Some(Kind::Plain(plain)) = wish.kind else { return Ok(()) };
        // Keeping the object and clearing the reference are always allowed.
        if new == current || new == PackageIndex::NONE {
            return Ok(());
        }
        let is_class = self.is_class(new);
        // Neither mappings nor 5.4 tags tell class references from object references.
        let is_vague = self.scope.package.form.unversioned_properties
            || self.scope.versions.objects.has_complete_type_names();
        // A class in an object property is then taken for a class reference.
        let was_class = is_vague && *plain == Plain::Object && self.is_class(current) == Some(true);
        let wants_class = *plain == Plain::Class || was_class;
        if wants_class && is_class == Some(false) {
            return Err(wish.refused(if was_class { "a class, as is there already" } else { "a class" }));
        }
        // Soft and lazy references have no object to check.
        if !matches!(plain, Plain::Class | Plain::Object | Plain::WeakObject | Plain::Interface) {
            return Ok(());
        }
        if is_class.is_none() {
            self.unchecked(wish.at, "whether the object fits: its class is not known");
            return Ok(());
        }
        let class = if wants_class { self.scope.struct_name(new) } else { self.class_of(new) };
        let own = class.as_ref().map_or_else(|| Arc::from("Class"), |class| Arc::clone(&class.name));
        // An object of the same class fits if the current one does.
        if !wants_class && current != PackageIndex::NONE && self.class_of(current) == class {
            return Ok(());
        }
        let Some(of) = wish.leads_to else {
            self.unchecked(wish.at, &format!("whether it takes {own}: which classes it takes is not known"));
            return Ok(());
        };
        match (plain, class.map_or(Extends::Unknown, |class| self.extends(&class, of))) {
            (_, Extends::Yes) => Ok(()),
            // Interfaces are implemented, not extended, and the implementing classes are unknown.
            (Plain::Interface, _) | (_, Extends::Unknown) => {
                self.unchecked(wish.at, &format!("whether {own} is a {}", of.name));
                Ok(())
            }
            (Plain::Class, Extends::No) => Err(wish.refused(&format!("a class that extends {}", of.name))),
            (_, Extends::No) => Err(wish.refused(&format!("an object of the class {}", of.name))),
        }
    }

    /// True if the object is a class; `None` if its class is unknown. Zen packages do not record classes of
    /// imports: an unresolved import counts as `Object`.
    fn is_class(&self, index: PackageIndex) -> Option<bool> {
        let class = self.class_of(index);
        let is_import = matches!(index.decode(), PackageRef::Import(_));
        match class {
            _ if index == PackageIndex::NONE => Some(false),
            Some(class) if is_import && class.name.eq_ignore_ascii_case("Object") => None,
            class => Some(class.is_none_or(|class| class.name.ends_with("Class"))),
        }
    }

    /// The class of an object; `None` if the object is itself a class.
    fn class_of(&self, index: PackageIndex) -> Option<StructName> {
        let package = self.scope.package;
        match index.decode() {
            PackageRef::None => None,
            PackageRef::Export(at) => self.scope.struct_name(package.exports.get(at as usize)?.class),
            PackageRef::Import(at) => {
                let import = package.imports.get(at as usize)?;
                let of = Some(self.scope.shared(import.class_package));
                Some(StructName { name: self.scope.shared(import.class_name), package: of })
            }
        }
    }

    /// Compares a class and all its bases with another class.
    fn extends(&self, class: &StructName, of: &StructName) -> Extends {
        let is = |name: &str| name.eq_ignore_ascii_case(&of.name);
        let layout = self.scope.layout(class);
        if is(&class.name) || is("Object") || layout.as_ref().is_some_and(|layout| layout.names().any(is)) {
            return Extends::Yes;
        }
        match layout {
            Some(layout) if layout.missing().is_none() => Extends::No,
            _ => Extends::Unknown,
        }
    }
}
