//! The components of a blueprint, as a tree with their values.

use super::context::ReviewContext;
use super::noise;
use super::section::{ReviewSection, SectionKind};
use super::values::Printer;
use crate::package::legacy::{PackageIndex, PackageRef};
use crate::property::{FromValue, Object, Value};
use std::collections::HashSet;

/// Class of the object that lists the nodes.
const SCRIPT: &str = "SimpleConstructionScript";
/// Properties of a node of the tree that its line shows, or that are lists of other nodes.
const OF_NODE: [&str; 6] = [
    "ComponentClass",
    "ComponentTemplate",
    "InternalVariableName",
    "VariableName",
    "ChildNodes",
    "CookedComponentInstancingData",
];

/// The trees of all blueprints of a package; adds to `shown` the exports in them.
pub(super) fn section(of: &ReviewContext<'_, '_>, shown: &mut HashSet<u32>) -> Option<ReviewSection> {
    let mut lines = Printer::new(of);
    let exports = (0_u32..).zip(&of.scope.package.exports).zip(of.objects);
    let scripts = exports.filter(|((_, export), _)| of.scope.class_name(export).as_deref() == Some(SCRIPT));
    let mut has_any = false;
    for ((at, _), script) in scripts {
        has_any = true;
        shown.insert(at);
        // All nodes last: what neither is a root nor below one is shown, too.
        for list in ["RootNodes", "AllNodes"] {
            tree(&mut lines, &indices(of, script, list), shown);
        }
        unused_root(of, script, shown);
    }
    has_any.then(|| ReviewSection {
        kind: SectionKind::Components,
        object: String::new(),
        heading: "components".to_owned(),
        lines: lines.lines,
    })
}

/// Leaves out the root that every blueprint has ready, where another component is the root.
fn unused_root(of: &ReviewContext<'_, '_>, script: &Object, shown: &mut HashSet<u32>) {
    let root = script.get::<PackageIndex>(of.scope, "DefaultSceneRootNode").map(PackageIndex::decode);
    let Some(PackageRef::Export(root)) = root.filter(|_| !of.options.all) else { return };
    if !shown.insert(root) {
        return;
    }
    let node = of.objects.get(root as usize);
    let template = node.and_then(|node| node.get::<PackageIndex>(of.scope, "ComponentTemplate"));
    if let Some(PackageRef::Export(template)) = template.map(PackageIndex::decode) {
        shown.insert(template);
    }
}

/// Prints nodes with those below them.
fn tree(lines: &mut Printer<'_, '_>, roots: &[u32], shown: &mut HashSet<u32>) {
    let of = lines.of;
    let mut open: Vec<(u32, usize)> = roots.iter().rev().map(|&root| (root, 1)).collect();
    while let Some((at, depth)) = open.pop() {
        let Some(node) = of.objects.get(at as usize) else { continue };
        // Each node once, also where damage makes a circle of them.
        if !shown.insert(at) {
            continue;
        }
        self::node(lines, depth, node, shown);
        open.extend(indices(of, node, "ChildNodes").into_iter().rev().map(|child| (child, depth + 1)));
    }
}

fn node(lines: &mut Printer<'_, '_>, depth: usize, node: &Object, shown: &mut HashSet<u32>) {
    let of = lines.of;
    let value_of = |name: &str| node.find(of.scope, name).and_then(|member| member.value);
    let names = ["InternalVariableName", "VariableName"].into_iter().filter_map(value_of);
    let name = names.map(|name| name.line(of.scope, usize::MAX)).next().unwrap_or_default();
    let object = |name: &str| value_of(name).and_then(PackageIndex::from_value).unwrap_or(PackageIndex::NONE);
    let template = match object("ComponentTemplate").decode() {
        PackageRef::Export(at) => Some(at),
        _ => None,
    };
    let class = match object("ComponentClass") {
        PackageIndex::NONE => {
            template.and_then(|at| of.scope.package.exports.get(at as usize)).map(|export| export.class)
        }
        class => Some(class),
    };
    let class = class.map_or_else(|| "None".to_owned(), |class| crate::graph::last_name(of.scope, class));
    lines.line(depth, format!("{name}: {class}"));
    if let Some(list) = &node.properties {
        let is_shown =
            |name: &str| of.options.all || !(OF_NODE.contains(&name) || noise::is_of_component(name));
        lines.list(depth + 2, list, &is_shown);
    }
    let Some(template) = template else { return };
    if let Some(object) = of.objects.get(template as usize)
        && shown.insert(template)
    {
        super::objects::contents(lines, depth + 2, template, object);
    }
}

/// The exports that a list of objects refers to.
fn indices(of: &ReviewContext<'_, '_>, object: &Object, name: &str) -> Vec<u32> {
    let listed = object.find(of.scope, name).and_then(|member| member.value).and_then(Value::items);
    let listed = listed.unwrap_or_default().iter().filter_map(PackageIndex::from_value);
    let exports = listed.filter_map(|index| match index.decode() {
        PackageRef::Export(at) => Some(at),
        _ => None,
    });
    exports.collect()
}
