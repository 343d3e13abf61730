//! Audio that Wwise plays, as files of Wwise.

use super::files::Files;
use super::options::ExportForm;
use super::source::Source;
use crate::asset::WwiseFile;
use crate::error::Result;

/// Writes a file of Wwise. The text says what was not written, and why.
pub(super) fn write<'a>(
    source: &Source<'_, 'a>,
    file: &WwiseFile<'a>,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    if !source.options.forms.wants(ExportForm::Raw, true) {
        return Ok(None);
    }
    let Some(content) = source.joined(file.parts.iter().map(|part| (part, part.record.len)))? else {
        return Ok(Some("the data of a part is in no file that is there".to_owned()));
    };
    if content.is_empty() {
        return Ok(Some("it has no data".to_owned()));
    }
    files.put("", file.extension(&content), &content)?;
    Ok(None)
}
