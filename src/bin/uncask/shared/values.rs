//! Common part of the commands about values of objects.

pub(crate) mod mappings;

use crate::args::{DamageArgs, PropertyArgs, SelectArgs, StoreArgs};
use crate::exit::{self, Exit, UsageError};
use crate::printer::counted;
use crate::selection;
use crate::session::Session;
use crate::shared::summary;
use std::path::Path;
use std::sync::Arc;
use uncask::error::ErrorKind;
use uncask::game::{
    ClassFilter, DiscoverError, Entry, Game, Lend, Outcome, PackageInputs, UnreadCause, UnreadValues,
    ValueOptions, ValuesRead, discover, mapping_folders,
};
use uncask::property::Schemas;

/// The selected packages, with the containers they are in or refer to.
pub(crate) struct Chosen {
    pub(crate) game: Game,
    pub(crate) inputs: PackageInputs,
    /// All selected chunks.
    pub(crate) entries: Vec<Entry>,
    /// True if the input is a package file or a folder of them, not of containers.
    pub(crate) is_loose: bool,
}

impl Chosen {
    /// Selects packages by the arguments.
    pub(crate) fn new(args: &StoreArgs, select: &SelectArgs, session: &Session) -> anyhow::Result<Self> {
        let is_loose = is_loose(&args.input);
        let (game, inputs, entries) = if is_loose {
            // Loose packages are selected by path; there are no chunks.
            let filter = selection::filter(select)?;
            let mut inputs = PackageInputs::of_files(&args.input, |paths| filter.matches_paths(paths));
            let game = session.open_inputs(&args.more_inputs, args, Lend::Always)?;
            let classes = ClassFilter::new(&select.classes)?;
            if !classes.is_empty() {
                inputs.retain_classes(&game, &classes);
            }
            (game, inputs, Vec::new())
        } else {
            let game = session.open(args, Lend::Always)?;
            let entries = selection::select(session, &game, select)?;
            let inputs = game.package_inputs(&entries);
            (game, inputs, entries)
        };
        session.warn_of_locks(&game);
        for problem in &inputs.unread {
            session.printer.warning(&problem.to_string());
        }
        Ok(Self { game, inputs, entries, is_loose })
    }

    /// All packages of the input.
    pub(crate) fn all(args: &StoreArgs, session: &Session) -> anyhow::Result<Self> {
        let is_loose = is_loose(&args.input);
        let (game, inputs) = if is_loose {
            let game = session.open_inputs(&args.more_inputs, args, Lend::Always)?;
            (game, PackageInputs::of_files(&args.input, |_| true))
        } else {
            let game = session.open(args, Lend::Always)?;
            let inputs = game.all_packages();
            (game, inputs)
        };
        session.warn_of_locks(&game);
        Ok(Self { game, inputs, entries: Vec::new(), is_loose })
    }

    /// Keeps the packages that are new or changed since an older build.
    pub(crate) fn retain_changed_since(
        &mut self,
        old: &Path,
        args: &StoreArgs,
        session: &Session,
    ) -> anyhow::Result<()> {
        let old = session.open_inputs(&[old.to_owned()], args, Lend::ForPaths)?;
        session.warn_of_locks(&old);
        // Packages count as changed if any of their chunks is; other chunks are compared one by one.
        self.game.retain_changed_since(&old, &mut self.inputs)?;
        self.entries = self.game.changed_since(&old, &self.entries)?;
        Ok(())
    }

    /// Refuses an option that does not work for loose packages.
    pub(crate) fn needs_containers(&self, option: &str, is_given: bool) -> anyhow::Result<()> {
        if self.is_loose && is_given {
            let message = format!("{option} works for packages in containers, not for loose ones");
            return Err(UsageError(message).into());
        }
        Ok(())
    }

    /// Reports an empty selection.
    pub(crate) fn none(&self, args: &StoreArgs, select: &SelectArgs, session: &Session) -> Exit {
        if !self.is_loose {
            return selection::nothing_matched(session, &self.game, select);
        }
        session.printer.error(&format!("no package matches: {}", args.input.display()));
        exit::nothing_found(&self.game)
    }
}

/// True if an input is a package file or a folder of them, not of containers.
pub(crate) fn is_loose(input: &Path) -> bool {
    match discover(input) {
        Ok(found) => found.paths.is_empty(),
        Err(error) => matches!(error, DiscoverError::Empty { .. } | DiscoverError::Other { .. }),
    }
}

/// Options for reading properties.
pub(crate) fn options(args: &PropertyArgs, input: &Path, session: &Session) -> anyhow::Result<ValueOptions> {
    let mappings: Option<Arc<Schemas>> = mappings::load(args, input, session)?;
    Ok(ValueOptions { mappings, release: args.engine, ..ValueOptions::default() })
}

/// Options for reading properties, with what damage does to the job.
pub(crate) fn options_on_damage(
    args: &PropertyArgs,
    damage: &DamageArgs,
    (input, session): (&Path, &Session),
) -> anyhow::Result<ValueOptions> {
    let options = options(args, input, session)?;
    Ok(ValueOptions { verify: !damage.no_verify, fail_fast: damage.fail_fast, ..options })
}

/// Reports missing and unreadable data; returns true if mappings are missing.
pub(crate) fn report_missing(
    session: &Session,
    read: &ValuesRead,
    (args, input): (&PropertyArgs, &Path),
) -> bool {
    report_engine(session, read);
    for problem in read.problems.iter().filter(|problem| problem.kind() != ErrorKind::Key) {
        session.printer.warning(&format!("some references are not known: {problem}"));
    }
    report_unread(session, &read.unread, (args, input));
    if let Some(release) = read.engine_classes.filter(|_| read.by_engine_schemas > 0) {
        let packages = counted(read.by_engine_schemas, "package", "packages");
        session.printer.note(&format!(
            "{packages} read by the classes of {release}, since there are no mappings; a game that has changed them needs its own"
        ));
    }
    if read.without_mappings > 0 {
        let whose = if read.engine_classes.is_some() { Whose::Game } else { Whose::All };
        need_mappings(session, (read.without_mappings, whose), (args, input));
    }
    read.without_mappings > 0
}

/// Reports failures and unreadable values of several jobs on the same packages. Returns the exit code of the first that
/// went wrong.
pub(crate) fn report_outcomes(
    session: &Session,
    outcomes: &[Outcome<ValuesRead>],
    game: &Game,
    (args, input): (&PropertyArgs, &Path),
) -> Exit {
    let mut exit = Exit::Ok;
    // One side is in several comparisons: each cause is told once.
    let mut unread: Vec<UnreadValues> = Vec::new();
    for outcome in outcomes {
        summary::failures(session, outcome);
        let is_new = |found: &&UnreadValues| !unread.iter().any(|known| known.cause == found.cause);
        let new: Vec<UnreadValues> = outcome.done.unread.iter().filter(is_new).cloned().collect();
        unread.extend(new);
        if exit == Exit::Ok {
            exit = exit::of_outcome(outcome, game);
        }
    }
    report_unread(session, &unread, (args, input));
    if unread.iter().any(|unread| unread.cause == UnreadCause::NoMappings) {
        session.printer.hint(Some("properties without tags need the game's .usmap, with --mappings"));
    }
    exit
}

/// Number of causes listed without `-v`.
const CAUSES: usize = 10;

/// Reports unreadable values by cause, those with the most exports first.
pub(crate) fn report_unread(
    session: &Session,
    unread: &[UnreadValues],
    (args, input): (&PropertyArgs, &Path),
) {
    // Only for the message: an error here was reported when they were loaded.
    let mappings = mappings::path(args, input).ok().flatten();
    // Missing mappings are reported once, for all packages.
    let mut unread: Vec<&UnreadValues> =
        unread.iter().filter(|unread| unread.cause != UnreadCause::NoMappings).collect();
    unread.sort_by_key(|unread| std::cmp::Reverse(unread.exports));
    let listed = if session.printer.is_verbose() { unread.len() } else { CAUSES };
    for unread in unread.iter().take(listed) {
        session.printer.error(&unread_text(unread, mappings.as_deref()));
    }
    if let Some(more) = unread.get(listed..).filter(|more| !more.is_empty()) {
        let exports = counted(more.iter().map(|unread| unread.exports).sum(), "export", "exports");
        let causes = counted(more.len() as u64, "other reason", "other reasons");
        session.printer.error(&format!("values of {exports} not read for {causes} (-v lists them all)"));
    }
    if unread.iter().any(|unread| matches!(unread.cause, UnreadCause::NoPackage { .. })) {
        session.printer.hint(Some("read it together with that: from a folder that has both, or with containers named by -i or --base"));
    }
}

/// Message such as `values of 47 exports in 3 packages, such as Rock of A/Rock.uasset, not read: …`.
fn unread_text(unread: &UnreadValues, mappings: Option<&Path>) -> String {
    let UnreadValues { cause, exports, packages, path, object, file } = unread;
    let of_mappings = mappings.map(|path| format!(": {}", path.display())).unwrap_or_default();
    let reason = match cause {
        UnreadCause::NoMappings => "they have no tags, and there are no mappings".to_owned(),
        UnreadCause::NoExports => {
            format!("the .uexp is missing: {}", file.with_extension("uexp").display())
        }
        UnreadCause::NoPackage { package, class } => {
            format!("{class} is in {package}, which was not found")
        }
        UnreadCause::NoSchema { schema } if mappings.is_none() => format!("nothing describes {schema}"),
        UnreadCause::NoSchema { schema } => format!("the mappings do not have {schema}{of_mappings}"),
        UnreadCause::WrongSchema { schema } if mappings.is_none() => {
            format!("they are not those of {schema}, as its package describes it")
        }
        UnreadCause::WrongSchema { schema } => {
            format!("the mappings do not fit {schema}{of_mappings}")
        }
        UnreadCause::OwnForm { schema } => {
            format!("{schema} is stored in a form of its own, which is not known")
        }
        UnreadCause::Other { problem } => problem.clone(),
        _ => "unknown".to_owned(),
    };
    let exports = counted(*exports, "export", "exports");
    let packages = if *packages > 1 {
        format!(" in {}, such as {object} of {path}", counted(*packages, "package", "packages"))
    } else {
        format!(" of {path}, such as {object}")
    };
    format!("values of {exports}{packages}, not read: {reason}")
}

/// Fields of JSON reports about unreadable values.
pub(crate) fn unread_json(outcome: &Outcome<ValuesRead>) -> serde_json::Value {
    serde_json::json!({ "unread_exports": outcome.unread_exports, "unread": outcome.done.unread })
}

/// Reports the release assumed for cooked packages that do not name it.
pub(crate) fn report_engine(session: &Session, read: &ValuesRead) {
    let Some(verdict) = &read.engine else { return };
    session.printer.note(&format!("taken for {}: {verdict}; choose another with --engine", verdict.release));
}

/// Classes whose properties need mappings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    All,
    /// Only those that no other game has.
    Game,
}

/// Reports that packages need mappings, and where they were looked for.
pub(crate) fn need_mappings(
    session: &Session,
    (packages, whose): (u64, Whose),
    (args, input): (&PropertyArgs, &Path),
) {
    let packages = counted(packages, "package has", "packages have");
    let properties = match whose {
        Whose::All => "properties without tags",
        Whose::Game => "properties of the game's own classes",
    };
    let hint = "give the game's .usmap with --mappings (Dumper-7 or UE4SS write one from the running game)";
    let searched = match &args.mappings {
        Some(_) => String::new(),
        None => format!("; there are none in {}, beside its containers, or above it", input.display()),
    };
    session.printer.error(&format!("{packages} {properties}, which need mappings{searched}; {hint}"));
    if args.mappings.is_none() {
        for folder in mapping_folders(input) {
            session.printer.detail(&format!("no mappings are in {}", folder.display()));
        }
    }
}
