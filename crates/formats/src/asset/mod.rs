//! Assets: what classes write after their properties, such as pictures, sounds and meshes.
//!
//! ```text
//! export   properties │ has a GUID, GUID │ payload, to the last byte
//! ```
//!
//! [`read`] looks up the class of an export in the tables of the modules here. The reader of a class gets a [`Payload`]: a
//! cursor at the start of the payload with the primitives that all of them use. It has to take every byte, so that a layout
//! that is not quite right is never taken for one that is.
//!
//! Where properties cannot be decoded, because they have no tags and there are no mappings, the start of the payload is
//! searched for. Large pieces that are not in the export stay [`Bulk`]: what they say about where they are.
//!
//! A new class: one module with a `TABLE`, one variant of [`Asset`], one row in `TABLES`.
//!
//! Verified on cooked assets of 4.27 to 6.0. Source: the payload sheet, whose rules were drawn from real files, and CUE4Parse.

mod bulk;
mod error;
mod payload;
mod search;
mod socket;

pub mod animation;
pub mod gltf;
pub mod mesh;
pub mod morph_target;
pub mod skeleton;
pub mod sound;
pub mod texture;

pub use animation::Animation;
pub use bulk::Bulk;
pub use error::{AssetError, Reason};
pub use mesh::{SkeletalMesh, StaticMesh};
pub use morph_target::MorphTarget;
pub use payload::{Payload, StripFlags};
pub use skeleton::Skeleton;
pub use socket::Socket;
pub use sound::Sound;
pub use texture::Texture;

use crate::package::legacy::Export;
use crate::property::{DEFAULT_OBJECT, Object, Scope};
use crate::wire::Fault;
use std::sync::Arc;

/// An asset, by what it is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Asset<'a> {
    /// How bones move.
    Animation(Box<Animation<'a>>),
    /// How vertices move from one shape to another.
    MorphTarget(Box<MorphTarget>),
    /// A mesh whose vertices are moved by bones.
    SkeletalMesh(Box<SkeletalMesh<'a>>),
    /// Bones.
    Skeleton(Box<Skeleton>),
    /// A sound.
    Sound(Box<Sound<'a>>),
    /// A mesh that does not move by itself.
    StaticMesh(Box<StaticMesh<'a>>),
    /// A picture, or several.
    Texture(Box<Texture<'a>>),
}

/// Reads the payload of one class.
pub(crate) type Read = for<'s, 'a> fn(&mut Payload<'s, 'a>) -> Result<Asset<'a>, Fault>;

/// The classes of all modules. What extends one of them is read as the class that it extends.
const TABLES: &[&[(&str, Read)]] = &[
    &[
        ("AnimSequence", |p| Animation::read(p).map(|found| Asset::Animation(Box::new(found)))),
        ("MorphTarget", |p| MorphTarget::read(p).map(|found| Asset::MorphTarget(Box::new(found)))),
        ("SkeletalMesh", |p| SkeletalMesh::read(p).map(|found| Asset::SkeletalMesh(Box::new(found)))),
        ("Skeleton", |p| Skeleton::read(p).map(|found| Asset::Skeleton(Box::new(found)))),
        ("SoundWave", |p| Sound::read(p).map(|found| Asset::Sound(Box::new(found)))),
        ("StaticMesh", |p| StaticMesh::read(p).map(|found| Asset::StaticMesh(Box::new(found)))),
    ],
    texture::TABLE,
];

/// An asset that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<'a> {
    /// What it is.
    pub asset: Asset<'a>,
    /// Name of its class.
    pub class: Arc<str>,
    /// Where its payload starts in the export.
    pub payload_at: usize,
    /// Its properties could not be decoded: the payload was searched for, and what only properties say is not known.
    pub searched: bool,
}

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
/// let scope = Scope::new(&package, &data, header.len() as u64, None);
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
    let (class, read) = class_of(scope, export)?;
    Some(search::read(scope, export, object, class, read))
}

/// Whether the class of an export is one that is read here.
#[must_use]
pub fn is_known(scope: &Scope<'_>, export: &Export) -> bool {
    export.object_flags & DEFAULT_OBJECT == 0 && class_of(scope, export).is_some()
}

/// The class of an export, and what reads it: a class that it extends, if need be.
fn class_of(scope: &Scope<'_>, export: &Export) -> Option<(Arc<str>, Read)> {
    let classes = scope.classes(export.class);
    let own = classes.first()?;
    let reader = |class: &Arc<str>| {
        let mut rows = TABLES.iter().copied().flatten();
        rows.find(|(name, _)| name.eq_ignore_ascii_case(class)).map(|(_, read)| *read)
    };
    Some((Arc::clone(own), classes.iter().find_map(reader)?))
}
