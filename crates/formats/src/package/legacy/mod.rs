//! Legacy packages: `.uasset` and `.umap`, with `.uexp` where they are cooked; object versions 4.0 to 6.0.
//!
//! ```text
//! editor   summary │ names │ soft paths │ text │ metadata │ imports │ exports │ cells │ depends │ soft references
//!          │ searchable names │ thumbnails │ registry │ world tile │ export data │ bulk data │ tag │ trailer
//! cooked   summary │ names │ imports │ exports │ cells │ depends │ registry │ world tile │ preload │ resources
//!          export data │ tag                                                                    (.uexp)
//! ```
//!
//! Each record is described once, over [`Archive`](crate::wire::Archive), for reading and writing: a package
//! that was read is written back byte for byte. Verified on editor files of 4.10 to 5.7 and cooked ones of
//! 5.4 to 5.8; sources: CUE4Parse, UAssetAPI, retoc.

mod cells;
mod fits;
mod form;
mod names;
mod objects;
mod package;
mod paths;
mod places;
mod read;
mod references;
mod registry;
mod resources;
mod summary;
mod text;
mod thumbnails;
mod trailer;
mod world;
mod write;

pub use cells::{CellExport, CellImport};
pub use form::{Counts, FILTER_EDITOR_ONLY, Form, Name, PackageIndex, PackageRef, UNVERSIONED_PROPERTIES};
pub use names::NameEntry;
pub(crate) use objects::import_len;
pub use objects::{Export, Import, PreloadSlice};
pub use package::{Package, VersionEvidence};
pub use references::{ImportTypeHierarchy, SearchableNames, SoftObjectPath, SoftPackageReference, TypeName};
pub use registry::{AssetRegistry, Bits, RegistryAsset, RegistryDependencies};
pub use resources::{DataResource, DataResources};
pub use summary::{Generation, SWAPPED_TAG, Summary, TAG, TableAt};
pub use text::{GatherableText, LocObject, LocValue, Metadata, MetadataValue, TextContext};
pub use thumbnails::{Picture, PictureKind, Thumbnail};
pub use trailer::{PayloadAccess, Trailer, TrailerEntry};
pub use world::{TileBounds, WorldTile, WorldTileLayer};
pub(crate) use write::set_saved_hash;
pub use write::{END_TAG, saved_hash};

#[cfg(test)]
mod tests;
