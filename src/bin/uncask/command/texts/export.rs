//! `uncask texts export`.

use super::find::find;
use super::tables::{self, Tables};
use super::{portable, table};
use crate::args::TextsExportArgs;
use crate::exit::{self, Exit, UsageError};
use crate::output_file;
use crate::printer::{self, counted};
use crate::session::Session;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;
use uncask::game::{DirectorySink, OutputPath, Overwrite, Sheet, push_tables, put};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    texts: usize,
    files: usize,
    cultures: &'a [String],
    output: String,
}

pub(super) fn run(args: &TextsExportArgs, session: &Session) -> anyhow::Result<Exit> {
    let form = Form::of(args)?;
    let (game, found) = find(&args.store, session)?;
    // String tables have no culture, so selecting a culture excludes them.
    let tables = match args.culture.as_slice() {
        [] => tables::find(&args.store, &args.properties, &game, session)?,
        _ => Tables::default(),
    };
    if found.files.is_empty() && tables.found.is_empty() {
        let nothing = format!("no .locres and no string table found: {}", args.store.input.display());
        session.printer.error(&nothing);
        return Ok(if found.problems.is_empty() { exit::nothing_found(&game) } else { Exit::Failed });
    }
    // A damaged file gives what can be read; the exit code tells.
    let (mut sheet, problems) = Sheet::of_files(&found.files);
    for problem in &problems {
        session.printer.failure(problem);
    }
    push_tables(&mut sheet, &tables.found);
    if !args.culture.is_empty() {
        retain(&mut sheet, &args.culture)?;
    }
    match form {
        Form::Table => output_file::write_with(&args.output, |out| table::write(&sheet, out))?,
        Form::Portable => one_portable(&sheet, &args.output)?,
        Form::Folder => all_portable(&sheet, &args.output)?,
    }
    finish(args, session, found.files.len() + tables.found.len(), &sheet)?;
    let failed = !problems.is_empty() || !found.problems.is_empty() || tables.failed;
    Ok(if failed { Exit::Failed } else { exit::of_store(&game) })
}

/// Form of the output.
enum Form {
    Table,
    Portable,
    Folder,
}

impl Form {
    fn of(args: &TextsExportArgs) -> Result<Self, UsageError> {
        let extension = args.output.extension().unwrap_or_default();
        match (args.po, extension) {
            // With --po the output is a folder, whatever its name ends in.
            (true, _) => Ok(Self::Folder),
            (false, extension) if extension.eq_ignore_ascii_case("csv") => Ok(Self::Table),
            (false, extension) if extension.eq_ignore_ascii_case("po") => Ok(Self::Portable),
            _ => Err(UsageError(format!(
                "output is not a .csv or .po: {}; for a folder of .po files, add --po",
                args.output.display()
            ))),
        }
    }
}

/// Keeps the requested languages.
fn retain(sheet: &mut Sheet, wanted: &[String]) -> Result<(), UsageError> {
    if let Some(unknown) = wanted.iter().find(|name| sheet.culture(name).is_none()) {
        let known = sheet.cultures().join(", ");
        return Err(UsageError(format!("no texts in {unknown:?}; the game has: {known}")));
    }
    sheet.retain_cultures(|name| wanted.iter().any(|wanted| wanted.eq_ignore_ascii_case(name)));
    Ok(())
}

/// The files of a table that contain texts: place and position of the culture.
fn files(sheet: &Sheet) -> BTreeSet<(&str, usize)> {
    sheet
        .rows()
        .iter()
        .flat_map(|row| row.texts().iter().map(|(culture, _)| (&*row.file, *culture)))
        .collect()
}

fn one_portable(sheet: &Sheet, output: &Path) -> anyhow::Result<()> {
    let files = files(sheet);
    let mut left = files.iter();
    // A portable object has one language and one file in its header.
    let (Some((file, culture)), None) = (left.next(), left.next()) else {
        let found = counted(files.len() as u64, ".locres", ".locres");
        let hint = "choose a language with --culture, or write a folder with --po";
        return Err(UsageError(format!("a .po is for one .locres, found {found}; {hint}")).into());
    };
    output_file::write_with(output, |out| portable::write(sheet, file, *culture, out))
}

fn all_portable(sheet: &Sheet, folder: &Path) -> anyhow::Result<()> {
    let sink = DirectorySink::open(folder)?;
    for (file, culture) in files(sheet) {
        let mut bytes = Vec::new();
        portable::write(sheet, file, culture, &mut bytes)?;
        let path = OutputPath::sanitize(&portable::path(sheet, file, culture));
        put(&sink, &path, &bytes, Overwrite::Always)?;
    }
    Ok(())
}

fn finish(args: &TextsExportArgs, session: &Session, files: usize, sheet: &Sheet) -> anyhow::Result<()> {
    let texts = sheet.rows().len();
    let output = args.output.display().to_string();
    if session.printer.json {
        let cultures = sheet.cultures();
        return printer::print_json(&Report {
            schema: "uncask.texts.export/1",
            texts,
            files,
            cultures,
            output,
        });
    }
    let texts = counted(texts as u64, "text", "texts");
    let cultures = counted(sheet.cultures().len() as u64, "language", "languages");
    session.printer.note(&format!("exported {texts} in {cultures} to {output}"));
    Ok(())
}
