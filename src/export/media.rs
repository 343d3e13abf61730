//! Media files of games, copied unchanged: videos, fonts, audio of Wwise and FMOD.

use super::options::{ExportForm, ExportOptions};
use super::outcome::{Exported, ExportedAssets, WrittenFile};
use crate::extract::{Outputs, SourceFiles, UnpackOptions, keeps, unpack};
use crate::job::{Context, Outcome};
use crate::sink::{Overwrite, PutOutcome, Sink};
use crate::store::{Entry, Store};
use std::collections::HashSet;
use std::sync::Arc;

/// Extensions of media files.
const EXTENSIONS: [&str; 19] = [
    "mp4", "m4v", "mov", "avi", "webm", "wmv", "mkv", "ogv", "bk2", "bik", "usm", "wem", "bnk", "pck",
    "bank", "ogg", "mp3", "ttf", "otf",
];

/// True for the path of a media file.
pub(super) fn is_media(path: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, end)| EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(end)))
}

/// The media files among some chunks; empty if only other forms are requested.
#[must_use]
pub fn media_files(store: &Store, entries: &[Entry], options: &ExportOptions) -> Vec<Entry> {
    if !options.forms.wants(ExportForm::Raw, true) {
        return Vec::new();
    }
    let is_media = |entry: &&Entry| is_media(&store.path(**entry).unwrap_or_default());
    entries.iter().filter(is_media).copied().collect()
}

/// Copies media files, and adds them to the outcome.
pub(super) async fn copy_media(
    store: &Store,
    media: &[Entry],
    sink: Arc<dyn Sink>,
    context: &Context,
    options: UnpackOptions,
    outcome: &mut Outcome<ExportedAssets>,
) {
    let outputs = Outputs::new(store, media, None);
    // Existing files are compared here to report each as unchanged or kept, so `unpack` gets only the missing ones.
    let kept = context.cpu().map(outputs.iter(), |output| keeps(options.overwrite, store, &*sink, output));
    let mut missing = outputs.clone();
    let wanted = outputs.iter().zip(&kept).filter(|(_, kept)| kept.is_none());
    missing.retain(&wanted.map(|(output, _)| output.entry).collect::<Vec<_>>());
    let options = UnpackOptions { overwrite: Overwrite::Always, ..options };
    let copied = unpack(store, missing, sink, context, options).await;
    let failed: HashSet<_> = copied.failures.iter().filter_map(|failure| failure.subject.chunk()).collect();
    outcome.add_problems(copied);
    for (output, kept) in outputs.iter().zip(kept) {
        let chunk = store.chunk(output.entry);
        // Failed files are in the outcome already.
        if failed.contains(&chunk.id()) {
            continue;
        }
        let path = chunk.display_path();
        let files = vec![output.path.clone()];
        outcome.done.complete.push(SourceFiles { entry: output.entry, path: path.clone(), files });
        let outcome_of_file = kept.unwrap_or(PutOutcome::Written);
        let file =
            WrittenFile { path: output.path.to_string(), bytes: chunk.len(), outcome: outcome_of_file };
        outcome.done.exported.push((path.clone(), Exported::copied(path, file)));
    }
}
