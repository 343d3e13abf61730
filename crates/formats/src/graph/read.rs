//! Graphs of a package, from its objects.

use super::facts::{Graph, GraphKind, Link, Node};
use super::member::{field, property_text};
use super::pins::{self, PinKey, ReadPin};
use super::title::title;
use crate::package::legacy::{Export, PackageIndex, PackageRef};
use crate::property::{FromValue, Object, Scope, Value};
use std::collections::{BTreeMap, HashMap};

/// End of the names of classes of graphs.
const GRAPH: &str = "Graph";

/// Reads the graphs of a package; `objects` are its exports, decoded, in order. Graphs come in the order of their paths.
///
/// ```no_run
/// use uncask_formats::graph::graphs_of;
/// use uncask_formats::package::legacy::Package;
/// use uncask_formats::property::{Object, Scope};
///
/// let bytes = std::fs::read("BP_Door.uasset")?;
/// let package = Package::parse(&bytes)?;
/// let scope = Scope::new(&package, &bytes, 0, None);
/// let objects: Vec<Object> = package.exports.iter().map(|export| Object::read(&scope, export)).collect();
/// for graph in graphs_of(&scope, &objects) {
///     println!("{}: {} nodes", graph.path, graph.nodes.len());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn graphs_of(scope: &Scope<'_>, objects: &[Object]) -> Vec<Graph> {
    if scope.package.form.cooked {
        return Vec::new();
    }
    let mut graphs: BTreeMap<u32, Graph> = BTreeMap::new();
    let exports = || (0_u32..).zip(&scope.package.exports).zip(objects);
    let kinds = kinds(scope, objects);
    for ((at, export), object) in exports() {
        let class = scope.class_name(export);
        let has = |name: &str| object.find(scope, name).is_some();
        if class.is_some_and(|class| class.ends_with(GRAPH)) && (has("Schema") || has("Nodes")) {
            let path = PackageIndex::export(at).and_then(|index| scope.package.path(index, ""));
            let path = path.map(|path| path.names().join(".")).unwrap_or_default();
            let kind = kinds.get(&at).copied().unwrap_or(GraphKind::Other);
            graphs.insert(at, Graph { export: at, path, kind, nodes: Vec::new() });
        }
    }
    let mut links: HashMap<u32, Vec<Vec<PinKey>>> = HashMap::new();
    let mut pins: HashMap<PinKey, Link> = HashMap::new();
    for ((at, export), object) in exports() {
        let PackageRef::Export(outer) = export.outer.decode() else { continue };
        let Some(graph) = graphs.get_mut(&outer) else { continue };
        let Some((node, read)) = node(scope, objects, at, export, object) else { continue };
        for (pin, (key, _)) in (0..).zip(&read) {
            pins.insert(*key, Link { node: Some(at), pin: Some(pin) });
        }
        links.insert(at, read.into_iter().map(|(_, links)| links).collect());
        graph.nodes.push(node);
    }
    for node in graphs.values_mut().flat_map(|graph| &mut graph.nodes) {
        let of = links.remove(&node.export).unwrap_or_default();
        for (pin, links) in node.pins.iter_mut().zip(of) {
            let link = |key: &PinKey| pins.get(key).copied().unwrap_or_else(|| key.unresolved());
            pin.links = links.iter().map(link).collect();
        }
    }
    let mut graphs: Vec<Graph> = graphs.into_values().collect();
    graphs.sort_by(|one, other| (one.kind, &one.path).cmp(&(other.kind, &other.path)));
    graphs
}

/// The pins of a node, each with those that it is linked to.
type PinLinks = Vec<(PinKey, Vec<PinKey>)>;

/// A node, and the keys and links of its pins; `None` for an object that is no node.
fn node(
    scope: &Scope<'_>,
    objects: &[Object],
    at: u32,
    export: &Export,
    object: &Object,
) -> Option<(Node, PinLinks)> {
    let class = scope.class_name(export)?;
    let read = if object.tail.get("Pins").is_some() {
        pins::of_tail(scope, &object.tail)
    } else {
        let listed = object.find(scope, "Pins").and_then(|member| member.value).and_then(Value::items);
        // Nodes without pins, such as comments, may lack the list.
        if listed.is_none() && object.find(scope, "NodeGuid").is_none() {
            return None;
        }
        let indices = listed.unwrap_or_default().iter().filter_map(PackageIndex::from_value);
        indices.filter_map(|index| pin_object(scope, objects, index)).collect()
    };
    let number = |name: &str| object.get::<i64>(scope, name).unwrap_or(0);
    let mut keys = Vec::with_capacity(read.len());
    let mut of_node = Vec::with_capacity(read.len());
    for ReadPin { pin, key, links } in read {
        keys.push((key, links));
        of_node.push(pin);
    }
    let state = property_text(scope, object, "EnabledState");
    let node = Node {
        export: at,
        name: scope.package.text(export.name).to_string(),
        id: object.find(scope, "NodeGuid").and_then(|member| match member.value {
            Some(Value::Guid(id)) => Some(*id),
            Some(value) => match value.record().and_then(|record| record.fields.first()) {
                Some((_, Value::Guid(id))) => Some(*id),
                _ => None,
            },
            None => None,
        }),
        title: title(scope, &class, object),
        class: class.to_string(),
        comment: property_text(scope, object, "NodeComment"),
        is_disabled: state.ends_with("Disabled") || object.get(scope, "bIsNodeEnabled") == Some(false),
        position: [number("NodePosX"), number("NodePosY")],
        pins: of_node,
        parameters: pins::parameters(scope, &object.tail),
    };
    Some((node, keys))
}

/// A pin that is an object of the package.
fn pin_object(scope: &Scope<'_>, objects: &[Object], index: PackageIndex) -> Option<ReadPin> {
    let PackageRef::Export(at) = index.decode() else { return None };
    Some(pins::of_object(scope, index, objects.get(at as usize)?))
}

/// The use of each graph that a blueprint lists.
fn kinds(scope: &Scope<'_>, objects: &[Object]) -> HashMap<u32, GraphKind> {
    const LISTS: [(&str, GraphKind); 4] = [
        ("UbergraphPages", GraphKind::Events),
        ("FunctionGraphs", GraphKind::Function),
        ("MacroGraphs", GraphKind::Macro),
        ("DelegateSignatureGraphs", GraphKind::Dispatcher),
    ];
    let mut kinds = HashMap::new();
    let mut note = |value: Option<&Value>, kind: GraphKind| {
        for index in
            value.and_then(Value::items).unwrap_or_default().iter().filter_map(PackageIndex::from_value)
        {
            if let PackageRef::Export(at) = index.decode() {
                kinds.entry(at).or_insert(kind);
            }
        }
    };
    for object in objects {
        for (name, kind) in LISTS {
            note(object.find(scope, name).and_then(|member| member.value), kind);
        }
        let interfaces = object.find(scope, "ImplementedInterfaces").and_then(|member| member.value);
        for interface in interfaces.and_then(Value::items).unwrap_or_default() {
            note(field(scope, interface, "Graphs"), GraphKind::InterfaceFunction);
        }
    }
    kinds
}
