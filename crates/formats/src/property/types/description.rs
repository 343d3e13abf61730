//! The parts of a type's description: operations on its values.

use crate::property::decode::Decoder;
use crate::property::edit::{Context, EditError, Wish};
use crate::property::indices::TableIndices;
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
    /// The values inside, mutably.
    fn inner_mut(held: &mut Self::Held) -> InnerMut<'_>;
    /// Calls `visit` with the indices of the value itself, not those of the values inside.
    fn indices(held: &mut Self::Held, visit: &mut dyn TableIndices);
    /// The value as text; `None` if its inner values say more.
    fn text<'v>(held: &'v Self::Held, scope: &'v Scope<'_>) -> Option<Cow<'v, str>>;
    /// The value as a map key in FModel's form; `None` if FModel shows the value itself.
    fn key<'v>(_: &'v Self::Held, _: &'v Scope<'_>) -> Option<Cow<'v, str>> {
        None
    }
    /// The value in FModel's form.
    fn shown<S: Serializer>(held: &Self::Held, scope: &Scope<'_>, s: S) -> Result<S::Ok, S::Error>;
    /// The value in the lossless form, under the name of its type.
    fn tree<S: Serializer>(
        held: &Self::Held,
        tree: &Tree<'_, '_>,
        tag: &str,
        s: S,
    ) -> Result<S::Ok, S::Error>;
    /// Reads the value from the lossless form.
    fn from_tree(reader: &mut Reader<'_, '_>, part: &SourcePart<'_>, tag: &str) -> Result<Value, JsonError>;
    /// Assigns the wished value.
    fn assign(held: &mut Self::Held, c: &mut Context<'_, '_>, wish: &Wish<'_>) -> Result<(), EditError>;
    /// True if the value and all its parts are zero.
    fn is_zero(held: &Self::Held, c: &Context<'_, '_>) -> bool;
}

/// A type of property values.
pub(super) trait PropertyValue: ValueType {
    /// Least bytes of a value in the file.
    const MIN_LEN: usize;
    /// Reads a value.
    fn read(d: &mut Decoder<'_, '_>) -> Result<Value, Fault>;
    /// The displayed value of a property recorded as zero.
    fn zero() -> Value;
    /// True if zeros of this type have no bytes in real packages.
    fn has_zero_bit(plain: Plain, objects: PackageFileVersion) -> bool;
}

/// Makes a description. The contents are followed by `leaf` (no indices and no values inside), `indices(…) { …
/// }` (indices) or `holds(…) { … } { … }` (values inside: [`ValueType::inner`], [`ValueType::inner_mut`]).
/// The other parts follow in the order of [`ValueType`], and for property types of [`PropertyValue`].
macro_rules! describe {
    (
        $form:ident($of:ty): $shape:ident $(($($bound:pat_param),+) $({ $($body:tt)* })+)?;
        write($write_held:pat_param, $w:pat_param) $write:block
        text($text_held:pat_param, $text_scope:pat_param) $text:block
        $(key($key_held:pat_param, $key_scope:pat_param) $key:block)?
        shown($shown_held:pat_param, $shown_scope:pat_param, $s:pat_param) $shown:block
        tree($tree_held:pat_param, $tree:pat_param, $tag:pat_param, $t:pat_param) $to_tree:block
        from_tree($reader:pat_param, $part:pat_param, $kind:pat_param) $from_tree:block
        assign($assign_held:pat_param, $c:pat_param, $wish:pat_param) $assign:block
        is_zero($zero_held:pat_param, $zero_c:pat_param) $is_zero:block
        $(property {
            $min_len:expr, $d:pat_param => $read:expr, $zero:expr, ($plain:pat_param, $objects:pat_param) => $zero_bit:expr
        })?
    ) => {
        pub(super) struct $form;

        impl ValueType for $form {
            type Held = $of;
            describe!(@$shape $(($($bound),+) $({ $($body)* })+)?);
            fn write($write_held: &$of, $w: &mut Writer) -> Result<(), Fault> {
                $write
                Ok(())
            }
            fn text<'v>($text_held: &'v $of, $text_scope: &'v Scope<'_>) -> Option<Cow<'v, str>> $text
            $(fn key<'v>($key_held: &'v $of, $key_scope: &'v Scope<'_>) -> Option<Cow<'v, str>> $key)?
            fn shown<S: Serializer>($shown_held: &$of, $shown_scope: &Scope<'_>, $s: S) -> Result<S::Ok, S::Error> $shown
            fn tree<S: Serializer>($tree_held: &$of, $tree: &Tree<'_, '_>, $tag: &str, $t: S) -> Result<S::Ok, S::Error> $to_tree
            fn from_tree($reader: &mut Reader<'_, '_>, $part: &SourcePart<'_>, $kind: &str) -> Result<Value, JsonError> $from_tree
            fn assign($assign_held: &mut $of, $c: &mut Context<'_, '_>, $wish: &Wish<'_>) -> Result<(), EditError> {
                $assign
                Ok(())
            }
            fn is_zero($zero_held: &$of, $zero_c: &Context<'_, '_>) -> bool $is_zero
        }

        $(impl PropertyValue for $form {
            const MIN_LEN: usize = $min_len;
            fn read($d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
                $read
            }
            fn zero() -> Value {
                $zero
            }
            fn has_zero_bit($plain: Plain, $objects: PackageFileVersion) -> bool {
                $zero_bit
            }
        })?
    };
    // A leaf is a type with indices, of which there are none.
    (@leaf) => {
        describe!(@indices(_, _) {});
    };
    (@indices($held:pat_param, $visit:pat_param) { $($indices:tt)* }) => {
        fn inner(_: &Self::Held) -> Inner<'_> {
            Inner::Leaf
        }
        fn inner_mut(_: &mut Self::Held) -> InnerMut<'_> {
            InnerMut::Leaf
        }
        fn indices($held: &mut Self::Held, $visit: &mut dyn TableIndices) {
            $($indices)*
        }
    };
    (@holds($held:pat_param) { $($inner:tt)* } { $($inner_mut:tt)* }) => {
        fn inner($held: &Self::Held) -> Inner<'_> {
            $($inner)*
        }
        fn inner_mut($held: &mut Self::Held) -> InnerMut<'_> {
            $($inner_mut)*
        }
        fn indices(_: &mut Self::Held, _: &mut dyn TableIndices) {}
    };
}

pub(super) use describe;
