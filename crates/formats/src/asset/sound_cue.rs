//! `SoundCue`: sounds, and how they are put together: a graph of nodes, which are objects with properties.
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

/// `USoundCue`: sounds, and how they are put together.
#[doc(alias = "USoundCue")]
#[derive(Debug, Clone, PartialEq)]
pub struct SoundCue {
    /// What a cooker left out.
    pub strip: StripFlags,
    /// `FirstNode`: what is heard, a place among the nodes.
    pub first: Option<usize>,
    /// The nodes that lead to it, in the order in which they are met from the first one; each may feed several others.
    pub nodes: Vec<CueNode>,
}

/// `USoundNode`: a sound, or what is done with several.
#[doc(alias = "USoundNode")]
#[derive(Debug, Clone, PartialEq)]
pub struct CueNode {
    /// Its name.
    pub name: Arc<str>,
    /// Its class, such as `SoundNodeWavePlayer`, `SoundNodeRandom`, `SoundNodeMixer` or `SoundNodeAttenuation`.
    pub class: Arc<str>,
    /// The sound that it plays.
    pub wave: Option<ObjectPath>,
    /// The asset with its attenuation.
    pub attenuation: Option<ObjectPath>,
    /// What it takes, by the places among the nodes; `None` where nothing is connected.
    pub children: Vec<Option<usize>>,
    /// What was read of it.
    pub object: Object,
}

/// What names the sound of a node, by release: a soft path, and objects.
const WAVES: [&str; 3] = ["SoundWaveAssetPtr", "SoundWave", "DialogueWaveParameter"];

impl SoundCue {
    pub(super) fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        let strip = payload.strip_flags()?;
        let mut graph = Graph { scope: payload.scope, places: HashMap::new(), waiting: Vec::new() };
        let first = payload.property::<PackageIndex>("FirstNode").and_then(|node| graph.place(node));
        let mut nodes = Vec::new();
        // Each node is read once: a graph may have circles.
        while let Some(export) = graph.waiting.get(nodes.len()).copied() {
            let node = graph.node(export);
            nodes.push(node);
        }
        Ok(Self { strip, first, nodes })
    }

    /// The sounds that it plays, each once.
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

/// Nodes that were met.
struct Graph<'s, 'a> {
    scope: &'s Scope<'a>,
    /// Their places, by their exports.
    places: HashMap<u32, usize>,
    /// Their exports, in the order of their places.
    waiting: Vec<&'a Export>,
}

impl<'a> Graph<'_, 'a> {
    /// The place of a node, which is read later if it was not met before.
    fn place(&mut self, node: PackageIndex) -> Option<usize> {
        let PackageRef::Export(at) = node.decode() else { return None };
        if let Some(place) = self.places.get(&at) {
            return Some(*place);
        }
        let package = self.scope.package;
        let export = package.exports.get(at as usize)?;
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

/// A sound that a node refers to; in a dialogue, by a struct.
fn wave_of(scope: &Scope<'_>, value: &Value) -> Option<ObjectPath> {
    let inner = value.properties().and_then(|list| list.find(scope.package, "DialogueWave"));
    path(scope, inner.and_then(|member| member.value).unwrap_or(value))
}

/// A sound cue in a few numbers.
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
