//! Applies rules to the objects of a package, one after the other.

use super::conditions::Facts;
use super::edited::Changed;
use super::rules::{Candidates, MAX_SHOWN, RuleChange, RuleOutcome, RuleSet, ValueRule, is_like};
use super::since::{Since, Touched, shown};
use super::through::through;
use crate::property::edit::{Address, Change, EditError, Editor, ExportName, Step};
use crate::property::json::value_text;
use crate::property::{Object, Scope, Value, ValuePlace};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Objects that rules changed, and what each rule did.
pub(super) struct Applied {
    pub objects: BTreeMap<usize, Object>,
    pub changes: Vec<Changed>,
    pub outcomes: Vec<RuleOutcome>,
    /// Number of objects that rules may be for, but that cannot be read.
    pub unread: usize,
}

/// A value that a rule is for.
struct Found {
    export: usize,
    /// The export, as messages name it.
    name: ExportName,
    steps: Vec<Step>,
    number: Option<Number>,
    /// Positions of elements that are to be removed.
    elements: Vec<usize>,
}

/// A number of a package.
#[derive(Debug, Clone, Copy)]
enum Number {
    Whole(i128),
    Single(f32),
    Double(f64),
}

/// Applies rules to a package. Changes are made in the order of the rules, and each sees those before it; only conditions are about
/// the package as it was.
pub(super) fn apply<'a>(scope: &Scope<'a>, editor: &mut Editor<'_, 'a>, sets: &[Arc<RuleSet>]) -> Applied {
    // Rules that a search has to find something for come into the queue only then: of thousands, few are for this package.
    let always = sets.iter().flat_map(|set| set.always());
    let mut queue: Queue<'_> = always.map(|rule| (rule.number, rule)).collect();
    let applied = Applied { objects: BTreeMap::new(), changes: Vec::new(), outcomes: Vec::new(), unread: 0 };
    let mut this = Applying { scope, editor, sets, facts: Facts::default(), found: HashMap::new(), applied };
    if sets.iter().any(|set| set.needs_search()) {
        this.search(0, true, &mut queue);
    }
    let mut since = Since::default();
    while let Some((number, rule)) = queue.pop_first() {
        let is_search = rule.needs_search();
        let found = this.found.get(&number).into_iter().flatten();
        if is_search && since.concerns(rule, found.map(|found| (found.export, shown(&found.steps)))) {
            this.search(number, false, &mut queue);
            queue.remove(&number);
            since = Since::default();
        }
        let changed = if is_search { this.searched(rule) } else { this.addressed(rule) };
        for touched in changed {
            since.add(rule, touched);
        }
    }
    this.applied
}

/// Rules by their number.
type Queue<'r> = BTreeMap<usize, &'r ValueRule>;

struct Applying<'p, 's, 'a> {
    scope: &'p Scope<'a>,
    editor: &'p mut Editor<'s, 'a>,
    sets: &'p [Arc<RuleSet>],
    facts: Facts,
    /// Values by the number of the rule that is for them.
    found: HashMap<usize, Vec<Found>>,
    applied: Applied,
}

impl<'p> Applying<'p, '_, '_> {
    /// Finds the values of rules from this number on, and, if asked for, the facts that conditions are about. Rules that find any
    /// come into the queue.
    fn search(&mut self, from: usize, with_facts: bool, queue: &mut Queue<'p>) {
        self.found.clear();
        let has_conditions = with_facts && self.sets.iter().any(|set| set.has_conditions);
        let (scope, found) = (self.scope, &mut self.found);
        let mut named: HashMap<String, usize> = HashMap::new();
        for export in &scope.package.exports {
            *named.entry(scope.package.text(export.name).to_string().to_lowercase()).or_default() += 1;
        }
        for (at, export) in scope.package.exports.iter().enumerate() {
            let name = scope.package.text(export.name).to_string();
            let candidates: Vec<Candidates<'p>> =
                self.sets.iter().flat_map(|set| set.groups(&name, at)).collect();
            if candidates.is_empty() {
                continue;
            }
            let is_alone = named.get(&name.to_lowercase()) == Some(&1);
            let name = if is_alone { ExportName::Name(name) } else { ExportName::Place(at) };
            let class = scope.package.class_path(export);
            let read = match self.applied.objects.get(&at) {
                Some(changed) => changed.clone(),
                None => Object::read(scope, export),
            };
            self.applied.unread += usize::from(with_facts && read.problem.is_some());
            read.walk(scope, &mut |place, value| {
                let last = last_step(place);
                let may_be = candidates.iter().any(|of| of.may_end_in(&last));
                if !may_be && !has_conditions {
                    return true;
                }
                let Some(steps) = steps_of(place) else { return true };
                if let Some(text) = value.text(scope).filter(|_| has_conditions) {
                    self.facts.add(at, &steps, text.into_owned());
                }
                for rule in candidates.iter().flat_map(|of| of.of(&last, &steps)) {
                    if rule.number >= from && rule.is_for(&class) {
                        let one = Found::new(scope, (at, &name, &steps), value, rule);
                        found.entry(rule.number).or_default().push(one);
                        queue.insert(rule.number, rule);
                    }
                }
                true
            });
        }
    }

    /// Applies a rule to the values that were found for it.
    fn searched(&mut self, rule: &ValueRule) -> Vec<Touched> {
        let mut found = self.found.remove(&rule.number).unwrap_or_default();
        found.retain(|found| rule.holds(&self.facts, found.export, &found.steps));
        if rule.change == RuleChange::Remove {
            // From the end: the places of those before stay what they are.
            found.reverse();
        }
        let mut outcome = RuleOutcome::of(rule);
        let mut touched = Vec::new();
        for one in &found {
            match self.change(rule, one, &mut outcome) {
                Ok(Some(is_new)) => {
                    touched.push(Touched { export: one.export, steps: one.steps.clone(), is_new });
                }
                Ok(None) => {}
                // A pattern fits whatever is there, also what cannot take the value.
                Err(error) => outcome.refuse(&error),
            }
        }
        if found.is_empty() && rule.is_needed && rule.conditions.is_empty() && rule.at.address().is_some() {
            outcome.problem = self.missing(rule);
        }
        self.applied.add(outcome);
        touched
    }

    /// The reason that no value has an address, in the words of an edit.
    fn missing(&mut self, rule: &ValueRule) -> Option<String> {
        let address = rule.at.address()?;
        let export = self.editor.export(&address.export);
        Some(match export {
            Err(error) => error.to_string(),
            Ok(_) => format!("{address} is left out, as it has the default of its class, or does not exist"),
        })
    }

    /// Applies a rule to the one value at its address, which the package may leave out.
    fn addressed(&mut self, rule: &ValueRule) -> Vec<Touched> {
        let Some(address) = rule.at.address() else { return Vec::new() };
        let mut outcome = RuleOutcome::of(rule);
        let mut touched = Vec::new();
        let changed = self.followed(rule, address).and_then(|followed| {
            for (address, rule) in followed {
                let export = self.editor.export(&address.export)?;
                let (name, steps) = (address.export, address.steps);
                let one = Found { export, name, steps, number: None, elements: Vec::new() };
                let changed = self.change(&rule, &one, &mut outcome)?;
                touched.extend(changed.map(|is_new| Touched { export, steps: one.steps.clone(), is_new }));
            }
            Ok(())
        });
        match changed {
            Err(EditError::NoExport { .. } | EditError::NotFound { .. } | EditError::NotAdded { .. })
                if !rule.is_needed => {}
            Err(error) => outcome.refuse(&error),
            Ok(()) => {}
        }
        self.applied.add(outcome);
        touched
    }

    /// The addresses that a rule leads to through references, and the change at each.
    fn followed<'r>(
        &mut self,
        rule: &'r ValueRule,
        address: &Address,
    ) -> Result<Vec<(Address, Cow<'r, ValueRule>)>, EditError> {
        let RuleChange::Set(text) = &rule.change else {
            let found = through(self.scope, self.editor, &mut self.applied.objects, address, "")?;
            return Ok(found.into_iter().map(|(address, _)| (address, Cow::Borrowed(rule))).collect());
        };
        let found = through(self.scope, self.editor, &mut self.applied.objects, address, text)?;
        let of = |new: String| {
            let is_same = new == *text;
            let changed = || ValueRule { change: RuleChange::Set(new), from: None, ..rule.clone() };
            if is_same { Cow::Borrowed(rule) } else { Cow::Owned(changed()) }
        };
        Ok(found.into_iter().map(|(address, text)| (address, of(text))).collect())
    }

    /// Changes a value, and returns whether some of it is new; `None` if it stays as it is.
    fn change(
        &mut self,
        rule: &ValueRule,
        one: &Found,
        outcome: &mut RuleOutcome,
    ) -> Result<Option<bool>, EditError> {
        let Some(export) = self.scope.package.exports.get(one.export) else { return Ok(None) };
        let object =
            self.applied.objects.entry(one.export).or_insert_with(|| Object::read(self.scope, export));
        let address = Address { export: one.name.clone(), steps: one.steps.clone() };
        let inner = |key: String| {
            let mut inner = address.clone();
            inner.steps.push(Step::Key(key));
            inner
        };
        let mut changes: Vec<(Address, Option<String>, Option<String>)> = Vec::new();
        let mut set = |editor: &mut Editor<'_, '_>, at: Address, text: &str| {
            let Change { from, to } = editor.set(object, &at, text)?;
            changes.push((at, from, Some(to)));
            Ok::<(), EditError>(())
        };
        match &rule.change {
            RuleChange::Set(text) => set(self.editor, address.clone(), text)?,
            RuleChange::Multiply(_) | RuleChange::Add(_) => {
                let Some(number) = one.number else { return Ok(None) };
                match number.changed(&rule.change) {
                    Some(text) => set(self.editor, address.clone(), &text)?,
                    None => outcome.values += 1,
                }
            }
            RuleChange::Append(items) => {
                for (key, text) in items {
                    match key {
                        None => set(self.editor, inner("+".to_owned()), text)?,
                        // A key that is there gets the new value.
                        Some(key) => {
                            let there = set(self.editor, inner(key.clone()), text);
                            if let Err(EditError::NotFound { .. }) = there {
                                set(self.editor, inner(format!("+{key}")), text)?;
                            } else {
                                there?;
                            }
                        }
                    }
                }
            }
            RuleChange::Remove => {
                let from = self.editor.remove(object, &address)?;
                changes.push((address.clone(), Some(from), None));
            }
            RuleChange::RemoveValues(_) => {
                for place in one.elements.iter().rev() {
                    let at = inner(place.to_string());
                    let from = self.editor.remove(object, &at)?;
                    changes.push((at, Some(from), None));
                }
            }
        }
        outcome.values += changes.len();
        let name = self.scope.package.text(export.name).to_string();
        let is_new = (!changes.is_empty()).then(|| changes.iter().any(|(_, from, _)| from.is_none()));
        for (at, from, to) in changes {
            let address = format!("{name}{}", shown(&at.steps));
            if at.steps == one.steps && !rule.expects(from.as_deref()) {
                outcome.differing.push(differing(&address, rule, from.as_deref()));
            }
            self.applied.changes.push(Changed { address, from, to });
        }
        Ok(is_new)
    }
}

/// A value that is not what a rule expects.
fn differing(address: &str, rule: &ValueRule, found: Option<&str>) -> [String; 3] {
    let cut = |text: &str| match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    };
    let wanted = rule.from.as_ref().map_or_else(String::new, Json::to_string);
    [address.to_owned(), cut(&wanted), cut(found.unwrap_or("the default of its class"))]
}

impl Applied {
    /// Adds the outcome of a rule that did something, or should have.
    fn add(&mut self, outcome: RuleOutcome) {
        if outcome.values > 0 || outcome.problem.is_some() {
            self.outcomes.push(outcome);
        }
    }
}

impl RuleOutcome {
    const fn of(rule: &ValueRule) -> Self {
        Self { rule: rule.number, values: 0, differing: Vec::new(), problem: None, is_refused: false }
    }

    fn refuse(&mut self, error: &EditError) {
        self.problem = Some(error.to_string());
        // What does not exist is found out before anything changes.
        self.is_refused |= !matches!(
            error,
            EditError::NoExport { .. } | EditError::NotFound { .. } | EditError::NotAdded { .. }
        );
    }
}

impl Found {
    fn new(
        scope: &Scope<'_>,
        (export, name, steps): (usize, &ExportName, &[Step]),
        value: &Value,
        rule: &ValueRule,
    ) -> Self {
        let elements = match &rule.change {
            RuleChange::RemoveValues(wanted) => {
                let is_wanted = |item: &Value| {
                    let found = serde_json::from_str::<Json>(&value_text(scope, item)).unwrap_or_default();
                    wanted.iter().any(|wanted| is_like(wanted, &found))
                };
                let items = value.items().unwrap_or_default().iter().enumerate();
                items.filter(|(_, item)| is_wanted(item)).map(|(at, _)| at).collect()
            }
            _ => Vec::new(),
        };
        Self { export, name: name.clone(), steps: steps.to_vec(), number: Number::of(value), elements }
    }
}

impl Number {
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Float(found) => Some(Self::Single(*found)),
            Value::Double(found) => Some(Self::Double(*found)),
            // The name of an enum value and a truth are no numbers, whatever they are stored as.
            Value::Enumerator(_) | Value::Bool(_) | Value::Bool32(_) => None,
            value => value.whole().map(Self::Whole),
        }
    }

    /// The number after a change, as text; `None` if it stays what it is.
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "as the value has it")]
    fn changed(self, change: &RuleChange) -> Option<String> {
        let of = |number: f64| match change {
            RuleChange::Multiply(factor) => number * factor,
            RuleChange::Add(summand) => number + summand,
            _ => number,
        };
        let text = |number: String, before: String| (number != before).then_some(number);
        match self {
            Self::Single(number) => text((of(number.into()) as f32).to_string(), number.to_string()),
            Self::Double(number) => text(of(number).to_string(), number.to_string()),
            // Rounded; the range of the type is checked where the value is set.
            Self::Whole(number) => text((of(number as f64).round() as i128).to_string(), number.to_string()),
        }
    }
}

/// Steps to a value in its object.
fn steps_of(place: &ValuePlace<'_>) -> Option<Vec<Step>> {
    Some(format!("Export.{place}").parse::<Address>().ok()?.steps)
}

/// The last step to a value, in lower case.
fn last_step(place: &ValuePlace<'_>) -> String {
    let last = place.last().to_string();
    let key = last.strip_suffix(']').and_then(|rest| Some(rest.rsplit_once('[')?.1));
    key.unwrap_or(&last).trim_matches('"').to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_type() {
        let changed = |number: Number, change: RuleChange| number.changed(&change);
        assert_eq!(changed(Number::Single(0.1), RuleChange::Multiply(1.5)).as_deref(), Some("0.15"));
        assert_eq!(changed(Number::Double(0.1), RuleChange::Add(1.0)).as_deref(), Some("1.1"));
        assert_eq!(changed(Number::Whole(5), RuleChange::Multiply(1.5)).as_deref(), Some("8"));
        assert_eq!(changed(Number::Whole(-5), RuleChange::Multiply(0.5)).as_deref(), Some("-3"));
        assert_eq!(changed(Number::Whole(7), RuleChange::Add(0.0)), None);
    }
}
