//! Unified diffs of texts, in which each text is a file.

use crate::printer::Out;
use crate::session::Session;
use similar::TextDiff;
use std::io;
use std::time::Duration;
use uncask::game::ValueChange;

/// Lines around a change.
const CONTEXT: usize = 3;

/// Time for the shortest diff of a text; after it, any diff will do.
const PATIENCE: Duration = Duration::from_millis(200);

/// Prints the diff of two texts of one name.
pub(super) fn print(
    out: &mut Out,
    session: &Session,
    (name, change): (&str, ValueChange),
    [from, to]: [&str; 2],
) -> io::Result<()> {
    let [old, new] = match change {
        ValueChange::Added => ["/dev/null", name],
        ValueChange::Removed => [name, "/dev/null"],
        ValueChange::Changed => [name, name],
    };
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(from, to);
    let unified = diff.unified_diff().context_radius(CONTEXT).header(old, new).to_string();
    unified.lines().try_for_each(|line| out.coloured(session.printer.colour_of(line), line))
}
