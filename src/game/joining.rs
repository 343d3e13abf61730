//! Several containers and folders as one: their chunks are unpacked into a folder of its own, which is packed and removed.

use super::{Game, GameError, GameOptions};
use crate::error::{Error, Result};
use crate::extract::{Outputs, UnpackOptions, keeps};
use crate::id::RawChunkId;
use crate::identify::has_extension;
use crate::job::block_on;
use crate::objection::{Finding, ObjectionKind};
use crate::pack::{self, PackOptions, Packed};
use crate::sink::{DirectorySink, OutputPath, Overwrite, PutOutcome, ScratchFolder, Sink, copy_file};
use crate::source::{Links, files_below, open_file};
use crate::store::{Entry, Lend};
use crate::values::edit::{EditOutput, Edited, Editing, SaveOptions, Saved};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A reason not to join containers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// Several inputs have the same chunk, with other content.
    #[error("{} in several inputs, such as {}", if paths.len() == 1 { "1 chunk differs".to_owned() } else { format!("{} chunks differ", paths.len()) }, paths.first().map_or("", String::as_str))]
    Conflict {
        /// Paths of the chunks, sorted.
        paths: Vec<String>,
    },
    /// An input cannot be opened.
    #[error(transparent)]
    Game(#[from] GameError),
    /// An input cannot be read, or the output not be written.
    #[error(transparent)]
    Io(#[from] Error),
}

/// Treatment of chunks that several inputs have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameChunk {
    /// Other content is an error.
    Refuse,
    /// The last input wins.
    TakeLast,
}

impl GameOptions {
    /// Packs the content of containers, paks and folders into one container, or into one `.pak`, by the extension of `output`.
    pub fn join(
        &self,
        inputs: &[PathBuf],
        output: &Path,
        options: &PackOptions,
        same: SameChunk,
    ) -> Result<Packed, JoinError> {
        let scratch = ScratchFolder::for_output(output)?;
        let folder = scratch.inner("files")?;
        let sink = Arc::new(DirectorySink::open(&folder)?);
        let (mut conflicts, mut known) = (Vec::new(), HashMap::new());
        let mut loose_beside = options.loose_beside;
        for input in inputs {
            if !is_container(input) {
                conflicts.extend(copy_into(input, &sink, same)?);
                continue;
            }
            for part in with_pak(input) {
                let (found, chunks) = self.unpack_into(&part, &sink, same, &mut known)?;
                // What lies beside a container, no container can hold.
                loose_beside |= &part != input && chunks > 0;
                conflicts.extend(found);
            }
        }
        let options = &PackOptions { loose_beside, ..options.clone() };
        if !conflicts.is_empty() {
            conflicts.sort();
            return Err(JoinError::Conflict { paths: conflicts });
        }
        // Its lock must be gone: every file of the folder is packed.
        drop(sink);
        let context = self.settings.context(false);
        let is_pak = output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pak"));
        Ok(if is_pak {
            block_on(pack::pack_pak(&folder, output, options, &context))??
        } else {
            block_on(pack::pack(&folder, output, options, &context))??
        })
    }

    /// Writes edited packages into an existing container, beside what it has, or in the place of its own.
    pub fn save_into(
        &self,
        editing: &Editing,
        edited: &[Edited],
        container: &Path,
        options: &SaveOptions,
        packing: &PackOptions,
    ) -> Result<Saved, JoinError> {
        let scratch = ScratchFolder::for_output(container)?;
        let new = scratch.inner("new")?.join(container.file_name().unwrap_or_default());
        let saved = self.save(editing, edited, &EditOutput::Container(new.clone()), options)?;
        let packing = PackOptions { replace: true, force: options.force, ..packing.clone() };
        let packed = self.join(&[container.to_owned(), new], container, &packing, SameChunk::TakeLast)?;
        // The new packages were in a container of their own for a moment, which had the name and the id of the old one.
        let is_of_both = |finding: &Finding| finding.objection.kind() == ObjectionKind::Replaces;
        let warnings = saved.warnings.into_iter().filter(|finding| !is_of_both(finding));
        let warnings = warnings.chain(packed.warnings).collect();
        Ok(Saved { warnings, ..saved })
    }

    /// Unpacks a container; returns the paths of existing chunks with other content, and the number of its chunks.
    fn unpack_into(
        &self,
        input: &Path,
        sink: &Arc<DirectorySink>,
        same: SameChunk,
        known: &mut HashMap<RawChunkId, OutputPath>,
    ) -> Result<(Vec<String>, usize), JoinError> {
        let game = self.clone().lend(Lend::Never).open(input)?;
        if let Some(error) = game.failed().first() {
            let cause = std::io::Error::other(error.to_string());
            return Err(Error::io("open", input)(cause).into());
        }
        let entries: Vec<Entry> =
            game.entries().iter().copied().filter(|entry| !game.at(*entry).is_delete_record()).collect();
        let outputs = Outputs::new(&game.store, &entries, None);
        // A chunk with a path in one input and none in another would be two files of one id, of which packing takes the first.
        let mut conflicts: Vec<String> =
            outputs.iter().filter_map(|output| other_path(&game, output, known)).collect();
        if same == SameChunk::Refuse && conflicts.is_empty() {
            let differs = |output: &_| conflict(&game, &**sink, output);
            conflicts = self.settings.cpu().map(outputs.iter(), differs).into_iter().flatten().collect();
        }
        if conflicts.is_empty() {
            unpack_whole(&game, outputs, sink)?;
        }
        Ok((conflicts, entries.len()))
    }
}

/// Writes chunks of a mod into a folder, as they are packed again.
pub(super) fn unpack_whole(game: &Game, outputs: Outputs, sink: &Arc<DirectorySink>) -> Result<()> {
    let options = UnpackOptions { overwrite: Overwrite::Always, verify: true, strict: true, fail_fast: true };
    let outcome = game.unpack(outputs, Arc::clone(sink) as _, options)?;
    // A mod must not miss a chunk, nor carry damage on under a new hash.
    let failed = outcome.failures.into_iter().chain(outcome.mismatches).next();
    failed.map_or(Ok(()), |failure| Err(failure.error))
}

/// The path of a chunk that another input has under another one.
fn other_path(
    game: &Game,
    output: &crate::extract::Output,
    known: &mut HashMap<RawChunkId, OutputPath>,
) -> Option<String> {
    let id = game.store.chunk_id(output.entry)?;
    let before = known.entry(id).or_insert_with(|| output.path.clone());
    (*before != output.path).then(|| output.path.to_string())
}

/// The path of an existing chunk with other content.
fn conflict(game: &Game, sink: &dyn Sink, output: &crate::extract::Output) -> Option<String> {
    let mut existing = sink.existing(&output.path).ok()?;
    if keeps(Overwrite::Different, &game.store, sink, output) == Some(PutOutcome::Unchanged) {
        return None;
    }
    // Paks record no hash of what their files contain, so that is compared itself.
    let limit = game.packages().limit();
    let read = game.store.container(output.entry)?.read(output.entry.chunk, 0..u64::MAX, limit);
    let is_same = read.is_ok_and(|bytes| existing.equals(&bytes));
    (!is_same).then(|| output.path.to_string())
}

/// Copies the files of a folder; returns the paths of existing ones with other content.
pub(super) fn copy_into(
    folder: &Path,
    sink: &DirectorySink,
    same: SameChunk,
) -> Result<Vec<String>, JoinError> {
    let found = files_below(folder, Links::Ignore, |_| true);
    if let Some(problem) = found.problems.into_iter().next() {
        return Err(problem.into());
    }
    let mut conflicts = Vec::new();
    for path in found.files {
        let relative = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let output = OutputPath::sanitize(&relative);
        let file = open_file(&path).map_err(Error::io("open", &path))?;
        let len = file.metadata().map_err(Error::io("read", &path))?.len();
        let was_there = sink.exists(&output);
        let put = copy_file(sink, &output, &file, len, &path, Overwrite::Different)?;
        if was_there && put == PutOutcome::Written && same == SameChunk::Refuse {
            conflicts.push(output.to_string());
        }
    }
    Ok(conflicts)
}

/// A container with the `.pak` beside it, which has those files of a mod that no container can hold.
#[must_use]
pub fn with_pak(path: &Path) -> Vec<PathBuf> {
    let pak = Some(path.with_extension("pak")).filter(|pak| path != pak && pak.is_file());
    std::iter::once(path.to_owned()).chain(pak).collect()
}

fn is_container(path: &Path) -> bool {
    has_extension(path, &["utoc", "ucas", "pak"])
}
