//! `uncask build`: makes the mod that a recipe describes.

use crate::args::BuildArgs;
use crate::exit::Exit;
use crate::keys;
use crate::printer::{self, counted, size};
use crate::session::Session;
use crate::shared::packed::{note_place, refused, warn};
use crate::shared::values;
use serde::Serialize;
use uncask::error::Error;
use uncask::game::{
    BuildDoubt, BuildError, BuildOptions, BuildProblem, Built, ChangedValue, JoinError, Lend, PackOptions,
    Recipe,
};

#[derive(Serialize)]
struct Report<'r> {
    schema: &'static str,
    dry_run: bool,
    output: Option<String>,
    packages: Vec<PackageRow<'r>>,
    texts: Vec<&'r str>,
    doubts: Vec<DoubtRow<'r>>,
    problems: Vec<ProblemRow>,
    objects_not_read: u64,
    files: Option<u64>,
}

#[derive(Serialize)]
struct PackageRow<'r> {
    path: &'r str,
    changes: Vec<ValueRow<'r>>,
    /// True if there are more changes than listed.
    cut: bool,
}

#[derive(Serialize)]
struct ValueRow<'r> {
    address: &'r str,
    from: Option<&'r str>,
    to: Option<&'r str>,
}

#[derive(Serialize)]
struct DoubtRow<'r> {
    place: String,
    path: &'r str,
    address: &'r str,
    expected: &'r str,
    found: &'r str,
}

#[derive(Serialize)]
struct ProblemRow {
    place: String,
    text: String,
}

pub(crate) fn run(args: &BuildArgs, session: &Session) -> anyhow::Result<Exit> {
    let recipe = match Recipe::open(&args.file) {
        Ok(recipe) => recipe,
        Err(error) => {
            session.printer.error(&error.to_string());
            return Ok(Exit::Failed);
        }
    };
    let game = session.open(&crate::args::StoreArgs::single(&args.game, &args.aes_key), Lend::Always)?;
    session.warn_of_locks(&game);
    let packing = PackOptions {
        engine: args.reading.engine,
        companion: true,
        replace: args.overwrite,
        force: args.force,
        ..PackOptions::default()
    };
    let values = values::options(&args.reading, &args.game, session)?;
    let has_mappings = values.mappings.is_some();
    let options = BuildOptions { values, packing, keep_going: args.keep_going };
    let (making, progress) = session.making("packages");
    let making = making.keys(keys::collect(&args.aes_key, &session.printer)?);
    let output = args.output.as_deref().filter(|_| !args.dry_run);
    let built = session.make(|| making.build(&recipe, &game, output, &options));
    progress.finish();
    match built {
        Ok(built) => report(args, &built, has_mappings, session),
        Err(
            BuildError::Io(Error::Refused { reasons })
            | BuildError::Join(JoinError::Io(Error::Refused { reasons })),
        ) => Ok(refused(&reasons, session)),
        Err(BuildError::Io(error) | BuildError::Join(JoinError::Io(error))) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}

fn report(args: &BuildArgs, built: &Built, has_mappings: bool, session: &Session) -> anyhow::Result<Exit> {
    if session.printer.json {
        print_json(args, built)?;
    } else {
        print(args, built, session)?;
    }
    for BuildDoubt { place, path, address, expected, found } in &built.doubts {
        session.printer.warning(&format!("{place}: {address} was {found}, expected {expected}: {path}"));
    }
    if built.unread > 0 {
        let objects = counted(built.unread, "object", "objects");
        session.printer.warning(&format!(
            "{objects} of the packages cannot be read, so that nothing is changed in them"
        ));
        let lacks = !has_mappings;
        session
            .printer
            .hint(lacks.then_some("properties without tags need the game's .usmap, with --mappings"));
    }
    for failure in &built.outcome.failures {
        session.printer.failure(&failure.error);
    }
    for problem in &built.problems {
        session.printer.error(&problem.to_string());
    }
    let is_bad = !built.problems.is_empty() || !built.outcome.failures.is_empty();
    let changes: usize = built.values.iter().sum();
    let made = format!(
        "{} of {}{}",
        counted(changes as u64, "value", "values"),
        counted(built.packages.len() as u64, "package", "packages"),
        match built.texts.len() {
            0 => String::new(),
            files => format!(", {}", counted(files as u64, "localization file", "localization files")),
        }
    );
    if built.outcome.cancelled {
        return Ok(Exit::Interrupted);
    }
    let Some((written, output)) = built.written.as_ref().zip(args.output.as_ref()) else {
        let is_nothing = built.packages.is_empty() && built.texts.is_empty();
        session.printer.note(&match (args.dry_run, is_bad, is_nothing) {
            (true, ..) => format!("would change {made}"),
            (false, true, _) => "nothing was written; --keep-going leaves out what cannot be made".to_owned(),
            (false, false, _) => "nothing changed".to_owned(),
        });
        return Ok(match (is_bad, is_nothing) {
            (true, _) => Exit::Failed,
            (false, true) => Exit::NothingMatched,
            (false, false) => Exit::Ok,
        });
    };
    let exit = warn(&written.warnings, written.left_out, session);
    session.printer.note(&format!("changed {made}, {}: {}", size(written.bytes), output.display()));
    note_place(output, session);
    Ok(if is_bad { Exit::Failed } else { exit })
}

fn print(args: &BuildArgs, built: &Built, session: &Session) -> anyhow::Result<()> {
    if !(args.dry_run || session.printer.is_verbose()) {
        return Ok(());
    }
    let mut out = printer::out();
    for edited in &built.packages {
        writeln!(out, "{}", edited.path)?;
        for change in &edited.changes {
            let before = if change.address.contains("[+") { "new" } else { "the default of its class" };
            let [from, to] = [(&change.from, before), (&change.to, "removed")]
                .map(|(value, none)| value.as_deref().unwrap_or(none));
            writeln!(out, "    {}: {from} -> {to}", change.address)?;
        }
        if edited.cut {
            writeln!(out, "    more changes than listed")?;
        }
    }
    for file in &built.texts {
        writeln!(out, "{}: {}", file.path, counted((file.changed + file.added) as u64, "text", "texts"))?;
    }
    Ok(out.flush()?)
}

impl<'r> From<&'r ChangedValue> for ValueRow<'r> {
    fn from(change: &'r ChangedValue) -> Self {
        Self { address: &change.address, from: change.from.as_deref(), to: change.to.as_deref() }
    }
}

fn print_json(args: &BuildArgs, built: &Built) -> anyhow::Result<()> {
    let packages = built.packages.iter().map(|edited| PackageRow {
        path: &edited.path,
        changes: edited.changes.iter().map(ValueRow::from).collect(),
        cut: edited.cut,
    });
    let doubts = built.doubts.iter().map(|doubt| DoubtRow {
        place: doubt.place.to_string(),
        path: &doubt.path,
        address: &doubt.address,
        expected: &doubt.expected,
        found: &doubt.found,
    });
    let problem = |problem: &BuildProblem| ProblemRow {
        place: problem.place.to_string(),
        text: problem.fault.to_string(),
    };
    printer::print_json(&Report {
        schema: "uncask.build/1",
        dry_run: args.dry_run,
        output: args
            .output
            .as_ref()
            .filter(|_| built.written.is_some())
            .map(|path| path.display().to_string()),
        packages: packages.collect(),
        texts: built.texts.iter().map(|file| &*file.path).collect(),
        doubts: doubts.collect(),
        problems: built.problems.iter().map(problem).collect(),
        objects_not_read: built.unread,
        files: built.written.as_ref().map(|written| written.chunks),
    })
}
