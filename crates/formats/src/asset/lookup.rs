//! Finding the row of a class, and reading what is in an export of it.

use super::error::AssetError;
use super::search::{self, Found};
use super::{AssetKind, CLASSES, ClassRow};
use crate::id::PackageObjectIndex;
use crate::package::legacy::Export;
use crate::package::placeholder;
use crate::property::{DEFAULT_OBJECT, Object, Scope};
use std::sync::Arc;

/// Classes that extend one of the table, but are described by properties alone: a MetaSound has no audio of its own.
const WITHOUT_PAYLOAD: [&str; 1] = ["MetaSoundSource"];

/// The bits of a hash that say what it is of.
const LOW: u64 = (1 << 62) - 1;

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
    let (class, row) = row_of(scope, export)?;
    let uncooked = row.read_uncooked.filter(|_| !scope.package.form.cooked);
    Some(search::read(scope, export, object, &class, uncooked.unwrap_or(row.read)))
}

/// True if the class of an export is one that is read here.
#[must_use]
pub fn is_known(scope: &Scope<'_>, export: &Export) -> bool {
    row_of(scope, export).is_some()
}

/// True if the class of an export is one of textures.
#[must_use]
pub fn is_texture(scope: &Scope<'_>, export: &Export) -> bool {
    row_of(scope, export).is_some_and(|(_, row)| row.kind == AssetKind::Texture)
}

/// True if the editor keeps what an export of this class was made from, in a form that is read here.
#[must_use]
pub fn has_source(scope: &Scope<'_>, export: &Export) -> bool {
    row_of(scope, export).is_some_and(|(_, row)| row.read_uncooked.is_some())
}

/// The class of an export and its row: that of a class that it extends, if need be. Default objects have no payload.
fn row_of(scope: &Scope<'_>, export: &Export) -> Option<(Arc<str>, &'static ClassRow)> {
    if export.object_flags & DEFAULT_OBJECT != 0 {
        return None;
    }
    let classes = scope.classes(export.class);
    let own = classes.first()?;
    if let Some(index) = placeholder::script_index(own) {
        return of_hash(index);
    }
    let row = |class: &Arc<str>| CLASSES.iter().find(|row| row.class.eq_ignore_ascii_case(class));
    let has_payload =
        |class: &&Arc<str>| !WITHOUT_PAYLOAD.iter().any(|name| name.eq_ignore_ascii_case(class));
    Some((Arc::clone(own), classes.iter().take_while(has_payload).find_map(row)?))
}

/// The class of a hash: without script objects, nothing else is known of a class. Those of the engine are in one package.
fn of_hash(index: PackageObjectIndex) -> Option<(Arc<str>, &'static ClassRow)> {
    let is_it =
        |class: &str| PackageObjectIndex::script(&format!("/Script/Engine.{class}")).0 & LOW == index.0 & LOW;
    CLASSES.iter().find(|row| is_it(row.class)).map(|row| (Arc::from(row.class), row))
}
