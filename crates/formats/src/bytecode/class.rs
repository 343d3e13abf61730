//! Blueprint classes: parents, interfaces, variables with their defaults, components.
//!
//! ```text
//! BlueprintGeneratedClass  properties (SimpleConstructionScript …) │ super, fields │ script │ class tail (interfaces …)
//! Default__X_C             the defaults of the variables, an object of the class
//! SimpleConstructionScript RootNodes ─► SCS_Node { InternalVariableName, ComponentTemplate, ChildNodes ─► … }
//! ```
//!
//! Seen in blueprints of 4.12, 4.20, 4.27, 5.1, 5.4 and 5.5. Source: the properties of these classes in real packages.

use super::variable::Variable;
use crate::package::legacy::{Export, Name, PackageIndex, PackageRef};
use crate::property::{Object, Problem, Scope, Value};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// A class that a blueprint compiles to (`UBlueprintGeneratedClass`).
#[doc(alias = "UBlueprintGeneratedClass")]
#[derive(Debug, Clone, PartialEq)]
pub struct BlueprintClass {
    /// Index among the exports.
    pub export: u32,
    /// Name.
    pub name: Name,
    /// Class that it extends.
    pub parent: PackageIndex,
    /// Interfaces that it implements.
    pub interfaces: Vec<PackageIndex>,
    /// Variables of its own, in file order; components are among them.
    pub variables: Vec<Variable>,
    /// Components that it adds, parents before their children.
    pub components: Vec<Component>,
    /// Default object, which has the defaults that differ from those of the parent.
    pub defaults: Option<Object>,
    /// Problem that left the class unread; then it has no variables here.
    pub problem: Option<Problem>,
}

/// A component added by a blueprint (`USCS_Node`).
#[doc(alias = "USCS_Node")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// Name of its variable.
    pub name: String,
    /// Class; null if not recorded.
    pub class: PackageIndex,
    /// Name of the inherited component that it is attached to.
    pub parent: Option<String>,
    /// Number of components of this blueprint that it is nested in.
    pub depth: usize,
}

/// Limit on nested components.
const MAX_DEPTH: usize = 64;

impl BlueprintClass {
    /// Returns true if an export is a class that a blueprint compiles to: of widgets and animations, too.
    #[must_use]
    pub fn is_class(scope: &Scope<'_>, export: &Export) -> bool {
        scope.package.class_path(export).ends_with("BlueprintGeneratedClass")
    }

    /// Returns all blueprint classes of a package, in export order.
    #[must_use]
    pub fn all(scope: &Scope<'_>) -> Vec<Self> {
        let exports = &scope.package.exports;
        let mut defaults: HashMap<i32, &Export> = HashMap::new();
        for export in exports.iter().filter(|export| export.is_default_object()) {
            defaults.entry(export.class.0).or_insert(export);
        }
        let mut nodes = HashSet::new();
        let classes = (0..).zip(exports).filter(|(_, export)| Self::is_class(scope, export));
        classes.map(|(place, export)| Self::read(scope, place, export, &defaults, &mut nodes)).collect()
    }

    fn read(
        scope: &Scope<'_>,
        place: u32,
        export: &Export,
        defaults: &HashMap<i32, &Export>,
        nodes: &mut HashSet<i32>,
    ) -> Self {
        let object = Object::read(scope, export);
        let tail = &object.tail;
        // The header of the package names the parent, too, also where the properties hide the rest of the class.
        let parent = match tail.object("SuperStruct") {
            PackageIndex::NONE => export.super_index,
            parent => parent,
        };
        let own = PackageIndex::export(place).unwrap_or(PackageIndex::NONE);
        let defaults = defaults.get(&own.0).map(|export| Object::read(scope, export));
        Self {
            export: place,
            name: export.name,
            parent,
            interfaces: tail.records("Interfaces").map(|entry| entry.object("Class")).collect(),
            variables: Variable::of_struct(scope, place, &object),
            components: components(scope, &object, nodes),
            defaults,
            problem: object.problem.filter(|_| object.tail.fields.is_empty()),
        }
    }
}

/// Returns the export that a reference of an object leads to.
fn export_of<'a>(scope: &Scope<'a>, object: &Object, property: &str) -> Option<&'a Export> {
    export_at(scope, object.get::<PackageIndex>(scope, property)?)
}

fn export_at<'a>(scope: &Scope<'a>, index: PackageIndex) -> Option<&'a Export> {
    match index.decode() {
        PackageRef::Export(place) => scope.package.exports.get(place as usize),
        _ => None,
    }
}

/// Returns the objects in a list of references.
fn references(scope: &Scope<'_>, object: &Object, property: &str) -> Vec<PackageIndex> {
    let list = object.find(scope, property).and_then(|member| member.value?.items());
    let index = |value: &Value| match value {
        Value::Object(index) => Some(*index),
        _ => None,
    };
    list.unwrap_or_default().iter().filter_map(index).collect()
}

/// Returns the components that a class adds. Each node belongs to one class and is visited once, so that a cycle ends, and all
/// classes together are as quick as one.
fn components(scope: &Scope<'_>, class: &Object, seen: &mut HashSet<i32>) -> Vec<Component> {
    let Some(script) = export_of(scope, class, "SimpleConstructionScript") else { return Vec::new() };
    let script = Object::read(scope, script);
    let mut found = Vec::new();
    // A stack instead of recursion, with the first node on top.
    let mut left: Vec<(PackageIndex, usize)> =
        references(scope, &script, "RootNodes").into_iter().rev().map(|node| (node, 0)).collect();
    while let Some((index, depth)) = left.pop() {
        let Some(node) = export_at(scope, index) else { continue };
        if !seen.insert(index.0) || depth == MAX_DEPTH {
            continue;
        }
        let node = Object::read(scope, node);
        found.push(component(scope, &node, depth));
        let children = references(scope, &node, "ChildNodes");
        left.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
    }
    found
}

fn component(scope: &Scope<'_>, node: &Object, depth: usize) -> Component {
    let name_in = |property| {
        let name = node.get::<Name>(scope, property).map(|name| scope.package.text(name).to_string());
        name.filter(|name| name != "None")
    };
    // Nodes of 4.12 record no class, those of 4.20 do; the template has it in any case.
    let class = node
        .get(scope, "ComponentClass")
        .or_else(|| Some(export_of(scope, node, "ComponentTemplate")?.class));
    Component {
        // The second is the name in 4.12, and later of nodes whose variable is not their own.
        name: name_in("InternalVariableName").or_else(|| name_in("VariableName")).unwrap_or_default(),
        class: class.unwrap_or(PackageIndex::NONE),
        parent: name_in("ParentComponentOrVariableName"),
        depth,
    }
}
