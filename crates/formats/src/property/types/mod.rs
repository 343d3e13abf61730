//! Operations on values, one file per type.
//!
//! A type is a row in `rows.rs` and a description here. Below are all matches over [`Value`] with an arm
//! for each type; they are generated from the rows and call the parts of the descriptions.

mod boolean;
mod bytes;
mod delegate;
mod description;
mod enumerator;
mod field_path;
mod list;
mod map;
mod name;
mod number;
mod object;
mod prelude;
mod soft_path;
mod string;
mod structure;
mod text;
mod wrapped;

use super::rows::value_types;
use prelude::*;

/// Dispatches to the description of a value's type. [`ValueType`] and [`PropertyValue`] document the parts.
macro_rules! dispatch {
    ($(
        $(#[$doc:meta])*
        $variant:ident($of:ty) $($tag:literal)* = $file:ident::$form:ident [$($plain:ident $($name:literal)+),*];
    )*) => {
        impl Value {
            /// Appends the value.
            pub fn write(&self, w: &mut Writer) -> Result<(), Fault> {
                match self { $(Self::$variant(held) => $file::$form::write(held, w),)* }
            }

            pub(crate) fn inner(&self) -> Inner<'_> {
                match self { $(Self::$variant(held) => $file::$form::inner(held),)* }
            }

            pub(super) fn inner_mut(&mut self) -> InnerMut<'_> {
                match self { $(Self::$variant(held) => $file::$form::inner_mut(held),)* }
            }

            pub(super) fn own_indices(&mut self, visit: &mut dyn TableIndices) {
                match self { $(Self::$variant(held) => $file::$form::indices(held, visit),)* }
            }

            /// The value as text; `None` if it holds other values, such as a struct.
            #[must_use]
            pub fn text<'v>(&'v self, scope: &'v Scope<'_>) -> Option<Cow<'v, str>> {
                match self { $(Self::$variant(held) => $file::$form::text(held, scope),)* }
            }

            pub(super) fn key<'v>(&'v self, scope: &'v Scope<'_>) -> Option<Cow<'v, str>> {
                match self { $(Self::$variant(held) => $file::$form::key(held, scope),)* }
            }

            pub(super) fn assign(&mut self, c: &mut Context<'_, '_>, wish: &Wish<'_>) -> Result<(), EditError> {
                match self { $(Self::$variant(held) => $file::$form::assign(held, c, wish),)* }
            }

            pub(super) fn is_zero(&self, c: &Context<'_, '_>) -> bool {
                match self { $(Self::$variant(held) => $file::$form::is_zero(held, c),)* }
            }
        }

        impl Serialize for Shown<'_, '_, Value> {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                match self.value { $(Value::$variant(held) => $file::$form::shown(held, self.scope, s),)* }
            }
        }

        impl Serialize for In<'_, '_, '_, Value> {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                match self.1 { $(Value::$variant(held) => $file::$form::tree(held, self.0, stringify!($variant), s),)* }
            }
        }

        impl Reader<'_, '_> {
            /// Reads a value: its type and contents.
            pub(super) fn value(&mut self, part: &SourcePart<'_>) -> Result<Value, JsonError> {
                part.only(|tag, part| match tag {
                    $(stringify!($variant) $(| $tag)* => $file::$form::from_tree(self, &part, tag),)*
                    _ => Err(part.error(&format!("{tag} is no type of values"))),
                })
            }
        }

        impl Plain {
            /// Reads a value of this type.
            pub(super) fn read(self, d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
                match self { $($(Self::$plain => $file::$form::read(d),)*)* }
            }

            /// Least bytes of a value in the file.
            pub(super) const fn min_len(self) -> usize {
                match self { $($(Self::$plain => $file::$form::MIN_LEN,)*)* }
            }

            /// The displayed value of a property recorded as zero.
            pub(super) fn zero(self) -> Value {
                match self { $($(Self::$plain => $file::$form::zero(),)*)* }
            }

            /// True if zeros of this type have no bytes in real packages.
            pub(super) fn has_zero_bit(self, objects: PackageFileVersion) -> bool {
                match self { $($(Self::$plain => $file::$form::has_zero_bit(self, objects),)*)* }
            }
        }
    };
}

value_types!(dispatch);
