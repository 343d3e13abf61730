//! `uncask info` for several containers: a line each, and their total.

use crate::columns::{Column, Columns, Side};
use crate::printer::{Out, count, counted, size};
use crate::shared::description::Description;
use crate::text::{self, Lines};

/// Content of a cell.
type Show = fn(&Description) -> String;

/// A column: title, alignment, content, least width and rank, as in [`Column`].
type Spec = (&'static str, Side, Show, usize, u8);

const COLUMNS: [Spec; 8] = [
    ("VERSION", Side::Left, version, 7, 5),
    ("ENGINE", Side::Left, |this| this.engine.clone().unwrap_or_default(), 6, 1),
    ("CHUNKS", Side::Right, |this| count(this.chunks), 6, 0),
    ("RAW", Side::Right, |this| size(this.raw_bytes), 10, 3),
    ("STORED", Side::Right, |this| size(this.stored_bytes), 10, 0),
    ("RATIO", Side::Right, |this| ratio(this.ratio), 5, 6),
    ("METHODS", Side::Left, methods, 7, 4),
    ("KEY", Side::Left, key, 7, 2),
];

pub(super) fn print(containers: &[Description], out: &mut Out) -> anyhow::Result<()> {
    let total = total(containers);
    // The total is measured as well: its sums are the widest figures.
    let column = |(title, side, show, least, rank): Spec| {
        let cells = containers.iter().chain([&total]).map(|container| text::width(&show(container)));
        let width = cells.max().unwrap_or(0).max(title.len());
        Column { key: show, title, side, width, least, rank }
    };
    let columns = Columns::fit(COLUMNS.map(column).into(), 0, out.width());
    let mut lines = Lines::default();
    columns.titles("CONTAINER", &mut lines);
    for container in containers.iter().chain([&total]) {
        for column in columns.iter() {
            columns.cell(column, (column.key)(container), &mut lines);
        }
        columns.last(&container.name, "", &mut lines);
    }
    out.append(&lines)?;
    let noted = containers.iter().filter(|container| !container.notices.is_empty()).count() as u64;
    if noted > 0 {
        writeln!(out, "{} (-v shows them)", counted(noted, "container has notes", "containers have notes"))?;
    }
    Ok(())
}

/// All containers as one row.
fn total(containers: &[Description]) -> Description {
    // Crafted tables may claim any sizes, so sums must not overflow.
    let sum = |of: fn(&Description) -> u64| containers.iter().map(of).fold(0_u64, u64::saturating_add);
    let (raw_bytes, stored_bytes) = (sum(|this| this.raw_bytes), sum(|this| this.stored_bytes));
    Description {
        name: format!("total of {}", counted(containers.len() as u64, "container", "containers")),
        chunks: sum(|this| this.chunks),
        raw_bytes,
        stored_bytes,
        ratio: crate::shared::chunk_row::ratio(raw_bytes, stored_bytes),
        ..Description::default()
    }
}

fn version(this: &Description) -> String {
    match (this.pak_version, this.toc_version) {
        (Some(pak), _) => format!("pak {pak}"),
        (None, Some(toc)) => format!("toc {toc}"),
        (None, None) => String::new(),
    }
}

/// State of the key: not needed, available or missing.
fn key(this: &Description) -> String {
    match (&this.encryption, this.unlocked) {
        (None, _) => String::new(),
        (Some(_), true) => "fits".to_owned(),
        (Some(_), false) => "missing".to_owned(),
    }
}

fn methods(this: &Description) -> String {
    let mut names: Vec<&str> = this.block_methods.iter().map(|share| share.name.as_str()).collect();
    // Sorted, so that containers with the same methods look the same.
    names.sort_unstable();
    names.join("+")
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or_else(dash, |ratio| format!("{ratio:.2}"))
}

fn dash() -> String {
    "-".to_owned()
}
