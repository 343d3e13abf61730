//! References between packages.

use super::answer::Answer;
use super::asked::Asked;
use super::row::PageRow;
use crate::browse::games::GamePlace;
use crate::browse::refusal::Refusal;
use crate::browse::session::Opened;
use crate::game::{Direction, Link, LinkKind};
use crate::job::Context;
use serde::Serialize;

/// The most packages listed; beyond that only their number is given.
const NAMED: usize = 1_000;

/// The packages linked to one.
#[derive(Default, Serialize)]
struct References {
    links: Vec<Reference>,
    total: usize,
}

/// A linked package.
#[derive(Serialize)]
struct Reference {
    name: String,
    /// Strength: `hard`, `optional` or `soft`.
    kind: &'static str,
    row: Option<PageRow>,
}

/// Answers with the packages that one needs, or with `reverse=1` those that need it.
pub(super) fn references(asked: &Asked, context: &Context) -> Result<Answer, Refusal> {
    let GamePlace { opened, entry, .. } = asked.place()?;
    let direction = match asked.parameters.text("reverse") {
        "" | "0" => Direction::Dependencies,
        _ => Direction::Dependants,
    };
    let chunk = opened.game.at(entry);
    let Some(id) = chunk.package_id() else { return Answer::json(&References::default()) };
    // Depth 0 visits only the package itself, whose links are all that is wanted.
    let walk = opened.game.within(context).walk([id], direction, Some(0))?;
    let links = walk.get(id).map(|node| node.links.as_slice()).unwrap_or_default();
    let named = links.iter().take(NAMED).map(|link| named(&opened, *link)).collect();
    Answer::json(&References { links: named, total: links.len() })
}

fn named(opened: &Opened, link: Link) -> Reference {
    let packages = opened.game.packages();
    let row = packages.find(link.id).and_then(|entry| opened.index.row(entry));
    // A package that is missing or overridden has no row, and is shown by name or id only.
    let row = row.and_then(|row| PageRow::new(opened, row));
    let name = packages.name(link.id).unwrap_or_else(|| link.id.to_string());
    let kind = match link.kind {
        LinkKind::Hard => "hard",
        LinkKind::Optional => "optional",
        LinkKind::Soft => "soft",
    };
    Reference { name, kind, row }
}
