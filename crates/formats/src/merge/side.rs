//! The objects of a version, by slot.

use super::conflict::MergeRefusal;
use super::relocate::{Relocate, Relocation};
use super::unified::{SlotKey, Unified};
use super::versions::MergeVersions;
use crate::bytecode::{Dialect, Script, TableSizes};
use crate::id::Guid;
use crate::package::legacy::{Export, Import, Package, PackageIndex, PackageRef};
use crate::property::{List, Object, Scope, Value};
use std::collections::{BTreeMap, HashSet};

/// Properties that identify an object when it is renamed, or when another one gets its name.
const IDS: [&str; 3] = ["NodeGuid", "VariableGuid", "MaterialExpressionGuid"];

/// Field with the bytecode of a function.
const BYTECODE: &str = "ScriptBytecode";

/// An object of a version; every index leads into the tables of all versions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SideObject {
    /// Its row, without offsets and lengths.
    pub row: Export,
    pub object: Object,
    /// Its bytecode, which the object then has not.
    pub script: Option<Script>,
    /// True if it holds bytes whose indices could not be replaced.
    pub is_opaque: bool,
    /// Objects that it depends on.
    pub depends: Vec<PackageIndex>,
}

impl SideObject {
    /// True if what is not understood is the same in both, so that it can stay while the rest changes.
    pub(super) fn has_same_opaque_parts(&self, other: &Self) -> bool {
        let is_damaged = |of: &Self| of.script.as_ref().is_some_and(|script| script.damage.is_some());
        !is_damaged(self)
            && !is_damaged(other)
            && self.object.rest == other.object.rest
            && raw_parts(&self.object) == raw_parts(&other.object)
    }
}

/// The objects of each version, by slot.
#[derive(Debug, Default)]
pub(super) struct Sides {
    pub base: BTreeMap<u32, SideObject>,
    pub ours: BTreeMap<u32, SideObject>,
    pub theirs: BTreeMap<u32, SideObject>,
}

/// Reads all versions, with common tables.
pub(super) fn read_sides(versions: &MergeVersions<'_, '_>) -> Result<(Unified, Sides), MergeRefusal> {
    let MergeVersions { base, ours, theirs } = *versions;
    check(versions)?;
    let mut unified = Unified::new(ours.package);
    // Ours first: its exports get the slots of their own indices.
    let ours = read_side(ours, true, &mut unified);
    let base = base.map(|base| read_side(base, false, &mut unified)).unwrap_or_default();
    let theirs = read_side(theirs, false, &mut unified);
    Ok((unified, Sides { base, ours, theirs }))
}

fn check(versions: &MergeVersions<'_, '_>) -> Result<(), MergeRefusal> {
    let MergeVersions { base, ours, theirs } = *versions;
    let forms = |package: &Package| {
        let custom: BTreeMap<_, _> =
            package.summary.custom_versions.iter().map(|version| (version.key, version.number)).collect();
        (package.form.versions, package.form.legacy, package.form.unversioned_properties, custom)
    };
    for scope in base.into_iter().chain([ours, theirs]) {
        if scope.package.form.cooked {
            return Err(MergeRefusal::Cooked);
        }
        if forms(scope.package) != forms(ours.package) {
            return Err(MergeRefusal::OtherRelease);
        }
        let is_inside = |import: &Import| matches!(import.outer.decode(), PackageRef::Export(_));
        if scope.package.imports.iter().any(is_inside) {
            return Err(MergeRefusal::ImportInside);
        }
    }
    // Those of ours stay where they are; those of theirs would have to be moved.
    let is_kept = base.map_or(ours, |base| base).after_exports() == theirs.after_exports();
    if is_kept || theirs.after_exports() == ours.after_exports() {
        return Ok(());
    }
    Err(MergeRefusal::Payloads)
}

fn read_side(scope: &Scope<'_>, is_ours: bool, unified: &mut Unified) -> BTreeMap<u32, SideObject> {
    let package = scope.package;
    let objects: Vec<Object> = package.exports.iter().map(|export| Object::read(scope, export)).collect();
    let mut relocation = Relocation::new(package, is_ours, unified);
    find_slots(scope, &objects, &mut relocation, unified);
    let (dialect, sizes) = (Dialect::of(scope), TableSizes::of(package));
    let mut by_slot = BTreeMap::new();
    for (at, (mut object, export)) in objects.into_iter().zip(&package.exports).enumerate() {
        let slot = relocation.exports.get(at).map(|index| index.decode());
        let Some(PackageRef::Export(slot)) = slot else { continue };
        let script = take_script(&mut object, dialect, &sizes);
        let is_damaged = script.as_ref().is_some_and(|script| script.damage.is_some());
        let is_opaque = is_damaged
            || object.problem.is_some()
            || !is_blank(&object.rest)
            || !raw_parts(&object).is_empty();
        let row = row(export, &mut relocation, unified);
        let mut relocate = Relocate { of: &mut relocation, unified };
        object.visit_indices(&mut relocate);
        let script = script.map(|mut script| {
            script.visit_indices(&mut relocate);
            script
        });
        let depends = package.depends.get(at).into_iter().flatten();
        let depends = depends.map(|index| relocation.of_object(*index)).collect();
        by_slot.insert(slot, SideObject { row, object, script, is_opaque, depends });
    }
    by_slot
}

/// Gives each export its slot, after the object that it is in.
fn find_slots(scope: &Scope<'_>, objects: &[Object], relocation: &mut Relocation<'_>, unified: &mut Unified) {
    let exports = &scope.package.exports;
    relocation.exports = vec![PackageIndex::NONE; exports.len()];
    let (mut is_done, mut taken) = (vec![false; exports.len()], HashSet::new());
    let is_ours = relocation.is_ours;
    if is_ours {
        // In the order of the file, so that slots are indices: outer objects by their own.
        relocation.exports = (0..).zip(exports).filter_map(|(at, _)| PackageIndex::export(at)).collect();
    }
    for at in 0..exports.len() {
        let (mut chain, mut next) = (Vec::new(), Some(at));
        while let Some(at) = next.filter(|at| is_done.get(*at) == Some(&false)) {
            if let Some(done) = is_done.get_mut(at) {
                *done = true;
            }
            chain.push(at);
            next = match exports.get(at).map(|export| export.outer.decode()) {
                Some(PackageRef::Export(outer)) if !is_ours => Some(outer as usize),
                _ => None,
            };
        }
        for at in chain.into_iter().rev() {
            let Some((export, object)) = exports.get(at).zip(objects.get(at)) else { continue };
            let id = IDS.iter().find_map(|name| object.get::<Guid>(scope, name));
            let id = id.filter(|id| *id != Guid::default());
            let outer = relocation.of_object(export.outer);
            let name = relocation.of_name(export.name, unified);
            let mut key = SlotKey { outer, id, name: id.is_none().then_some(name), nth: 0 };
            // A copy has the id of its original, and hostile packages have many objects of one name.
            if taken.contains(&key) {
                key.name = Some(name);
            }
            if !taken.insert(key) {
                key.nth = u32::try_from(at).unwrap_or(u32::MAX).saturating_add(1);
            }
            let slot = PackageIndex::export(unified.slot(key, name)).unwrap_or_default();
            if let Some(place) = relocation.exports.get_mut(at) {
                *place = slot;
            }
        }
    }
}

fn row(export: &Export, relocation: &mut Relocation<'_>, unified: &mut Unified) -> Export {
    Export {
        class: relocation.of_object(export.class),
        super_index: relocation.of_object(export.super_index),
        template: export.template.map(|template| relocation.of_object(template)),
        outer: relocation.of_object(export.outer),
        name: relocation.of_name(export.name, unified),
        serial_len: 0,
        serial_offset: 0,
        script: export.script.map(|_| [0, 0]),
        ..export.clone()
    }
}

/// Takes the bytecode out of a function.
fn take_script(object: &mut Object, dialect: Dialect, sizes: &TableSizes) -> Option<Script> {
    let len = match object.tail.get("BytecodeSize") {
        Some(Value::Int(len)) => u32::try_from(*len).unwrap_or(u32::MAX),
        _ => 0,
    };
    let field = object.tail.fields.iter_mut().find(|(name, _)| *name == BYTECODE);
    let (_, Value::Bytes(bytes)) = field? else { return None };
    Some(Script::parse(&std::mem::take(bytes), len, &dialect, sizes))
}

/// Puts the bytecode back.
pub(super) fn put_script(object: &mut Object, script: &Script) {
    let field = object.tail.fields.iter_mut().find(|(name, _)| *name == BYTECODE);
    if let Some((_, Value::Bytes(bytes))) = field {
        *bytes = script.to_bytes().into();
    }
}

/// True for bytes that cannot hold an index: none, or zeros.
fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// The parts of an object that are kept as bytes because they are not understood.
fn raw_parts(object: &Object) -> Vec<&[u8]> {
    let values = object.properties.iter().flat_map(List::values);
    let fields = object.head.fields.iter().chain(&object.tail.fields).map(|(_, value)| value);
    let (mut open, mut found): (Vec<&Value>, _) = (values.chain(fields).collect(), Vec::new());
    while let Some(value) = open.pop() {
        match value {
            Value::Raw(raw) => found.push(&*raw.bytes),
            value => value.children(&mut |inner| open.push(inner)),
        }
    }
    found
}
