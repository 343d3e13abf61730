//! Differences between releases.

use super::token::OperandShape;
use super::tree::Operand;
use crate::property::Scope;
use crate::version::PropertyVersions;

/// Kind of the only instrumentation event with a name.
const INLINE_EVENT: u8 = 4;

/// Kind of a text with namespace and key: the only one before texts record their kind.
pub(super) const LOCALISED: u8 = 1;

/// Form of the scripts of a package; they have no version of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// True if references to properties are paths (4.25); before, objects.
    pub field_paths: bool,
    /// True if field paths record their owner.
    pub field_owners: bool,
    /// True if `Let` begins with a property, and contexts have no kind byte (4.9).
    pub assigned_properties: bool,
    /// True if `SetArray` gives the array as an expression.
    pub array_expressions: bool,
    /// True if texts record their kind (4.12).
    pub text_kinds: bool,
    /// True if texts may have notes, which moved the kinds after them (5.8).
    pub text_notes: bool,
    /// True if vectors, rotations and transforms have double precision (5.0).
    pub doubles: bool,
    /// Numbering of casts.
    pub casts: Casts,
}

/// Numbering of casts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Casts {
    /// Numbers of UE4.
    Ue4,
    /// Numbers of 5.0 alone.
    Ue50,
    /// Numbers of 5.1 and later.
    Ue51,
}

/// Meaning of a cast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CastKind {
    /// Object to interface.
    ObjectToInterface,
    /// Object to bool: true if there is an object.
    ObjectToBool,
    /// Interface to bool: true if there is an interface.
    InterfaceToBool,
    /// Double precision to single.
    DoubleToFloat,
    /// Single precision to double.
    FloatToDouble,
}

impl Dialect {
    /// Returns the form that these versions imply.
    #[must_use]
    pub fn new(versions: &PropertyVersions) -> Self {
        let objects = versions.objects;
        let casts = match (objects.has_large_worlds(), objects.has_renumbered_casts()) {
            // The renumbering of 5.1 comes after large worlds, so it is asked first.
            (_, true) => Casts::Ue51,
            (true, _) => Casts::Ue50,
            _ => Casts::Ue4,
        };
        Self {
            field_paths: versions.has_fields(),
            field_owners: versions.has_field_owner(),
            assigned_properties: objects.has_assigned_properties(),
            array_expressions: objects.has_array_expressions(),
            text_kinds: objects.has_text_kinds(),
            text_notes: versions.has_text_notes(),
            doubles: objects.has_large_worlds(),
            casts,
        }
    }

    /// Returns the form of a package.
    #[must_use]
    pub fn of(scope: &Scope<'_>) -> Self {
        Self::new(&scope.versions)
    }

    /// Returns the number and shape of operands in this form; `last` is the operand before.
    pub(super) fn plain(self, shape: OperandShape, last: Option<&Operand>) -> (u8, OperandShape) {
        match shape {
            // The same version that gave `Let` its property took the kind byte from contexts.
            OperandShape::Assigned => (u8::from(self.assigned_properties), OperandShape::Property),
            OperandShape::ContextKind => (u8::from(!self.assigned_properties), OperandShape::U8),
            OperandShape::Array if self.array_expressions => (1, OperandShape::Expression),
            OperandShape::Array => (1, OperandShape::Property),
            OperandShape::InlineName => {
                // Only an inline event is followed by its name.
                (u8::from(last == Some(&Operand::U8(INLINE_EVENT))), OperandShape::Name)
            }
            OperandShape::Reals(count) if self.doubles => (count, OperandShape::F64),
            OperandShape::Reals(count) | OperandShape::Floats(count) => (count, OperandShape::F32),
            other => (1, other),
        }
    }

    /// Returns the operands of a text kind; `None` for unknown kinds.
    pub(super) const fn text(self, kind: u8) -> Option<&'static [OperandShape]> {
        use OperandShape::{Expression as E, Object};
        match (kind, self.text_notes) {
            (0, _) => Some(&[]),
            // Source, key and namespace; then notes, if the kind has them.
            (LOCALISED, _) => Some(&[E, E, E]),
            (2, true) => Some(&[E, E, E, E]),
            // The culture-invariant text and the literal string are one expression each.
            (2 | 3, false) | (3 | 4, true) => Some(&[E]),
            // A string table: its asset, its id, the key.
            (4, false) | (5, true) => Some(&[Object, E, E]),
            _ => None,
        }
    }

    /// Returns the meaning of a cast number; `None` for unknown numbers.
    #[must_use]
    pub const fn cast(&self, number: u8) -> Option<CastKind> {
        use CastKind::{DoubleToFloat, FloatToDouble, InterfaceToBool, ObjectToBool, ObjectToInterface};
        match (self.casts, number) {
            // UE4 counts casts from 0x46, UE5 from 0.
            (Casts::Ue4, 0x46) | (Casts::Ue50 | Casts::Ue51, 0) => Some(ObjectToInterface),
            (Casts::Ue4, 0x47) | (Casts::Ue50 | Casts::Ue51, 1) => Some(ObjectToBool),
            (Casts::Ue4, 0x49) | (Casts::Ue50 | Casts::Ue51, 2) => Some(InterfaceToBool),
            (Casts::Ue50 | Casts::Ue51, 3) => Some(DoubleToFloat),
            // In 5.0 the casts of arrays and sets come between, hence 6.
            (Casts::Ue50, 6) | (Casts::Ue51, 4) => Some(FloatToDouble),
            _ => None,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::version::Release;

    pub(in crate::bytecode) fn of(release: &str) -> Dialect {
        Dialect::new(&PropertyVersions::of_release(Release::from_name(release).unwrap()))
    }

    #[test]
    fn casts_have_three_numberings() {
        use CastKind::{FloatToDouble, ObjectToBool};
        assert_eq!(of("4.27").cast(0x47), Some(ObjectToBool));
        assert_eq!((of("5.0").cast(6), of("5.0").cast(4)), (Some(FloatToDouble), None));
        assert_eq!((of("5.1").cast(6), of("5.1").cast(4)), (None, Some(FloatToDouble)));
    }

    #[test]
    fn releases_switch_where_the_sheet_says() {
        let switched = |old: &str, new: &str, switch: fn(&Dialect) -> bool| {
            assert!(!switch(&of(old)) && switch(&of(new)), "{old} to {new}");
        };
        switched("4.24", "4.25", |dialect| dialect.field_paths && dialect.field_owners);
        switched("4.27", "5.0", |dialect| dialect.doubles);
        switched("5.7", "5.8", |dialect| dialect.text_notes);
        switched("4.8", "4.9", |dialect| dialect.assigned_properties);
        switched("4.11", "4.12", |dialect| dialect.text_kinds);
    }
}
