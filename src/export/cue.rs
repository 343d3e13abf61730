//! Sound cues as JSON: their nodes and references to sounds.

use super::files::Files;
use super::source::Source;
use crate::asset::sound_cue::{CueNode, SoundCue};
use crate::error::Result;
use crate::property::Object;
use crate::property::json::FModel;
use serde_json::{Map, Value, json};

/// Properties that the document represents in its own form.
const GRAPH: [&str; 3] = ["FirstNode", "ChildNodes", "SoundWaveAssetPtr"];

/// Writes a sound cue. The text says what was not written, and why.
pub(super) fn write(
    source: &Source<'_, '_>,
    cue: &SoundCue,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    // The graph is in the properties, so without them there is nothing to write.
    if source.fields.properties.is_none() {
        return Ok(Some("its properties, which have its sounds, need mappings".to_owned()));
    }
    files.put_json(&document(source, cue), &source.loaded.path)?;
    Ok(None)
}

fn document(source: &Source<'_, '_>, cue: &SoundCue) -> Value {
    // Nodes refer to each other by name, which stays readable when the document is edited.
    let name = |place: &Option<usize>| place.and_then(|place| cue.nodes.get(place)).map(|node| &*node.name);
    let node = |node: &CueNode| {
        let mut fields = Map::new();
        fields.insert("name".to_owned(), json!(&*node.name));
        fields.insert("class".to_owned(), json!(&*node.class));
        if let Some(wave) = &node.wave {
            fields.insert("wave".to_owned(), json!(wave.to_string()));
        }
        if let Some(attenuation) = &node.attenuation {
            fields.insert("attenuation".to_owned(), json!(attenuation.to_string()));
        }
        if !node.children.is_empty() {
            fields.insert(
                "children".to_owned(),
                node.children.iter().map(|child| json!(name(child))).collect(),
            );
        }
        fields.insert("properties".to_owned(), properties(source, &node.object));
        Value::Object(fields)
    };
    json!({
        "schema": "uncask.sound-cue/1",
        "cue": source.loaded.package.path(source.index, source.scope.name()).map(|path| path.to_string()),
        "first": name(&cue.first),
        "nodes": cue.nodes.iter().map(node).collect::<Vec<_>>(),
        "properties": properties(source, source.fields),
    })
}

/// Other properties of an object.
fn properties(source: &Source<'_, '_>, object: &Object) -> Value {
    let forms = FModel::new(source.scope);
    let list = object.properties.as_ref();
    let shown = list.and_then(|list| serde_json::to_value(forms.properties(list)).ok());
    let mut shown = shown.unwrap_or_else(|| json!({}));
    if let Some(fields) = shown.as_object_mut() {
        fields.retain(|name, _| !GRAPH.iter().any(|known| known.eq_ignore_ascii_case(name)));
    }
    shown
}
