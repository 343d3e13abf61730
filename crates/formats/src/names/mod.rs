//! Name tables of packages, containers and asset registries, and object paths made of names.

mod map;
mod name;
mod object_path;

pub use map::{HASH_ALGORITHM, NameMap, name_hash};
pub use name::{MappedName, NameTable, NameText, split_number};
pub use object_path::ObjectPath;

pub(crate) use object_path::separator;
