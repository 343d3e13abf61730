//! Assets that consist of values, as JSON: their objects in FModel's form, and what they refer to.

use super::files::Files;
use super::model;
use super::options::ExportForm;
use super::source::Source;
use crate::error::Result;
use crate::package::legacy::{Export, PackageRef};
use crate::property::json::FModel;
use crate::property::{List, Object, Value};
use serde::Serialize;
use std::collections::BTreeSet;

/// A document.
#[derive(Serialize)]
struct Document<'d, O> {
    schema: &'static str,
    object: String,
    class: &'d str,
    /// Names of the emitters of an effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    emitters: Vec<String>,
    /// Objects of other packages.
    refers_to: BTreeSet<String>,
    /// The asset, and the objects inside it.
    objects: O,
}

/// Writes an asset. The text says what was not written, and why.
pub(super) fn write(source: &Source<'_, '_>, files: &mut Files<'_>) -> Result<Option<String>> {
    if source.fields.properties.is_none() {
        return Ok(Some(source.no_properties()));
    }
    let objects = source.inner_objects();
    if source.options.forms.wants(ExportForm::Json, true) {
        json(source, &objects, files)?;
    }
    let is_physics = source.class.eq_ignore_ascii_case("PhysicsAsset");
    if is_physics && source.options.collision && source.options.forms.wants(ExportForm::Gltf, true) {
        return model::bodies(source, &objects, "", files);
    }
    Ok(None)
}

fn json(source: &Source<'_, '_>, objects: &[u32], files: &mut Files<'_>) -> Result<()> {
    let scope = source.scope;
    let mut found = Found::default();
    for export in objects.iter().filter_map(|at| scope.package.exports.get(*at as usize)) {
        found.add(source, export, &Object::read(scope, export));
    }
    let note = |export: &Export, object: &Object| {
        // The asset itself has been seen.
        if !std::ptr::eq(export, source.export) {
            source.see(export, object);
        }
    };
    let document = Document {
        schema: "uncask.document/1",
        object: source.full_path(),
        class: &source.class,
        emitters: found.emitters,
        refers_to: found.refers_to,
        objects: FModel::new(scope).only(objects).noting(&note),
    };
    files.put_json(&document, &source.loaded.path)
}

/// Facts gathered from the objects of an asset.
#[derive(Default)]
struct Found {
    emitters: Vec<String>,
    refers_to: BTreeSet<String>,
}

impl Found {
    fn add(&mut self, source: &Source<'_, '_>, export: &Export, object: &Object) {
        let scope = source.scope;
        let package = scope.package;
        object.walk(scope, &mut |_, value| {
            let path = match value {
                Value::Object(index) if matches!(index.decode(), PackageRef::Import(_)) => {
                    package.path(*index, scope.name()).map(|path| path.to_string())
                }
                Value::SoftPath(_) => value.text(scope).map(Into::into),
                _ => None,
            };
            // Classes are in the objects, and a soft path may be `None`.
            self.refers_to.extend(path.filter(|path| path.starts_with('/') && !path.starts_with("/Script/")));
            true
        });
        let text = |list: &List, name: &str| Some(list.find(package, name)?.value?.text(scope)?.into_owned());
        // Niagara lists emitters by name; each emitter of a particle system is an object with its name.
        let handles = object.find(scope, "EmitterHandles").and_then(|handles| handles.value?.items());
        let handles = handles.unwrap_or_default().iter().filter_map(Value::properties);
        self.emitters.extend(handles.filter_map(|handle| text(handle, "Name")));
        let class = package.class_path(export);
        if class.ends_with(".ParticleSpriteEmitter") || class.ends_with(".ParticleEmitter") {
            let name = object.properties.as_ref().and_then(|list| text(list, "EmitterName"));
            self.emitters.push(name.unwrap_or_else(|| package.text(export.name).to_string()));
        }
    }
}
