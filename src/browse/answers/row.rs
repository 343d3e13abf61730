use crate::browse::comparison::Comparison;
use crate::browse::row_id::RowId;
use crate::browse::session::Opened;
use crate::game::Change;
use serde::Serialize;

/// A row of the table.
#[derive(Serialize)]
pub(super) struct PageRow {
    pub row: RowId,
    pub path: String,
    pub size: u64,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub container: String,
    pub class: Option<String>,
    /// Kind of change, in a comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<Change>,
    /// The row in the old build.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Box<Self>>,
}

impl PageRow {
    pub(super) fn new(opened: &Opened, row: usize) -> Option<Self> {
        let chunk = opened.game.at(opened.index.entry(row)?);
        Some(Self {
            row: RowId::new(opened.number, row),
            path: chunk.display_path(),
            size: chunk.len(),
            kind: chunk.kind().name(),
            container: chunk.container().map(|container| container.name()).unwrap_or_default(),
            class: opened.index.class(&opened.game, row),
            change: None,
            before: None,
        })
    }

    /// A row of a comparison.
    pub(super) fn of_difference(comparison: &Comparison, at: usize) -> Option<Self> {
        let difference = comparison.difference(at)?;
        let (opened, row) = comparison.side(difference);
        // A removed file is shown from the old build already.
        let old = difference.old.filter(|_| difference.new.is_some());
        let before = old.and_then(|old| Self::new(&comparison.old, old)).map(Box::new);
        Some(Self { change: Some(difference.change), before, ..Self::new(opened, row)? })
    }
}
