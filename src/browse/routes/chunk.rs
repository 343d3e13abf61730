//! What is in a chunk.

use super::rows::Row;
use super::state::{Place, State};
use crate::browse::reply::{self, Refusal, Reply};
use crate::browse::request::Parameters;
use crate::browse::session::Opened;
use crate::error::Error;
use crate::extract::ChunkContent;
use crate::identify::{Part, SHOWN};
use crate::pipeline::Context;
use crate::store::{Entry, Role};
use crate::values::{JsonForm, PackageInputs, read_objects_unless};
use hyper::StatusCode;
use serde::Serialize;
use std::sync::Arc;

/// Bytes that are given at a time.
const MOST_BYTES: u64 = 1 << 20;

/// Memory for the header of a package.
const MOST_HEADER: u64 = 16 << 20;

/// Memory that values take for each byte of their package.
const PRICE: u64 = 8;

/// What a chunk is.
#[derive(Serialize)]
struct Facts {
    #[serde(flatten)]
    row: Row,
    id: String,
    stored: Option<u64>,
    offset: Option<u64>,
    partition: Option<u64>,
    hash: Option<String>,
    is_package: bool,
    /// Why it cannot be read.
    locked: Option<String>,
    /// Other containers that have it, too: it overrides these.
    overrides: Vec<String>,
    what: Option<String>,
    detected_by: Option<String>,
    problem: Option<String>,
    parts: Vec<Shown>,
}

/// A part of what `inspect` shows.
#[derive(Serialize)]
#[serde(untagged)]
enum Shown {
    Fact { name: &'static str, value: String },
    List { title: &'static str, rows: Vec<ShownRow>, more: usize },
}

#[derive(Serialize)]
struct ShownRow {
    text: String,
    details: Vec<String>,
}

/// What a chunk is.
pub(super) async fn facts(state: &Arc<State>, parameters: &Parameters) -> Result<Reply, Refusal> {
    let place = state.place(parameters.needed("row")?)?;
    let chunk = place.opened.game.store().chunk(place.entry);
    // Of a package only its header is read, of bulk data nothing.
    let most = if chunk.kind().belongs_to_package() { MOST_HEADER } else { u64::MAX };
    let bytes = chunk.len().min(most).saturating_mul(2);
    let cpu = place.opened.game.store().cpu().clone();
    let facts = state.workshop.run_with(bytes, &cpu, move |context| Facts::new(&place, context));
    reply::json(&facts.await?)
}

impl Facts {
    fn new(place: &Place, context: &Context) -> Result<Self, Refusal> {
        let Place { opened, row, entry } = place;
        let (row, entry) = (*row, *entry);
        let store = opened.game.store();
        let chunk = store.chunk(entry);
        let container = chunk.container();
        let table = container.map(|container| container.table());
        let storage = table.and_then(|table| table.storage(entry.chunk));
        let hash = table.and_then(|table| table.meta(entry.chunk)).map(|meta| meta.hash);
        let lower = store.containers().iter().skip(entry.container + 1);
        let lower = lower.filter(|other| other.role() == Role::Content);
        let overridden = lower.filter(|other| other.table().find(chunk.id()).is_some());
        let mut facts = Self {
            row: Row::new(opened, row).ok_or_else(|| Refusal::not_found("there is no such row"))?,
            id: chunk.id().to_string(),
            stored: storage.as_ref().map(|storage| storage.stored_len),
            offset: storage.as_ref().map(|storage| storage.offset),
            partition: storage.as_ref().map(|storage| storage.partition),
            hash: hash.filter(|hash| !hash.is_zero()).map(|hash| hash.to_string()),
            is_package: chunk.is_package() || chunk.is_cooked_header(),
            locked: container
                .and_then(|container| container.locked_for(entry.chunk))
                .map(ToString::to_string),
            overrides: overridden.map(|other| other.name()).collect(),
            what: None,
            detected_by: None,
            problem: None,
            parts: Vec::new(),
        };
        if facts.locked.is_none() {
            facts.look_into(opened, entry, context)?;
        }
        Ok(facts)
    }

    /// Reads what is in it, as far as that is known.
    fn look_into(&mut self, opened: &Opened, entry: Entry, context: &Context) -> Result<(), Refusal> {
        let packages = opened.game.packages();
        let chunk = match ChunkContent::read_unless(packages, entry, &|| context.is_cancelled()) {
            Err(Error::Cancelled) => return Err(Refusal::given_up()),
            Ok(chunk) => chunk,
            Err(error) => {
                self.problem = Some(error.to_string());
                return Ok(());
            }
        };
        let Some(identified) = chunk.identify() else { return Ok(()) };
        let finding = identified.format.read(&chunk.input(&**packages));
        self.what = Some(finding.kind.clone());
        self.detected_by = Some(identified.detected.reason.clone().into_owned());
        let fault = finding.fault.map(|(structure, fault)| format!("malformed {structure}: {fault}"));
        self.problem = fault.or(finding.warning);
        self.parts = finding.view.iter().flat_map(|view| view.parts().into_iter().map(shown)).collect();
        Ok(())
    }
}

fn shown(part: Part<'_>) -> Shown {
    match part {
        Part::Fact { name, value } => Shown::Fact { name, value },
        Part::List { title, rows, total } => {
            let rows: Vec<ShownRow> =
                rows.take(SHOWN).map(|row| ShownRow { text: row.text, details: row.details }).collect();
            let more = total.unwrap_or(0).saturating_sub(rows.len());
            Shown::List { title, rows, more }
        }
    }
}

/// Some bytes of a chunk.
pub(super) async fn bytes(state: &Arc<State>, parameters: &Parameters) -> Result<Reply, Refusal> {
    let Place { opened, entry, .. } = state.place(parameters.needed("row")?)?;
    let from: u64 = parameters.number("from")?.unwrap_or(0);
    let count = parameters.number("count")?.unwrap_or(MOST_BYTES).min(MOST_BYTES);
    let cpu = opened.game.store().cpu().clone();
    let bytes = state.workshop.run_with(count.saturating_mul(2), &cpu, move |context| {
        let store = opened.game.store();
        let container = store.container(entry).ok_or_else(|| Refusal::not_found("there is no such row"))?;
        let end = from.saturating_add(count).min(store.chunk(entry).len());
        if from >= end {
            return Ok(Vec::new());
        }
        Ok(container.read_unless(entry.chunk, from..end, MOST_BYTES, &|| context.is_cancelled())?)
    });
    Ok(reply::whole("application/octet-stream", bytes.await?))
}

/// The values of the objects in a package.
pub(super) async fn properties(state: &Arc<State>, parameters: &Parameters) -> Result<Reply, Refusal> {
    let Place { opened, entry, .. } = state.place(parameters.needed("row")?)?;
    let inputs = PackageInputs::of_store(opened.game.store(), &[entry]);
    let bytes = inputs.items().first().map_or(0, |item| item.len).saturating_mul(PRICE);
    let (cpu, kept) = (opened.game.store().cpu().clone(), state.kept.clone());
    let document = state.workshop.run_with(bytes, &cpu, move |context| {
        let is_over = || context.is_cancelled();
        let packages = Arc::clone(opened.game.packages());
        let objects = read_objects_unless(packages, inputs, opened.values(), &is_over)?;
        let objects = objects.ok_or_else(|| Refusal::not_found("not a package"))?;
        if objects.lacks_mappings() && objects.is_empty() {
            let error = "the properties of this package have no names; give the game's mappings (.usmap)";
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            return Err(Refusal { needs: Some("mappings"), ..Refusal::new(status, error) });
        }
        let mut document = kept.document(context);
        objects.write_json(JsonForm::FModel, &mut document)?;
        Ok(document.finish())
    });
    Ok(reply::whole("application/json", document.await?))
}
