//! Property data: the contents of every object as values, and back.
//!
//! ```text
//! tagged list        { name │ type │ size │ … │ value } … name None          (every package of the editor, many games)
//! unversioned list   which members of a schema │ values, back to back          (most games since 4.25; needs mappings)
//! ```
//!
//! A [`Scope`] is a package together with everything its values refer to. [`Object::read`] turns the data
//! of an export into values, and [`Object::write`] turns these into the same bytes. Parts that are not
//! understood stay as raw bytes in their place, with the reason.
//!
//! Verified on exports of 4.10 to 6.0. Sources: the property sheet, derived from real files; CUE4Parse and
//! UAssetAPI for structs that none of those files contains.

mod cause;
mod class;
mod decode;
pub mod edit;
mod engine;
mod from_value;
mod header;
mod indices;
mod inner;
mod jmap;
pub mod json;
mod key;
mod kind;
mod layout;
mod list;
mod lists;
mod lookup;
mod native;
mod native_defaults;
mod object;
mod read;
mod reference;
mod remembered;
mod rows;
mod schema;
mod schemas;
mod scope;
mod shown_names;
mod structs;
mod tag;
mod tags;
mod tails;
mod text;
mod types;
mod unset;
mod value;
mod walk;
mod words;
mod write;
mod zero;

pub use cause::ReadCause;
pub use engine::{engine_schemas, release_of_classes};
pub use from_value::FromValue;
pub use header::{Header, Member as HeaderMember};
pub use indices::TableIndices;
pub(crate) use inner::Inner;
pub use kind::{Kind, Plain, StructName};
pub use layout::Layout;
pub use list::Member;
pub use native_defaults::NativeValues;
pub use object::{Object, Problem};
pub use reference::{Delegate, FieldPath, SoftPath};
pub use schema::{Enumeration, Schema, Slot};
pub use schemas::Schemas;
pub use scope::{Scope, World};
pub use tag::{BareKind, BareMore, CompleteType, InnerTag, Tag, TagGuid, TagKind};
pub use unset::UnsetMember;
pub use value::{
    Body, Enumerator, List, Map, Property, Raw, Record, Set, Struct, TaggedArray, TaggedList, Text,
    UnversionedList, Value,
};
pub use walk::ValuePlace;
pub(crate) use words::guid_text;
pub(crate) use zero::zero;
