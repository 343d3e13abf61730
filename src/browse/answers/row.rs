use crate::browse::session::Opened;
use serde::Serialize;

/// A row of the table.
#[derive(Serialize)]
pub(super) struct Row {
    pub row: usize,
    pub path: String,
    pub size: u64,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub container: String,
    pub class: Option<String>,
}

impl Row {
    pub(super) fn new(opened: &Opened, row: usize) -> Option<Self> {
        let chunk = opened.game.store().chunk(opened.index.entry(row)?);
        Some(Self {
            row,
            path: chunk.display_path(),
            size: chunk.len(),
            kind: chunk.kind().name(),
            container: chunk.container().map(|container| container.name()).unwrap_or_default(),
            class: opened.index.class(&opened.game, row),
        })
    }
}
