//! Sounds as playable files.

use super::files::Files;
use super::options::ExportForm;
use super::source::Source;
use crate::asset::sound::{AudioFile, Codec, CuePoint, Sound};
use crate::error::{Error, Result};

/// Writes a sound in all requested forms. The text says what was not written, and why.
pub(super) fn write<'a>(
    source: &Source<'_, 'a>,
    sound: &Sound<'a>,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    let mut note = None;
    for encoding in &sound.encodings {
        // A cook for one platform has a single format, and then no suffix is needed.
        let suffix = if sound.encodings.len() > 1 { format!("_{}", encoding.format) } else { String::new() };
        if encoding.chunks.is_empty() {
            note = Some("it has no audio of its own".to_owned());
            continue;
        }
        let chunks = encoding.chunks.iter().map(|chunk| (&chunk.bulk, chunk.len));
        let Some(audio) = source.joined(chunks)? else {
            note = Some("its data was not found".to_owned());
            continue;
        };
        if audio.is_empty() {
            note = Some("it has no data".to_owned());
            continue;
        }
        let forms = &source.options.forms;
        let as_it_is = AudioFile::raw(&audio);
        let is_raw_wanted = forms.wants(ExportForm::Raw, false);
        if is_raw_wanted {
            files.put(&suffix, as_it_is.extension, &audio)?;
        }
        if ![ExportForm::Wav, ExportForm::Ogg].iter().any(|form| forms.wants(*form, true)) {
            // Skip parsing the audio if only raw data is requested.
            continue;
        }
        let fault = Error::malformed("audio of a sound", &source.loaded.path);
        let file = AudioFile::playable(&audio).map_err(fault)?;
        let is_wanted = match file.extension {
            "wav" => forms.wants(ExportForm::Wav, true),
            "ogg" | "opus" => forms.wants(ExportForm::Ogg, true),
            _ => forms.wants(ExportForm::Raw, true),
        };
        // If the raw data is a playable file, it may have been written above already.
        if is_wanted && !(is_raw_wanted && file.extension == as_it_is.extension) {
            // Of the playable formats only WAV can hold cue points.
            let marked = sound.markers.added_to(&file.bytes).filter(|_| file.extension == "wav");
            files.put(&suffix, file.extension, marked.as_deref().unwrap_or(&file.bytes))?;
        }
        note = note.or(Codec::detect(&audio).obstacle().map(str::to_owned));
    }
    let is_wanted = source.options.forms.wants(ExportForm::Json, false) || !files.written.is_empty();
    // Cue points are also written as JSON, since only WAV files hold them.
    if !sound.markers.cues.is_empty() && is_wanted {
        files.put("", "cues.json", cues(sound).to_string().as_bytes())?;
    }
    Ok(note)
}

/// Cue points of a sound as JSON, for formats that cannot hold them.
fn cues(sound: &Sound<'_>) -> serde_json::Value {
    let cue = |cue: &CuePoint| {
        serde_json::json!({
            "id": cue.id, "label": cue.label, "frame": cue.frame, "frames": cue.frames, "loop": cue.is_loop,
        })
    };
    serde_json::json!({ "looping": sound.markers.is_looping, "cues": sound.markers.cues.iter().map(cue).collect::<Vec<_>>() })
}
