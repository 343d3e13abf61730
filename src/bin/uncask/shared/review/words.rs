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
