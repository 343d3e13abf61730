//! A Parquet table for each build: `1.0.parquet`, `1.1.parquet`, ….

use super::destination::{Build, Destination, HistoryEnd, Opened};
use crate::args::HistoryArgs;
use crate::exit::UsageError;
use crate::printer::{self, counted};
use crate::session::Session;
use crate::shared::table::{Column, Repeats, Table, metadata_of};
use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray};
use arrow_schema::DataType;
use serde::Serialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use uncask::game::{DirectorySink, FilterSpec, HistoryRow, RowKind, ValueChange};

/// Key in the metadata of a table: what it was made from, and how.
const MADE_FROM: &str = "made_from";

/// Keys for the name of the build, and its position among the builds: a table of a build that changes nothing has no rows.
const BUILD: &str = "build";
const POSITION: &str = "position";

const SCHEMA: &str = "uncask.history-tables/1";

/// Names, types and order of the columns. New ones are added at the end; any other change raises the schema number.
fn columns() -> [Column; 9] {
    use DataType::{Float64, Int64, Utf8};
    [
        Column::new("package", Utf8, false, Repeats::Often),
        Column::new("object", Utf8, false, Repeats::Often),
        Column::new("class", Utf8, false, Repeats::Often),
        Column::new("property", Utf8, false, Repeats::Often),
        Column::new("build", Utf8, false, Repeats::Often),
        Column::new("position", Int64, false, Repeats::Often),
        Column::new("change", Utf8, false, Repeats::Often),
        Column::new("value", Utf8, true, Repeats::Often),
        Column::new("number", Float64, true, Repeats::Often),
    ]
}

pub(super) struct Tables {
    sink: DirectorySink,
    folder: PathBuf,
    /// The question, as text.
    wanted: String,
    /// Names of all builds, in their order.
    names: Vec<String>,
    /// The build that is being written, and what its table is made from.
    made_from: String,
    table: Option<Table>,
    rows: u64,
    written: u64,
}

#[derive(Serialize)]
struct Summary<'a> {
    schema: &'static str,
    output: String,
    builds: &'a [String],
    /// Tables that were written; the others were there.
    written: u64,
    rows: u64,
}

impl Tables {
    pub(super) fn open(args: &HistoryArgs, folder: &Path, builds: &[Build]) -> anyhow::Result<Self> {
        let names: Vec<String> = builds.iter().map(|build| build.name.clone()).collect();
        let files: HashSet<String> =
            builds.iter().map(|build| file_name(&build.name).to_lowercase()).collect();
        if files.len() < builds.len() {
            let hint =
                "two of the builds would be one file; give paths that differ in one part, such as a version";
            return Err(UsageError(hint.to_owned()).into());
        }
        let wanted = format!("{:?} {:?}", args.property, args.package);
        let (sink, folder) = (DirectorySink::open(folder)?, folder.to_owned());
        let (made_from, table) = (String::new(), None);
        Ok(Self { sink, folder, wanted, names, made_from, table, rows: 0, written: 0 })
    }

    fn position(&self, build: &Build) -> i64 {
        let position = self.names.iter().position(|name| *name == build.name).unwrap_or_default();
        i64::try_from(position).unwrap_or(i64::MAX)
    }
}

/// Text that two builds only have in common if their chunks are the same, and are read in the same way.
fn fingerprint(Opened { game, options }: &Opened) -> String {
    let plan = game.plan_rows(RowKind::Chunks, &FilterSpec::default());
    let chunks = plan.map(|plan| plan.fingerprint(game, 0..plan.len())).unwrap_or_default();
    let release = options.release.map_or("", |release| release.name);
    let classes = options.mappings.as_ref().map_or(0, |mappings| mappings.len());
    format!("{chunks} {release} {classes}")
}

fn file_name(build: &str) -> String {
    format!("{}.parquet", build.replace(['/', '\\'], "-"))
}

impl Destination for Tables {
    fn has(&mut self, build: &Build, opened: &Opened, before: Option<&Opened>) -> bool {
        let before = before.map(fingerprint).unwrap_or_default();
        let position = self.position(build);
        self.made_from = format!("{} after {before} at {position}: {}", fingerprint(opened), self.wanted);
        metadata_of(&self.folder.join(file_name(&build.name)), MADE_FROM).as_ref() == Some(&self.made_from)
    }

    fn begin(&mut self, build: &Build) -> anyhow::Result<()> {
        let position = self.position(build).to_string();
        let metadata = [
            ("schema", SCHEMA),
            (MADE_FROM, self.made_from.as_str()),
            (BUILD, build.name.as_str()),
            (POSITION, position.as_str()),
        ];
        self.table = Some(Table::create(&self.sink, &file_name(&build.name), &columns(), &metadata)?);
        Ok(())
    }

    fn rows(&mut self, build: &Build, rows: Vec<HistoryRow>) -> anyhow::Result<()> {
        let position = self.position(build);
        let texts = |of: &dyn Fn(&HistoryRow) -> &str| -> ArrayRef {
            Arc::new(StringArray::from_iter_values(rows.iter().map(of)))
        };
        let value = |row: &HistoryRow| (row.change != ValueChange::Removed).then(|| row.value.text.clone());
        let number = |row: &HistoryRow| value(row).filter(|_| row.value.is_bare)?.parse::<f64>().ok();
        let columns: Vec<ArrayRef> = vec![
            texts(&|row| &row.package),
            texts(&|row| &row.object),
            texts(&|row| &row.class),
            texts(&|row| &row.property),
            Arc::new(StringArray::from_iter_values(rows.iter().map(|_| &build.name))),
            Arc::new(Int64Array::from_iter_values(rows.iter().map(|_| position))),
            texts(&|row| word(row.change)),
            Arc::new(rows.iter().map(value).collect::<StringArray>()),
            Arc::new(rows.iter().map(number).collect::<Float64Array>()),
        ];
        self.rows += rows.len() as u64;
        self.table.as_mut().map_or(Ok(()), |table| table.write(columns))
    }

    fn end(&mut self, is_whole: bool) -> anyhow::Result<()> {
        // Without some of its packages, a build would count as read for ever.
        if let Some(table) = self.table.take().filter(|_| is_whole) {
            table.commit()?;
            self.written += 1;
        }
        Ok(())
    }

    fn finish(self: Box<Self>, session: &Session) -> anyhow::Result<HistoryEnd> {
        let output = self.folder.display().to_string();
        let (rows, written) = (self.rows, self.written);
        if session.printer.json {
            printer::print_json(&Summary { schema: SCHEMA, output, builds: &self.names, written, rows })?;
        }
        let text =
            format!("wrote {} with {}", counted(written, "table", "tables"), counted(rows, "row", "rows"));
        Ok(HistoryEnd { text, is_nothing: false })
    }
}

const fn word(change: ValueChange) -> &'static str {
    match change {
        ValueChange::Added => "added",
        ValueChange::Removed => "removed",
        ValueChange::Changed => "changed",
    }
}
