//! `uncask inspect`: shows what a file or chunk is and contains.

mod assets;
mod found;
mod print;
mod properties;
mod shown;

use crate::args::InspectArgs;
use crate::exit::{self, Exit, UsageError};
use crate::printer;
use crate::session::Session;
use crate::shared::description::Description;
use crate::target::Target;
use found::{Content, FoundContent};
use serde::Serialize;
use shown::Shown;
use std::path::{Path, PathBuf};
use uncask::error::Error;
use uncask::game::{AssetFacts, Entry, FindError, Game, Lend, PackageInputs, Packages, Role};
use uncask::id::ChunkKind;
use uncask::identify::{self, File, Format, Input};
use uncask::package::PackageKind;
use uncask::package::zen::Neighbours;

/// The inspected file or chunk.
#[derive(Serialize)]
struct Subject {
    /// The file, or the container.
    file: PathBuf,
    /// Path of the chunk.
    path: Option<String>,
    /// Id of the chunk.
    chunk_id: Option<String>,
    /// Length of the file or chunk, in bytes.
    len: u64,
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    #[serde(flatten)]
    subject: &'a Subject,
    kind: &'a str,
    detected_by: &'a str,
    fault: Option<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<&'a str>,
    content: &'a Content<'a>,
    #[serde(skip_serializing_if = "<[AssetFacts]>::is_empty")]
    assets: &'a [AssetFacts],
}

/// A fault, for JSON output.
#[derive(Serialize)]
struct Problem {
    structure: &'static str,
    field: &'static str,
    offset: u64,
    problem: String,
}

pub(crate) fn run(args: &InspectArgs, session: &Session) -> anyhow::Result<Exit> {
    match Target::parse(&args.store.input)? {
        Target::File(file) => of_file(args, session, file),
        Target::Chunk { input, chunk } => of_chunk(args, session, input, &chunk),
    }
}

fn of_file(args: &InspectArgs, session: &Session, file: PathBuf) -> anyhow::Result<Exit> {
    if args.properties {
        let game = session.open_inputs(&args.store.more_inputs, &args.store, Lend::Always)?;
        let inputs = PackageInputs::of_files(&file, |_| true);
        let exit = properties::run(args, &file, session, &game, inputs, &mut Shown::One)?;
        return exit.ok_or_else(|| UsageError(format!("not a package: {}", file.display())).into());
    }
    let len = std::fs::metadata(&file).map_err(Error::io("open", &file))?.len();
    // A clone without LFS has a small text file in its place, whose content would only confuse.
    uncask::game::refuse_lfs_pointer(&file, len)?;
    // A few formats are recognised and described by their first bytes alone; all others are read whole.
    let bytes = match identify::enough(&file) {
        Some(0) => Vec::new(),
        Some(start) => session.read_start(&file, start)?,
        None => session.read_file(&file)?,
    };
    let identified = identify::identify(&File { name: &file, start: &bytes });
    // A container is described like `info` does, not as a file.
    if let Some(identified) = identified.as_ref().filter(|found| found.format.is_container()) {
        let game = session.open(&args.store, Lend::Never)?;
        let content = Content::Containers(described(&game));
        let found = FoundContent { content, ..FoundContent::read(identified, &Input::new(&bytes)) };
        let subject = Subject { file, path: None, chunk_id: None, len };
        return Ok(finish(session, &subject, &found, &[], &mut Shown::One)?
            .unwrap_or_else(|| exit::of_listing(&game)));
    }
    // Containers given with -i or --base supply names for imports.
    let around = around(args, session)?;
    let packages = around.as_ref().map(uncask::Game::packages);
    let others = identified.as_ref().map(|found| beside(&file, found.format, session)).unwrap_or_default();
    let neighbours: &dyn Neighbours = packages.map_or(&(), |packages| &**packages);
    let found = match &identified {
        Some(identified) => {
            FoundContent::read(identified, &Input { bytes: &bytes, len, others: &others, neighbours })
        }
        None => FoundContent::unknown(&bytes),
    };
    warn(session, &found, packages.map(|packages| &**packages));
    let mut assets = Vec::new();
    if matches!(PackageKind::sniff(&bytes), Some(PackageKind::Zen(_) | PackageKind::Legacy(_))) {
        let alone = || session.open_inputs(&[], &args.store, Lend::Never);
        let game = around.clone().map_or_else(alone, Ok)?;
        let inputs = PackageInputs::of_files(&file, |_| true);
        assets = assets::of(args, &file, session, &game, inputs)?;
    }
    let subject = Subject { file, path: None, chunk_id: None, len };
    Ok(finish(session, &subject, &found, &assets, &mut Shown::One)?.unwrap_or(Exit::Ok))
}

/// Descriptions of the containers of a store.
fn described(game: &Game) -> Vec<Description> {
    let content = game.containers().iter().filter(|container| container.role() == Role::Content);
    content.map(|container| Description::new(container)).collect()
}

/// The containers around a loose file, if any are given.
fn around(args: &InspectArgs, session: &Session) -> anyhow::Result<Option<Game>> {
    let (inputs, base) = (&args.store.more_inputs, &args.store.base);
    if inputs.is_empty() && base.is_empty() {
        return Ok(None);
    }
    session.open_inputs(inputs, &args.store, Lend::Never).map(Some)
}

/// The other chunks of a format spread over several, from files beside the main one: their names have the name of the
/// other type in place of the main type's.
fn beside(file: &Path, format: &dyn Format, session: &Session) -> Vec<Option<Vec<u8>>> {
    let Some((main, others)) = format.chunk_kinds().split_first() else { return Vec::new() };
    let read = |kind: &ChunkKind| {
        let name = file.file_name()?.to_str()?;
        let other = name.replace(&format!("{main:?}"), &format!("{kind:?}"));
        if other == name { None } else { session.read_file(&file.with_file_name(other)).ok() }
    };
    others.iter().map(read).collect()
}

fn of_chunk(args: &InspectArgs, session: &Session, input: PathBuf, text: &str) -> anyhow::Result<Exit> {
    let named = input.clone();
    let inputs: Vec<PathBuf> = std::iter::once(input).chain(args.store.more_inputs.iter().cloned()).collect();
    let game = session.open_inputs(&inputs, &args.store, Lend::Always)?;
    let entries = match game.find(text) {
        // A folder means all packages in it.
        Err(FindError::Ambiguous { .. }) if !game.packages_below(text)?.is_empty() => {
            game.packages_below(text)?
        }
        found => found?.map(|chunk| chunk.entry()).into_iter().collect(),
    };
    if entries.is_empty() {
        return Ok(crate::selection::no_such(session, &game, "chunk", text));
    }
    let mut shown = Shown::new(entries.len());
    let mut exit = Exit::Ok;
    for entry in entries {
        let found = if args.properties {
            let inputs = game.package_inputs(&[entry]);
            properties::run(args, &named, session, &game, inputs, &mut shown)?
                .ok_or_else(|| UsageError(format!("not a package: {}", game.at(entry).display_path())))?
        } else {
            one_chunk(args, session, &game, (&named, entry), &mut shown)?
        };
        // The first failure decides the exit code, but all are shown.
        exit = if exit == Exit::Ok { found } else { exit };
    }
    shown.finish()?;
    Ok(exit)
}

/// Shows a chunk of the containers named `named`.
fn one_chunk(
    args: &InspectArgs,
    session: &Session,
    game: &Game,
    (named, entry): (&Path, Entry),
    shown: &mut Shown,
) -> anyhow::Result<Exit> {
    let packages = game.packages();
    let Some(container) = game.at(entry).container() else { return Ok(Exit::Failed) };
    let path = game.at(entry).display_path();
    let kind = container.table().chunk_kind(entry.chunk);
    // For a package only the header is read.
    let content = game.content(entry)?;
    let found = match &content.identify() {
        Some(identified) => FoundContent::read(identified, &content.input(&**packages)),
        // Bulk data and shader code have no structure to show.
        None => FoundContent::opaque(kind),
    };
    warn(session, &found, Some(packages));
    let inputs = game.package_inputs(&[entry]);
    let assets = assets::of(args, named, session, game, inputs)?;
    let subject = Subject {
        file: container.path().to_owned(),
        path: Some(path),
        chunk_id: Some(game.at(entry).id().to_string()),
        len: container.table().chunk_len(entry.chunk),
    };
    Ok(finish(session, &subject, &found, &assets, shown)?.unwrap_or(Exit::Ok))
}

/// Reports problems in resolving imports.
fn warn(session: &Session, found: &FoundContent<'_>, packages: Option<&Packages>) {
    if found.refers_to_scripts && packages.is_none_or(|packages| packages.scripts().is_none()) {
        session
            .printer
            .note("native objects have no names without the global container; add it with -i or --base");
    }
    for problem in packages.map(Packages::take_problems).unwrap_or_default() {
        session.printer.warning(&problem.to_string());
    }
}

/// Prints the findings; returns the exit code if the content is damaged or unknown.
fn finish(
    session: &Session,
    subject: &Subject,
    found: &FoundContent<'_>,
    assets: &[AssetFacts],
    shown: &mut Shown,
) -> anyhow::Result<Option<Exit>> {
    if session.printer.json {
        shown.json(&Report { assets, ..report(subject, found) })?;
    } else {
        let mut out = printer::out();
        writeln!(out, "{}", subject.place().display())?;
        found.print(&mut out)?;
        assets::print(&mut out, assets)?;
        out.flush()?;
    }
    if let Some(warning) = &found.warning {
        session.printer.warning(&format!("{warning}: {}", subject.place().display()));
    }
    if let Some((structure, fault)) = found.fault {
        session.printer.error(&Error::malformed(structure, subject.place())(fault).to_string());
        return Ok(Some(Exit::Failed));
    }
    if matches!(found.content, Content::Unknown { .. }) {
        session.printer.error(&format!("unrecognised file format: {}", subject.place().display()));
        return Ok(Some(Exit::Failed));
    }
    Ok(None)
}

fn report<'a>(subject: &'a Subject, found: &'a FoundContent<'a>) -> Report<'a> {
    let fault = found.fault.map(|(structure, fault)| Problem {
        structure,
        field: fault.field,
        offset: fault.offset,
        problem: fault.kind.to_string(),
    });
    let FoundContent { kind, detected_by, content, warning, .. } = found;
    let warning = warning.as_deref();
    Report { schema: "uncask.inspect/1", subject, kind, detected_by, fault, warning, content, assets: &[] }
}

impl Subject {
    /// The file, with the path of the chunk in it.
    fn place(&self) -> PathBuf {
        match &self.path {
            None => self.file.clone(),
            Some(path) => Path::new(&format!("{}:{path}", self.file.display())).to_owned(),
        }
    }
}
