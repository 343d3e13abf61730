//! Rules: changes to all values of a package whose addresses fit a pattern.

use super::conditions::{Condition, Facts};
use super::pattern::AddressPattern;
use crate::property::edit::Step;
use crate::values::query::NamePattern;
use serde_json::Value as Json;
use std::collections::HashMap;

/// A change to every value that fits.
#[derive(Debug, Clone)]
pub struct ValueRule {
    /// Number of the rule among all of them: rules are applied in its order.
    pub number: usize,
    /// Addresses of the values.
    pub at: AddressPattern,
    /// Name of the class that their objects have.
    pub class: Option<String>,
    /// Conditions, all of which have to hold in the package as it was before all changes.
    pub conditions: Vec<Condition>,
    /// The expected old value.
    pub from: Option<Json>,
    /// The change.
    pub change: RuleChange,
    /// True if a package without such a value is an error.
    pub is_needed: bool,
}

/// A change by a rule.
#[derive(Debug, Clone, PartialEq)]
pub enum RuleChange {
    /// A new value, as text.
    Set(String),
    /// A factor for a number. Whole numbers are rounded, halves away from zero.
    Multiply(f64),
    /// A summand for a number.
    Add(f64),
    /// Elements to add to an array or set, or, with keys, entries for a map: those of keys that it has are replaced.
    Append(Vec<(Option<String>, String)>),
    /// The element, row or key of a map is removed.
    Remove,
    /// Elements with one of these values are removed from an array or set.
    RemoveValues(Vec<Json>),
}

/// Outcome of a rule in a package, if it found anything to change there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleOutcome {
    /// Number of the rule.
    pub rule: usize,
    /// Number of values that it was applied to.
    pub values: usize,
    /// Values that were not what the rule expects: address, expected and found.
    pub differing: Vec<[String; 3]>,
    /// A reason that it could not be applied.
    pub problem: Option<String>,
    /// True if a value was refused, not only missed: the package may have half of the change, and is not to be written.
    pub is_refused: bool,
}

/// Rules for the same packages.
#[derive(Debug, Default)]
pub struct RuleSet {
    pub(super) rules: Vec<ValueRule>,
    /// Rules for one export, by its name in lower case.
    named: HashMap<String, Group>,
    /// Rules for several exports, each group with a pattern.
    wild: HashMap<String, Group>,
    pub(super) has_conditions: bool,
    /// Positions of rules for one address.
    always: Vec<usize>,
}

/// Positions of rules, by the last step of their addresses.
#[derive(Debug, Default, Clone)]
struct Group {
    by_last: HashMap<String, Vec<usize>>,
    others: Vec<usize>,
}

/// Length at which values are cut in messages, in bytes.
pub(super) const MAX_SHOWN: usize = 200;

impl RuleSet {
    /// A set of rules.
    #[must_use]
    pub fn new(rules: Vec<ValueRule>) -> Self {
        let (mut named, mut wild) = (HashMap::<String, Group>::new(), HashMap::<String, Group>::new());
        for (at, rule) in rules.iter().enumerate().filter(|(_, rule)| rule.needs_search()) {
            let (name, groups) = match rule.at.export_name() {
                Some(name) => (name.to_lowercase(), &mut named),
                None => (rule.at.export_text(), &mut wild),
            };
            let group = groups.entry(name).or_default();
            match rule.at.last() {
                Some(last) => group.by_last.entry(last).or_default().push(at),
                None => group.others.push(at),
            }
        }
        let has_conditions = rules.iter().any(|rule| !rule.conditions.is_empty());
        // One that is needed is missed where nothing fits.
        let is_always =
            |rule: &ValueRule| !rule.needs_search() || rule.is_needed && rule.at.address().is_some();
        let always = (0..rules.len()).filter(|at| rules.get(*at).is_some_and(is_always)).collect();
        Self { rules, named, wild, has_conditions, always }
    }

    /// Rules that are tried whatever a search finds: they have an address of their own.
    pub(super) fn always(&self) -> impl Iterator<Item = &ValueRule> {
        self.always.iter().filter_map(|at| self.rules.get(*at))
    }

    /// True if values have to be searched for.
    pub(super) fn needs_search(&self) -> bool {
        !(self.named.is_empty() && self.wild.is_empty())
    }

    /// Groups with rules for an export.
    pub(super) fn groups(&self, name: &str, place: usize) -> Vec<Candidates<'_>> {
        let fits = |group: &&Group| {
            let first = group.others.first().or_else(|| group.by_last.values().flatten().next());
            let rule = first.and_then(|at| self.rules.get(*at));
            rule.is_some_and(|rule| rule.at.fits_export(name, place))
        };
        let groups = self.named.get(&name.to_lowercase()).into_iter().chain(self.wild.values().filter(fits));
        groups.map(|group| Candidates { set: self, group }).collect()
    }
}

/// Rules that may be for values of an export.
#[derive(Clone, Copy)]
pub(super) struct Candidates<'r> {
    set: &'r RuleSet,
    group: &'r Group,
}

impl<'r> Candidates<'r> {
    /// True if a value whose address ends in this step, in lower case, may be one of a rule.
    pub(super) fn may_end_in(&self, last: &str) -> bool {
        !self.group.others.is_empty() || self.group.by_last.contains_key(last)
    }

    /// The rules for a value.
    pub(super) fn of(self, last: &str, steps: &[Step]) -> impl Iterator<Item = &'r ValueRule> {
        let named = self.group.by_last.get(last).into_iter().flatten();
        let rules = named.chain(&self.group.others).filter_map(|at| self.set.rules.get(*at));
        rules.filter(move |rule| rule.at.fits(steps))
    }
}

impl ValueRule {
    /// True if the values have to be looked for, or looked at, before they are changed.
    pub(super) fn needs_search(&self) -> bool {
        let by_address =
            matches!(self.change, RuleChange::Set(_) | RuleChange::Append(_) | RuleChange::Remove);
        !by_address || self.at.address().is_none() || !self.conditions.is_empty() || self.class.is_some()
    }

    /// True if objects of a class are those that it is for.
    pub(super) fn is_for(&self, class: &str) -> bool {
        let Some(wanted) = &self.class else { return true };
        let name = class.rsplit(['.', ':']).next().unwrap_or(class);
        NamePattern::new(wanted).is_ok_and(|pattern| pattern.matches(name) || pattern.matches(class))
    }

    /// True if all conditions hold for a value.
    pub(super) fn holds(&self, facts: &Facts, export: usize, steps: &[Step]) -> bool {
        self.conditions.iter().all(|condition| facts.hold(condition, export, steps))
    }

    /// True if a value is the expected one, or none is.
    pub(super) fn expects(&self, found: Option<&str>) -> bool {
        let Some(wanted) = &self.from else { return true };
        let found = found.and_then(|text| serde_json::from_str::<Json>(text).ok());
        found.is_some_and(|found| is_like(wanted, &found))
    }
}

/// True if a value has what is wanted of it: numbers in the precision of the shorter one, texts in any letter case, with or without
/// the type of an enum before them, and of an object those members that are wanted.
pub(super) fn is_like(wanted: &Json, found: &Json) -> bool {
    match (wanted, found) {
        (Json::Number(a), Json::Number(b)) => match (a.as_f64(), b.as_f64()) {
            #[expect(
                clippy::float_cmp,
                clippy::cast_possible_truncation,
                reason = "the same number is meant"
            )]
            (Some(a), Some(b)) => a == b || a as f32 == b as f32,
            _ => a == b,
        },
        (Json::String(a), Json::String(b)) => {
            let plain = |text: &str| text.rsplit("::").next().unwrap_or_default().to_lowercase();
            a.eq_ignore_ascii_case(b) || !a.contains("::") && plain(a) == plain(b)
        }
        (Json::String(none), Json::Null) => none.is_empty() || none.eq_ignore_ascii_case("None"),
        (Json::Object(a), Json::Object(b)) => {
            a.iter().all(|(name, a)| b.get(name).is_some_and(|b| is_like(a, b)))
        }
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_like(a, b)),
        // A recipe has texts for what its notation cannot say.
        (Json::String(text), other) => serde_json::from_str::<Json>(text)
            .is_ok_and(|parsed| !parsed.is_string() && is_like(&parsed, other)),
        _ => wanted == found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_compared_as_their_authors_mean_them() {
        for (wanted, found, expected) in [
            (json!(0.1), json!(0.100_000_001_490_116_12), true),
            (json!(1), json!(1.0), true),
            (json!(1), json!(2), false),
            (json!("fire"), json!("EElement::Fire"), true),
            (json!("EOther::Fire"), json!("EElement::Fire"), false),
            (json!("None"), json!(null), true),
            (json!({"A": 1}), json!({"A": 1, "B": 2}), true),
            (json!({"C": 1}), json!({"A": 1}), false),
            (json!([1, 2]), json!([1, 2, 3]), false),
            (json!("[1, null]"), json!([1, null]), true),
            (json!("7"), json!(7), true),
        ] {
            assert_eq!(is_like(&wanted, &found), expected, "{wanted} {found}");
        }
    }
}
