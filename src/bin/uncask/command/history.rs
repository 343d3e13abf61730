//! `uncask history`: shows how values moved over several builds.

mod destination;
mod printed;
#[cfg(feature = "catalog")]
mod tables;

use crate::args::{HistoryArgs, StoreArgs};
use crate::exit::{self, Exit, UsageError};
use crate::printer::{count, counted};
use crate::session::Session;
use crate::shared::summary;
use crate::shared::values;
use destination::{Build, Destination, Opened};
use printed::Printed;
use std::path::{Path, PathBuf};
use uncask::error::Error;
use uncask::game::{
    Filter, FilterSpec, Game, HistoryRow, Lend, Outcome, PackageInputs, Query, QuerySpec, ValueChange,
    ValuesRead, build_names, expand, natural_order,
};

pub(crate) fn run(args: &HistoryArgs, session: &Session) -> anyhow::Result<Exit> {
    let builds = builds(&args.builds)?;
    let query = Query::new(&QuerySpec { property: args.property.clone(), ..QuerySpec::default() })?;
    let filter = Filter::new(&FilterSpec { patterns: args.package.clone(), ..FilterSpec::default() })?;
    let mut into = destination(args, &builds)?;
    let (mut before, mut exit, mut packages): (Option<Opened>, _, _) = (None, Exit::Ok, 0);
    for build in &builds {
        let game = session.open_inputs(
            std::slice::from_ref(&build.path),
            &StoreArgs::single(&build.path, &args.aes_key),
            Lend::Always,
        )?;
        session.warn_of_locks(&game);
        // Each build may have mappings of its own beside it.
        let opened = Opened { options: values::options(&args.reading, &build.path, session)?, game };
        if into.has(build, &opened, before.as_ref()) {
            session.printer.note(&format!("{}: unchanged since the last run", build.name));
        } else {
            let job = Job { session, filter: &filter, query: &query };
            let outcome = job.read(build, &opened, before.as_ref(), into.as_mut())?;
            packages += outcome.count;
            let missing = values::report_missing(session, &outcome.done, (&args.reading, &build.path));
            summary::failures(session, &outcome);
            exit = worse(exit, exit::of_outcome(&outcome, &opened.game));
            exit = worse(exit, if missing { Exit::Failed } else { Exit::Ok });
        }
        exit = worse(exit, exit::of_listing(&opened.game));
        before = Some(opened);
        if exit == Exit::Interrupted {
            break;
        }
    }
    let found = into.finish(session)?;
    let (builds, packages) = (counted(builds.len() as u64, "build", "builds"), count(packages));
    session.printer.note(&format!("{}, from {packages} packages in {builds}", found.text));
    Ok(if found.is_nothing && exit == Exit::Ok { Exit::NothingMatched } else { exit })
}

/// The part of each build that is read.
struct Job<'a> {
    session: &'a Session,
    filter: &'a Filter,
    query: &'a Query,
}

impl Job<'_> {
    fn read(
        &self,
        build: &Build,
        new: &Opened,
        old: Option<&Opened>,
        into: &mut dyn Destination,
    ) -> anyhow::Result<Outcome<ValuesRead>> {
        into.begin(build)?;
        let (watched, progress) = self.session.watched(&new.game, "packages");
        let older = old.map(|old| (&old.game, self.inputs(&old.game)));
        let options = [old.unwrap_or(new), new].map(|build| build.options.clone());
        let query = self.query.clone();
        // In a build that could not be opened in full, what is missing is not gone.
        let is_complete = exit::of_listing(&new.game) == Exit::Ok;
        let mut problem = None;
        let found = |mut rows: Vec<HistoryRow>| {
            rows.retain(|row| is_complete || row.change != ValueChange::Removed);
            into.rows(build, rows).map_err(|error| {
                problem = Some(error);
                Error::Cancelled
            })
        };
        let outcome = self
            .session
            .interruptible(|| watched.history(older, self.inputs(&new.game), query, options, found));
        progress.finish();
        if let Some(problem) = problem {
            return Err(problem);
        }
        let outcome = outcome?;
        into.end(is_complete && outcome.failures.is_empty() && !outcome.cancelled)?;
        Ok(outcome)
    }

    fn inputs(&self, game: &Game) -> PackageInputs {
        let mut inputs = game.package_inputs(&game.select(self.filter, false));
        inputs.sort_by_path();
        inputs
    }
}

/// The builds that the arguments name, each with wildcards in the order of the numbers in their names.
fn builds(given: &[PathBuf]) -> anyhow::Result<Vec<Build>> {
    let mut paths = Vec::new();
    for path in given {
        let mut found = expand(path)?;
        if found.is_empty() {
            return Err(UsageError(format!("no build matches: {}", path.display())).into());
        }
        found.sort_by(|a, b| natural_order(&a.to_string_lossy(), &b.to_string_lossy()));
        paths.extend(found);
    }
    let names = build_names(&paths);
    Ok(paths.into_iter().zip(names).map(|(path, name)| Build { path, name }).collect())
}

fn destination<'a>(args: &'a HistoryArgs, builds: &[Build]) -> anyhow::Result<Box<dyn Destination + 'a>> {
    match &args.output {
        Some(folder) => in_folder(args, folder, builds),
        None => Ok(Box::new(Printed::new(args))),
    }
}

#[cfg(feature = "catalog")]
fn in_folder<'a>(
    args: &'a HistoryArgs,
    folder: &Path,
    builds: &[Build],
) -> anyhow::Result<Box<dyn Destination + 'a>> {
    Ok(Box::new(tables::Tables::open(args, folder, builds)?))
}

#[cfg(not(feature = "catalog"))]
fn in_folder<'a>(
    _args: &'a HistoryArgs,
    _folder: &Path,
    _builds: &[Build],
) -> anyhow::Result<Box<dyn Destination + 'a>> {
    let hint =
        "this build cannot write Parquet tables; build it with `--features catalog`, or print with --csv";
    Err(UsageError(hint.to_owned()).into())
}

/// The exit code that matters more.
fn worse(one: Exit, other: Exit) -> Exit {
    if one == Exit::Ok { other } else { one }
}
