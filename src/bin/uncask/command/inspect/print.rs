//! Prints findings as text.

use crate::printer::{Out, count};
use crate::text;
use uncask::identify::{ListRow, SHOWN, View, ViewPart};

/// Prints the parts of a view.
pub(super) fn view(out: &mut Out, view: &dyn View) -> anyhow::Result<()> {
    for part in view.parts() {
        match part {
            ViewPart::Fact { name, value } => line(out, name, &value)?,
            ViewPart::List { title, rows, total } => list(out, title, rows, total)?,
        }
    }
    Ok(())
}

/// Prints a line of a summary.
pub(super) fn line(out: &mut Out, name: &str, value: &str) -> anyhow::Result<()> {
    hanging(out, &format!("  {name:<13} "), value)
}

/// Prints a titled and numbered list; nothing if it is empty, and only the first rows if it is long.
fn list(
    out: &mut Out,
    title: &str,
    rows: impl Iterator<Item = ListRow>,
    total: Option<usize>,
) -> anyhow::Result<()> {
    // Lists without a total are short.
    let limit = if total.is_some() { SHOWN } else { usize::MAX };
    for (at, row) in rows.take(limit).enumerate() {
        if at == 0 {
            writeln!(out, "{title}")?;
        }
        hanging(out, &format!("  [{at}] "), &row.text)?;
        row.details.iter().try_for_each(|detail| hanging(out, "      ", detail))?;
        if row.more_details > 0 {
            writeln!(out, "      … {} more", count(row.more_details as u64))?;
        }
    }
    match total.unwrap_or(0).saturating_sub(SHOWN) {
        0 => Ok(()),
        more => Ok(writeln!(out, "  and {} more; --json has them all", count(more as u64))?),
    }
}

/// Prints a text after a label. In a terminal it is wrapped, with further lines below the text.
pub(super) fn hanging(out: &mut Out, label: &str, value: &str) -> anyhow::Result<()> {
    // Escaped before wrapping, since escapes are wider than what they replace.
    let value = text::printable(value);
    let indent = text::width(label);
    let Some(room) = out.width().map(|width| width.saturating_sub(indent).max(LEAST_ROOM)) else {
        return Ok(writeln!(out, "{label}{value}")?);
    };
    for (at, line) in text::wrap(&value, room).into_iter().enumerate() {
        let label = if at == 0 { label } else { "" };
        writeln!(out, "{label:<indent$}{line}")?;
    }
    Ok(())
}

/// Least width of the text in columns, however long its label is.
const LEAST_ROOM: usize = 20;
