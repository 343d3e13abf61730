//! What the commands about the values of objects share.

pub(super) mod mappings;

use crate::args::{PropertyArgs, SelectArgs, StoreArgs};
use crate::exit::{self, Exit, UsageError};
use crate::printer::counted;
use crate::selection;
use crate::session::Session;
use std::path::Path;
use std::sync::Arc;
use uncask::error::ErrorKind;
use uncask::property::Schemas;
use uncask::store::{DiscoverError, Entry, Store, discover};
use uncask::values::{PackageInputs, ValueOptions, ValueOutcome};

/// Packages to be read, and the containers that they are in or refer to.
pub(super) struct Chosen {
    pub(super) store: Store,
    pub(super) inputs: PackageInputs,
    /// All chunks that were selected.
    pub(super) entries: Vec<Entry>,
    /// The input is a file or a folder of packages, not of containers.
    pub(super) is_loose: bool,
}

impl Chosen {
    /// The packages that the arguments ask for.
    pub(super) fn new(args: &StoreArgs, select: &SelectArgs, session: &Session) -> anyhow::Result<Self> {
        let is_loose = is_loose(&args.input);
        let (store, inputs, entries) = if is_loose {
            let filter = selection::filter(select)?;
            let inputs = PackageInputs::of_files(&args.input, |paths| filter.matches_paths(paths));
            (session.open_inputs_importing(&args.more_inputs, args)?, inputs, Vec::new())
        } else {
            let store = session.open_importing(args)?;
            let entries = selection::select(session, &store, select)?;
            let inputs = PackageInputs::of_store(&store, &entries);
            (store, inputs, entries)
        };
        session.warn_of_locks(&store);
        for problem in &inputs.unread {
            session.printer.warning(&problem.to_string());
        }
        Ok(Self { store, inputs, entries, is_loose })
    }

    /// Keeps the packages that are new or changed since an older build.
    pub(super) fn retain_changed_since(
        &mut self,
        old: &Path,
        args: &StoreArgs,
        session: &Session,
    ) -> anyhow::Result<()> {
        let old = session.open_inputs_named(&[old.to_owned()], args)?;
        session.warn_of_locks(&old);
        self.inputs.retain_changed_since(&old, &self.store);
        self.entries = uncask::compare::changed_since(&old, &self.store, &self.entries);
        Ok(())
    }

    /// Refuses an option for packages that are not in containers.
    pub(super) fn needs_containers(&self, option: &str, is_given: bool) -> anyhow::Result<()> {
        if self.is_loose && is_given {
            let message = format!("{option} works for packages in containers, not for loose ones");
            return Err(UsageError(message).into());
        }
        Ok(())
    }

    /// Says that there are none.
    pub(super) fn none(&self, args: &StoreArgs, select: &SelectArgs, session: &Session) -> Exit {
        if !self.is_loose {
            return selection::nothing_matched(session, &self.store, select);
        }
        session.printer.error(&format!("no package matches: {}", args.input.display()));
        exit::nothing_found(&self.store)
    }
}

/// Whether an input is a file or a folder of packages, not of containers.
pub(super) fn is_loose(input: &Path) -> bool {
    match discover(input) {
        Ok(found) => found.paths.is_empty(),
        Err(error) => matches!(error, DiscoverError::Empty { .. } | DiscoverError::Other { .. }),
    }
}

/// How properties are to be read.
pub(super) fn options(args: &PropertyArgs, input: &Path, session: &Session) -> anyhow::Result<ValueOptions> {
    let mappings: Option<Arc<Schemas>> = mappings::load(args, input, session)?;
    Ok(ValueOptions { mappings, release: args.engine, ..ValueOptions::default() })
}

/// Says what is missing; returns whether properties could not be read for want of it.
pub(super) fn report_missing(session: &Session, outcome: &ValueOutcome) -> bool {
    report_engine(session, outcome);
    for problem in outcome.problems.iter().filter(|problem| problem.kind() != ErrorKind::Key) {
        session.printer.warning(&format!("some references are not known: {problem}"));
    }
    if outcome.without_mappings > 0 {
        need_mappings(session, outcome.without_mappings);
    }
    outcome.without_mappings > 0
}

/// Says for which release cooked packages were taken that do not name it.
pub(super) fn report_engine(session: &Session, outcome: &ValueOutcome) {
    let Some(verdict) = &outcome.engine else { return };
    session.printer.note(&format!("taken for {}: {verdict}; choose another with --engine", verdict.release));
}

/// Says that packages need mappings.
pub(super) fn need_mappings(session: &Session, packages: u64) {
    let packages = counted(packages, "package has", "packages have");
    let hint = "give the game's .usmap with --mappings (Dumper-7 or UE4SS write one from the running game)";
    session.printer.error(&format!("{packages} properties without tags, which need mappings; {hint}"));
}
