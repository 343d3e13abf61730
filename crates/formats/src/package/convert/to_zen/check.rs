//! Checks for packages that cannot be converted.

use super::error::ToZenError;
use super::source::Source;
use crate::package::legacy::Package;
use crate::version::{Release, ZenGeneration};

/// Returns the package generation that the release writes.
pub(super) fn generation(source: &Source<'_>) -> Result<ZenGeneration, ToZenError> {
    let (release, found) = (source.release, source.package.form.versions);
    let generation = release.zen.ok_or(ToZenError::NoZen(release))?;
    // Releases that share a generation may still write different object versions, and any of these is
    // accepted.
    let mut same = Release::all().filter(|other| other.zen == Some(generation));
    if same.any(|other| other.objects == found) {
        Ok(generation)
    } else {
        Err(ToZenError::OtherEngine { found, release })
    }
}

/// Rejects uncooked packages and unsupported content.
pub(super) fn is_cooked(package: &Package, generation: ZenGeneration) -> Result<(), ToZenError> {
    /// Package flag: the package is cooked.
    const COOKED: u32 = 0x200;
    let flags = package.summary.package_flags;
    let of_editor = [
        (!package.summary.is_cooked(), "package flag FilterEditorOnly is not set"),
        (!generation.is_ue4() && flags & COOKED == 0, "package flag Cooked is not set"),
        (!package.soft_object_paths.is_empty(), "its header lists soft object paths"),
        (!package.gatherable_text.is_empty(), "its header holds texts for translators"),
        (package.thumbnails.is_some(), "its header holds thumbnails"),
        (package.searchable_names.is_some(), "its header holds searchable names"),
    ];
    if let Some((_, why)) = of_editor.into_iter().find(|(found, _)| *found) {
        return Err(ToZenError::NotCooked(why));
    }
    let has_cells = !package.cell_imports.is_empty() || !package.cell_exports.is_empty();
    if has_cells { Err(ToZenError::VerseCells) } else { Ok(()) }
}
