//! Links of a merged graph: each has two ends, and a pin has no more of them than it can take.

use super::conflict::ConflictKind;
use super::objects::Merger;
use super::side::SideObject;
use super::slots::Slots;
use crate::id::Guid;
use crate::package::legacy::PackageIndex;
use crate::property::{Record, Value};
use std::collections::{HashMap, HashSet};

/// Category of pins that execution runs through.
const EXECUTION: &str = "exec";

/// A pin: its node and id.
type PinKey = (PackageIndex, Guid);

/// A pin of a node.
struct Pin<'v> {
    key: PinKey,
    name: &'v Value,
    is_output: bool,
    category: &'v Value,
    links: Vec<PinKey>,
}

/// Checks the links of all nodes. A fault that a version has itself is no conflict.
pub(super) fn check(merger: &mut Merger<'_>, slots: &Slots<'_>) {
    let [ours, theirs] = slots.sides().map(Links::new);
    let merged = Links::new(slots.iter().map(|(_, object)| object));
    for (slot, object) in slots.iter() {
        for pin in pins(object) {
            let is_broken = |to: &PinKey| {
                let link = (pin.key, *to);
                merged.is_one_ended(link) && !ours.is_one_ended(link) && !theirs.is_one_ended(link)
            };
            let most = [&ours, &theirs].into_iter().filter_map(|of| of.counts.get(&pin.key)).max();
            let is_too_many = pin.links.len() > most.copied().unwrap_or_default().max(1);
            let kind = if pin.links.iter().any(is_broken) {
                ConflictKind::BrokenLink
            } else if is_too_many && is_single(merger, &pin) {
                ConflictKind::TwoLinks
            } else {
                continue;
            };
            let class = merger.unified.class_name(object.row.class).to_owned();
            let part = format!("Pins[{}]", text(merger, pin.name));
            merger.hard_conflict(slot, &class, &part, kind);
        }
    }
}

/// The links of a version.
struct Links {
    ends: HashSet<(PinKey, PinKey)>,
    counts: HashMap<PinKey, usize>,
}

impl Links {
    fn new<'o>(objects: impl Iterator<Item = &'o SideObject>) -> Self {
        let mut this = Self { ends: HashSet::new(), counts: HashMap::new() };
        for pin in objects.flat_map(pins) {
            this.counts.insert(pin.key, pin.links.len());
            this.ends.extend(pin.links.into_iter().map(|to| (pin.key, to)));
        }
        this
    }

    /// True if the pin at the other end does not know of the link.
    fn is_one_ended(&self, (from, to): (PinKey, PinKey)) -> bool {
        self.ends.contains(&(from, to)) && !self.ends.contains(&(to, from))
    }
}

/// The pins of a node.
fn pins(object: &SideObject) -> impl Iterator<Item = Pin<'_>> {
    object.object.tail.records("Pins").filter_map(pin)
}

fn pin(record: &Record) -> Option<Pin<'_>> {
    let category = record.get("PinType").and_then(Value::record)?.fields.first().map(|(_, value)| value)?;
    Some(Pin {
        key: reference(record)?,
        name: record.get("PinName")?,
        is_output: matches!(record.get("Direction"), Some(Value::Byte(1))),
        category,
        links: record.records("LinkedTo").filter_map(reference).collect(),
    })
}

fn reference(record: &Record) -> Option<PinKey> {
    match (record.get("OwningNode"), record.get("PinId")) {
        (Some(Value::Object(node)), Some(Value::Guid(id))) => Some((*node, *id)),
        _ => None,
    }
}

/// True for a pin with one link at most: an output of execution, or an input of a value.
fn is_single(merger: &Merger<'_>, pin: &Pin<'_>) -> bool {
    (text(merger, pin.category) == EXECUTION) == pin.is_output
}

/// The text of a name or string.
fn text(merger: &Merger<'_>, value: &Value) -> String {
    match value {
        Value::Name(name) => merger.unified.text(*name).to_owned(),
        Value::Str(text) => text.as_str().to_owned(),
        _ => String::new(),
    }
}
