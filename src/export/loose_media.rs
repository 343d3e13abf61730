//! Media files among loose ones, beside legacy packages.

use super::media::is_media;
use super::options::{ExportForm, ExportOptions};
use super::outcome::{Exported, ExportedAssets, WrittenFile};
use crate::error::{Error, Result};
use crate::extract::Shard;
use crate::job::{Context, Failure, Outcome, Subject};
use crate::report::Event;
use crate::sink::{HashTag, OutputNames, OutputPath, Overwrite, PutOutcome, Sink, copy_file};
use crate::source::{FolderFiles, Links, files_below, open_file};
use std::path::{Path, PathBuf};

/// Media files below a folder.
#[derive(Debug, Default)]
pub struct LooseMedia(Vec<LooseFile>);

/// A file, and its path below the folder.
#[derive(Debug)]
struct LooseFile {
    path: PathBuf,
    name: String,
    len: u64,
}

impl LooseMedia {
    /// Finds the wanted media files below a folder; none if only other forms are requested. The content of `output` is
    /// not input. Errors of folders are ignored here, since the search for packages in the same folders reports them.
    #[must_use]
    pub fn below(
        folder: &Path,
        output: &Path,
        options: &ExportOptions,
        wanted: impl Fn(&str) -> bool,
    ) -> Self {
        if !options.forms.wants(ExportForm::Raw, true) || !folder.is_dir() {
            return Self::default();
        }
        // The output folder may lie in the input folder: without this check a second run would export its own output.
        let output = std::path::absolute(output).unwrap_or_else(|_| output.to_owned());
        let is_output = |path: &Path| std::path::absolute(path).is_ok_and(|path| path.starts_with(&output));
        let is_wanted = |path: &Path| is_media(&path.to_string_lossy()) && !is_output(path);
        let FolderFiles { files, .. } = files_below(folder, Links::Ignore, is_wanted);
        let file = |path: PathBuf| {
            let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            let len = path.metadata().map_or(0, |data| data.len());
            wanted(&name).then_some(LooseFile { path, name, len })
        };
        Self(files.into_iter().filter_map(file).collect())
    }

    /// True if there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps the files of one shard.
    pub fn retain_share(&mut self, shard: Shard) {
        let mut is_mine = shard.is_mine(self.0.iter().map(|file| file.len)).into_iter();
        self.0.retain(|_| is_mine.next().unwrap_or(false));
    }

    /// Copies the files, and adds them to the outcome.
    pub(super) fn copy(
        &self,
        sink: &dyn Sink,
        context: &Context,
        overwrite: Overwrite,
        outcome: &mut Outcome<ExportedAssets>,
    ) {
        let mut names = OutputNames::default();
        let mut take = |file: &LooseFile| names.claim(OutputPath::sanitize(&file.name), HashTag(&file.name));
        // All names are claimed before the first copy, so that they depend on the selection only.
        let taken: Vec<_> = self.0.iter().map(|file| (file, take(file))).collect();
        let raw_bytes = self.0.iter().map(|file| file.len).sum();
        context.observer().on(&Event::Planned { chunks: taken.len() as u64, raw_bytes });
        for (file, (output, clash)) in taken {
            outcome.clashes.extend(clash);
            if context.cancel_token().is_cancelled() {
                outcome.cancelled = true;
                return;
            }
            match file.copy(sink, &output, overwrite) {
                Ok(put) => {
                    let written = WrittenFile { path: output.to_string(), bytes: file.len, outcome: put };
                    outcome
                        .done
                        .exported
                        .push((file.name.clone(), Exported::copied(file.name.clone(), written)));
                }
                Err(error) => {
                    context.observer().on(&Event::Chunk { path: &file.name, error: &error });
                    let failure = Failure { subject: Subject::File, path: file.name.clone(), error };
                    outcome.failures.push(failure);
                }
            }
            context.observer().on(&Event::Advanced { chunks: 1, raw_bytes: file.len });
        }
    }
}

impl LooseFile {
    fn copy(&self, sink: &dyn Sink, output: &OutputPath, overwrite: Overwrite) -> Result<PutOutcome> {
        let file = open_file(&self.path).map_err(Error::io("open", &self.path))?;
        copy_file(sink, output, &file, self.len, &self.path, overwrite)
    }
}
