//! `uncask texts import`.

use super::find::find;
use super::{portable, table, tables};
use crate::args::TextsImportArgs;
use crate::exit::{self, Exit, UsageError};
use crate::inputs::{expand_folders, has_extension};
use crate::printer::{self, counted};
use crate::session::Session;
use crate::shared::packed::refused;
use anyhow::Context as _;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use uncask::error::Error;
use uncask::game::{
    AppliedFile, DirectorySink, EditOutput, Game, OutputPath, Overwrite, Sheet, SheetRow, TextFile, apply,
    push_tables, put, read_file,
};

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    files: Vec<FileReport>,
}

#[derive(Serialize)]
struct FileReport {
    path: String,
    changed: usize,
    added: usize,
    is_new: bool,
}

impl From<&AppliedFile> for FileReport {
    fn from(file: &AppliedFile) -> Self {
        Self { path: file.path.clone(), changed: file.changed, added: file.added, is_new: file.is_new }
    }
}

pub(super) fn run(args: &TextsImportArgs, session: &Session) -> anyhow::Result<Exit> {
    let inputs = expand_folders(&args.files, "po")?;
    let (game, found) = find(&args.store(), session)?;
    // All inputs are read before any is applied.
    let sheets = read(&inputs, args, &game, &found.files, session)?;
    if found.files.is_empty() && sheets.iter().all(|(_, sheet)| sheet.rows().is_empty()) {
        session.printer.error("the game has no .locres");
        return Ok(if found.problems.is_empty() { exit::nothing_found(&game) } else { Exit::Failed });
    }
    let mut work = Work { files: found.files, applied: BTreeMap::new(), tables: None };
    for (input, sheet) in sheets {
        work.add(sheet).with_context(|| format!("cannot import: {}", input.display()))?;
    }
    let applied: Vec<AppliedFile> = work.applied.into_values().collect();
    let is_folder = matches!(tables::output(&args.output), EditOutput::Folder(_));
    // A folder gets all files, so that it can be packed as it is; a container gets only changes.
    let all = is_folder && !args.changed;
    let wanted = |file: &&AppliedFile| all || file.changed + file.added > 0;
    let wanted: Vec<&AppliedFile> = applied.iter().filter(wanted).collect();
    // Containers of packages cannot hold loose files such as a .locres.
    if !wanted.is_empty() && !is_folder {
        let hint = "name a folder, and pack it";
        return Err(UsageError(format!("a .locres cannot go into a container of packages; {hint}")).into());
    }
    let mut reports: Vec<FileReport> = wanted.iter().copied().map(FileReport::from).collect();
    let mut left_out = 0;
    if let Some(sheet) = &work.tables {
        let written = match tables::write(sheet, args, &game, session) {
            Ok(written) => {
                left_out = written.left_out;
                written.packages.into_iter()
            }
            Err(error) => match error.downcast::<Error>()? {
                Error::Refused { reasons } => return Ok(refused(&reasons, session)),
                error => return Err(error.into()),
            },
        };
        reports.extend(written.map(|(path, changed)| FileReport { path, changed, added: 0, is_new: false }));
    }
    if !wanted.is_empty() {
        write(&wanted, &args.output)?;
    }
    let is_nothing = reports.is_empty();
    finish(args, session, reports)?;
    Ok(match found.problems.is_empty() && left_out == 0 {
        true if is_nothing => Exit::NothingMatched,
        true => exit::of_store(&game),
        false => Exit::Failed,
    })
}

/// Reads the tables of all inputs.
fn read<'i>(
    inputs: &'i [PathBuf],
    args: &TextsImportArgs,
    game: &Game,
    files: &[TextFile],
    session: &Session,
) -> anyhow::Result<Vec<(&'i Path, Sheet)>> {
    let mut base = None;
    let mut sheets = Vec::new();
    for input in inputs {
        let bytes = read_file(input, session.memory())?;
        let sheet = if has_extension(input, "csv") {
            table::read(&bytes)
        } else if has_extension(input, "po") {
            // The game's texts are read only for portable objects, and once for all of them.
            let base = match &mut base {
                Some(base) => base,
                None => base.insert(of_game(args, game, files, session)?),
            };
            portable::read(&bytes, base)
        } else {
            Err(UsageError("file is not a .csv or .po".to_owned()).into())
        };
        let sheet = sheet.and_then(without_nul);
        sheets.push((input.as_path(), sheet.with_context(|| format!("cannot import: {}", input.display()))?));
    }
    Ok(sheets)
}

/// Refuses texts with a NUL, where the engine would end them.
fn without_nul(sheet: Sheet) -> anyhow::Result<Sheet> {
    let has_nul = |row: &&SheetRow| row.texts().iter().any(|(_, text)| text.contains('\0'));
    match sheet.rows().iter().find(has_nul) {
        Some(row) => {
            let (namespace, key) = (&row.namespace, &row.key);
            Err(UsageError(format!("the text {namespace:?}, {key:?} has a NUL, which would end it")).into())
        }
        None => Ok(sheet),
    }
}

/// All texts of the game, to complete portable objects.
fn of_game(
    args: &TextsImportArgs,
    game: &Game,
    files: &[TextFile],
    session: &Session,
) -> anyhow::Result<Sheet> {
    let mut sheet = Sheet::of_files(files).0;
    let tables = tables::find(&args.store(), &args.properties, game, session)?;
    push_tables(&mut sheet, &tables.found);
    Ok(sheet)
}

/// The files of the game, with the inputs processed so far applied.
struct Work {
    files: Vec<TextFile>,
    applied: BTreeMap<String, AppliedFile>,
    /// Rows of string tables.
    tables: Option<Sheet>,
}

impl Work {
    fn add(&mut self, mut sheet: Sheet) -> anyhow::Result<()> {
        let tables = sheet.split_off(tables::is_table);
        // Without the source column there is nothing to put into string tables.
        let is_source = sheet.culture("").is_some();
        if is_source && !tables.rows().is_empty() {
            match &mut self.tables {
                Some(known) => known.append(tables),
                known => *known = Some(tables),
            }
        }
        for new in apply(&sheet, &self.files)? {
            self.replace(new);
        }
        Ok(())
    }

    fn replace(&mut self, new: AppliedFile) {
        // Later inputs build on the result of earlier ones: two may be about the same file.
        match self.files.iter_mut().find(|file| file.path == new.path) {
            Some(file) => file.bytes.clone_from(&new.bytes),
            None => self.files.push(TextFile { path: new.path.clone(), bytes: new.bytes.clone() }),
        }
        match self.applied.get_mut(&new.path) {
            Some(old) => {
                (old.changed, old.added) = (old.changed + new.changed, old.added + new.added);
                old.bytes = new.bytes;
            }
            None => drop(self.applied.insert(new.path.clone(), new)),
        }
    }
}

fn write(files: &[&AppliedFile], folder: &Path) -> anyhow::Result<()> {
    let sink = DirectorySink::open(folder)?;
    for file in files {
        put(&sink, &OutputPath::sanitize(&file.path), &file.bytes, Overwrite::Always)?;
    }
    Ok(())
}

fn finish(args: &TextsImportArgs, session: &Session, files: Vec<FileReport>) -> anyhow::Result<()> {
    if session.printer.json {
        return printer::print_json(&Report { schema: "uncask.texts.import/1", files });
    }
    if files.is_empty() {
        session.printer.note("nothing changed");
        return Ok(());
    }
    for file in files.iter().filter(|file| file.is_new) {
        let hint = "games offer only the languages that their settings and .locmeta list";
        session.printer.note(&format!("{} is new; {hint}", file.path));
    }
    let sum = |of: fn(&FileReport) -> usize| files.iter().map(|file| of(file) as u64).sum::<u64>();
    let changed = counted(sum(|file| file.changed), "text", "texts");
    let added = counted(sum(|file| file.added), "text", "texts");
    let count = counted(files.len() as u64, "file", "files");
    session
        .printer
        .note(&format!("wrote {count} to {}: {changed} changed, {added} added", args.output.display()));
    Ok(())
}
