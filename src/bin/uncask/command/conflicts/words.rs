//! Words about conflicts, for lines and for the page.

use crate::printer::{count, counted};
use uncask::game::{ChangedPart, ModChange, SharedChange, SharedItem, SharedVerdict, ValueChange};

/// Part such as `12 in A_P.utoc`.
pub(super) fn in_mod(change: &SharedChange, to: &ModChange, names: &[String]) -> String {
    let name = names.get(to.mod_at).map_or("?", String::as_str);
    let word = match to.change {
        ValueChange::Added => "added",
        ValueChange::Removed => "removed",
        ValueChange::Changed => "changed",
    };
    match (&to.value, change.part) {
        (Some(value), ChangedPart::Value | ChangedPart::Data | ChangedPart::Text) => {
            format!("{} in {name}", value.text)
        }
        _ => format!("{word} in {name}"),
    }
}

pub(super) const fn sign(verdict: SharedVerdict) -> char {
    match verdict {
        SharedVerdict::Same => '=',
        SharedVerdict::Compatible => '~',
        SharedVerdict::Conflict => '-',
    }
}

pub(super) const fn word(verdict: SharedVerdict) -> &'static str {
    match verdict {
        SharedVerdict::Same => "same",
        SharedVerdict::Compatible => "compatible",
        SharedVerdict::Conflict => "conflict",
    }
}

pub(super) fn summary_line(items: &[SharedItem]) -> String {
    let number = |verdict| items.iter().filter(|item| item.verdict == verdict).count() as u64;
    format!(
        "{} in several mods: {}, {} compatible, {} the same",
        counted(items.len() as u64, "package or file", "packages and files"),
        counted(number(SharedVerdict::Conflict), "conflict", "conflicts"),
        count(number(SharedVerdict::Compatible)),
        count(number(SharedVerdict::Same)),
    )
}
