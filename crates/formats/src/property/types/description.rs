//! The parts of a description: all that is done with a value of some type.

use crate::package::legacy::Name;
use crate::property::decode::Decoder;
use crate::property::edit::{Context, EditError, Wish};
use crate::property::inner::{Inner, InnerMut};
use crate::property::json::{JsonError, Reader, SourcePart, Tree};
use crate::property::{Plain, Scope, Value};
use crate::version::PackageFileVersion;
use crate::wire::{Fault, Writer};
use serde::ser::Serializer;
use std::borrow::Cow;

/// A type of values.
pub(super) trait ValueType {
    /// The contents of a value.
    type Held;

    /// Appends the bytes.
    fn write(held: &Self::Held, w: &mut Writer) -> Result<(), Fault>;

    /// The values inside.
    fn inner(held: &Self::Held) -> Inner<'_>;

    /// The values inside, to be changed.
    fn inner_mut(held: &mut Self::Held) -> InnerMut<'_>;

    /// Replaces all names by `none()`.
    fn clear_names(held: &mut Self::Held, none: &mut dyn FnMut() -> Name);

    /// The value in words; `None` where the values inside say more.
    fn text<'v>(held: &'v Self::Held, scope: &'v Scope<'_>) -> Option<Cow<'v, str>>;

    /// The value as a key of a map, as FModel shows it; `None` where it shows the value itself.
    fn key<'v>(held: &'v Self::Held, scope: &'v Scope<'_>) -> Option<Cow<'v, str>>;

    /// The value in FModel's form.
    fn shown<S: Serializer>(held: &Self::Held, scope: &Scope<'_>, s: S) -> Result<S::Ok, S::Error>;

    /// The value in the form that keeps everything, under the name of its type.
    fn tree<S: Serializer>(
        held: &Self::Held,
        tree: &Tree<'_, '_>,
        tag: &str,
        s: S,
    ) -> Result<S::Ok, S::Error>;

    /// The value from the form that keeps everything.
    fn from_tree(reader: &mut Reader<'_, '_>, part: &SourcePart<'_>, tag: &str) -> Result<Value, JsonError>;

    /// Changes the value as wished.
    fn assign(held: &mut Self::Held, c: &mut Context<'_, '_>, wish: &Wish<'_>) -> Result<(), EditError>;

    /// Recognises zero, all parts included.
    fn is_zero(held: &Self::Held, c: &Context<'_, '_>) -> bool;
}

/// A type of values that properties are of.
pub(super) trait PropertyValue: ValueType {
    /// Least bytes of a value.
    const MIN_LEN: usize;

    /// Reads a value.
    fn read(d: &mut Decoder<'_, '_>) -> Result<Value, Fault>;

    /// The value that unversioned lists record as zero, as it is shown.
    fn zero() -> Value;

    /// Recognises properties whose zeros have no bytes in real packages.
    fn has_zero_bit(plain: Plain, objects: PackageFileVersion) -> bool;
}

/// Makes a description. The order of the parts is that of [`ValueType`]; none may be left out.
///
/// After the name and the contents comes `leaf` for a type without names and values inside, `names(…) { … }` for one with names, or
/// `holds(…) { … } { … }` for one with values inside, with [`ValueType::inner`] and [`ValueType::inner_mut`].
macro_rules! describe {
    (
        $(#[$doc:meta])*
        $form:ident($of:ty): $shape:ident $(($($bound:pat_param),+) $({ $($body:tt)* })+)?;
        write($write_held:pat_param, $w:pat_param) $write:block
        text($text_held:pat_param, $text_scope:pat_param) $text:block
        key($key_held:pat_param, $key_scope:pat_param) $key:block
        shown($shown_held:pat_param, $shown_scope:pat_param, $s:pat_param) $shown:block
        tree($tree_held:pat_param, $tree:pat_param, $tag:pat_param, $t:pat_param) $to_tree:block
        from_tree($reader:pat_param, $part:pat_param, $kind:pat_param) $from_tree:block
        assign($assign_held:pat_param, $c:pat_param, $wish:pat_param) $assign:block
        is_zero($zero_held:pat_param, $zero_c:pat_param) $is_zero:block
        $(property {
            min_len $min_len:expr;
            read($d:pat_param) $read:block
            zero $zero:block
            has_zero_bit($plain:pat_param, $objects:pat_param) $has_zero_bit:block
        })?
    ) => {
        $(#[$doc])*
        pub(super) struct $form;

        impl $crate::property::types::description::ValueType for $form {
            type Held = $of;

            describe!(@$shape $(($($bound),+) $({ $($body)* })+)?);

            fn write($write_held: &$of, $w: &mut $crate::wire::Writer) -> Result<(), $crate::wire::Fault> {
                $write
                Ok(())
            }

            fn text<'v>(
                $text_held: &'v $of,
                $text_scope: &'v $crate::property::Scope<'_>,
            ) -> Option<std::borrow::Cow<'v, str>> $text

            fn key<'v>(
                $key_held: &'v $of,
                $key_scope: &'v $crate::property::Scope<'_>,
            ) -> Option<std::borrow::Cow<'v, str>> $key

            fn shown<S: serde::Serializer>(
                $shown_held: &$of,
                $shown_scope: &$crate::property::Scope<'_>,
                $s: S,
            ) -> Result<S::Ok, S::Error> $shown

            fn tree<S: serde::Serializer>(
                $tree_held: &$of,
                $tree: &$crate::property::json::Tree<'_, '_>,
                $tag: &str,
                $t: S,
            ) -> Result<S::Ok, S::Error> $to_tree

            fn from_tree(
                $reader: &mut $crate::property::json::Reader<'_, '_>,
                $part: &$crate::property::json::SourcePart<'_>,
                $kind: &str,
            ) -> Result<$crate::property::Value, $crate::property::json::JsonError> $from_tree

            fn assign(
                $assign_held: &mut $of,
                $c: &mut $crate::property::edit::Context<'_, '_>,
                $wish: &$crate::property::edit::Wish<'_>,
            ) -> Result<(), $crate::property::edit::EditError> {
                $assign
                Ok(())
            }

            fn is_zero($zero_held: &$of, $zero_c: &$crate::property::edit::Context<'_, '_>) -> bool $is_zero
        }

        $(impl $crate::property::types::description::PropertyValue for $form {
            const MIN_LEN: usize = $min_len;

            fn read(
                $d: &mut $crate::property::decode::Decoder<'_, '_>,
            ) -> Result<$crate::property::Value, $crate::wire::Fault> $read

            fn zero() -> $crate::property::Value $zero

            fn has_zero_bit(
                $plain: $crate::property::Plain,
                $objects: $crate::version::PackageFileVersion,
            ) -> bool $has_zero_bit
        })?
    };
    (@leaf) => {
        describe!(@names(_, _) {});
    };
    (@names($held:pat_param, $none:pat_param) { $($clear:tt)* }) => {
        fn inner(_: &Self::Held) -> $crate::property::inner::Inner<'_> {
            $crate::property::inner::Inner::Leaf
        }

        fn inner_mut(_: &mut Self::Held) -> $crate::property::inner::InnerMut<'_> {
            $crate::property::inner::InnerMut::Leaf
        }

        fn clear_names(
            $held: &mut Self::Held,
            $none: &mut dyn FnMut() -> $crate::package::legacy::Name,
        ) {
            $($clear)*
        }
    };
    (@holds($held:pat_param) { $($inner:tt)* } { $($inner_mut:tt)* }) => {
        fn inner($held: &Self::Held) -> $crate::property::inner::Inner<'_> {
            $($inner)*
        }

        fn inner_mut($held: &mut Self::Held) -> $crate::property::inner::InnerMut<'_> {
            $($inner_mut)*
        }

        fn clear_names(_: &mut Self::Held, _: &mut dyn FnMut() -> $crate::package::legacy::Name) {}
    };
}

pub(super) use describe;
