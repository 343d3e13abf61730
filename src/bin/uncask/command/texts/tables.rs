//! Converts string tables of a game to rows of a table of texts, and back.

use crate::args::{PropertyArgs, StoreArgs, TextsImportArgs};
use crate::exit::UsageError;
use crate::inputs::has_extension;
use crate::printer::counted;
use crate::session::Session;
use crate::shared::packed::warn;
use crate::shared::{edit, values};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use uncask::game::{
    EditOutput, Edited, Editing, Game, PackageInputs, SaveOptions, Sheet, SheetRow, StringTable,
    ValueOptions, Wanted, is_same,
};

/// The string tables of a game.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) found: Vec<StringTable>,
    /// True if some packages could not be read.
    pub(super) failed: bool,
}

/// True if a file in a table of texts is a string table, which is named by its object path.
pub(super) fn is_table(file: &str) -> bool {
    file.starts_with('/')
}

/// Reads the string tables of the inputs.
pub(super) fn find(
    args: &StoreArgs,
    properties: &PropertyArgs,
    game: &Game,
    session: &Session,
) -> anyhow::Result<Tables> {
    let inputs = inputs(&args.input, game);
    if inputs.is_empty() {
        return Ok(Tables::default());
    }
    let options = values::options(properties, &args.input, session)?;
    let (watched, progress) = session.watched(game, "packages");
    let (found, outcome) = session.interruptible(|| watched.string_tables(inputs, options))?;
    progress.finish();
    let missing = values::report_missing(session, &outcome.done, (properties, &args.input));
    for failure in outcome.problems() {
        session.printer.failure(&failure.error);
    }
    Ok(Tables { found, failed: missing || outcome.problems().next().is_some() })
}

fn inputs(input: &Path, game: &Game) -> PackageInputs {
    // A single loose file is a .locres here, and has no tables.
    if values::is_loose(input) && input.is_dir() {
        return PackageInputs::of_files(input, |_| true);
    }
    game.all_packages()
}

/// Result of writing string tables.
#[derive(Default)]
pub(super) struct Written {
    /// Paths of packages, with the number of changed texts.
    pub(super) packages: Vec<(String, usize)>,
    /// Number of changed packages that no container can hold.
    pub(super) left_out: u64,
}

/// Applies a table of texts to the string tables of a game, and writes the changed packages.
pub(super) fn write(
    sheet: &Sheet,
    args: &TextsImportArgs,
    game: &Game,
    session: &Session,
) -> anyhow::Result<Written> {
    let onto = args.store().input;
    let options = values::options(&args.properties, &onto, session)?;
    // Damaged packages must not be edited.
    let options = ValueOptions { verify: true, ..options };
    let editing = game.edit(inputs(&onto, game), options);
    let (mut edited, mut written) = (Vec::new(), Written::default());
    for (input, wanted) in wanted(sheet, &editing)? {
        let changed = wanted.iter().map(|(_, texts)| texts.len()).sum();
        // Unchanged packages are not written: they would only override other mods.
        if changed > 0 {
            let package = editing.edit(input, &Wanted::Entries(wanted))?;
            written.packages.push((package.path.clone(), changed));
            edited.push(package);
        }
    }
    if !edited.is_empty() {
        written.left_out = save(&editing, &edited, args, game, session)?;
    }
    Ok(written)
}

/// Changed texts of string tables, by package and export.
type Changes = BTreeMap<usize, Vec<(usize, Vec<(usize, String)>)>>;

fn wanted(sheet: &Sheet, editing: &Editing) -> anyhow::Result<Changes> {
    let mut by_table: BTreeMap<&str, Vec<&SheetRow>> = BTreeMap::new();
    for row in sheet.rows() {
        by_table.entry(&row.file).or_default().push(row);
    }
    let mut changes = Changes::new();
    for (id, rows) in by_table {
        // `/Game/Texts/ST_Menu.ST_Menu` is in the package `/Game/Texts/ST_Menu`.
        let package = id.rsplit_once('.').map_or(id, |(package, _)| package);
        let unknown = || UsageError(format!("the game has no string table {id}"));
        let input = editing.find(package).ok_or_else(unknown)?;
        let tables = editing.string_tables(input)?;
        let table = tables.iter().find(|table| table.id.eq_ignore_ascii_case(id)).ok_or_else(unknown)?;
        changes.entry(input).or_default().push((table.export, texts(table, &rows, sheet)?));
    }
    Ok(changes)
}

/// Changed texts of a string table, by position of their entries.
fn texts(table: &StringTable, rows: &[&SheetRow], sheet: &Sheet) -> Result<Vec<(usize, String)>, UsageError> {
    let places: HashMap<&str, usize> =
        table.entries.iter().enumerate().map(|(place, entry)| (entry.key.as_str(), place)).collect();
    let mut texts = Vec::new();
    for row in rows {
        let place = places.get(row.key.as_str()).copied();
        let entry = place.and_then(|place| Some((place, table.entries.get(place)?)));
        let unknown =
            || UsageError(format!("no text has the key {:?} in the string table {}", row.key, table.id));
        let (place, entry) = entry.ok_or_else(unknown)?;
        let new = sheet.culture("").and_then(|culture| row.text(culture));
        texts.extend(new.filter(|new| !is_same(&entry.source, new)).map(|new| (place, new.to_owned())));
    }
    Ok(texts)
}

fn save(
    editing: &Editing,
    edited: &[Edited],
    args: &TextsImportArgs,
    game: &Game,
    session: &Session,
) -> anyhow::Result<u64> {
    let (release, game) = (args.properties.engine, edit::base(game));
    let options = SaveOptions { release, game, replace: true, force: args.force };
    let (making, progress) = session.making("files");
    let saved = session.make(|| making.save(editing, edited, &output(&args.output), &options));
    progress.finish();
    let saved = saved?;
    warn(&saved.warnings, saved.left_out, session);
    let packages = counted(edited.len() as u64, "package", "packages");
    session.printer.detail(&format!("{packages} with string tables to {}", args.output.display()));
    Ok(saved.left_out)
}

/// Destination of packages, by the extension of the output.
pub(super) fn output(path: &Path) -> EditOutput {
    match (has_extension(path, "utoc"), has_extension(path, "pak")) {
        (true, _) => EditOutput::Container(path.to_owned()),
        (_, true) => EditOutput::Pak(path.to_owned()),
        _ => EditOutput::Folder(path.to_owned()),
    }
}
