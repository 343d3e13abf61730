//! Lists of which both versions have other ones.
//!
//! ```text
//! base    A B C          C is gone from ours, D is new
//! ours    A B D          E is new in theirs, after A
//! theirs  A E B C        result: A E B D
//! ```

use super::conflict::ConflictKind;
use super::key::{Key, Keys, is_same, keys};
use super::objects::Merger;
use crate::property::{Inner, Value};
use std::collections::{HashMap, HashSet};

/// A list with the identities of its elements.
struct Keyed<'v> {
    items: &'v [Value],
    keys: Keys,
    places: HashMap<Key, usize>,
}

impl<'v> Keyed<'v> {
    fn new(items: &'v [Value], keys: Keys) -> Self {
        let places = keys.of.iter().enumerate().map(|(at, key)| (key.clone(), at)).collect();
        Self { items, keys, places }
    }

    fn get(&self, key: &Key) -> Option<&'v Value> {
        self.places.get(key).and_then(|at| self.items.get(*at))
    }

    fn has(&self, key: &Key) -> bool {
        self.places.contains_key(key)
    }

    fn iter(&self) -> impl Iterator<Item = (&Key, &'v Value)> {
        self.keys.of.iter().zip(self.items)
    }
}

impl Merger<'_, '_> {
    /// Merges a list.
    pub(super) fn list(&mut self, base: &[Value], ours: &[Value], theirs: &[Value]) -> Vec<Value> {
        let is_equal =
            |a: &[Value], b: &[Value]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b));
        if is_equal(ours, theirs) || is_equal(base, theirs) {
            return ours.to_vec();
        }
        if is_equal(base, ours) {
            self.taken += 1;
            return theirs.to_vec();
        }
        let found = keys(self.unified, [base, ours, theirs]);
        let are_ids = found.as_ref().is_some_and(|all| all.iter().any(|keys| keys.are_ids));
        if !are_ids && base.len() == ours.len() && base.len() == theirs.len() {
            // Elements at the same places, if that goes well.
            let before = self.mark();
            let items = base.iter().zip(ours).zip(theirs).enumerate().map(|(at, ((base, ours), theirs))| {
                self.inside(&format!("[{at}]"), |this| this.value(Some(base), ours, theirs))
            });
            let items: Vec<Value> = items.collect();
            if !self.has_conflicts_since(before) || found.is_none() {
                return items;
            }
            self.back_to(before);
        }
        let Some([base_keys, our_keys, their_keys]) = found else {
            return self.choose(ConflictKind::BothChange, &ours.to_vec(), &theirs.to_vec());
        };
        let sides = [Keyed::new(base, base_keys), Keyed::new(ours, our_keys), Keyed::new(theirs, their_keys)];
        self.keyed(&sides, are_ids)
    }

    /// Merges the entries of a map, by their keys.
    pub(super) fn entries(
        &mut self,
        base: &[(Value, Value)],
        ours: &[(Value, Value)],
        theirs: &[(Value, Value)],
    ) -> Vec<(Value, Value)> {
        let keys_of =
            |entries: &[(Value, Value)]| entries.iter().map(|(key, _)| super::key::bytes(key)).collect();
        let lists = [base, ours, theirs];
        let sides = lists.map(|entries| Keys { of: keys_of(entries), are_ids: true });
        let is_clear = sides.iter().all(|keys| keys.of.iter().collect::<HashSet<_>>().len() == keys.of.len());
        if !is_clear {
            return self.choose(ConflictKind::BothChange, &ours.to_vec(), &theirs.to_vec());
        }
        let values = lists.map(|entries| entries.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>());
        let [base_values, our_values, their_values] = &values;
        let all: HashMap<Key, Value> = lists
            .iter()
            .flat_map(|entries| entries.iter())
            .map(|(key, _)| (super::key::bytes(key), key.clone()))
            .collect();
        let [base_keys, our_keys, their_keys] = sides;
        let sides = [
            Keyed::new(base_values, base_keys),
            Keyed::new(our_values, our_keys),
            Keyed::new(their_values, their_keys),
        ];
        let merged = self.in_order(&sides, true);
        merged.into_iter().filter_map(|(key, value)| Some((all.get(&key)?.clone(), value))).collect()
    }

    fn keyed(&mut self, sides: &[Keyed<'_>; 3], are_ids: bool) -> Vec<Value> {
        self.in_order(sides, are_ids).into_iter().map(|(_, value)| value).collect()
    }

    /// The elements that stay, in the order of the version that changed it, with those that only the other one has after the
    /// elements that they follow there.
    fn in_order(&mut self, sides: &[Keyed<'_>; 3], are_ids: bool) -> Vec<(Key, Value)> {
        let [base, ours, theirs] = sides;
        let is_ours_leading = !has_other_order(theirs, base);
        if !is_ours_leading && has_other_order(ours, base) && has_other_order(ours, theirs) {
            self.conflict(ConflictKind::BothChange);
        }
        let (leading, other) = if is_ours_leading { (ours, theirs) } else { (theirs, ours) };
        let mut stays: Vec<(Key, Value, bool)> = Vec::new();
        for (key, item) in leading.iter() {
            let is_new = !base.has(key) && !other.has(key);
            let merged = self.element(key, sides, (item, stays.len()));
            stays.extend(merged.map(|value| (key.clone(), value, is_new)));
        }
        let mut added = self.added(sides, (leading, other), &stays);
        // Both add at one place, and their order matters.
        let mut merged = Vec::with_capacity(stays.len());
        let mut waiting = added.remove(&None).unwrap_or_default();
        for (key, value, is_new) in stays {
            if is_new && !waiting.is_empty() && !are_ids {
                self.conflict(ConflictKind::BothChange);
            }
            if !is_new {
                merged.append(&mut waiting);
            }
            let after = if is_new { None } else { added.remove(&Some(key.clone())) };
            merged.push((key, value));
            waiting.extend(after.into_iter().flatten());
        }
        merged.append(&mut waiting);
        merged
    }

    /// The elements that only the other version has, by the element that they follow there.
    fn added(
        &mut self,
        sides: &[Keyed<'_>; 3],
        (leading, other): (&Keyed<'_>, &Keyed<'_>),
        stays: &[(Key, Value, bool)],
    ) -> HashMap<Option<Key>, Vec<(Key, Value)>> {
        let known: HashSet<&Key> =
            stays.iter().filter(|(_, _, is_new)| !is_new).map(|(key, ..)| key).collect();
        let mut added: HashMap<Option<Key>, Vec<(Key, Value)>> = HashMap::new();
        let mut after = None;
        for (at, (key, item)) in other.iter().enumerate() {
            if leading.has(key) {
                if known.contains(key) {
                    after = Some(key.clone());
                }
                continue;
            }
            let merged = self.element(key, sides, (item, at));
            added.entry(after.clone()).or_default().extend(merged.map(|value| (key.clone(), value)));
        }
        added
    }

    /// One element, as both versions have it; `None` if it goes.
    fn element(
        &mut self,
        key: &Key,
        [base, ours, theirs]: &[Keyed<'_>; 3],
        (item, at): (&Value, usize),
    ) -> Option<Value> {
        let label = label(self, item).unwrap_or_else(|| format!("[{at}]"));
        let label = if label.starts_with('[') { label } else { format!("[{label}]") };
        self.inside(&label, |this| match (base.get(key), ours.get(key), theirs.get(key)) {
            (base, Some(ours), Some(theirs)) => Some(this.value(base, ours, theirs)),
            (None, Some(ours), None) => Some(ours.clone()),
            (None, None, Some(theirs)) => {
                this.taken += 1;
                Some(theirs.clone())
            }
            (Some(base), Some(ours), None) if is_same(base, ours) => {
                this.taken += 1;
                None
            }
            (Some(base), None, Some(theirs)) if is_same(base, theirs) => None,
            (Some(_), ours, theirs) if ours.is_some() || theirs.is_some() => {
                let kind =
                    if ours.is_none() { ConflictKind::RemovedByOurs } else { ConflictKind::RemovedByTheirs };
                this.choose(kind, &ours, &theirs).cloned()
            }
            _ => None,
        })
    }
}

/// True if the elements that both lists have stand in another order.
fn has_other_order(list: &Keyed<'_>, base: &Keyed<'_>) -> bool {
    let places = list.keys.of.iter().filter_map(|key| base.places.get(key));
    !places.is_sorted()
}

/// Words for an element: its name, if it has one.
fn label(merger: &Merger<'_, '_>, item: &Value) -> Option<String> {
    match item {
        Value::Name(name) => Some(merger.unified.text(*name).to_owned()),
        Value::Str(text) => Some(text.as_str().to_owned()),
        Value::Object(index) => match index.decode() {
            crate::package::legacy::PackageRef::Export(slot) => Some(merger.unified.path(slot)),
            _ => None,
        },
        Value::Struct(_) => {
            let record = item.record()?;
            let name = record.fields.iter().find(|(name, _)| *name == "PinName").map(|(_, value)| value)?;
            if matches!(name.inner(), Inner::Leaf) { label(merger, name) } else { None }
        }
        _ => None,
    }
}
