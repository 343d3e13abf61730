//! Lookup of the reader for the class of an export.

use super::error::AssetError;
use super::search::{self, FoundAsset};
use super::{AssetKind, CLASSES, ClassRow};
use crate::id::PackageObjectIndex;
use crate::package::legacy::{Export, PackageIndex};
use crate::package::placeholder;
use crate::property::{Object, Scope};
use std::sync::Arc;

/// Bits of an index that are the hash; the others tell the kind of object.
const LOW: u64 = (1 << 62) - 1;

/// Reads the asset in an export; `None` if no reader exists for its class, or if it is the default object of
/// a class.
///
/// `object` is the result of reading the export's properties.
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
) -> Option<Result<FoundAsset<'a>, AssetError>> {
    let (class, row) = row_of(scope, export)?;
    // Uncooked packages keep sources in place of platform data; classes without a reader for them use the
    // usual one.
    let uncooked = row.read_uncooked.filter(|_| !scope.package.form.cooked);
    let read = (uncooked.unwrap_or(row.read), is_of_values(row));
    Some(search::read(scope, export, object, &class, read))
}

/// True if the class of an export has a reader.
#[must_use]
pub fn is_known(scope: &Scope<'_>, export: &Export) -> bool {
    row_of(scope, export).is_some()
}

/// True if the class of an export has a payload of its own, whose layout tells something.
pub(super) fn has_payload(scope: &Scope<'_>, export: &Export) -> bool {
    row_of(scope, export).is_some_and(|(_, row)| !is_of_values(row))
}

/// True if the class of an export is one of textures.
#[must_use]
pub fn is_texture(scope: &Scope<'_>, export: &Export) -> bool {
    row_of(scope, export).is_some_and(|(_, row)| row.kind == AssetKind::Texture)
}

/// True if uncooked packages keep a readable source of this class.
#[must_use]
pub fn has_source(scope: &Scope<'_>, export: &Export) -> bool {
    row_of(scope, export).is_some_and(|(_, row)| row.read_uncooked.is_some())
}

/// True for assets that are values alone.
const fn is_of_values(row: &ClassRow) -> bool {
    matches!(row.kind, AssetKind::Document | AssetKind::Material | AssetKind::Sprite)
}

/// Returns the class of an export and its row, or the row of a class that it extends. Default objects have no
/// payload.
fn row_of(scope: &Scope<'_>, export: &Export) -> Option<(Arc<str>, &'static ClassRow)> {
    if export.is_default_object() {
        return None;
    }
    let classes = scope.classes(export.class);
    let own = classes.first()?;
    // Without script objects the class is only known by its hash, and parents not at all.
    if let Some(index) = placeholder::script_index(own) {
        return of_hash(index);
    }
    // The most derived class comes first, so the nearest row wins: a MetaSound has no audio, although it is a sound wave.
    let row = |class: &Arc<str>| CLASSES.iter().find(|row| row.class.eq_ignore_ascii_case(class));
    let row = classes.iter().find_map(row)?;
    // Inside of others they are parts of a blueprint, a level or a document: nobody looks for their files.
    (export.outer == PackageIndex::NONE || !is_of_values(row)).then(|| (Arc::clone(own), row))
}

/// Packages with classes of the table.
const PACKAGES: [&str; 9] = [
    "Engine",
    "GeometryCache",
    "GeometryCollectionEngine",
    "IKRig",
    "Landscape",
    "LevelSequence",
    "MetasoundEngine",
    "Niagara",
    "Paper2D",
];

/// Returns the class with this hash.
fn of_hash(index: PackageObjectIndex) -> Option<(Arc<str>, &'static ClassRow)> {
    let is_it = |class: &str| {
        let hash = |package| PackageObjectIndex::script(&format!("/Script/{package}.{class}")).0 & LOW;
        PACKAGES.iter().any(|package| hash(package) == index.0 & LOW)
    };
    CLASSES.iter().find(|row| is_it(row.class)).map(|row| (Arc::from(row.class), row))
}
