//! Versions of an asset that are merged, and the report of it.

use crate::args::PreferredSide;
use crate::exit::Exit;
use crate::output_file;
use crate::printer;
use crate::session::Session;
use crate::shared::repository::lfs_filter;
use anyhow::Context as _;
use serde::Serialize;
use std::path::Path;
use uncask::game::{
    ConflictKind, ConflictList, MergeConflict, MergeSide, MergedFile, is_lfs_pointer, merge_files,
};

/// Three versions of an asset.
pub(super) struct Versions {
    /// Path of the asset, for messages.
    pub path: String,
    /// The version that both others come from; empty if both added the asset.
    pub base: Vec<u8>,
    pub ours: Vec<u8>,
    pub theirs: Vec<u8>,
}

/// Form in which a merged asset is written: as ours had it, or as the file itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WrittenAs {
    /// The form that git stores: a pointer if the file is in Git LFS.
    Stored,
    /// The form in a folder.
    File,
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    path: &'a str,
    merged: bool,
    taken: usize,
    conflicts: &'a ConflictList,
    settled: &'a ConflictList,
}

impl Versions {
    /// Merges the versions, writes the result to `output`, and tells the conflicts.
    pub(super) fn merge(
        self,
        output: &Path,
        form: WrittenAs,
        prefer: Option<PreferredSide>,
        session: &Session,
    ) -> anyhow::Result<Exit> {
        let is_in_lfs = form == WrittenAs::Stored && is_lfs_pointer(&self.ours);
        let path = self.path;
        let fetched = |bytes: Vec<u8>| {
            if is_lfs_pointer(&bytes) { lfs_filter("smudge", &path, bytes) } else { Ok(bytes) }
        };
        let [base, ours, theirs] = [self.base, self.ours, self.theirs].map(fetched);
        let (base, ours, theirs) = (base?, ours?, theirs?);
        let base = Some(base.as_slice()).filter(|base| !base.is_empty());
        let prefer = prefer.map(|side| match side {
            PreferredSide::Ours => MergeSide::Ours,
            PreferredSide::Theirs => MergeSide::Theirs,
        });
        let merged =
            merge_files(base, &ours, &theirs, prefer).with_context(|| format!("cannot merge {path}"))?;
        if let Some(bytes) = &merged.bytes {
            if is_in_lfs {
                output_file::write(output, &lfs_filter("clean", &path, bytes.clone())?)?;
            } else {
                output_file::write(output, bytes)?;
            }
        }
        report(&path, &merged, session)
    }
}

fn report(path: &str, merged: &MergedFile, session: &Session) -> anyhow::Result<Exit> {
    let MergedFile { bytes, conflicts, settled, taken } = merged;
    let is_merged = bytes.is_some();
    if session.printer.json {
        let schema = "uncask.merged-versions/1";
        printer::print_json(&Report { schema, path, merged: is_merged, taken: *taken, conflicts, settled })?;
    } else {
        let count = |list: &ConflictList| match list.total {
            1 => "1 conflict".to_owned(),
            total => format!("{total} conflicts"),
        };
        if is_merged && !settled.is_empty() {
            session.printer.note(&format!("{path}: merged; {} settled:", count(settled)));
        } else if !is_merged {
            session.printer.note(&format!("{path}: {}, so nothing is written:", count(conflicts)));
        }
        for list in [conflicts, settled] {
            list.listed.iter().for_each(|conflict| session.printer.note(&line(conflict)));
            if list.total > list.listed.len() {
                session.printer.note(&format!("  … and {} more", list.total - list.listed.len()));
            }
        }
    }
    Ok(if is_merged { Exit::Ok } else { Exit::Failed })
}

/// A line for a conflict.
fn line(conflict: &MergeConflict) -> String {
    let MergeConflict { object, class, part, kind } = conflict;
    let part = if part.is_empty() { String::new() } else { format!(": {part}") };
    let what = match kind {
        ConflictKind::BothChange => "both change it",
        ConflictKind::RemovedByOurs => "ours removes it, theirs changes it",
        ConflictKind::RemovedByTheirs => "theirs removes it, ours changes it",
        ConflictKind::TwoLinks => "each version links it to another pin, and it takes one link",
        ConflictKind::BrokenLink => "a link of it would have one end",
        ConflictKind::NotUnderstood => "it holds data that is not understood",
        ConflictKind::RefersToRemoved => "it would refer to an object that is removed",
    };
    format!("  {object} ({class}){part}: {what}")
}
