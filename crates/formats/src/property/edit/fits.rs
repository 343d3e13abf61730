//! Checks whether an object fits a reference. The expected class is known from a blueprint's own fields or from the object
//! that is there already; otherwise a note says that it was not checked.

use super::context::Context;
use super::error::EditError;
use super::wish::Wish;
use crate::package::legacy::{PackageIndex, PackageRef};
use crate::property::kind::{Kind, Plain, StructName};
use std::sync::Arc;

/// The answer to whether one class extends another.
enum Extends {
    Yes,
    No,
    /// Part of the chain of classes is unknown.
    Unknown,
}

impl Context<'_, '_> {
    /// Refuses an object that does not fit, and notes one that could not be checked.
    pub(super) fn check_reference(
        &mut self,
        current: PackageIndex,
        new: PackageIndex,
        wish: &Wish<'_>,
    ) -> Result<(), EditError> {
        let Some(Kind::Plain(plain)) = wish.kind else { return Ok(()) };
        if new == current || new == PackageIndex::NONE {
            return Ok(());
        }
        let is_class = self.is_class(new);
        // Neither mappings nor tags since 5.4 tell references to classes from others.
        let is_vague = self.scope.package.form.unversioned_properties
            || self.scope.versions.objects.has_complete_type_names();
        let was_class = is_vague && *plain == Plain::Object && self.is_class(current) == Some(true);
        let wants_class = *plain == Plain::Class || was_class;
        if wants_class && is_class == Some(false) {
            return Err(wish.refused(if was_class { "a class, as is there already" } else { "a class" }));
        }
        if !matches!(plain, Plain::Class | Plain::Object | Plain::WeakObject | Plain::Interface) {
            return Ok(());
        }
        if is_class.is_none() {
            self.unchecked(wish.at, "whether the object fits: its class is not known");
            return Ok(());
        }
        let class = if wants_class { self.scope.struct_name(new) } else { self.class_of(new) };
        let own = class.as_ref().map_or_else(|| Arc::from("Class"), |class| Arc::clone(&class.name));
        if !wants_class && current != PackageIndex::NONE && self.class_of(current) == class {
            return Ok(());
        }
        let Some(of) = wish.leads_to else {
            self.unchecked(wish.at, &format!("whether it takes {own}: which classes it takes is not known"));
            return Ok(());
        };
        match (plain, class.map_or(Extends::Unknown, |class| self.extends(&class, of))) {
            (_, Extends::Yes) => Ok(()),
            // An interface is no class that others extend: which classes implement it is not known.
            (Plain::Interface, _) | (_, Extends::Unknown) => {
                self.unchecked(wish.at, &format!("whether {own} is a {}", of.name));
                Ok(())
            }
            (Plain::Class, Extends::No) => Err(wish.refused(&format!("a class that extends {}", of.name))),
            (_, Extends::No) => Err(wish.refused(&format!("an object of the class {}", of.name))),
        }
    }

    /// Recognises classes among objects; `None` where the class of an object is not known. Zen packages do not record those of
    /// imports, so an import of another package that was not found is an `Object`.
    fn is_class(&self, index: PackageIndex) -> Option<bool> {
        let class = self.class_of(index);
        let is_import = matches!(index.decode(), PackageRef::Import(_));
        match class {
            _ if index == PackageIndex::NONE => Some(false),
            Some(class) if is_import && class.name.eq_ignore_ascii_case("Object") => None,
            class => Some(class.is_none_or(|class| class.name.ends_with("Class"))),
        }
    }

    /// The class of an object; `None` for one that has none, as it is a class itself.
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

    /// Compares a class, and all that it extends, with another.
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
