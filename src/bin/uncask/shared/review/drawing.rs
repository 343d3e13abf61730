//! Graphs as pictures: nodes in the order in which the author put them, with pins, values and wires.
//!
//! SVG is text that every browser draws, so the page needs no script.

use super::spread::{NodePlace, Stretch};
use crate::text::{html_escaped, shorten, width};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use uncask::game::Review;
use uncask::graph::{Graph, Node, Pin};

/// Most nodes of a graph that is drawn; browsers get slow beyond.
const MAX_NODES: usize = 2000;
/// Longest title or name of a pin, in characters.
const MAX_NAME: usize = 40;
/// Height of a row of pins, and of a title.
const ROW: i64 = 18;
/// Width of a character of the font.
const CHARACTER: i64 = 8;

/// Kind of change to a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// The other version does not have it.
    Alone,
    /// It differs in pins, values, links or its comment.
    Changed,
}

/// A node without its place, as text: equal for equal nodes.
fn content(review: &Review, node: &Node) -> String {
    let mut text = format!("{}\n{}\n{}\n{:?}\n", node.title, node.comment, node.is_disabled, node.parameters);
    for pin in &node.pins {
        let _ = write!(text, "{} {} {:?} ", pin.name, pin.of, pin.value);
        for link in &pin.links {
            let _ = write!(text, "{:?} ", link.node.map(|node| review.labels.of(node)));
        }
        text.push('\n');
    }
    text
}

/// The changes to the nodes of a graph against another version, by export.
pub(super) fn marks(review: &Review, graph: &Graph, other: Option<&Review>) -> HashMap<u32, Mark> {
    let old: HashMap<_, _> = other
        .into_iter()
        .flat_map(|other| {
            let graphs = other.graphs.iter().filter(|old| old.path == graph.path);
            graphs.flat_map(|old| &old.nodes).map(move |node| (node.id, content(other, node)))
        })
        .collect();
    let mark = |node: &Node| match old.get(&node.id) {
        None => Some(Mark::Alone),
        Some(text) if *text != content(review, node) => Some(Mark::Changed),
        Some(_) => None,
    };
    graph.nodes.iter().filter_map(|node| Some((node.export, mark(node)?))).collect()
}

/// A node with its place in the picture.
struct Boxed<'g> {
    node: &'g Node,
    inputs: Vec<(usize, &'g Pin)>,
    outputs: Vec<(usize, &'g Pin)>,
    place: NodePlace,
}

impl<'g> Boxed<'g> {
    fn new(node: &'g Node) -> Self {
        // Each event has the delegate that it is bound to as an output.
        let is_quiet = |pin: &Pin| pin.is_hidden || (pin.is_output && pin.of == "delegate");
        let is_shown = |pin: &&(usize, &Pin)| !is_quiet(pin.1) || !pin.1.links.is_empty();
        let (outputs, inputs): (Vec<_>, Vec<_>) =
            node.pins.iter().enumerate().filter(|pin| is_shown(&pin)).partition(|(_, pin)| pin.is_output);
        let longest =
            |pins: &[(usize, &Pin)]| pins.iter().map(|(_, pin)| columns(&label(pin))).max().unwrap_or(0);
        let wide = (longest(&inputs) + longest(&outputs) + 4).max(columns(&node.title) + 2);
        let rows = i64::try_from(inputs.len().max(outputs.len())).unwrap_or(0);
        // Damage may put a node anywhere.
        let [left, top] = node.position.map(|at| at.clamp(-1_000_000, 1_000_000));
        let place = NodePlace { left, top, width: wide * CHARACTER, height: (rows + 1) * ROW + 6 };
        Self { node, inputs, outputs, place }
    }

    /// The end of a wire at a pin.
    fn end(&self, pin: usize) -> Option<(i64, i64)> {
        let row = |pins: &[(usize, &Pin)]| pins.iter().position(|(at, _)| *at == pin);
        let at = |left: i64, row: usize| {
            Some((left, self.place.top + ROW * i64::try_from(row + 1).ok()? + ROW / 2))
        };
        match (row(&self.inputs), row(&self.outputs)) {
            (Some(row), _) => at(self.place.left, row),
            (None, Some(row)) => at(self.place.left + self.place.width, row),
            (None, None) => None,
        }
    }
}

/// Name of a pin, with the value that its author gave.
fn label(pin: &Pin) -> Cow<'_, str> {
    match &pin.value {
        Some(value) if pin.links.is_empty() => format!("{} = {value}", pin.name).into(),
        _ => (&*pin.name).into(),
    }
}

fn columns(text: &str) -> i64 {
    i64::try_from(width(text).min(MAX_NAME)).unwrap_or(0)
}

/// Returns the least stretch of a graph by which none of its nodes covers another.
pub(super) fn stretch(graph: &Graph) -> Stretch {
    if graph.nodes.len() > MAX_NODES {
        return Stretch::NONE;
    }
    Stretch::of(&graph.nodes.iter().map(|node| Boxed::new(node).place).collect::<Vec<_>>())
}

/// Draws a graph; `None` if it has no nodes, or too many.
pub(super) fn svg(graph: &Graph, marks: &HashMap<u32, Mark>, stretch: Stretch) -> Option<String> {
    if graph.nodes.is_empty() || graph.nodes.len() > MAX_NODES {
        return None;
    }
    let mut boxes: Vec<Boxed<'_>> = graph.nodes.iter().map(Boxed::new).collect();
    for node in &mut boxes {
        stretch.apply(&mut node.place);
    }
    let places = || boxes.iter().map(|node| node.place);
    let left = places().map(|place| place.left).min()? - 20;
    let top = places().map(|place| place.top).min()? - 20;
    let right = places().map(|place| place.left + place.width).max()? + 20;
    let bottom = places().map(|place| place.top + place.height).max()? + 20;
    let (wide, high) = (right - left, bottom - top);
    let mut text = format!(
        "<svg role=\"img\" aria-label=\"{}\" width=\"{wide}\" height=\"{high}\" viewBox=\"{left} {top} {wide} {high}\">\n",
        html_escaped(&graph.path)
    );
    let by_export: HashMap<u32, &Boxed<'_>> = boxes.iter().map(|node| (node.node.export, node)).collect();
    for from in &boxes {
        for (at, pin) in &from.outputs {
            for link in &pin.links {
                let to = link.node.and_then(|node| by_export.get(&node)).zip(link.pin);
                let to = to.and_then(|(node, pin)| node.end(pin as usize));
                if let Some(((x1, y1), (x2, y2))) = from.end(*at).zip(to) {
                    let bend = ((x2 - x1).abs() / 2).clamp(30, 200);
                    let class = if pin.is_exec { "exec" } else { "wire" };
                    let _ = writeln!(
                        text,
                        "<path class=\"{class}\" d=\"M{x1} {y1}C{} {y1} {} {y2} {x2} {y2}\"/>",
                        x1 + bend,
                        x2 - bend
                    );
                }
            }
        }
    }
    for node in &boxes {
        node_text(&mut text, node, marks.get(&node.node.export).copied());
    }
    text.push_str("</svg>\n");
    Some(text)
}

fn node_text(text: &mut String, of: &Boxed<'_>, mark: Option<Mark>) {
    let class = match mark {
        None => "node",
        Some(Mark::Alone) => "node alone",
        Some(Mark::Changed) => "node changed",
    };
    let NodePlace { left, top, width, height } = of.place;
    let _ = write!(
        text,
        "<g class=\"{class}\"><title>{}</title><rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"4\"/>\
         <text class=\"title\" x=\"{}\" y=\"{}\">{}</text>",
        html_escaped(&of.node.title),
        left + CHARACTER,
        top + ROW - 4,
        html_escaped(&shorten(&of.node.title, MAX_NAME)),
    );
    for (pins, x, class) in
        [(&of.inputs, left + CHARACTER, "in"), (&of.outputs, left + width - CHARACTER, "out")]
    {
        let mut y = top + 2 * ROW - 5;
        for (_, pin) in pins {
            let name = html_escaped(&shorten(&label(pin), MAX_NAME));
            let _ = write!(text, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{name}</text>");
            y += ROW;
        }
    }
    text.push_str("</g>\n");
}
