//! Changes values by address: `DA_Sword.Stats[2].Damage`.
//!
//! ```text
//! address   Export step*         the name of an export, or #3 for the one at index 3
//! step      .Name                a property, a field of a struct, a row of a table
//!           [2]                  an element of an array, or of a static array
//!           [Key]                the value of a map's key; ["a.b"] and ."a.b" for names with dots or brackets
//!           [+], [+Key]          a new element of an array, a new key of a map
//!           [2].Key, [2].Value   a side of an entry of a map, as JSON shows it
//!           .AssetPathName …     a part of a reference, as JSON shows it
//! value     12, true, a text, the name of an enum value, the path of an object; structs, arrays and maps as JSON
//! ```
//!
//! A value keeps its type and encoding. A member omitted from an unversioned list is inserted in schema
//! order. Names missing from the package are collected, to be added to its table.

mod assign;
mod context;
mod default;
mod error;
mod fits;
mod given;
mod grow;
mod members;
mod names;
mod near;
mod new_tag;
mod parts;
mod path;
mod reach;
mod references;
mod sound;
mod walk;
mod way;
mod wish;
mod zeros;

pub(super) use context::Context;
pub use error::{EditError, MissingFact};
pub(super) use given::{bool_of, bytes_of, enumerator, float, guid_of, number, plain, string};
pub use names::Names;
pub use path::{Address, ExportName, Step};
pub use sound::{ReadBackError, check_again};
pub use walk::{Change, Editor};
pub(super) use wish::Wish;

#[cfg(test)]
mod tests;
