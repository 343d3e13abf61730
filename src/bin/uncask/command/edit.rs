//! What `set`, `from-json` and `replace` have in common: packages changed, shown and written.

use super::pack::refused;
use super::values;
use crate::args::EditArgs;
use crate::exit::{Exit, UsageError};
use crate::printer::{self, counted, size};
use crate::progress::Progress;
use crate::session::Session;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use uncask::error::{Error, ErrorKind};
use uncask::pack::BaseGame;
use uncask::store::Store;
use uncask::values::edit::{Changed, EditOutput, Edited, Editing, SaveOptions, Saved, Wanted};
use uncask::values::{PackageInputs, ValueOptions};

/// A run of one of the commands.
pub(super) struct Job<'a> {
    pub args: &'a EditArgs,
    pub schema: &'static str,
    pub store: &'a Store,
    pub output: Option<EditOutput>,
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    dry_run: bool,
    packages: Vec<Package<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    files: &'a [String],
    bytes: u64,
    warnings: &'a [String],
}

#[derive(Serialize)]
struct Package<'a> {
    path: &'a str,
    exports_changed: usize,
    names_added: usize,
    changes: Vec<Value<'a>>,
}

#[derive(Serialize)]
struct Value<'a> {
    address: &'a str,
    from: Option<&'a str>,
    to: &'a str,
}

impl Job<'_> {
    /// Packages that can be changed.
    pub(super) fn editing(
        &self,
        session: &Session,
        inputs: PackageInputs,
        input: &Path,
    ) -> anyhow::Result<Editing> {
        let options = values::options(&self.args.properties, input, session)?;
        let options = ValueOptions { verify: true, ..options };
        Ok(Editing::new(session.packages(self.store), inputs, options))
    }

    /// Changes packages, and writes them unless nothing is to be written.
    pub(super) fn run(
        &self,
        session: &Session,
        editing: &Editing,
        wanted: &[(usize, Wanted)],
    ) -> anyhow::Result<Exit> {
        let edit = |(place, wanted): &(usize, Wanted)| editing.edit(*place, wanted);
        self.finish(session, editing, wanted.iter().map(edit).collect())
    }

    /// Shows what was changed, and writes it unless nothing is to be written.
    pub(super) fn finish(
        &self,
        session: &Session,
        editing: &Editing,
        edited: Result<Vec<Edited>, Error>,
    ) -> anyhow::Result<Exit> {
        for problem in editing.take_problems().iter().filter(|problem| problem.kind() != ErrorKind::Key) {
            session.printer.warning(&format!("some references are not known: {problem}"));
        }
        let is_unread =
            |reason: &str| reason.contains("cannot be read") || reason.contains("its type is not known");
        if matches!(&edited, Err(Error::CannotChange { reason, .. }) if is_unread(reason))
            && !editing.has_mappings()
        {
            let hint = "properties without tags need the game's .usmap, with --mappings";
            session.printer.hint(Some(hint));
        }
        let edited = edited?;
        self.show(session, &edited)?;
        let saved = match self.output.as_ref().filter(|_| !self.args.dry_run) {
            None => Saved::default(),
            Some(output) => match self.save(session, editing, &edited, output) {
                Err(Error::Refused { reasons }) => return Ok(refused(&reasons, session)),
                saved => saved?,
            },
        };
        self.report(session, &edited, &saved)?;
        Ok(Exit::Ok)
    }

    fn save(
        &self,
        session: &Session,
        editing: &Editing,
        edited: &[Edited],
        output: &EditOutput,
    ) -> Result<Saved, Error> {
        let (release, game) = (self.args.properties.engine, game(session, self.store));
        let options = SaveOptions { release, game, replace: false, force: self.args.force };
        let context = session.context(false);
        let progress = Progress::new(&session.printer, "files");
        let saved = editing.save(edited, output, &options, context.cpu(), &progress);
        progress.finish();
        saved
    }

    /// What each value was, and what it is: the result of a run that only looks, a note of any other.
    fn show(&self, session: &Session, edited: &[Edited]) -> anyhow::Result<()> {
        let prints = self.args.dry_run && !session.printer.json;
        let mut out = printer::out();
        for changed in edited.iter().flat_map(|edited| &edited.changes) {
            let from = changed.from.as_deref().unwrap_or("the default of its class");
            if prints {
                writeln!(out, "{}: {from} -> {}", changed.address, changed.to)?;
            } else {
                session.printer.note(&format!("{}: {from} -> {}", changed.address, changed.to));
            }
        }
        out.flush()?;
        for edited in edited.iter().filter(|edited| edited.exports == 0) {
            session.printer.note(&format!("nothing changes: {}", edited.path));
        }
        Ok(())
    }

    fn report(&self, session: &Session, edited: &[Edited], saved: &Saved) -> anyhow::Result<()> {
        for warning in &saved.warnings {
            session.printer.warning(warning);
        }
        let output = self.args.output.as_ref().filter(|_| !self.args.dry_run);
        if session.printer.json {
            printer::print_json(&Report {
                schema: self.schema,
                dry_run: self.args.dry_run,
                packages: edited.iter().map(Package::from).collect(),
                output: output.map(|path| path.display().to_string()),
                files: &saved.paths,
                bytes: saved.bytes,
                warnings: &saved.warnings,
            })?;
        }
        let exports = edited.iter().map(|edited| edited.exports).sum::<usize>();
        let exports = counted(exports as u64, "export", "exports");
        let packages = counted(edited.len() as u64, "package", "packages");
        session.printer.note(&match output {
            None => format!("would change {exports} of {packages}"),
            Some(path) => {
                format!("changed {exports} of {packages}, {}: {}", size(saved.bytes), path.display())
            }
        });
        Ok(())
    }
}

impl<'a> From<&'a Edited> for Package<'a> {
    fn from(edited: &'a Edited) -> Self {
        let value = |changed: &'a Changed| Value {
            address: &changed.address,
            from: changed.from.as_deref(),
            to: &changed.to,
        };
        Self {
            path: &edited.path,
            exports_changed: edited.exports,
            names_added: edited.names,
            changes: edited.changes.iter().map(value).collect(),
        }
    }
}

/// The game that packages come from, if they come from containers or paks.
pub(super) fn game(session: &Session, store: &Store) -> Option<Arc<BaseGame>> {
    (!store.containers().is_empty()).then(|| Arc::new(BaseGame::new(session.packages(store))))
}

/// Where changed packages go, by the name of the output.
pub(super) fn output(args: &EditArgs) -> anyhow::Result<Option<EditOutput>> {
    let Some(path) = &args.output else { return Ok(None) };
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    Ok(Some(match extension.as_str() {
        "utoc" => EditOutput::Container(path.clone()),
        "pak" => EditOutput::Pak(path.clone()),
        "uasset" | "umap" | "uexp" | "ucas" => {
            let problem = "--output is a .utoc, a .pak or a folder";
            return Err(UsageError(format!("{problem}: {}", path.display())).into());
        }
        _ => EditOutput::Folder(path.clone()),
    }))
}
