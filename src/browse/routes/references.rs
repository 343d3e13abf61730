//! Who refers to whom.

use super::rows::Row;
use super::state::{Place, State};
use crate::browse::reply::{self, Refusal, Reply};
use crate::browse::request::Parameters;
use crate::browse::session::Opened;
use crate::store::packages::{Direction, Link, LinkKind};
use serde::Serialize;
use std::sync::Arc;

/// Packages that are named; of more, only their number is given.
const NAMED: usize = 1_000;

/// The packages around one.
#[derive(Default, Serialize)]
struct References {
    links: Vec<Reference>,
    total: usize,
}

/// A package that another refers to.
#[derive(Serialize)]
struct Reference {
    name: String,
    /// How: `hard`, `optional` or `soft`.
    kind: &'static str,
    row: Option<Row>,
}

/// Packages that one needs, or with `reverse=1` those that need it.
pub(super) async fn references(state: &Arc<State>, parameters: &Parameters) -> Result<Reply, Refusal> {
    let Place { opened, entry, .. } = state.place(parameters.needed("row")?)?;
    let direction = match parameters.text("reverse") {
        "" | "0" => Direction::Dependencies,
        _ => Direction::Dependants,
    };
    let cpu = opened.game.store().cpu().clone();
    let work = state.workshop.run(&cpu, move |context| {
        let chunk = opened.game.store().chunk(entry);
        let Some(id) = chunk.package_id() else { return Ok(References::default()) };
        let is_over = || context.is_cancelled();
        let walk = opened.game.packages().walk_unless([id], direction, Some(0), &is_over);
        let walk = walk.ok_or_else(Refusal::given_up)?;
        let links = walk.get(id).map(|node| node.links.as_slice()).unwrap_or_default();
        let named = links.iter().take(NAMED).map(|link| named(&opened, *link)).collect();
        Ok(References { links: named, total: links.len() })
    });
    reply::json(&work.await?)
}

fn named(opened: &Opened, link: Link) -> Reference {
    let packages = opened.game.packages();
    let row = packages.find(link.id).and_then(|entry| opened.index.row(entry));
    let row = row.and_then(|row| Row::new(opened, row));
    let name = packages.name(link.id).unwrap_or_else(|| link.id.to_string());
    let kind = match link.kind {
        LinkKind::Hard => "hard",
        LinkKind::Optional => "optional",
        LinkKind::Soft => "soft",
    };
    Reference { name, kind, row }
}
