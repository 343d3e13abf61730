//! Graphs: nodes in the order of execution, one line for each value and link.

use super::blueprint;
use super::context::ReviewContext;
use super::lines::quoted;
use super::noise;
use super::section::{ReviewSection, SectionKind};
use super::values::Printer;
use crate::bytecode::function_flag_words;
use crate::graph::{Graph, GraphKind, Link, Node, Pin, in_order, is_of_title};
use crate::property::{Object, Value};

/// Class of the nodes that stand for the object itself, whose only pin is a value of others.
const SELF: &str = "K2Node_Self";

/// Start of the comment that the editor writes on events that are offered in a new blueprint.
const UNUSED: &str = "This node is disabled and will not be called.";

pub(super) fn section(of: &ReviewContext<'_, '_>, graph: &Graph) -> ReviewSection {
    let mut lines = Printer::new(of);
    for node in in_order(graph).into_iter().filter_map(|at| graph.nodes.get(at)) {
        if of.options.all || node.class != SELF {
            self::node(&mut lines, node);
        }
    }
    let word = match graph.kind {
        GraphKind::Events => "event graph",
        GraphKind::Function => "function",
        GraphKind::InterfaceFunction => "interface function",
        GraphKind::Macro => "macro",
        GraphKind::Dispatcher => "event dispatcher",
        GraphKind::Other => "graph",
    };
    // The blueprint around it goes without saying.
    let short = graph.path.split_once('.').map_or(graph.path.as_str(), |(_, path)| path);
    let name = if graph.kind == GraphKind::Other { &graph.path } else { short };
    ReviewSection {
        kind: SectionKind::Graph,
        object: graph.path.clone(),
        heading: format!("{word} {name}"),
        lines: lines.lines,
    }
}

fn node(lines: &mut Printer<'_, '_>, node: &Node) {
    let of = lines.of;
    let label = of.labels.of(node.export);
    let object = of.objects.get(node.export as usize);
    lines.line(1, format!("{label}{}", marks(of, node, object)));
    // The editor's own comment on an event that nobody uses yet.
    let comment = if node.comment.starts_with(UNUSED) && !of.options.all { "" } else { &node.comment };
    comment.lines().for_each(|comment| lines.line(2, format!("// {comment}")));
    for parameter in &node.parameters {
        let default = match parameter.default.as_str() {
            "" => String::new(),
            default => format!(" = {}", quoted(default)),
        };
        lines.line(2, format!("parameter {}: {}{default}", parameter.name, parameter.of));
    }
    node.pins.iter().for_each(|pin| self::pin(lines, node, pin));
    let Some(object) = object else { return };
    let locals =
        object.find(of.scope, "LocalVariables").and_then(|member| member.value).and_then(Value::items);
    for local in locals.filter(|_| !of.options.all).unwrap_or_default() {
        blueprint::variable(lines, 2, local);
    }
    if let Some(list) = &object.properties {
        let is_shown = |name: &str| of.options.all || !(noise::is_of_node(name) || is_of_title(name));
        lines.list(2, list, &is_shown);
    }
    if of.options.all {
        lines.line(2, format!("object {}", node.name));
    }
}

/// Marks after the name of a node: ` [disabled]`, ` [server, reliable]`.
fn marks(of: &ReviewContext<'_, '_>, node: &Node, object: Option<&Object>) -> String {
    let flags = ["ExtraFlags", "FunctionFlags"].map(|name| object?.get::<u32>(of.scope, name));
    let words = flags.into_iter().flatten().flat_map(function_flag_words);
    // Events and calls have the first two as a rule.
    let words = words.filter(|word| !["event", "public"].contains(word));
    let words: Vec<&str> = node.is_disabled.then_some("disabled").into_iter().chain(words).collect();
    if words.is_empty() { String::new() } else { format!(" [{}]", words.join(", ")) }
}

fn pin(lines: &mut Printer<'_, '_>, node: &Node, pin: &Pin) {
    let of = lines.of;
    let name = pin_name(node, pin);
    let type_of = if pin.of.is_empty() { String::new() } else { format!(": {}", pin.of) };
    // Execution is shown where it comes from, a value where it goes to.
    if pin.is_output && pin.is_exec {
        pin.links.iter().for_each(|link| lines.line(2, format!("{name} -> {}", target(of, link, true))));
    } else if !pin.is_output && !pin.is_exec {
        for link in &pin.links {
            lines.line(2, format!("{name}{type_of} <- {}", target(of, link, false)));
        }
        let value =
            pin.value.as_deref().filter(|_| pin.links.is_empty() && (!pin.is_hidden || of.options.all));
        match value {
            Some(value) if value.contains('\n') => {
                lines.line(2, format!("{name}{type_of}:"));
                value.lines().for_each(|line| lines.line(3, format!("| {line}")));
            }
            Some(value) => lines.line(2, format!("{name}{type_of} = {value}")),
            None => {}
        }
    } else if of.options.all {
        lines.line(2, format!("{name}{type_of}"));
    }
}

/// The name of a pin. That of the result of a cast holds the class as the editor's language calls it.
fn pin_name<'p>(node: &Node, pin: &'p Pin) -> &'p str {
    let is_result = node.class.contains("DynamicCast") && pin.is_output && pin.name.starts_with("As");
    if is_result { "As" } else { &pin.name }
}

/// The node and pin that a link leads to.
fn target(of: &ReviewContext<'_, '_>, link: &Link, is_execution: bool) -> String {
    let Some(export) = link.node else { return "(a pin of another package)".to_owned() };
    let label = of.labels.of(export);
    // Nodes that are no part of a graph that is known have no label.
    let label = if label.is_empty() { of.path(export) } else { label.to_owned() };
    let Some(node) = of.nodes.get(&export) else { return label };
    if node.class == SELF && !of.options.all {
        return "self".to_owned();
    }
    let pin = link.pin.and_then(|pin| node.pins.get(pin as usize));
    match pin.map(|pin| pin_name(node, pin)) {
        None => format!("{label}.(missing pin)"),
        // The pin that execution enters most nodes by.
        Some("execute" | "exec" | "Exec") if is_execution => label,
        Some(pin) => format!("{label}.{pin}"),
    }
}
