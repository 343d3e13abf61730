//! Lookup of the reader for the class of an export.

use super::error::AssetError;
use super::search::{self, Found};
use super::{AssetKind, CLASSES, ClassRow};
use crate::id::PackageObjectIndex;
use crate::package::legacy::Export;
use crate::package::placeholder;
use crate::property::{DEFAULT_OBJECT, Object, Scope};
use std::sync::Arc;

/// Classes that extend one of the table without having its payload: a MetaSound has no audio.
const WITHOUT_PAYLOAD: [&str; 1] = ["MetaSoundSource"];

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
) -> Option<Result<Found<'a>, AssetError>> {
    let (class, row) = row_of(scope, export)?;
    // Uncooked packages keep sources in place of platform data; classes without a reader for them use the
    // usual one.
    let uncooked = row.read_uncooked.filter(|_| !scope.package.form.cooked);
    Some(search::read(scope, export, object, &class, uncooked.unwrap_or(row.read)))
}

/// True if the class of an export has a reader.
#[must_use]
pub fn is_known(scope: &Scope<'_>, export: &Export) -> bool {
    row_of(scope, export).is_some()
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

/// Returns the class of an export and its row, or the row of a class that it extends. Default objects have no
/// payload.
fn row_of(scope: &Scope<'_>, export: &Export) -> Option<(Arc<str>, &'static ClassRow)> {
    if export.object_flags & DEFAULT_OBJECT != 0 {
        return None;
    }
    let classes = scope.classes(export.class);
    let own = classes.first()?;
    // Without script objects the class is only known by its hash, and parents not at all.
    if let Some(index) = placeholder::script_index(own) {
        return of_hash(index);
    }
    // The most derived class comes first, so the nearest row wins; one without payload ends the search.
    let row = |class: &Arc<str>| CLASSES.iter().find(|row| row.class.eq_ignore_ascii_case(class));
    let has_payload =
        |class: &&Arc<str>| !WITHOUT_PAYLOAD.iter().any(|name| name.eq_ignore_ascii_case(class));
    Some((Arc::clone(own), classes.iter().take_while(has_payload).find_map(row)?))
}

/// Returns the class with this hash. All classes of the table are in the engine's own package.
fn of_hash(index: PackageObjectIndex) -> Option<(Arc<str>, &'static ClassRow)> {
    let is_it =
        |class: &str| PackageObjectIndex::script(&format!("/Script/Engine.{class}")).0 & LOW == index.0 & LOW;
    CLASSES.iter().find(|row| is_it(row.class)).map(|row| (Arc::from(row.class), row))
}
