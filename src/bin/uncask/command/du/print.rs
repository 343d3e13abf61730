//! Rows of `uncask du`.

use crate::args::DuArgs;
use crate::printer::{self, Out, count, size};
use crate::session::Session;
use crate::shared::chunk_row::ratio;
use serde::Serialize;
use uncask::game::{Usage, UsageRow};

/// Length of the longest bar, in characters.
const BAR: u64 = 20;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    total: Usage,
    rows: &'a [UsageRow],
}

/// Shows the rows with their sum; `counted` is the heading of what they count.
pub(super) fn show(args: &DuArgs, session: &Session, rows: &[UsageRow], counted: &str) -> anyhow::Result<()> {
    // Rows of depth 0 already include everything below them.
    let total: Usage = rows.iter().filter(|row| row.depth == 0).map(|row| row.usage).sum();
    if session.printer.json {
        return printer::print_json(&Report { schema: "uncask.du/1", total, rows });
    }
    let mut out = printer::out();
    writeln!(out, "{:>10} {:>10} {:>6} {counted:>9}  {:<26} NAME", "STORED", "SIZE", "RATIO", "SHARE")?;
    // The total is always printed, even if rows are cut.
    let shown = if args.lines == 0 { rows.len() } else { args.lines };
    for row in rows.iter().take(shown) {
        let indent = "  ".repeat(row.depth as usize);
        print_line(&mut out, row.usage, total, &format!("{indent}{}", row.name))?;
    }
    print_line(&mut out, total, total, "total")?;
    out.flush()?;
    if rows.len() > shown {
        let hidden = printer::counted((rows.len() - shown) as u64, "more line", "more lines");
        session.printer.note(&format!("{hidden} (-n 0 shows all)"));
    }
    Ok(())
}

fn print_line(out: &mut Out, usage: Usage, total: Usage, name: &str) -> std::io::Result<()> {
    // Per mille in integers: one decimal of a percentage, without rounding surprises.
    let per_mille = usage.stored.saturating_mul(1000) / total.stored.max(1);
    let bar = "█".repeat(usize::try_from((per_mille * BAR).div_ceil(1000).min(BAR)).unwrap_or(0));
    writeln!(
        out,
        "{:>10} {:>10} {:>6} {:>9}  {bar:<20} {:>3}.{}% {name}",
        size(usage.stored),
        size(usage.raw),
        ratio(usage.raw, usage.stored).map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}")),
        count(usage.count),
        per_mille / 10,
        per_mille % 10,
    )
}
