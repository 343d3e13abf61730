//! What is done with values, each type in a file of its own.
//!
//! A type is a row in `rows.rs` and a description here. All matches over [`Value`] that have an arm for each type are below; they are
//! made of the rows, and an arm calls the part of the description that it needs.

mod boolean;
mod bytes;
mod delegate;
mod description;
mod enumeration;
mod field_path;
mod list;
mod map;
mod name;
mod number;
mod object;
mod soft_path;
mod string;
mod structure;
mod text;
mod wrapped;

use super::decode::Decoder;
use super::edit::{Context, EditError, Wish};
use super::inner::{Inner, InnerMut};
use super::json::{In, JsonError, Reader, Shown, SourcePart};
use super::kind::Plain;
use super::rows::value_types;
use super::scope::Scope;
use super::value::Value;
use crate::package::legacy::Name;
use crate::version::PackageFileVersion;
use crate::wire::{Fault, Writer};
use boolean::{Bool32Value, BoolValue};
use bytes::{BytesValue, FixedValue, RawValue};
use delegate::{DelegateValue, MulticastValue};
use description::{PropertyValue, ValueType};
use enumeration::{EnumValueName, EnumeratorValue};
use field_path::FieldPathValue;
use list::{ArrayValue, SetValue, TaggedArrayValue};
use map::MapValue;
use name::NameValue;
use number::{
    ByteValue, DoubleValue, FloatValue, Int8Value, Int16Value, Int64Value, IntValue, UInt16Value,
    UInt32Value, UInt64Value,
};
use object::{GuidValue, ObjectValue};
use serde::ser::{Serialize, Serializer};
use soft_path::SoftPathValue;
use std::borrow::Cow;
use string::{AnsiValue, StrValue, Utf8Value};
use structure::StructValue;
use text::TextValue;
use wrapped::{OptionalValue, SizedValue};

/// Calls a part of the description of a value's type.
macro_rules! dispatch {
    ($(
        $(#[$doc:meta])*
        $variant:ident($of:ty) $($tag:literal)* = $form:ident {
            $($(#[$note:meta])* $plain:ident: $($name:literal)|+;)*
        }
    )*) => {
        impl Value {
            /// Appends the value.
            pub fn write(&self, w: &mut Writer) -> Result<(), Fault> {
                match self { $(Self::$variant(held) => $form::write(held, w),)* }
            }

            /// The values inside.
            pub(super) fn inner(&self) -> Inner<'_> {
                match self { $(Self::$variant(held) => $form::inner(held),)* }
            }

            /// The values inside, to be changed.
            pub(super) fn inner_mut(&mut self) -> InnerMut<'_> {
                match self { $(Self::$variant(held) => $form::inner_mut(held),)* }
            }

            /// Replaces all names of the value itself by `none()`.
            pub(super) fn clear_names(&mut self, none: &mut dyn FnMut() -> Name) {
                match self { $(Self::$variant(held) => $form::clear_names(held, none),)* }
            }

            /// A value that holds no others, as text; `None` for one that does, such as a struct.
            #[must_use]
            pub fn text<'v>(&'v self, scope: &'v Scope<'_>) -> Option<Cow<'v, str>> {
                match self { $(Self::$variant(held) => $form::text(held, scope),)* }
            }

            /// The value as a key of a map, as FModel shows it; `None` for one that is shown like any value.
            pub(super) fn key<'v>(&'v self, scope: &'v Scope<'_>) -> Option<Cow<'v, str>> {
                match self { $(Self::$variant(held) => $form::key(held, scope),)* }
            }

            /// Changes the value as wished.
            pub(super) fn assign(&mut self, c: &mut Context<'_, '_>, wish: &Wish<'_>) -> Result<(), EditError> {
                match self { $(Self::$variant(held) => $form::assign(held, c, wish),)* }
            }

            /// Recognises zero, all parts included.
            pub(super) fn is_zero(&self, c: &Context<'_, '_>) -> bool {
                match self { $(Self::$variant(held) => $form::is_zero(held, c),)* }
            }
        }

        impl Serialize for Shown<'_, '_, Value> {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                match self.value { $(Value::$variant(held) => $form::shown(held, self.scope, s),)* }
            }
        }

        impl Serialize for In<'_, '_, '_, Value> {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                match self.1 { $(Value::$variant(held) => $form::tree(held, self.0, stringify!($variant), s),)* }
            }
        }

        impl Reader<'_, '_> {
            /// A value: its type, and what it holds.
            pub(super) fn value(&mut self, part: &SourcePart<'_>) -> Result<Value, JsonError> {
                part.only(|tag, part| match tag {
                    $(stringify!($variant) $(| $tag)* => $form::from_tree(self, &part, tag),)*
                    _ => Err(part.error(&format!("{tag} is no type of values"))),
                })
            }
        }

        impl Plain {
            /// Reads a value.
            pub(super) fn read(self, d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
                match self { $($(Self::$plain => $form::read(d),)*)* }
            }

            /// Least bytes of a value.
            pub(super) const fn min_len(self) -> usize {
                match self { $($(Self::$plain => $form::MIN_LEN,)*)* }
            }

            /// The value that unversioned lists record as zero, as it is shown.
            pub(super) fn zero(self) -> Value {
                match self { $($(Self::$plain => $form::zero(),)*)* }
            }

            /// Recognises types whose zeros have no bytes in real packages.
            pub(super) fn has_zero_bit(self, objects: PackageFileVersion) -> bool {
                match self { $($(Self::$plain => $form::has_zero_bit(self, objects),)*)* }
            }
        }
    };
}

value_types!(dispatch);
