//! Objects as JSON: in FModel's form, which scripts know, and in a lossless form.

mod class;
mod flags;
mod fmodel;
mod from_tree;
mod reader;
mod reference;
mod shown;
mod source;
mod structs;
mod texts;
mod tree;
mod values;

pub use fmodel::{Additions, FModel, NoAdditions};
pub use from_tree::{FromTree, from_tree};
pub(super) use reader::{Reader, guid, wire_string};
pub(crate) use reference::Reference;
pub(super) use reference::{OBJECT_NAME, OBJECT_PATH, is_shown_as, object_name};
pub(super) use shown::Shown;
pub use shown::value_text;
pub use source::JsonError;
pub(super) use source::SourcePart;
pub use tree::Tree;
pub(super) use tree::{In, one};
pub(super) use values::{key_text, problem};
