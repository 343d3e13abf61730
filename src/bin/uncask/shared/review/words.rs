//! Words of reviews.

use crate::printer::counted;
use uncask::game::ValueChange;

pub(super) const fn change_word(change: ValueChange, is_renamed: bool) -> &'static str {
    match (change, is_renamed) {
        (ValueChange::Added, _) => "added",
        (ValueChange::Removed, _) => "removed",
        (ValueChange::Changed, true) => "renamed",
        (ValueChange::Changed, false) => "changed",
    }
}

/// `3 assets differ in main...HEAD`.
pub(super) fn title(assets: usize, range: &str) -> String {
    let differ = counted(assets as u64, "asset differs", "assets differ");
    format!("{differ} in {}", crate::text::printable(range))
}

/// Most items of a list in a sentence.
const MAX_ITEMS: usize = 20;

/// A list of some items; of a long one, the first, and how many more there are.
pub(super) fn some(items: &[String]) -> String {
    let shown = items.get(..MAX_ITEMS).unwrap_or(items).join(", ");
    match items.len().saturating_sub(MAX_ITEMS) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
