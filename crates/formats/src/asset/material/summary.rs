use super::Material;
use crate::property::{Object, Scope};
use crate::wire::counted;
use std::collections::HashSet;
use std::fmt;

/// Summary of a material, without what its parents say.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct MaterialSummary {
    /// Path of its parent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Blend mode, such as `BLEND_Masked`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blend_mode: Option<String>,
    /// Number of its own parameters.
    pub parameters: usize,
    /// Paths of its textures.
    pub textures: Vec<String>,
}

impl Material {
    pub(crate) fn summary(&self, _: &Scope<'_>, _: &Object) -> MaterialSummary {
        let mut known = HashSet::new();
        let textures = self.textures.iter().map(|(_, texture)| texture).chain(&self.others);
        let textures = textures.filter(|texture| known.insert(*texture)).map(ToString::to_string).collect();
        let numbers = self.scalars.len() + self.vectors.len();
        MaterialSummary {
            parent: self.parent.as_ref().map(ToString::to_string),
            blend_mode: self.blend_mode.as_deref().map(str::to_owned),
            parameters: numbers + self.textures.len() + self.switches.len() + self.masks.len(),
            textures,
        }
    }
}

impl fmt::Display for MaterialSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("material: ")?;
        if let Some(mode) = &self.blend_mode {
            write!(f, "{mode}, ")?;
        }
        let parameters = counted(self.parameters as u64, "parameter", "parameters");
        write!(f, "{parameters}, {}", counted(self.textures.len() as u64, "texture", "textures"))?;
        match self.parent.as_deref().and_then(|parent| parent.rsplit(['/', '.']).next()) {
            Some(parent) => write!(f, ", parent {parent}"),
            None => Ok(()),
        }
    }
}
