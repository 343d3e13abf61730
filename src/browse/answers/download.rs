//! Downloads of a chunk in a form.

use super::answer::Answer;
use super::preview::kind;
use crate::browse::forms::{Form, Options, make};
use crate::browse::kept::Kept;
use crate::browse::refusal::Refusal;
use crate::browse::session::Opened;
use crate::game::Entry;
use crate::job::Context;
use std::sync::Arc;

/// Result of making a chunk's files.
pub(in crate::browse) enum Download {
    /// A single file.
    One(Answer),
    /// Several files, for a zip of this name.
    Several(String),
}

/// Makes the files of a chunk in a form other than raw, which is streamed instead.
pub(in crate::browse) fn make_files(
    opened: &Opened,
    entry: Entry,
    form: Form,
    kept: &Kept,
    context: &Context,
) -> Result<Download, Refusal> {
    let sink = kept.sink();
    let options = Options { form, ..Options::default() };
    let made = make(opened, &[entry], options, Arc::new(sink.clone()), context)?;
    let mut files = sink.take();
    match (files.len(), files.pop_first()) {
        // A single file is sent as it is, without a zip around it.
        (1, Some((path, bytes))) => {
            let name = path.rsplit('/').next().map(ToOwned::to_owned);
            Ok(Download::One(Answer { name, ..Answer::new(kind(&path), bytes) }))
        }
        (0, _) | (_, None) => {
            // Nothing was made: the first problem, or else the first note, tells why.
            let reason = made.problems.into_iter().chain(made.notes).next();
            Err(Refusal::unprocessable(reason.unwrap_or_else(|| "this has no such form".to_owned())))
        }
        (_, Some(_)) => {
            let name = file_name(opened, entry);
            // Cut at the first dot, so that `A.o.uasset` becomes `A.zip`.
            let stem = name.split_once('.').map_or(name.as_str(), |(stem, _)| stem);
            Ok(Download::Several(format!("{stem}.zip")))
        }
    }
}

/// File name of a chunk.
pub(in crate::browse) fn file_name(opened: &Opened, entry: Entry) -> String {
    let path = opened.game.at(entry).display_path();
    path.rsplit('/').next().unwrap_or_default().to_owned()
}

/// Name of a zip with several chunks of a game.
pub(in crate::browse) fn zip_name(opened: &Opened) -> String {
    let name = opened.path.file_stem().unwrap_or_default().to_string_lossy();
    format!("{}.zip", if name.is_empty() { "uncask" } else { &name })
}
