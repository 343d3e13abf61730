//! Facts about a chunk.

use super::answer::Answer;
use super::asked::Asked;
use super::row::PageRow;
use crate::browse::games::GamePlace;
use crate::browse::refusal::Refusal;
use crate::browse::session::Opened;
use crate::error::Error;
use crate::game::{Entry, Role};
use crate::identify::{SHOWN, ViewPart};
use crate::job::Context;
use serde::Serialize;

/// Memory budget for the header of a package, in bytes.
const MOST_HEADER: u64 = 16 << 20;

/// Facts about a chunk.
#[derive(Serialize)]
struct Facts {
    #[serde(flatten)]
    row: PageRow,
    id: String,
    stored: Option<u64>,
    offset: Option<u64>,
    partition: Option<u64>,
    hash: Option<String>,
    is_package: bool,
    /// The error that keeps it from being read.
    locked: Option<String>,
    /// Lower containers that have it, too.
    overrides: Vec<String>,
    what: Option<String>,
    detected_by: Option<String>,
    problem: Option<String>,
    parts: Vec<Shown>,
}

/// A part of the output of `inspect`.
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

/// Memory budget: only the header of a package is read, and nothing of bulk data.
pub(super) fn price(asked: &Asked) -> u64 {
    let Ok(GamePlace { opened, entry, .. }) = asked.place() else { return 0 };
    let chunk = opened.game.at(entry);
    // Twice: the stored bytes, and the decoded ones.
    let most = if chunk.kind().belongs_to_package() { MOST_HEADER } else { u64::MAX };
    chunk.len().min(most).saturating_mul(2)
}

/// Answers with facts about a chunk.
pub(super) fn facts(asked: &Asked, context: &Context) -> Result<Answer, Refusal> {
    Answer::json(&Facts::new(&asked.place()?, context)?)
}

impl Facts {
    fn new(place: &GamePlace, context: &Context) -> Result<Self, Refusal> {
        let GamePlace { opened, row, entry } = place;
        let (row, entry) = (*row, *entry);
        let chunk = opened.game.at(entry);
        let container = chunk.container();
        let table = container.map(|container| container.table());
        let storage = table.and_then(|table| table.storage(entry.chunk));
        let hash = table.and_then(|table| table.meta(entry.chunk)).map(|meta| meta.hash);
        // Containers are sorted by priority, so those after this one are lower.
        let lower = opened.game.containers().iter().skip(entry.container + 1);
        let lower = lower.filter(|other| other.role() == Role::Content);
        let overridden = lower.filter(|other| other.table().find(chunk.id()).is_some());
        let mut facts = Self {
            row: PageRow::new(opened, row).ok_or_else(|| Refusal::not_found("there is no such row"))?,
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
        // The table's facts are shown even for a locked chunk; only its content is out of reach.
        if facts.locked.is_none() {
            facts.look_into(opened, entry, context)?;
        }
        Ok(facts)
    }

    /// Reads the content, as far as its format is known.
    fn look_into(&mut self, opened: &Opened, entry: Entry, context: &Context) -> Result<(), Refusal> {
        let packages = opened.game.packages();
        let read = match opened.game.within(context).content(entry) {
            Err(Error::Cancelled) => return Err(Refusal::given_up()),
            Ok(read) => read,
            // An unreadable chunk still has all the facts from its table.
            Err(error) => {
                self.problem = Some(error.to_string());
                return Ok(());
            }
        };
        let Some(identified) = read.identify() else { return Ok(()) };
        let finding = identified.format.read(&read.input(&**packages));
        self.what = Some(finding.kind.clone());
        self.detected_by = Some(identified.detected.reason.clone().into_owned());
        let fault = finding.fault.map(|(structure, fault)| format!("malformed {structure}: {fault}"));
        // A fault is more important than a warning, and the page has room for one.
        self.problem = fault.or(finding.warning);
        self.parts = finding.view.iter().flat_map(|view| view.parts().into_iter().map(shown)).collect();
        Ok(())
    }
}

fn shown(part: ViewPart<'_>) -> Shown {
    match part {
        ViewPart::Fact { name, value } => Shown::Fact { name, value },
        ViewPart::List { title, rows, total } => {
            let rows: Vec<ShownRow> =
                rows.take(SHOWN).map(|row| ShownRow { text: row.text, details: row.details }).collect();
            let more = total.unwrap_or(0).saturating_sub(rows.len());
            Shown::List { title, rows, more }
        }
    }
}
