//! Saves a single file, or a selection as a zip or into the folder for saving.

use super::state::{State, lock};
use crate::browse::answers::download::{Download, file_name, make_files, zip_name};
use crate::browse::forms::{Form, Options, make};
use crate::browse::games::GamePlace;
use crate::browse::parameters::Parameters;
use crate::browse::selection::Selection;
use crate::browse::server::reply::{self, Refusal, Reply};
use crate::browse::server::request;
use crate::browse::server::stream::{pipe, write_chunk, write_zip};
use crate::browse::session::Opened;
use crate::game::{DirectorySink, Entry};
use crate::job::Context;
use hyper::body::Incoming;
use std::io::Write;
use std::sync::Arc;

/// Answers with a chunk in a form: a file, or a zip of several.
pub(super) async fn download(state: &Arc<State>, parameters: &Parameters) -> Result<Reply, Refusal> {
    let GamePlace { opened, entry, .. } = lock(&state.games).place(parameters.needed("row")?)?;
    let form = Form::from_name(parameters.text("form"))?;
    if form == Form::Raw {
        return Ok(raw(state, opened, entry));
    }
    let (own, cpu, kept) = (Arc::clone(&opened), opened.game.cpu().clone(), state.kept.clone());
    let work = move |context: &Context| make_files(&own, entry, form, &kept, context);
    Ok(match state.workshop.run(&cpu, work).await? {
        Download::One(answer) => reply::answered(answer),
        Download::Several(name) => zipped(state, opened, vec![entry], form, &name),
    })
}

/// Answers with a raw chunk, of any size.
fn raw(state: &Arc<State>, opened: Arc<Opened>, entry: Entry) -> Reply {
    let (mut pipe, bytes) = pipe();
    let (state, name) = (Arc::clone(state), file_name(&opened, entry));
    tokio::spawn(async move {
        let cpu = opened.game.cpu().clone();
        let work = move |context: &Context| {
            match write_chunk(&opened, entry, context, &mut pipe) {
                Ok(()) => drop(pipe.flush()),
                Err(problem) => pipe.fail(problem),
            }
            Ok(())
        };
        // An error breaks the download off.
        drop(state.downloads.run(&cpu, work).await);
    });
    reply::as_download(reply::streamed("application/octet-stream", bytes), &name)
}

fn zipped(state: &Arc<State>, opened: Arc<Opened>, entries: Vec<Entry>, form: Form, name: &str) -> Reply {
    let (pipe, bytes) = pipe();
    let state = Arc::clone(state);
    tokio::spawn(async move {
        let cpu = opened.game.cpu().clone();
        let work = move |context: &Context| {
            write_zip(&opened, &entries, Options { form, ..Options::default() }, context, pipe);
            Ok(())
        };
        drop(state.downloads.run(&cpu, work).await);
    });
    reply::as_download(reply::streamed("application/zip", bytes), name)
}

/// Stores a selection: a download is a GET request, whose address cannot hold a long list.
pub(super) async fn select(state: &State, body: Incoming) -> Result<Reply, Refusal> {
    let selection = request::body(body).await?;
    let number = lock(&state.selections).remember(selection);
    reply::json(&number)
}

/// Answers with a selection as a zip.
pub(super) async fn zip(state: &Arc<State>, parameters: &Parameters) -> Result<Reply, Refusal> {
    let selection = lock(&state.selections).get(parameters.needed("selection")?)?;
    // Search again now, on the games as they are: the selection may be only a search.
    let (form, games) = (selection.form, lock(&state.games).clone());
    let cpu = games.opened()?.game.cpu().clone();
    let selected = state.workshop.run(&cpu, move |context| selection.files(&games, context));
    let (opened, entries) = selected.await?;
    let name = zip_name(&opened);
    Ok(zipped(state, opened, entries, form, &name))
}

/// Writes a selection into the folder for saving.
pub(super) async fn save(state: &State, body: Incoming) -> Result<Reply, Refusal> {
    let selection: Selection = request::body(body).await?;
    let closed = || Refusal::forbidden("nothing can be saved: uncask was started without a folder for it");
    // The folder is fixed at program start; the page can never choose another one.
    let folder = state.options.save_to.clone().ok_or_else(closed)?;
    let games = lock(&state.games).clone();
    let cpu = games.opened()?.game.cpu().clone();
    let made = state.workshop.run(&cpu, move |context| {
        let (opened, entries) = selection.files(&games, context)?;
        let sink = Arc::new(DirectorySink::open(&folder)?);
        make(&opened, &entries, Options { form: selection.form, ..Options::default() }, sink, context)
    });
    reply::json(&made.await?)
}
