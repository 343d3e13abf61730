//! Changes since values were searched for: addresses and numbers that were found then may not hold any more.

use super::rules::{RuleChange, ValueRule};
use crate::property::edit::Step;
use std::collections::{HashMap, HashSet};

/// A changed value.
pub(super) struct Touched {
    pub export: usize,
    pub steps: Vec<Step>,
    /// True if it was not there before.
    pub is_new: bool,
}

/// Changes since values were searched for.
#[derive(Default)]
pub(super) struct Since {
    values: HashSet<(usize, String)>,
    /// Values inside which others came, went or moved, by their text.
    moved: HashMap<String, Vec<Step>>,
}

/// Places that are looked through for each rule; with more, a search is cheaper.
const MAX_MOVED: usize = 64;

impl Since {
    pub(super) fn add(&mut self, rule: &ValueRule, Touched { export, mut steps, is_new }: Touched) {
        self.values.insert((export, shown(&steps)));
        match rule.change.moves(is_new) {
            Moves::Nothing => return,
            Moves::Inside => {}
            Moves::Beside => drop(steps.pop()),
        }
        self.moved.insert(shown(&steps), steps);
    }

    /// True if what was found for a rule may not be all, or not as it was.
    pub(super) fn concerns(&self, rule: &ValueRule, found: impl Iterator<Item = (usize, String)>) -> bool {
        self.moved.len() > MAX_MOVED
            || self.moved.values().any(|steps| rule.at.may_fit_below(steps))
            || match rule.change {
                RuleChange::Multiply(_) | RuleChange::Add(_) => {
                    found.into_iter().any(|value| self.values.contains(&value))
                }
                // Places of elements depend on all that is inside the value.
                RuleChange::RemoveValues(_) => !self.values.is_empty(),
                RuleChange::Set(_) | RuleChange::Append(_) | RuleChange::Remove => false,
            }
    }
}

/// Values that come, go or move with a change.
enum Moves {
    Nothing,
    /// Values inside the changed one.
    Inside,
    /// The changed one itself, and values beside it.
    Beside,
}

impl RuleChange {
    /// Values that come, go or move with it; `is_new` if it adds a value.
    fn moves(&self, is_new: bool) -> Moves {
        match self {
            Self::Set(_) if is_new => Moves::Beside,
            // Structs, arrays and maps are given as JSON.
            Self::Set(text) if !text.trim_start().starts_with(['{', '[']) => Moves::Nothing,
            Self::Multiply(_) | Self::Add(_) => Moves::Nothing,
            Self::Append(_) | Self::RemoveValues(_) | Self::Set(_) => Moves::Inside,
            Self::Remove => Moves::Beside,
        }
    }
}

/// Steps of an address after its export, as text.
pub(super) fn shown(steps: &[Step]) -> String {
    steps.iter().map(ToString::to_string).collect()
}
