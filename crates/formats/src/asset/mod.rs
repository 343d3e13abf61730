//! Assets: what classes write after their properties, such as pictures, sounds and meshes.
//!
//! ```text
//! export   properties │ has a GUID, GUID │ payload, to the last byte
//! ```
//!
//! [`read`] looks up the class of an export in a table. The reader of a class gets a [`Payload`]: a
//! cursor at the start of the payload with the primitives that all of them use. It has to take every byte, so that a layout
//! that is not quite right is never taken for one that is.
//!
//! Where properties cannot be decoded, because they have no tags and there are no mappings, the start of the payload is
//! searched for. Large pieces that are not in the export stay [`Bulk`]: what they say about where they are.
//!
//! A new class: one module with a reader, one variant of [`Asset`], one row in the table.
//!
//! Verified on cooked assets of 4.27 to 6.0. Source: the payload sheet, whose rules were drawn from real files, and CUE4Parse.

mod bulk;
mod error;
mod payload;
mod reference;
mod releases;
mod search;
mod socket;
mod summary;
mod table;

pub mod animation;
pub mod font;
pub mod gltf;
pub mod material;
pub mod mesh;
pub mod morph_target;
pub mod skeleton;
pub mod sound;
pub mod sound_cue;
pub mod source_data;
pub mod texture;
pub mod wwise;

pub use animation::Animation;
pub use bulk::{Bulk, BulkHeader, OwnHeader};
pub use error::{AssetError, Reason};
pub use font::FontFace;
pub use material::Material;
pub use mesh::{SkeletalMesh, StaticMesh};
pub use morph_target::MorphTarget;
pub use payload::{Payload, StripFlags};
pub use releases::releases_that_read;
pub use search::Found;
pub use skeleton::Skeleton;
pub use socket::Socket;
pub use sound::Sound;
pub use sound_cue::SoundCue;
pub use source_data::SourceData;
pub use summary::{LodSummary, MipSummary, Summary};
pub use table::Asset;
pub use texture::Texture;
pub use wwise::WwiseFile;

use crate::package::legacy::Export;
use crate::property::{DEFAULT_OBJECT, Object, Scope};

/// Reads the asset in an export; `None` if its class is not one that is read here, or if it is the default object of a class.
///
/// `object` is what was read of the export before.
///
/// ```no_run
/// use uncask_formats::asset::{self, Asset};
/// use uncask_formats::package::legacy::Package;
/// use uncask_formats::property::{Object, Scope};
///
/// let (header, data) = (std::fs::read("T_Rock.uasset")?, std::fs::read("T_Rock.uexp")?);
/// let package = Package::parse(&header)?;
/// let scope = Scope::new(&package, &data, package.header_len(), None);
/// for export in &package.exports {
///     if let Some(found) = asset::read(&scope, export, &Object::read(&scope, export)) {
///         let Asset::Texture(texture) = found?.asset else { continue };
///         println!("{} × {}, {}", texture.width, texture.height, texture.format);
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read<'a>(
    scope: &Scope<'a>,
    export: &Export,
    object: &Object,
) -> Option<Result<Found<'a>, AssetError>> {
    if export.object_flags & DEFAULT_OBJECT != 0 {
        return None;
    }
    let (class, read) = table::class_of(scope, export)?;
    Some(search::read(scope, export, object, &class, read))
}

/// Whether the class of an export is one that is read here.
#[must_use]
pub fn is_known(scope: &Scope<'_>, export: &Export) -> bool {
    export.object_flags & DEFAULT_OBJECT == 0 && table::class_of(scope, export).is_some()
}

/// Whether the class of an export is one of textures.
#[must_use]
pub fn is_texture(scope: &Scope<'_>, export: &Export) -> bool {
    export.object_flags & DEFAULT_OBJECT == 0 && table::is_texture(scope, export)
}
