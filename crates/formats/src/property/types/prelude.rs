//! Imports shared by all descriptions and the macro around them.

pub(super) use super::description::{PropertyValue, ValueType, describe};
pub(super) use crate::package::legacy::{Name, PackageIndex};
pub(super) use crate::property::decode::Decoder;
pub(super) use crate::property::edit::{Context, EditError, Wish};
pub(super) use crate::property::indices::TableIndices;
pub(super) use crate::property::inner::{Inner, InnerMut};
pub(super) use crate::property::json::{In, JsonError, Reader, Reference, Shown, SourcePart, Tree, one};
pub(super) use crate::property::list::text;
pub(super) use crate::property::write::{counted, length, values};
pub(super) use crate::property::{Plain, Scope, Value, tag};
pub(super) use crate::version::PackageFileVersion;
pub(super) use crate::wire::{Fault, Writer};
pub(super) use serde::ser::{Serialize, SerializeMap, Serializer};
pub(super) use std::borrow::Cow;
