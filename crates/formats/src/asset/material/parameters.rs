//! Parameters in the properties of materials.

use super::super::Payload;
use super::super::reference::path;
use super::super::socket::{field, number};
use crate::package::ObjectPath;
use crate::package::legacy::Name;
use crate::property::{FromValue, List, Object, Scope, Struct, Value};
use crate::wire::Fault;
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
    /// Static switches by parameter name.
    pub switches: Vec<(Arc<str>, bool)>,
    /// Static component masks by parameter name: whether red, green, blue and alpha are used.
    pub masks: Vec<(Arc<str>, [bool; 4])>,
    /// Textures that are not parameters.
    pub others: Vec<ObjectPath>,
    /// `BlendMode`, such as `BLEND_Masked`.
    pub blend_mode: Option<Arc<str>>,
    /// `MaterialDomain`, such as `MD_DeferredDecal`.
    pub domain: Option<Arc<str>>,
    /// `ShadingModel`, such as `MSM_Unlit`.
    pub shading_model: Option<Arc<str>>,
    /// `TwoSided`.
    pub is_two_sided: Option<bool>,
    /// `OpacityMaskClipValue`.
    pub opacity_clip: Option<f32>,
}

/// Limit of parameters of one list.
const MAX_PARAMETERS: usize = 1000;
/// Kinds of parameters that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Scalar,
    Vector,
    Texture,
    Switch,
    /// Of no interest, but its names lie among those of the others.
    Other,
}

/// Lists of an instance.
const LISTS: [(&str, Kind); 3] = [
    ("ScalarParameterValues", Kind::Scalar),
    ("VectorParameterValues", Kind::Vector),
    ("TextureParameterValues", Kind::Texture),
];
/// Lists in the cached data of a material, in the order of `EMaterialParameterType`.
const CACHED: [(&str, Kind); 9] = [
    ("ScalarValues", Kind::Scalar),
    ("VectorValues", Kind::Vector),
    ("DoubleVectorValues", Kind::Other),
    ("TextureValues", Kind::Texture),
    ("TextureCollectionValues", Kind::Other),
    ("FontValues", Kind::Other),
    ("RuntimeVirtualTextureValues", Kind::Other),
    ("SparseVolumeTextureValues", Kind::Other),
    ("StaticSwitchValues", Kind::Switch),
];

impl Material {
    /// Reads a material. Nothing of its payload is kept: shaders, compiled for one graphics card.
    pub(crate) fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        payload.r.bytes("shaders", payload.r.remaining())?;
        Ok(Self::new(payload.scope, payload.object))
    }

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
        found.domain = own("MaterialDomain").and_then(|value| enum_name(scope, value));
        found.shading_model = own("ShadingModel").and_then(|value| enum_name(scope, value));
        found.is_two_sided = own("TwoSided").and_then(bool::from_value);
        found.opacity_clip = own("OpacityMaskClipValue").and_then(f32::from_value);
        for (name, kind) in LISTS {
            found.instance_values(&fields, kind, name);
        }
        // In a cooked instance the first since 5.1.
        for name in ["StaticParametersRuntime", "StaticParameters"] {
            if let Some(fields) = fields.fields(name) {
                found.static_values(&fields);
            }
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
        merge(&mut self.switches, parent.switches);
        merge(&mut self.masks, parent.masks);
        merge(&mut self.scalars, parent.scalars);
        merge(&mut self.vectors, parent.vectors);
        self.others.extend(parent.others);
        self.blend_mode = self.blend_mode.take().or(parent.blend_mode);
        self.domain = self.domain.take().or(parent.domain);
        self.shading_model = self.shading_model.take().or(parent.shading_model);
        self.is_two_sided = self.is_two_sided.or(parent.is_two_sided);
        self.opacity_clip = self.opacity_clip.or(parent.opacity_clip);
        self.parent = parent.parent;
    }

    fn instance_values(&mut self, fields: &Fields<'_>, kind: Kind, name: &str) {
        for value in fields.parameters(name) {
            if let (Some(name), Some(value)) = (value.parameter_name(), value.get("ParameterValue")) {
                self.add(fields.scope, kind, name, value);
            }
        }
    }

    /// Static parameters, each with a flag that tells whether it differs from the parent's.
    fn static_values(&mut self, fields: &Fields<'_>) {
        let flag = |of: &Fields<'_>, name: &str| of.get(name).and_then(bool::from_value).unwrap_or(false);
        for value in fields.parameters("StaticSwitchParameters").filter(|of| flag(of, "bOverride")) {
            self.switches.extend(value.parameter_name().map(|name| (name, flag(&value, "Value"))));
        }
        for value in fields.parameters("StaticComponentMaskParameters").filter(|of| flag(of, "bOverride")) {
            let mask = ["R", "G", "B", "A"].map(|name| flag(&value, name));
            self.masks.extend(value.parameter_name().map(|name| (name, mask)));
        }
    }

    /// Pairs the cached names with their values. They are in separate lists, whose order differs by release,
    /// so lists of equal length are paired.
    fn cached_values(&mut self, fields: &Fields<'_>) {
        let Some(entries) = fields.cached_names() else { return };
        let mut entries = entries.into_iter();
        for (name, kind) in CACHED {
            let values = fields.get(name).and_then(Value::items).unwrap_or_default();
            if values.is_empty() {
                // Scalars and vectors have entries even if empty. Which others there are depends on the release.
                if matches!(kind, Kind::Scalar | Kind::Vector) {
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

    fn add(&mut self, scope: &Scope<'_>, kind: Kind, name: Arc<str>, value: &Value) {
        match kind {
            Kind::Scalar => self.scalars.extend(f32::from_value(value).map(|number| (name, number))),
            Kind::Vector => self.vectors.extend(color(scope, value).map(|color| (name, color))),
            Kind::Texture => self.textures.extend(path(scope, value).map(|path| (name, path))),
            Kind::Switch => self.switches.extend(bool::from_value(value).map(|on| (name, on))),
            Kind::Other => {}
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

    /// Returns the structs of a list of parameters.
    fn parameters(&self, name: &str) -> impl Iterator<Item = Fields<'f>> + use<'f> {
        let own = *self;
        let values = self.get(name).and_then(Value::items).unwrap_or_default();
        values
            .iter()
            .take(MAX_PARAMETERS)
            .filter_map(move |value| Some(Fields { list: value.properties()?, ..own }))
    }

    /// Returns the name of the parameter that this struct is about.
    fn parameter_name(&self) -> Option<Arc<str>> {
        let name = self.get("ParameterInfo").and_then(|info| parameter_name(self.scope, info));
        // Before 4.19 the name stands alone, without a struct.
        name.or_else(|| name_of(self.scope, self.get("ParameterName")?))
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

/// Returns the name in a `FMaterialParameterInfo`. A parameter of a layer may be called like others: its layer follows.
fn parameter_name(scope: &Scope<'_>, info: &Value) -> Option<Arc<str>> {
    // The struct is written natively or as properties, depending on the release.
    let info = <&Struct>::from_value(info)?;
    let field = |name: &str| field(scope, info, name);
    let name = name_of(scope, field("Name")?)?;
    let kind = field("Association").and_then(|value| enum_name(scope, value));
    let of = match kind.as_deref() {
        Some("LayerParameter") => "layer",
        Some("BlendParameter") => "blend",
        _ => return Some(name),
    };
    let index = field("Index").and_then(i32::from_value).unwrap_or(0);
    Some(format!("{name} [{of} {index}]").into())
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
