//! Writes built mods.

use super::outcome::{BuildError, BuildOptions, Built, WrittenMod};
use crate::error::{Error, Result};
use crate::game::joining::copy_into;
use crate::game::{Game, GameOptions, SameChunk};
use crate::identify::has_extension;
use crate::objection::{Finding, Objection};
use crate::pack::PackOptions;
use crate::sink::{DirectorySink, OutputPath, Overwrite, ScratchFolder, put};
use crate::source::{Links, files_below};
use crate::texts::AppliedFile;
use crate::values::edit::{EditOutput, Edited, Editing, SaveOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) struct Writing<'w> {
    pub making: &'w GameOptions,
    pub base: &'w Game,
    pub editing: &'w Editing,
    pub options: &'w BuildOptions,
}

impl Writing<'_> {
    pub(super) fn write(
        &self,
        built: &Built,
        files: &[PathBuf],
        output: &Path,
    ) -> std::result::Result<WrittenMod, BuildError> {
        let is_folder = !has_extension(output, &["utoc", "pak"]);
        let has_loose = !(built.texts.is_empty() && files.is_empty());
        if is_folder {
            self.look_for_existing(built, files, output)?;
            let mut written = WrittenMod::default();
            if !built.packages.is_empty() {
                written = self.save(&built.packages, &EditOutput::Folder(output.to_owned()))?;
            }
            let overwrite =
                if self.options.packing.replace { Overwrite::Always } else { Overwrite::Different };
            write_texts(&built.texts, output, overwrite)?;
            written.chunks += built.texts.len() as u64;
            written.bytes += built.texts.iter().map(|file| file.bytes.len() as u64).sum::<u64>();
            let sink = DirectorySink::open(output)?;
            for folder in files {
                copy_into(folder, &sink, SameChunk::TakeLast)?;
                written.chunks += files_below(folder, Links::Ignore, |_| true).files.len() as u64;
            }
            return Ok(written);
        }
        let target = |path: &Path| {
            let is_pak = has_extension(path, &["pak"]);
            if is_pak { EditOutput::Pak(path.to_owned()) } else { EditOutput::Container(path.to_owned()) }
        };
        if !has_loose {
            return self.save(&built.packages, &target(output));
        }
        let scratch = ScratchFolder::for_output(output)?;
        let mut inputs = Vec::new();
        let mut left_out = 0;
        if !built.packages.is_empty() {
            let part = scratch.inner("part")?.join(output.file_name().unwrap_or_default());
            let saved = self.save(&built.packages, &target(&part))?;
            // Its warnings are about a container that is there for a moment.
            left_out = saved.left_out;
            inputs.push(part);
        }
        if !built.texts.is_empty() {
            let folder = scratch.inner("texts")?;
            write_texts(&built.texts, &folder, Overwrite::Always)?;
            inputs.push(folder);
        }
        inputs.extend(files.iter().cloned());
        let game = self.base.as_base();
        let own = self.options.packing.clone();
        let packing = PackOptions {
            loose_beside: true,
            version: own.version.or_else(|| game.toc_version().filter(|_| own.engine.is_none())),
            pak_table: own.pak_table.or_else(|| game.pak_table()),
            ..own
        };
        let packed = self.making.join(&inputs, output, &packing, SameChunk::TakeLast)?;
        Ok(WrittenMod {
            chunks: packed.chunks,
            bytes: packed.stored_bytes,
            left_out,
            warnings: packed.warnings,
        })
    }

    /// Refuses to replace texts and files below a folder, unless they are to be replaced. Packages are looked for where they are
    /// saved, which is first.
    fn look_for_existing(&self, built: &Built, files: &[PathBuf], output: &Path) -> Result<()> {
        let texts = built.texts.iter().map(|file| PathBuf::from(OutputPath::sanitize(&file.path).as_str()));
        let below = files.iter().flat_map(|folder| {
            let found = files_below(folder, Links::Ignore, |_| true).files;
            found
                .into_iter()
                .filter_map(|path| Some(path.strip_prefix(folder).ok()?.to_owned()))
                .collect::<Vec<_>>()
        });
        let mut paths = texts.chain(below).map(|path| output.join(path));
        match paths.find(|path| !self.options.packing.replace && path.exists()) {
            Some(path) => Err(Error::Refused { reasons: vec![Finding::new(Objection::Exists, &path)] }),
            None => Ok(()),
        }
    }

    fn save(&self, packages: &[Edited], output: &EditOutput) -> std::result::Result<WrittenMod, BuildError> {
        let packing = &self.options.packing;
        let options = SaveOptions {
            release: self.options.values.release,
            game: Some(Arc::new(self.base.as_base())),
            replace: packing.replace,
            force: packing.force,
        };
        let saved = self.making.save(self.editing, packages, output, &options)?;
        Ok(WrittenMod {
            chunks: saved.paths.len() as u64,
            bytes: saved.bytes,
            left_out: saved.left_out,
            warnings: saved.warnings,
        })
    }
}

fn write_texts(texts: &[AppliedFile], folder: &Path, overwrite: Overwrite) -> Result<()> {
    if texts.is_empty() {
        return Ok(());
    }
    let sink = DirectorySink::open(folder)?;
    for file in texts {
        put(&sink, &OutputPath::sanitize(&file.path), &file.bytes, overwrite)?;
    }
    Ok(())
}
