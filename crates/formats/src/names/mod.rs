//! Names: the tables that packages, containers and asset registries keep them in, and the paths of objects that are made of them.

mod map;
mod name;
mod object_path;

pub use map::{HASH_ALGORITHM, NameMap, name_hash};
pub use name::{MappedName, NameTable, NameText, split_number};
pub use object_path::ObjectPath;

pub(crate) use object_path::separator;
