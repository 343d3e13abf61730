//! Parameters in the properties of materials.

use super::super::reference::path;
use super::super::socket::number;
use crate::package::ObjectPath;
use crate::package::legacy::Name;
use crate::property::{Body, FromValue, List, Object, Scope, Struct, Value};
use std::sync::Arc;

/// `UMaterialInterface`: a material or an instance of one. Values that an instance lacks come from its
/// parent.
#[doc(alias = "UMaterialInterface")]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Material {
    /// Parent, the source of all values that are missing here.
    pub parent: Option<ObjectPath>,
    /// Textures by parameter name.
    pub textures: Vec<(Arc<str>, ObjectPath)>,
    /// Numbers by parameter name.
    pub scalars: Vec<(Arc<str>, f32)>,
    /// Colours and vectors by parameter name.
    pub vectors: Vec<(Arc<str>, [f32; 4])>,
    /// Textures that are not parameters.
    pub others: Vec<ObjectPath>,
    /// `BlendMode`, such as `BLEND_Masked`.
    pub blend_mode: Option<Arc<str>>,
    /// `TwoSided`.
    pub is_two_sided: Option<bool>,
    /// `OpacityMaskClipValue`.
    pub opacity_clip: Option<f32>,
}

/// Limit of parameters of one list.
const MAX_PARAMETERS: usize = 1000;
/// Names of the lists of an instance, and of those in the cached data of a material; the order is the same.
const LISTS: [&str; 3] = ["ScalarParameterValues", "VectorParameterValues", "TextureParameterValues"];
const CACHED: [&str; 3] = ["ScalarValues", "VectorValues", "TextureValues"];

impl Material {
    /// Reads a material, or an instance of one, from the properties of its export.
    #[must_use]
    pub fn new(scope: &Scope<'_>, object: &Object) -> Self {
        let mut found = Self::default();
        let Some(list) = &object.properties else { return found };
        let fields = Fields { scope, list };
        found.parent = fields.get("Parent").and_then(|value| path(scope, value));
        let overrides = fields.fields("BasePropertyOverrides");
        // An instance keeps overrides in a struct, with a flag for each that is in force.
        let own = |name: &str| {
            let is_overridden =
                |of: &Fields<'_>| of.get(&format!("bOverride_{name}")).and_then(bool::from_value);
            let over = overrides.as_ref().filter(|of| is_overridden(of) == Some(true));
            over.and_then(|of| of.get(name)).or_else(|| fields.get(name))
        };
        found.blend_mode = own("BlendMode").and_then(|value| enum_name(scope, value));
        found.is_two_sided = own("TwoSided").and_then(bool::from_value);
        found.opacity_clip = own("OpacityMaskClipValue").and_then(f32::from_value);
        for (kind, name) in LISTS.into_iter().enumerate() {
            found.instance_values(&fields, kind, name);
        }
        // The payload of a material is this struct since 5.0; before it was a property.
        let cached = object.tail.get("CachedExpressionData").or_else(|| fields.get("CachedExpressionData"));
        if let Some(list) = cached.and_then(Value::properties) {
            found.cached_values(&Fields { scope, list });
        }
        for name in ["ReferencedDefaultTextures", "ReferencedTextures"] {
            let values = fields.get(name).and_then(Value::items).unwrap_or_default();
            found.others.extend(values.iter().take(MAX_PARAMETERS).filter_map(|value| path(scope, value)));
        }
        found
    }

    /// Fills in missing values from the parent, and continues with the parent's parent.
    pub fn inherit(&mut self, parent: Self) {
        merge(&mut self.textures, parent.textures);
        merge(&mut self.scalars, parent.scalars);
        merge(&mut self.vectors, parent.vectors);
        self.others.extend(parent.others);
        self.blend_mode = self.blend_mode.take().or(parent.blend_mode);
        self.is_two_sided = self.is_two_sided.or(parent.is_two_sided);
        self.opacity_clip = self.opacity_clip.or(parent.opacity_clip);
        self.parent = parent.parent;
    }

    fn instance_values(&mut self, fields: &Fields<'_>, kind: usize, name: &str) {
        let values = fields.get(name).and_then(Value::items).unwrap_or_default();
        for value in values.iter().take(MAX_PARAMETERS) {
            let Some(value) = value.properties().map(|list| Fields { list, ..*fields }) else { continue };
            let info = value.get("ParameterInfo");
            // Before 4.19 the name stands alone, without a struct.
            let name = info.and_then(|info| parameter_name(fields.scope, info));
            let name = name.or_else(|| name_of(fields.scope, value.get("ParameterName")?));
            if let (Some(name), Some(value)) = (name, value.get("ParameterValue")) {
                self.add(fields.scope, kind, name, value);
            }
        }
    }

    /// Pairs the cached names with their values. They are in separate lists, whose order differs by release,
    /// so lists of equal length are paired.
    fn cached_values(&mut self, fields: &Fields<'_>) {
        let Some(entries) = fields.cached_names() else { return };
        let mut entries = entries.into_iter();
        for (kind, name) in CACHED.into_iter().enumerate() {
            let values = fields.get(name).and_then(Value::items).unwrap_or_default();
            if values.is_empty() {
                // Scalars and vectors have entries even if empty. Entries of other kinds lie before textures.
                if kind < 2 {
                    entries.next();
                }
                continue;
            }
            let Some(names) = entries.by_ref().find(|names| names.len() == values.len()) else { return };
            for (name, value) in names.into_iter().zip(values).take(MAX_PARAMETERS) {
                self.add(fields.scope, kind, name, value);
            }
        }
    }

    fn add(&mut self, scope: &Scope<'_>, kind: usize, name: Arc<str>, value: &Value) {
        match kind {
            0 => self.scalars.extend(f32::from_value(value).map(|number| (name, number))),
            1 => self.vectors.extend(color(scope, value).map(|color| (name, color))),
            _ => self.textures.extend(path(scope, value).map(|path| (name, path))),
        }
    }
}

/// List of properties, with the scope that resolves names.
#[derive(Clone, Copy)]
struct Fields<'f> {
    scope: &'f Scope<'f>,
    list: &'f List,
}

impl<'f> Fields<'f> {
    fn get(&self, name: &str) -> Option<&'f Value> {
        self.list.find(self.scope.package, name)?.value
    }

    fn fields(&self, name: &str) -> Option<Self> {
        self.get(name)?.properties().map(|list| Fields { list, ..*self })
    }

    /// Returns the names of parameters by kind: elements of a static array.
    fn cached_names(&self) -> Option<Vec<Vec<Arc<str>>>> {
        // Before 5.0 they are in a nested struct.
        let outer = self.fields("Parameters").unwrap_or(*self);
        let entries = ["RuntimeEntries", "Entries"].into_iter().find_map(|name| {
            // A static array is stored as several properties of one name.
            let members = outer.list.members(outer.scope.package);
            let found: Vec<_> = members
                .filter(|member| member.name.eq_ignore_ascii_case(name))
                .filter_map(|member| member.value?.properties())
                .collect();
            (!found.is_empty()).then_some(found)
        })?;
        let names = |list: &'f List| {
            let entry = Fields { list, ..outer };
            let infos =
                ["ParameterInfoSet", "ParameterInfos"].into_iter().find_map(|name| entry.get(name)?.items());
            infos.unwrap_or_default().iter().filter_map(|info| parameter_name(self.scope, info)).collect()
        };
        Some(entries.into_iter().map(names).collect())
    }
}

/// Adds entries whose names are missing.
fn merge<T>(own: &mut Vec<(Arc<str>, T)>, parent: Vec<(Arc<str>, T)>) {
    // Names are case-insensitive in the engine.
    let known: std::collections::HashSet<String> = own.iter().map(|(name, _)| name.to_lowercase()).collect();
    own.extend(parent.into_iter().filter(|(name, _)| !known.contains(&name.to_lowercase())));
}

/// Returns the name in a `FMaterialParameterInfo`.
fn parameter_name(scope: &Scope<'_>, info: &Value) -> Option<Arc<str>> {
    // The struct is written natively or as properties, depending on the release.
    let name = match info {
        Value::Struct(found) => match &found.body {
            Body::Native(record) => record.get("Name"),
            Body::List(list) => list.find(scope.package, "Name")?.value,
            Body::Empty => None,
        },
        _ => None,
    };
    name_of(scope, name?)
}

fn name_of(scope: &Scope<'_>, value: &Value) -> Option<Arc<str>> {
    Name::from_value(value).map(|name| scope.package.text(name).to_string().into())
}

fn enum_name(scope: &Scope<'_>, value: &Value) -> Option<Arc<str>> {
    Some(value.text(scope)?.rsplit("::").next()?.into())
}

fn color(scope: &Scope<'_>, value: &Value) -> Option<[f32; 4]> {
    let found = <&Struct>::from_value(value)?;
    #[expect(clippy::cast_possible_truncation, reason = "colours are floats")]
    Some(["R", "G", "B", "A"].map(|name| number(scope, found, name) as f32))
}
