//! Sounds as files that players open.

use super::files::Files;
use super::options::ExportForm;
use super::source::Source;
use crate::asset::sound::{AudioFile, Codec, Encoding, Sound};
use crate::error::{Error, Result};
use crate::wire::{Fault, FaultKind};

/// Writes a sound in all forms that are wanted. The text says what was not written, and why.
pub(super) fn write<'a>(
    source: &Source<'_, 'a>,
    sound: &Sound<'a>,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    let mut note = None;
    for encoding in &sound.encodings {
        // A cook for one platform has one format.
        let suffix = if sound.encodings.len() > 1 { format!("_{}", encoding.format) } else { String::new() };
        if encoding.chunks.is_empty() {
            note = Some("it has no audio of its own".to_owned());
            continue;
        }
        let Some(audio) = joined(source, encoding)? else {
            note = Some("the data of a chunk is missing".to_owned());
            continue;
        };
        let forms = &source.options.forms;
        let as_it_is = AudioFile::raw(&audio);
        let is_raw_wanted = forms.wants(ExportForm::Raw, false);
        if is_raw_wanted {
            files.put(&suffix, as_it_is.extension, &audio)?;
        }
        if ![ExportForm::Wav, ExportForm::Ogg].iter().any(|form| forms.wants(*form, true)) {
            continue;
        }
        let fault = Error::malformed("audio of a sound", &source.loaded.path);
        let file = AudioFile::playable(&audio).map_err(fault)?;
        let is_wanted = match file.extension {
            "wav" => forms.wants(ExportForm::Wav, true),
            "ogg" | "opus" => forms.wants(ExportForm::Ogg, true),
            _ => forms.wants(ExportForm::Raw, true),
        };
        // What is a file as it is was written already, if that was asked for.
        if is_wanted && !(is_raw_wanted && file.extension == as_it_is.extension) {
            files.put(&suffix, file.extension, &file.bytes)?;
        }
        note = note.or(Codec::detect(&audio).obstacle().map(str::to_owned));
    }
    Ok(note)
}

/// The audio of all chunks, one after the other; `None` if some of it is not there.
fn joined<'a>(source: &Source<'_, 'a>, encoding: &Encoding<'a>) -> Result<Option<Vec<u8>>> {
    let library = &source.job.library;
    // Chunks share no bytes; many small records of one large piece would take far more memory than was paid for.
    let limit = library.bulk_len(source.item).saturating_add(source.item.len);
    let found = encoding.chunks.iter().fold(0, |sum: u64, chunk| sum.saturating_add(chunk.len));
    if found > limit {
        let fault =
            Fault { offset: 0, field: "size of all chunks", kind: FaultKind::TooLarge { found, limit } };
        return Err(Error::malformed("sound", &source.loaded.path)(fault));
    }
    let mut audio = Vec::new();
    for chunk in &encoding.chunks {
        let Some(bytes) = source.bulk(&chunk.bulk)? else { return Ok(None) };
        let len = usize::try_from(chunk.len).unwrap_or(usize::MAX);
        audio.extend_from_slice(bytes.get(..len).unwrap_or(&bytes));
    }
    Ok(Some(audio))
}
