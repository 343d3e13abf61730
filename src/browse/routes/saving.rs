//! Saving: one file, what a search finds as a zip, or into the folder for saving.

use super::selection::Selection;
use super::shown;
use super::state::{Place, State, lock};
use crate::browse::forms::{Form, Options, make};
use crate::browse::reply::{self, Refusal, Reply};
use crate::browse::request::{self, Parameters};
use crate::browse::session::Opened;
use crate::browse::stream::{pipe, write_chunk, write_zip};
use crate::pipeline::Context;
use crate::sink::DirectorySink;
use crate::store::Entry;
use hyper::body::Incoming;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Selections that are remembered.
const REMEMBERED: usize = 16;

/// A chunk in a form: a file, or a zip if it becomes several.
pub(super) async fn download(state: &Arc<State>, parameters: &Parameters) -> Result<Reply, Refusal> {
    let Place { opened, entry, .. } = state.place(parameters.needed("row")?)?;
    let form = Form::from_name(parameters.text("form"))?;
    let path = opened.game.store().display_path(entry);
    let name = path.rsplit('/').next().unwrap_or_default().to_owned();
    if form == Form::Raw {
        return Ok(raw(state, opened, entry, &name));
    }
    let (own, cpu, kept) = (Arc::clone(&opened), opened.game.store().cpu().clone(), state.kept.clone());
    let made = state.workshop.run(&cpu, move |context| {
        let sink = kept.sink();
        let options = Options { form, all_mips: false };
        let made = make(&own, &[entry], options, Arc::new(sink.clone()), context)?;
        Ok((made, sink.take()))
    });
    let (made, mut files) = made.await?;
    match (files.len(), files.pop_first()) {
        (1, Some((path, bytes))) => {
            let name = path.rsplit('/').next().unwrap_or_default();
            Ok(reply::as_download(reply::whole(shown::kind(&path), bytes), name))
        }
        (0, _) | (_, None) => {
            let reason = made.problems.into_iter().chain(made.notes).next();
            let reason = reason.unwrap_or_else(|| "this has no such form".to_owned());
            Err(Refusal::new(hyper::StatusCode::UNPROCESSABLE_ENTITY, reason))
        }
        (_, Some(_)) => {
            let stem = name.split_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned();
            Ok(zipped(state, &opened, vec![entry], form, &stem))
        }
    }
}

/// A chunk as it is, however large.
fn raw(state: &Arc<State>, opened: Arc<Opened>, entry: Entry, name: &str) -> Reply {
    let (mut pipe, bytes) = pipe();
    let state = Arc::clone(state);
    tokio::spawn(async move {
        let cpu = opened.game.store().cpu().clone();
        let work = move |context: &Context| {
            use std::io::Write;
            match write_chunk(&opened, entry, context, &mut pipe) {
                Ok(()) => drop(pipe.flush()),
                Err(problem) => pipe.fail(problem),
            }
            Ok(())
        };
        // What goes wrong ends the download before its end.
        drop(state.downloads.run(&cpu, work).await);
    });
    reply::as_download(reply::streamed("application/octet-stream", bytes), name)
}

fn zipped(state: &Arc<State>, opened: &Arc<Opened>, entries: Vec<Entry>, form: Form, name: &str) -> Reply {
    let (pipe, bytes) = pipe();
    let (state, opened) = (Arc::clone(state), Arc::clone(opened));
    tokio::spawn(async move {
        let cpu = opened.game.store().cpu().clone();
        let work = move |context: &Context| {
            write_zip(&opened, &entries, Options { form, all_mips: false }, context, pipe);
            Ok(())
        };
        drop(state.downloads.run(&cpu, work).await);
    });
    reply::as_download(reply::streamed("application/zip", bytes), &format!("{name}.zip"))
}

/// Remembers a selection: a download is a GET, whose address cannot hold a long list.
pub(super) async fn select(state: &Arc<State>, body: Incoming) -> Result<Reply, Refusal> {
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    let selection: Selection = request::body(body).await?;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let mut selections = lock(&state.selections);
    selections.truncate(REMEMBERED - 1);
    selections.push_front((number, selection));
    reply::json(&number)
}

/// A selection as a zip.
pub(super) async fn zip(state: &Arc<State>, parameters: &Parameters) -> Result<Reply, Refusal> {
    let number: u64 = parameters.needed("selection")?;
    let selection = lock(&state.selections).iter().find(|(known, _)| *known == number).cloned();
    let (_, selection) = selection.ok_or_else(|| Refusal::not_found("there is no such selection"))?;
    let (form, own) = (selection.form, Arc::clone(state));
    let cpu = state.opened()?.game.store().cpu().clone();
    let selected = state.workshop.run(&cpu, move |context| selection.files(&own, context));
    let (opened, entries) = selected.await?;
    let name = opened.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(zipped(state, &opened, entries, form, if name.is_empty() { "uncask" } else { &name }))
}

/// Writes a selection into the folder for saving.
pub(super) async fn save(state: &Arc<State>, body: Incoming) -> Result<Reply, Refusal> {
    let selection: Selection = request::body(body).await?;
    let closed = || Refusal::forbidden("nothing can be saved: uncask was started without a folder for it");
    let folder = state.options.save_to.clone().ok_or_else(closed)?;
    let cpu = state.opened()?.game.store().cpu().clone();
    let own = Arc::clone(state);
    let made = state.workshop.run(&cpu, move |context| {
        let (opened, entries) = selection.files(&own, context)?;
        let sink = Arc::new(DirectorySink::open(&folder)?);
        make(&opened, &entries, Options { form: selection.form, all_mips: false }, sink, context)
    });
    reply::json(&made.await?)
}
