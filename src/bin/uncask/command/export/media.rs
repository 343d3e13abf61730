//! Files of games that other programs open as they are: videos, fonts, what Wwise and FMOD play.

use crate::args::WriteArgs;
use crate::progress::Progress;
use crate::session::Session;
use std::collections::HashSet;
use std::sync::Arc;
use uncask::export::{ExportForm, ExportOptions, ExportOutcome, Exported, WrittenFile};
use uncask::extract::{Outputs, SourceFiles, UnpackOptions, unpack};
use uncask::sink::Sink;
use uncask::store::{Entry, Store};

/// Extensions of such files.
const EXTENSIONS: [&str; 19] = [
    "mp4", "m4v", "mov", "avi", "webm", "wmv", "mkv", "ogv", "bk2", "bik", "usm", "wem", "bnk", "pck",
    "bank", "ogg", "mp3", "ttf", "otf",
];

/// Of some chunks, those that are such files; none if only other forms are wanted.
pub(super) fn of(store: &Store, entries: &[Entry], options: &ExportOptions) -> Vec<Entry> {
    if !options.forms.wants(ExportForm::Raw, true) {
        return Vec::new();
    }
    let is_media = |entry: &&Entry| {
        let path = store.path(**entry).unwrap_or_default();
        path.rsplit_once('.')
            .is_some_and(|(_, end)| EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(end)))
    };
    entries.iter().filter(is_media).copied().collect()
}

/// Copies files, and adds them to what was exported.
pub(super) fn copy(
    session: &Session,
    store: &Store,
    (media, write): (&[Entry], &WriteArgs),
    sink: &Arc<dyn Sink>,
    outcome: &mut ExportOutcome,
) -> anyhow::Result<()> {
    let outputs = Outputs::new(store, media, None);
    let options = UnpackOptions {
        overwrite: write.overwrite(),
        verify: !write.damage.no_verify,
        strict: write.strict,
        fail_fast: write.damage.fail_fast,
    };
    let context = session.context(options.verify);
    let progress = Progress::new(&session.printer, "files");
    let job = unpack(store, outputs.clone(), Arc::clone(sink), &context, options, &progress);
    let copied = session.block_on(&context, job)?;
    progress.finish();
    let failed: HashSet<_> = copied.failures.iter().map(|failure| failure.id).collect();
    let packages = &mut outcome.values.packages;
    packages.failures.extend(copied.failures);
    packages.mismatches.extend(copied.mismatches);
    packages.clashes.extend(copied.clashes);
    packages.cancelled |= copied.cancelled;
    for output in outputs.iter() {
        let chunk = store.chunk(output.entry);
        if failed.contains(&chunk.id()) {
            continue;
        }
        let path = chunk.display_path();
        let files = vec![output.path.clone()];
        outcome.complete.push(SourceFiles { entry: output.entry, path: path.clone(), files });
        let (bytes, file) = (chunk.len(), output.path.to_string());
        let files = vec![WrittenFile { path: file, bytes }];
        let (object, class) = (path.clone(), "File".to_owned());
        let exported = Exported { object, class, files, bytes, unchanged: 0, searched: false, note: None };
        outcome.exported.push((path, exported));
    }
    Ok(())
}
