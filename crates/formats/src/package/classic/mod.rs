//! Packages of Unreal Engine 1 to 3: `.u .utx .uax .umx .unr .ut2 .usx .ukx .upk` and others.
//!
//! ```text
//! header │ names │ object data │ imports │ exports          in this order as a rule; the header says where
//! ```
//!
//! The extension is ignored; a file is a classic package if it starts with the tag and a positive version.
//! Verified on versions 69, 128 and 868; sources: Unreal-Library, unreal-package-lib, the UnrealWiki.

pub mod compact;
mod compressed;
mod package;
mod properties;
mod summary;
mod tables;
mod texture;
mod typed;

pub use package::Package;
pub use properties::{Property, PropertyKind, Value};
pub use summary::{Generation, GuidTable, Summary, TableAt, TextureAllocation, is_classic};
pub use tables::{Export, Import, Name, NameEntry, ObjectIndex};
pub use texture::{Mip, Picture, Texture, TextureError, TextureFormat, Textures};

#[cfg(test)]
mod tests;
