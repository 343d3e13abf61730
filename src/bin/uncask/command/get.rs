//! `uncask get`: one chunk.

use crate::args::GetArgs;
use crate::exit::{Exit, UsageError};
use crate::printer;
use crate::session::Session;
use std::io::Write;
use std::path::Path;
use uncask::error::Error;
use uncask::extract::{Filter, FilterSpec, read_chunk};
use uncask::pipeline::{Check, Context};
use uncask::sink::{DirectorySink, OutputPath, Sink};
use uncask::store::{Entry, Store};

pub(crate) fn run(args: &GetArgs, session: &Session) -> anyhow::Result<Exit> {
    let store = session.open_named(&args.store)?;
    let Some(entry) = find(&store, &args.chunk)? else {
        session.printer.error(&format!("no chunk matches {:?}", args.chunk));
        return Ok(crate::exit::nothing_found(&store));
    };
    let context = session.context(true)?;
    let check = match &args.output {
        Some(path) => to_file(session, &store, entry, &context, path)?,
        None => to_stdout(session, &store, entry, &context)?,
    };
    match check {
        Check::Mismatch { found, expected } => {
            let message =
                format!("content hash is {found}, expected {expected}: {}", store.display_path(entry));
            session.printer.error(&message);
            Ok(Exit::Failed)
        }
        _ => Ok(Exit::Ok),
    }
}

/// The one chunk that the text means. A path or a package name may match several chunks; then the package wins.
fn find(store: &Store, text: &str) -> anyhow::Result<Option<Entry>> {
    if let Ok(id) = text.parse() {
        return Ok(store.find(id));
    }
    let filter = Filter::new(&FilterSpec { patterns: vec![text.to_owned()], ..FilterSpec::default() })?;
    let entries = filter.select(store, false);
    let is_package = |entry: &&Entry| {
        let container = store.container(**entry);
        container.is_some_and(|container| {
            container.toc().chunk_kind(entry.chunk) == uncask::id::ChunkKind::ExportBundleData
        })
    };
    let packages: Vec<Entry> = entries.iter().filter(is_package).copied().collect();
    match (entries.as_slice(), packages.as_slice()) {
        ([], _) => Ok(None),
        ([one], _) | (_, [one]) => Ok(Some(*one)),
        (several, _) => {
            let exact = |entry: &&Entry| store.display_path(**entry).eq_ignore_ascii_case(text);
            if let Some(entry) = several.iter().find(exact) {
                return Ok(Some(*entry));
            }
            let names: Vec<String> = several.iter().take(5).map(|entry| store.display_path(*entry)).collect();
            let message = format!("{text:?} matches {} chunks, such as {}", several.len(), names.join(", "));
            Err(UsageError(message).into())
        }
    }
}

fn to_stdout(session: &Session, store: &Store, entry: Entry, context: &Context) -> anyhow::Result<Check> {
    let mut out = printer::out();
    let mut write_error = None;
    let job = read_chunk(store, entry, context, |bytes| {
        out.write_all(bytes).map_err(|error| {
            write_error = Some(error);
            Error::Cancelled
        })
    });
    let result = session.block_on(context, job)?;
    if let Some(error) = write_error {
        return Err(error.into());
    }
    out.flush()?;
    Ok(result?)
}

fn to_file(
    session: &Session,
    store: &Store,
    entry: Entry,
    context: &Context,
    path: &Path,
) -> anyhow::Result<Check> {
    let name = path.file_name().ok_or_else(|| UsageError(format!("not a file name: {}", path.display())))?;
    let folder =
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let sink = DirectorySink::open(folder)?;
    let staged = sink.create(&OutputPath::sanitize(&name.to_string_lossy()), 0)?;
    let mut offset = 0;
    let job = read_chunk(store, entry, context, |bytes| {
        staged.write_at(offset, bytes)?;
        offset += bytes.len() as u64;
        Ok(())
    });
    let check = session.block_on(context, job)??;
    staged.commit()?;
    Ok(check)
}
