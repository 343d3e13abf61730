//! `USoundCue`: a graph of nodes that combine sounds. The nodes are objects with properties.
//!
//! ```text
//! payload   strip flags
//! ```
//!
//! Verified on 5.8. Source: the payload sheet.

use super::reference::path;
use super::{Payload, StripFlags};
use crate::package::ObjectPath;
use crate::package::legacy::{Export, PackageIndex, PackageRef};
use crate::property::{Object, Scope, Value};
use crate::wire::{Fault, counted};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// `USoundCue`: a graph of nodes that combine sounds.
#[doc(alias = "USoundCue")]
#[derive(Debug, Clone, PartialEq)]
pub struct SoundCue {
    /// Kinds of data that the cooker left out.
    pub strip: StripFlags,
    /// `FirstNode`: index of the node whose output is heard.
    pub first: Option<usize>,
    /// Nodes that are connected to it, in breadth-first order; each may feed several others.
    pub nodes: Vec<CueNode>,
}

/// `USoundNode`: a sound, or an operation on several.
#[doc(alias = "USoundNode")]
#[derive(Debug, Clone, PartialEq)]
pub struct CueNode {
    /// Its name.
    pub name: Arc<str>,
    /// Its class, such as `SoundNodeWavePlayer`, `SoundNodeRandom`, `SoundNodeMixer` or `SoundNodeAttenuation`.
    pub class: Arc<str>,
    /// Sound that it plays.
    pub wave: Option<ObjectPath>,
    /// Asset with its attenuation.
    pub attenuation: Option<ObjectPath>,
    /// Indices of its inputs; `None` where nothing is connected.
    pub children: Vec<Option<usize>>,
    /// Properties of the node.
    pub object: Object,
}

/// Properties that refer to the sound of a node, by release: a soft path, and objects.
const WAVES: [&str; 3] = ["SoundWaveAssetPtr", "SoundWave", "DialogueWaveParameter"];

impl SoundCue {
    pub(super) fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        let strip = payload.strip_flags()?;
        let mut graph = Graph { scope: payload.scope, places: HashMap::new(), waiting: Vec::new() };
        let first = payload.property::<PackageIndex>("FirstNode").and_then(|node| graph.place(node));
        let mut nodes = Vec::new();
        // Nodes are queued when they are first met, and read once: a graph may have cycles.
        while let Some(export) = graph.waiting.get(nodes.len()).copied() {
            let node = graph.node(export);
            nodes.push(node);
        }
        Ok(Self { strip, first, nodes })
    }

    /// Returns the sounds that it plays, each once.
    #[must_use]
    pub fn waves(&self) -> Vec<&ObjectPath> {
        let mut waves: Vec<&ObjectPath> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for wave in self.nodes.iter().filter_map(|node| node.wave.as_ref()) {
            if seen.insert(wave.to_string().to_lowercase()) {
                waves.push(wave);
            }
        }
        waves
    }
}

/// Nodes met so far.
struct Graph<'s, 'a> {
    scope: &'s Scope<'a>,
    /// Indices of nodes, by export.
    places: HashMap<u32, usize>,
    /// Exports of nodes, by index.
    waiting: Vec<&'a Export>,
}

impl<'a> Graph<'_, 'a> {
    /// Returns the index of a node, and queues it if it is new.
    fn place(&mut self, node: PackageIndex) -> Option<usize> {
        let PackageRef::Export(at) = node.decode() else { return None };
        if let Some(place) = self.places.get(&at) {
            return Some(*place);
        }
        let package = self.scope.package;
        let export = package.exports.get(at as usize)?;
        // An object of another class is no input.
        let is_node = self.scope.classes(export.class).iter().any(|class| class.starts_with("SoundNode"));
        is_node.then(|| {
            self.waiting.push(export);
            let place = self.waiting.len() - 1;
            self.places.insert(at, place);
            place
        })
    }

    fn node(&mut self, export: &'a Export) -> CueNode {
        let scope = self.scope;
        let object = Object::read(scope, export);
        let value = |name: &str| object.find(scope, name).and_then(|member| member.value);
        let mut waves = WAVES.iter().filter_map(|name| value(name).or_else(|| object.tail.get(name)));
        let wave = waves.find_map(|value| wave_of(scope, value));
        let attenuation = value("AttenuationSettings").and_then(|value| path(scope, value));
        let children = value("ChildNodes").and_then(Value::items).unwrap_or_default();
        let child = |child: &Value| match child {
            Value::Object(node) => self.place(*node),
            _ => None,
        };
        CueNode {
            name: scope.package.text(export.name).to_string().into(),
            class: scope.classes(export.class).first().cloned().unwrap_or_default(),
            wave,
            attenuation,
            children: children.iter().map(child).collect(),
            object,
        }
    }
}

/// Returns the sound that a node refers to; dialogues wrap it in a struct.
fn wave_of(scope: &Scope<'_>, value: &Value) -> Option<ObjectPath> {
    let inner = value.properties().and_then(|list| list.find(scope.package, "DialogueWave"));
    path(scope, inner.and_then(|member| member.value).unwrap_or(value))
}

/// Summary of a sound cue.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CueSummary {
    /// Number of nodes.
    pub nodes: usize,
    /// Paths of the sounds.
    pub waves: Vec<String>,
}

impl SoundCue {
    pub(crate) fn summary(&self, _: &Scope<'_>, _: &Object) -> CueSummary {
        let waves = self.waves().into_iter().map(ToString::to_string).collect();
        CueSummary { nodes: self.nodes.len(), waves }
    }
}

impl fmt::Display for CueSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = counted(self.nodes as u64, "node", "nodes");
        write!(f, "sound cue: {nodes}, {}", counted(self.waves.len() as u64, "sound", "sounds"))
    }
}
