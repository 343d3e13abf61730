//! `uncask json`: writes the values of all objects.

use crate::args::JsonArgs;
use crate::exit::{self, Exit, UsageError};
use crate::inputs::has_extension;
use crate::output_file;
use crate::printer::{self, Json, counted};
use crate::session::Session;
use crate::shared::summary::{self, JobTitle};
use crate::shared::values::{self, Chosen};
use crate::spreadsheet::Spreadsheet;
use crate::text::Lines;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use uncask::error::Error;
use uncask::game::{Game, Outcome, Overwrite, PackageInputs, ValueOptions, ValuesRead};

/// Form of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Output {
    /// A document for each package, in a folder.
    Folder,
    /// The document of the only package.
    Document,
    /// A line for each package.
    Lines,
    /// A row for each value.
    Table,
}

pub(crate) fn run(args: &JsonArgs, session: &Session) -> anyhow::Result<Exit> {
    let output = output(args)?;
    let chosen = Chosen::new(&args.store, &args.select, session)?;
    if chosen.inputs.is_empty() {
        return Ok(chosen.none(&args.store, &args.select, session));
    }
    let options = values::options_on_damage(&args.properties, &args.damage, (&args.store.input, session))?;
    let job = Job { args, session, output, chosen, options };
    match &args.output {
        Some(folder) if output == Output::Folder => job.into_folder(folder),
        Some(file) => {
            let mut exit = Exit::Ok;
            output_file::write_with(file, |out| {
                exit = job.write_to(&mut Json::new(out))?;
                anyhow::Ok(())
            })?;
            Ok(exit)
        }
        None => job.write_to(&mut printer::json()),
    }
}

/// The form: that of a flag, or of the extension of a file.
fn output(args: &JsonArgs) -> anyhow::Result<Output> {
    let of_flag = match (args.jsonl, args.csv) {
        (true, _) => Some(Output::Lines),
        (_, true) => Some(Output::Table),
        _ => None,
    };
    let Some(path) = &args.output else { return Ok(of_flag.unwrap_or(Output::Document)) };
    let by_name = [("json", Output::Document), ("jsonl", Output::Lines), ("csv", Output::Table)].into_iter();
    let by_name = by_name.filter(|(extension, _)| has_extension(path, extension) && !path.is_dir());
    let of_name = by_name.map(|(_, output)| output).next().unwrap_or(Output::Folder);
    match of_flag {
        // A folder of documents is not what the flag asks for, nor is a file of another form.
        Some(flag) if flag != of_name => {
            let (name, extension) =
                if flag == Output::Lines { ("--jsonl", ".jsonl") } else { ("--csv", ".csv") };
            Err(UsageError(format!("{name} writes a {extension}: {}", path.display())).into())
        }
        _ => Ok(of_name),
    }
}

/// A run of the command.
struct Job<'a> {
    args: &'a JsonArgs,
    session: &'a Session,
    output: Output,
    chosen: Chosen,
    options: ValueOptions,
}

impl Job<'_> {
    fn into_folder(mut self, folder: &Path) -> anyhow::Result<Exit> {
        let session = self.session;
        let sink = session.output(folder, false, None)?;
        let overwrite = self.args.overwrite.map_or(Overwrite::Untouched, Overwrite::from);
        let form = (self.args.form(), overwrite);
        let (watched, progress) = session.watched(&self.chosen.game, "packages");
        let (inputs, options) = self.inputs();
        let total = inputs.len() as u64;
        let outcome =
            session.interruptible(|| watched.to_json(inputs, Arc::clone(&sink) as _, form, options))?;
        progress.finish();
        session.warn_of_edited(&*sink);
        let missing = self.report_missing(&outcome);
        let title = JobTitle { schema: "uncask.json/2", verb: "wrote the properties of", total };
        let extra = values::unread_json(&outcome);
        let game = &self.chosen.game;
        let exit = summary::finish_with(session, game, &outcome, &title, progress.elapsed(), extra)?;
        Ok(if exit == Exit::Ok && missing { Exit::Failed } else { exit })
    }

    fn write_to(mut self, out: &mut dyn Write) -> anyhow::Result<Exit> {
        let session = self.session;
        let (form, is_document) = (self.args.form(), self.output == Output::Document);
        if is_document {
            self.check_is_one()?;
        }
        let (mut inputs, options) = self.inputs();
        inputs.sort_by_path();
        let game = &self.chosen.game;
        let outcome = if is_document {
            game.json_of(inputs, form, options, out)?
        } else {
            let (watched, progress) = session.watched(game, "packages");
            let outcome = session.interruptible(|| match self.output {
                Output::Table => table(&watched, inputs, options, out),
                _ => watched.json_lines(inputs, form, options, |line| out.write_all(line).map_err(stdout)),
            })?;
            progress.finish();
            out.flush()?;
            outcome
        };
        let missing = self.report_missing(&outcome);
        summary::failures(session, &outcome);
        let exit = exit::of_outcome(&outcome, game);
        Ok(if exit == Exit::Ok && missing { Exit::Failed } else { exit })
    }

    /// The packages and how to read them; taken, as a job owns them.
    fn inputs(&mut self) -> (PackageInputs, ValueOptions) {
        (std::mem::take(&mut self.chosen.inputs), std::mem::take(&mut self.options))
    }

    /// Fails if there are several packages: their documents in one file would not be valid JSON.
    fn check_is_one(&self) -> anyhow::Result<()> {
        let inputs = &self.chosen.inputs;
        if inputs.len() > 1 {
            let names: Vec<&str> = inputs.items().iter().take(3).map(|item| item.name.as_str()).collect();
            let found = counted(inputs.len() as u64, "package matches", "packages match");
            let hint = "name one of them, a folder for all with -o, or --jsonl";
            return Err(UsageError(format!("{found}, such as {}; {hint}", names.join(", "))).into());
        }
        Ok(())
    }

    fn report_missing(&self, outcome: &Outcome<ValuesRead>) -> bool {
        values::report_missing(self.session, &outcome.done, (&self.args.properties, &self.args.store.input))
    }
}

/// Writes a row for each value.
fn table(
    game: &Game,
    inputs: PackageInputs,
    options: ValueOptions,
    out: &mut dyn Write,
) -> Result<Outcome<ValuesRead>, Error> {
    let (mut is_first, mut lines) = (true, Lines::default());
    game.value_rows(inputs, options, |rows| {
        let mut sheet = Spreadsheet::new(std::mem::take(&mut is_first));
        lines.clear();
        let written = rows.iter().try_for_each(|row| sheet.row(row));
        let written = written.and_then(|()| sheet.finish(&mut lines)).map_err(io::Error::other);
        written.and_then(|()| out.write_all(lines.as_str().as_bytes())).map_err(stdout)
    })
}

fn stdout(error: io::Error) -> Error {
    Error::io("write", Path::new("the values"))(error)
}
