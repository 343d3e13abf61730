//! `uncask inspect`: what a file or a chunk is, and what is in it.

mod classic;
mod containers;
mod detect;
mod legacy;
mod registry;
mod shaders;
mod target;
mod texts;
mod types;
mod view;
mod zen;

use crate::args::InspectArgs;
use crate::exit::{self, Exit};
use crate::printer;
use crate::session::Session;
use detect::Kind;
use serde::Serialize;
use std::path::{Path, PathBuf};
use target::Target;
use uncask::error::Error;
use uncask::store::Store;
use uncask::store::packages::Packages;
use uncask::wire::Fault;
use view::View;

/// Bytes of a shader library that hold its tables: those of a large game take a few MiB.
const LIBRARY_START: u64 = 64 << 20;

/// What was found out about something.
struct Finding {
    /// What it is.
    kind: String,
    /// How that was told.
    detected_by: String,
    /// What was read.
    view: View,
    /// The structure that is damaged, and what is wrong with it.
    fault: Option<(&'static str, Fault)>,
    /// What to warn of.
    warning: Option<String>,
}

/// What a finding is about.
#[derive(Serialize)]
struct Subject {
    /// The file, or the container.
    file: PathBuf,
    /// Path of the chunk.
    path: Option<String>,
    /// Id of the chunk.
    chunk_id: Option<String>,
    /// Bytes of the file or chunk.
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
    content: &'a View,
}

/// A fault in JSON.
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
    let len = std::fs::metadata(&file).map_err(Error::io("open", &file))?.len();
    uncask::source::refuse_lfs_pointer(&file, len)?;
    // The data of a container may have any size, and says nothing about itself.
    let bytes = if detect::is_data(&file) {
        Vec::new()
    } else if detect::ends_in_code(&file) {
        session.read_start(&file, LIBRARY_START)?
    } else {
        session.read_file(&file)?
    };
    let (kind, detected_by) = detect::file(&bytes, &file);
    if kind == Kind::Container {
        let store = session.open(&args.store)?;
        let (kind, view) = containers::container(&store);
        let finding = Finding { kind, detected_by, view, fault: None, warning: None };
        let subject = Subject { file, path: None, chunk_id: None, len };
        return Ok(finish(session, &subject, &finding)?.unwrap_or_else(|| exit::of_listing(&store)));
    }
    let around = around(args, session)?;
    let packages = around.as_ref().map(|store| session.packages(store));
    let finding = match kind {
        Kind::LoadMeta => {
            let (kind, view, fault) = containers::loose_load_meta(&bytes, &file, session);
            Finding { kind, detected_by, view, fault, warning: None }
        }
        Kind::AssetRegistry => registry::look(detected_by, bytes),
        _ => kind.look(detected_by, &bytes, len, packages.as_ref()),
    };
    warn(session, &finding, packages.as_ref());
    let subject = Subject { file, path: None, chunk_id: None, len };
    Ok(finish(session, &subject, &finding)?.unwrap_or(Exit::Ok))
}

/// The containers around a loose file, if some are named.
fn around(args: &InspectArgs, session: &Session) -> anyhow::Result<Option<Store>> {
    let (inputs, base) = (&args.store.more_inputs, &args.store.base);
    if inputs.is_empty() && base.is_empty() {
        return Ok(None);
    }
    session.open_inputs(inputs, &args.store).map(Some)
}

fn of_chunk(args: &InspectArgs, session: &Session, input: PathBuf, text: &str) -> anyhow::Result<Exit> {
    let inputs: Vec<PathBuf> = std::iter::once(input).chain(args.store.more_inputs.iter().cloned()).collect();
    let store = session.open_inputs_importing(&inputs, &args.store)?;
    let Some(entry) = uncask::extract::find(&store, text)? else {
        return Ok(crate::selection::no_such(session, &store, "chunk", text));
    };
    let packages = session.packages(&store);
    let (kind, detected_by, bytes) = detect::chunk(&packages, entry, session.memory())?;
    let finding = match kind {
        Kind::LoadMeta => containers::load_meta(&store, entry, detected_by, session.memory())?,
        Kind::AssetRegistry => registry::look(detected_by, bytes),
        _ => kind.look(detected_by, &bytes, bytes.len() as u64, Some(&packages)),
    };
    warn(session, &finding, Some(&packages));
    let container = store.container(entry);
    let subject = Subject {
        file: container.map(|container| container.path().to_owned()).unwrap_or_default(),
        path: Some(store.display_path(entry)),
        chunk_id: store.chunk_id(entry).map(|id| id.to_string()),
        len: container.map_or(0, |container| container.table().chunk_len(entry.chunk)),
    };
    Ok(finish(session, &subject, &finding)?.unwrap_or(Exit::Ok))
}

/// Says what keeps imports from being resolved.
fn warn(session: &Session, finding: &Finding, packages: Option<&Packages>) {
    let is_zen = matches!(finding.view, View::Zen(_));
    if is_zen && packages.is_none_or(|packages| packages.scripts().is_none()) {
        session
            .printer
            .note("native objects have no names without the global container; add it with -i or --base");
    }
    for problem in packages.map(Packages::take_problems).unwrap_or_default() {
        session.printer.warning(&problem.to_string());
    }
}

/// Prints a finding; what is damaged or unknown decides how the program ends.
fn finish(session: &Session, subject: &Subject, finding: &Finding) -> anyhow::Result<Option<Exit>> {
    if session.printer.json {
        printer::print_json(&report(subject, finding))?;
    } else {
        print(subject, finding)?;
    }
    if let Some(warning) = &finding.warning {
        session.printer.warning(&format!("{warning}: {}", subject.place().display()));
    }
    if let Some((structure, fault)) = finding.fault {
        session.printer.error(&Error::malformed(structure, subject.place())(fault).to_string());
        return Ok(Some(Exit::Failed));
    }
    if matches!(finding.view, View::Unknown { .. }) {
        session.printer.error(&format!("unrecognised file format: {}", subject.place().display()));
        return Ok(Some(Exit::Failed));
    }
    Ok(None)
}

fn report<'a>(subject: &'a Subject, finding: &'a Finding) -> Report<'a> {
    let fault = finding.fault.map(|(structure, fault)| Problem {
        structure,
        field: fault.field,
        offset: fault.offset,
        problem: fault.kind.to_string(),
    });
    let Finding { kind, detected_by, view, warning, .. } = finding;
    let warning = warning.as_deref();
    Report { schema: "uncask.inspect/1", subject, kind, detected_by, fault, warning, content: view }
}

fn print(subject: &Subject, finding: &Finding) -> anyhow::Result<()> {
    let mut out = printer::out();
    let place = subject.place();
    writeln!(out, "{}", place.display())?;
    view::line(&mut out, "kind", &finding.kind)?;
    view::line(&mut out, "detected by", &finding.detected_by)?;
    finding.view.print(&mut out)?;
    Ok(out.flush()?)
}

impl Subject {
    /// The file, and the chunk in it.
    fn place(&self) -> PathBuf {
        match &self.path {
            None => self.file.clone(),
            Some(path) => Path::new(&format!("{}:{path}", self.file.display())).to_owned(),
        }
    }
}
