//! Common part of `set`, `from-json` and `replace`: edits packages, shows changes, and writes the result.

use crate::args::EditArgs;
use crate::exit::{self, Exit, UsageError};
use crate::inputs::has_extension;
use crate::keys;
use crate::objections::{FindingReport, sentence};
use crate::printer::{self, counted, size};
use crate::session::Session;
use crate::shared::original;
use crate::shared::packed::{note_place, refused, warn};
use crate::shared::values;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use uncask::error::{ChangeProblem, Error, ErrorKind};
use uncask::game::{
    BaseGame, ChangedValue, EditOutput, Edited, Editing, Game, GameOptions, JoinError, PackOptions,
    PackageInputs, SaveOptions, Saved, ValueOptions, Wanted,
};

/// A run of one of these commands.
pub(crate) struct EditJob<'a> {
    pub args: &'a EditArgs,
    pub schema: &'static str,
    pub game: &'a Game,
    pub output: Option<EditOutput>,
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    dry_run: bool,
    packages: Vec<Package<'a>>,
    unchanged: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    files: &'a [String],
    bytes: u64,
    warnings: Vec<String>,
    findings: Vec<FindingReport>,
}

#[derive(Serialize)]
struct Package<'a> {
    path: &'a str,
    exports_changed: usize,
    names_added: usize,
    /// Number of objects of other packages that it did not import before.
    imports_added: usize,
    changes: Vec<Value<'a>>,
    unchecked: Vec<Unchecked<'a>>,
}

/// A value that could not be checked.
#[derive(Serialize)]
struct Unchecked<'a> {
    address: &'a str,
    reason: &'a str,
}

#[derive(Serialize)]
struct Value<'a> {
    address: &'a str,
    from: Option<&'a str>,
    to: Option<&'a str>,
}

impl EditJob<'_> {
    /// Opens packages for editing.
    pub(crate) fn editing(
        &self,
        session: &Session,
        inputs: PackageInputs,
        input: &Path,
    ) -> anyhow::Result<Editing> {
        let options = values::options(&self.args.properties, input, session)?;
        let options = ValueOptions { verify: true, ..options };
        Ok(self.game.edit(inputs, options))
    }

    /// Edits packages, and writes them unless it is a dry run.
    pub(crate) fn run(
        &self,
        session: &Session,
        editing: &Editing,
        wanted: &[(usize, Wanted)],
    ) -> anyhow::Result<Exit> {
        let edit = |(place, wanted): &(usize, Wanted)| editing.edit(*place, wanted);
        self.finish(session, editing, wanted.iter().map(edit).collect())
    }

    /// Shows the changes, and writes them unless it is a dry run.
    pub(crate) fn finish(
        &self,
        session: &Session,
        editing: &Editing,
        edited: Result<Vec<Edited>, Error>,
    ) -> anyhow::Result<Exit> {
        for problem in editing.take_problems().iter().filter(|problem| problem.kind() != ErrorKind::Key) {
            session.printer.warning(&format!("some references are not known: {problem}"));
        }
        let edited = match edited {
            Ok(edited) => edited,
            Err(error) => return Ok(refuse(session, editing, error)),
        };
        if let Some(release) = editing.engine_classes() {
            session.printer.warning(&format!(
                "read by the classes of {release}, since there are no mappings; if the game has changed them, the mod is wrong"
            ));
        }
        self.show(session, &edited)?;
        // Only changed packages go into the mod.
        let (edited, unchanged): (Vec<_>, Vec<_>) = edited.into_iter().partition(|edited| edited.exports > 0);
        if edited.is_empty() {
            return self.nothing_changed(session, &unchanged);
        }
        let saved = match self.output.as_ref().filter(|_| !self.args.dry_run) {
            None => Saved::default(),
            Some(output) => match self.save(session, editing, &edited, output) {
                Ok(saved) => saved,
                Err(error) => match error.downcast::<Error>()? {
                    Error::Refused { reasons } => return Ok(refused(&reasons, session)),
                    error => return Err(error.into()),
                },
            },
        };
        self.report(session, &edited, &unchanged, &saved)
    }

    /// Reports that nothing changed: a mod with unchanged packages would only hide changes of other mods.
    fn nothing_changed(&self, session: &Session, unchanged: &[Edited]) -> anyhow::Result<Exit> {
        if session.printer.json {
            self.print_json(&[], unchanged, None, &Saved::default())?;
        }
        session.printer.note("nothing changed");
        Ok(Exit::NothingMatched)
    }

    fn save(
        &self,
        session: &Session,
        editing: &Editing,
        edited: &[Edited],
        output: &EditOutput,
    ) -> anyhow::Result<Saved> {
        let (release, game) = (self.args.properties.engine, base(self.game));
        let options = SaveOptions { release, game, replace: self.args.overwrite, force: self.args.force };
        let (making, progress) = session.making("files");
        let saved = match &self.args.into {
            Some(container) if container.exists() => {
                self.save_into(session, making, (editing, edited), container, &options)
            }
            _ => session.make(|| making.save(editing, edited, output, &options)).map_err(anyhow::Error::from),
        };
        progress.finish();
        saved
    }

    /// Writes into an existing mod, in its own layout.
    fn save_into(
        &self,
        session: &Session,
        making: GameOptions,
        (editing, edited): (&Editing, &[Edited]),
        container: &Path,
        options: &SaveOptions,
    ) -> anyhow::Result<Saved> {
        let original = original::open(container, &self.args.aes_key, session)?;
        let packing = original.as_ref().map_or_else(PackOptions::default, PackOptions::like);
        let making = making.keys(keys::collect(&self.args.aes_key, &session.printer)?);
        let saved = session.make(|| making.save_into(editing, edited, container, options, &packing));
        saved.map_err(|error| match error {
            JoinError::Io(error) => error.into(),
            error => error.into(),
        })
    }

    /// Shows the old and new values: as the result of a dry run, or else as notes.
    fn show(&self, session: &Session, edited: &[Edited]) -> anyhow::Result<()> {
        // With --json, stdout has the report only.
        let prints = self.args.dry_run && !session.printer.json;
        let mut out = printer::out();
        for changed in edited.iter().flat_map(|edited| &edited.changes) {
            let [from, to] = [&changed.from, &changed.to]
                .map(|value| value.as_deref().unwrap_or("the default of its class"));
            if prints {
                writeln!(out, "{}: {from} -> {to}", changed.address)?;
            } else {
                session.printer.note(&format!("{}: {from} -> {to}", changed.address));
            }
        }
        out.flush()?;
        for edited in edited.iter().filter(|edited| edited.cut) {
            session.printer.note(&format!("more changes than listed: {}", edited.path));
        }
        warn_of_other_builds(session, edited);
        for (address, reason) in edited.iter().flat_map(|edited| &edited.unchecked) {
            session.printer.note(&format!("not checked: {address}: {reason}"));
        }
        Ok(())
    }

    fn report(
        &self,
        session: &Session,
        edited: &[Edited],
        unchanged: &[Edited],
        saved: &Saved,
    ) -> anyhow::Result<Exit> {
        let exit = warn(&saved.warnings, saved.left_out, session);
        let output_path =
            self.args.output.as_ref().or(self.args.into.as_ref()).filter(|_| !self.args.dry_run);
        if session.printer.json {
            let output = output_path.map(|path| path.display().to_string());
            self.print_json(edited, unchanged, output, saved)?;
        }
        let imports = edited.iter().map(|edited| edited.imports).sum::<usize>();
        if imports > 0 {
            let objects = counted(imports as u64, "object is", "objects are");
            session.printer.note(&format!("{objects} newly imported from other packages"));
        }
        let exports = edited.iter().map(|edited| edited.exports).sum::<usize>();
        let exports = counted(exports as u64, "export", "exports");
        let packages = counted(edited.len() as u64, "package", "packages");
        session.printer.note(&match output_path {
            None => format!("would change {exports} of {packages}"),
            Some(path) => {
                format!("changed {exports} of {packages}, {}: {}", size(saved.bytes), path.display())
            }
        });
        if let Some(output) = output_path {
            note_place(output, session);
        }
        if !unchanged.is_empty() {
            let packages = counted(unchanged.len() as u64, "package is", "packages are");
            session.printer.note(&format!("{packages} left out: nothing changed"));
        }
        Ok(exit)
    }

    fn print_json(
        &self,
        edited: &[Edited],
        unchanged: &[Edited],
        output: Option<String>,
        saved: &Saved,
    ) -> anyhow::Result<()> {
        printer::print_json(&Report {
            schema: self.schema,
            dry_run: self.args.dry_run,
            packages: edited.iter().map(Package::from).collect(),
            unchanged: unchanged.iter().map(|edited| edited.path.as_str()).collect(),
            output,
            files: &saved.paths,
            bytes: saved.bytes,
            warnings: saved.warnings.iter().map(sentence).collect(),
            findings: saved.warnings.iter().map(FindingReport::from).collect(),
        })
    }
}

/// Reports documents whose packages have changed since: they put back what the newer build has changed.
fn warn_of_other_builds(session: &Session, edited: &[Edited]) {
    let mut others = edited.iter().filter(|edited| edited.is_of_other_build && edited.exports > 0);
    if let Some(first) = others.next() {
        let documents = counted(1 + others.count() as u64, "document is", "documents are");
        let fate = "all values of the older build replace those of this one";
        session.printer.warning(&format!("{documents} of another build: {fate}: {}", first.path));
    }
}

/// Reports why nothing was changed, with a hint.
fn refuse(session: &Session, editing: &Editing, error: Error) -> Exit {
    // Missing mappings are the usual reason, and the message alone does not say so.
    let lacks_types = match &error {
        Error::CannotChange { problem, .. } => {
            matches!(&**problem, ChangeProblem::Edit(error) if error.lacks_types())
        }
        _ => false,
    };
    let error = error.into();
    session.printer.error(&printer::describe(&error));
    session.printer.hint(crate::hint::of_chain(&error));
    if lacks_types && !editing.has_mappings() {
        session.printer.hint(Some("properties without tags need the game's .usmap, with --mappings"));
    }
    exit::of_error(&error)
}

impl<'a> From<&'a Edited> for Package<'a> {
    fn from(edited: &'a Edited) -> Self {
        let value = |changed: &'a ChangedValue| Value {
            address: &changed.address,
            from: changed.from.as_deref(),
            to: changed.to.as_deref(),
        };
        Self {
            path: &edited.path,
            exports_changed: edited.exports,
            names_added: edited.names,
            imports_added: edited.imports,
            changes: edited.changes.iter().map(value).collect(),
            unchecked: edited
                .unchecked
                .iter()
                .map(|(address, reason)| Unchecked { address, reason })
                .collect(),
        }
    }
}

/// The game of the packages, if they are in containers or paks.
pub(crate) fn base(game: &Game) -> Option<Arc<BaseGame>> {
    (!game.containers().is_empty()).then(|| Arc::new(game.as_base()))
}

/// Destination of edited packages, by the extension of the output.
pub(crate) fn output(args: &EditArgs) -> anyhow::Result<Option<EditOutput>> {
    if let Some(container) = args.into.as_ref().filter(|path| !has_extension(path, "utoc")) {
        return Err(UsageError(format!("--into takes a .utoc: {}", container.display())).into());
    }
    let Some(path) = args.output.as_ref().or(args.into.as_ref()) else { return Ok(None) };
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    Ok(Some(match extension.as_str() {
        "utoc" => EditOutput::Container(path.clone()),
        "pak" => EditOutput::Pak(path.clone()),
        // Most likely a misunderstanding: the files of a package are written below a folder.
        "uasset" | "umap" | "uexp" | "ucas" => {
            let problem = "--output is a .utoc, a .pak or a folder";
            return Err(UsageError(format!("{problem}: {}", path.display())).into());
        }
        _ => EditOutput::Folder(path.clone()),
    }))
}
