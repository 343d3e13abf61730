//! `uncask get`: one chunk.

use super::find;
use crate::args::GetArgs;
use crate::exit::Exit;
use crate::output_file;
use crate::printer;
use crate::session::Session;
use std::io::Write;
use std::path::Path;
use uncask::error::Error;
use uncask::extract::read_chunk;
use uncask::pipeline::{Check, Context};
use uncask::store::{Entry, Store};

pub(crate) fn run(args: &GetArgs, session: &Session) -> anyhow::Result<Exit> {
    let store = session.open_named(&args.store)?;
    let Some(entry) = find::one(&store, &args.chunk)? else {
        session.printer.error(&format!("no chunk matches {:?}", args.chunk));
        return Ok(crate::exit::nothing_found(&store));
    };
    let context = session.context(true)?;
    let check = match &args.output {
        Some(path) => to_file(session, &store, entry, &context, path)?,
        None => to_stdout(session, &store, entry, &context)?,
    };
    if let Some(error) = check.error(Path::new(&store.display_path(entry))) {
        session.printer.error(&error.to_string());
        return Ok(Exit::Failed);
    }
    Ok(Exit::Ok)
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
    let staged = output_file::create(path, 0)?;
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
