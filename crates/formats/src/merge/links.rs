//! Links of a merged graph: each has two ends, and a pin has no more of them than it can take.

use super::conflict::{ConflictKind, MergeSide};
use super::objects::Merger;
use super::side::SideObject;
use super::slots::Slots;
use crate::id::Guid;
use crate::package::legacy::PackageIndex;
use crate::property::{Body, Record, Value};
use std::collections::{HashMap, HashSet};

/// Category of pins that execution runs through.
const EXECUTION: &str = "exec";

/// A pin: its node and id.
type PinKey = (PackageIndex, Guid);

/// A link: the pin that has it, and the one at its other end.
type PinLink = (PinKey, PinKey);

/// A pin of a node.
struct Pin<'v> {
    key: PinKey,
    name: &'v Value,
    is_output: bool,
    category: &'v Value,
    links: Vec<PinKey>,
}

/// Faults of the links of a merged graph.
struct Faults {
    /// Pins with more links than they take: the object, the part, and the links.
    too_many: Vec<(u32, String, Vec<PinLink>)>,
    /// Links with one end: the object, the part, and the link.
    broken: Vec<(u32, String, PinLink)>,
}

/// Checks the links of all nodes, and cuts those that the preferred version does not have where there are too many, or where the
/// other end is gone. Without a preference, each fault is a conflict.
pub(super) fn check(merger: &mut Merger<'_, '_>, slots: &mut Slots<'_>) {
    let sides = slots.sides().map(Links::new);
    let Faults { too_many, broken } = faults(merger, slots, &sides);
    let Some(prefer) = merger.prefer else {
        let too_many = too_many.into_iter().map(|(slot, part, _)| (slot, part, ConflictKind::TwoLinks));
        let broken = broken.into_iter().map(|(slot, part, _)| (slot, part, ConflictKind::BrokenLink));
        for (slot, part, kind) in too_many.chain(broken) {
            merger.hard_conflict(slot, &part, kind);
        }
        return;
    };
    let [ours, theirs] = &sides;
    let preferred = if prefer == MergeSide::Ours { ours } else { theirs };
    let mut cut: HashSet<PinLink> = broken.iter().map(|(.., link)| *link).collect();
    for (slot, part, links) in too_many {
        for (from, to) in links.into_iter().filter(|link| !preferred.ends.contains(link)) {
            cut.extend([(from, to), (to, from)]);
        }
        merger.settled_at(slot, &part, ConflictKind::TwoLinks);
    }
    for (slot, part, _) in broken {
        merger.settled_at(slot, &part, ConflictKind::BrokenLink);
    }
    slots.cut(&cut);
}

fn faults(merger: &Merger<'_, '_>, slots: &Slots<'_>, [ours, theirs]: &[Links; 2]) -> Faults {
    let found = Links::new(slots.iter().map(|(_, object)| object));
    let mut faults = Faults { too_many: Vec::new(), broken: Vec::new() };
    for (slot, object) in slots.iter() {
        for pin in pins(object) {
            let part = || format!("Pins[{}]", text(merger, pin.name));
            // A fault that a version has itself is none of the merge.
            let broken = pin.links.iter().map(|to| (pin.key, *to)).filter(|link| {
                found.is_one_ended(*link) && !ours.is_one_ended(*link) && !theirs.is_one_ended(*link)
            });
            faults.broken.extend(broken.map(|link| (slot, part(), link)));
            let most = [ours, theirs].into_iter().filter_map(|of| of.counts.get(&pin.key)).max();
            if pin.links.len() > most.copied().unwrap_or_default().max(1) && is_single(merger, &pin) {
                let links = pin.links.iter().map(|to| (pin.key, *to)).collect();
                faults.too_many.push((slot, part(), links));
            }
        }
    }
    faults
}

impl Slots<'_> {
    /// Takes links away.
    fn cut(&mut self, links: &HashSet<PinLink>) {
        let has = |object: &SideObject| {
            pins(object).any(|pin| pin.links.iter().any(|to| links.contains(&(pin.key, *to))))
        };
        let slots: Vec<u32> = self.iter().filter(|(_, object)| has(object)).map(|(slot, _)| slot).collect();
        for slot in slots {
            let Some(object) = self.edit(slot) else { continue };
            let fields = object.object.tail.fields.iter_mut();
            for (_, value) in fields.filter(|(name, _)| *name == "Pins") {
                let Value::Array(pins) = value else { continue };
                for pin in pins {
                    cut_pin(pin, links);
                }
            }
        }
    }
}

fn cut_pin(pin: &mut Value, links: &HashSet<PinLink>) {
    let Value::Struct(found) = pin else { return };
    let Body::Native(record) = &mut found.body else { return };
    let Some(key) = reference(record) else { return };
    for (_, value) in record.fields.iter_mut().filter(|(name, _)| *name == "LinkedTo") {
        let Value::Array(items) = value else { continue };
        items.retain(|item| item.record().and_then(reference).is_none_or(|to| !links.contains(&(key, to))));
    }
}

/// The links of a version.
struct Links {
    ends: HashSet<PinLink>,
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
    fn is_one_ended(&self, (from, to): PinLink) -> bool {
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
fn is_single(merger: &Merger<'_, '_>, pin: &Pin<'_>) -> bool {
    (text(merger, pin.category) == EXECUTION) == pin.is_output
}

/// The text of a name or string.
fn text(merger: &Merger<'_, '_>, value: &Value) -> String {
    match value {
        Value::Name(name) => merger.unified.text(*name).to_owned(),
        Value::Str(text) => text.as_str().to_owned(),
        _ => String::new(),
    }
}
