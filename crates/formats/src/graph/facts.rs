//! The facts of graphs.

use crate::id::Guid;
use serde::Serialize;

/// `UEdGraph`: a graph with its nodes.
#[doc(alias = "UEdGraph")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Graph {
    /// The export.
    pub export: u32,
    /// Path in the package, such as `BP_Door:EventGraph`.
    pub path: String,
    /// Use of the graph.
    pub kind: GraphKind,
    /// The nodes, in the order of the file.
    pub nodes: Vec<Node>,
}

/// Use of a graph in its blueprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GraphKind {
    /// A page of events.
    Events,
    /// A function.
    Function,
    /// A function of an interface that the blueprint implements.
    InterfaceFunction,
    /// A macro.
    Macro,
    /// The signature of an event dispatcher.
    Dispatcher,
    /// Any other graph: one inside a node, or one of an asset that is no blueprint.
    Other,
}

/// `UEdGraphNode`: a node.
#[doc(alias = "UEdGraphNode")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Node {
    /// The export.
    pub export: u32,
    /// Name of the object.
    pub name: String,
    /// `NodeGuid`, which stays the same when the asset is saved again.
    pub id: Option<Guid>,
    /// Name of the class.
    pub class: String,
    /// Class and subject, such as `CallFunction KismetSystemLibrary.PrintString`.
    pub title: String,
    /// The author's comment.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub comment: String,
    /// True if the node is skipped when the graph is compiled.
    pub is_disabled: bool,
    /// Position in the graph, left and top.
    pub position: [i64; 2],
    /// The pins, in order.
    pub pins: Vec<Pin>,
    /// Pins that the author added, such as the parameters of a function.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
}

/// A pin that the author added to a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub of: String,
    /// Its default value.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub default: String,
}

/// `UEdGraphPin`: a pin.
#[doc(alias = "UEdGraphPin")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pin {
    /// Its id, unique in its node; `None` for pins that are objects.
    pub id: Option<Guid>,
    /// Its name.
    pub name: String,
    /// True for an output.
    pub is_output: bool,
    /// True for a pin that execution runs through, not a value.
    pub is_exec: bool,
    /// True if the editor does not show it.
    pub is_hidden: bool,
    /// Its type, such as `[Actor]` for an array of actors.
    #[serde(rename = "type")]
    pub of: String,
    /// The value of an input without links, if the author gave one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The pins that it is linked to, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
}

/// The end of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Link {
    /// The export of the node; `None` if it is not in the package.
    pub node: Option<u32>,
    /// Index of the pin in the node; `None` if there is none.
    pub pin: Option<u32>,
}

impl Node {
    /// The linked pins on one side.
    pub(super) fn linked(&self, is_output: bool) -> impl Iterator<Item = &Pin> {
        self.pins.iter().filter(move |pin| pin.is_output == is_output && !pin.links.is_empty())
    }

    /// True if execution runs through the node.
    #[must_use]
    pub fn is_executed(&self) -> bool {
        self.pins.iter().any(|pin| pin.is_exec)
    }
}
