//! Audio of Wwise, written unchanged.

use super::files::Files;
use super::source::Source;
use crate::asset::WwiseFile;
use crate::error::Result;
use crate::package::legacy::{Export, PackageRef};

/// Writes a Wwise file. The text says what was not written, and why.
pub(super) fn write<'a>(
    source: &Source<'_, 'a>,
    file: &WwiseFile<'a>,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    let Some(content) = source.joined(file.parts.iter().map(|part| (part, part.record.len)))? else {
        return Ok(Some("the data of a part was not found".to_owned()));
    };
    if content.is_empty() {
        return Ok(Some("it has no data".to_owned()));
    }
    // The data object has no meaningful name, but its owner has.
    files.rename(source.item, &source.loaded.package.text(outermost(source).name).to_string());
    files.put("", file.extension(&content), &content)?;
    Ok(None)
}

/// The outermost object that contains an object, or itself: Wwise data has no meaningful name.
fn outermost<'s>(source: &Source<'s, '_>) -> &'s Export {
    let exports = &source.loaded.package.exports;
    let outer = |export: &&'s Export| match export.outer.decode() {
        PackageRef::Export(at) => exports.get(at as usize),
        _ => None,
    };
    // No chain is longer than the number of objects, so a cycle of owners ends here.
    let chain = std::iter::successors(Some(source.export), outer).take(exports.len());
    chain.last().unwrap_or(source.export)
}
