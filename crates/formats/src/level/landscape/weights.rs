//! Weights of the layers of a landscape's material.

use super::grid::Grid;
use super::heights::whole;
use crate::asset::Material;
use crate::package::ObjectPath;

/// The channel of a texture that has the weights of a layer.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerMask {
    /// Name of the layer.
    pub layer: String,
    /// Its texture.
    pub texture: ObjectPath,
    /// Channel: red, green, blue, alpha.
    pub channel: usize,
}

/// Weights of the vertices of a component, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights(
    /// From 0 to 255.
    pub Vec<u8>,
);

/// The layer of holes: where it has weight, there is no ground.
const HOLES: &str = "__LANDSCAPE_VISIBILITY__";

impl LayerMask {
    /// The layers of a material instance that the cooker made for a component. Empty if it has several textures, of which nothing
    /// tells which layer is where.
    #[must_use]
    pub fn of_material(material: &Material) -> Vec<Self> {
        const TEXTURE: &str = "Weightmap";
        const MASK: &str = "LayerMask_";
        let maps: Vec<&ObjectPath> = material
            .textures
            .iter()
            .filter(|(name, _)| name.strip_prefix(TEXTURE).is_some_and(|number| number.parse::<u8>().is_ok()))
            .map(|(_, path)| path)
            .collect();
        let [texture] = maps.as_slice() else { return Vec::new() };
        let masks = material.vectors.iter().filter_map(|(name, mask)| {
            let layer = name.strip_prefix(MASK)?.to_owned();
            let channel = mask.iter().position(|part| *part > 0.5)?;
            Some(Self { layer, texture: (*texture).clone(), channel })
        });
        masks.collect()
    }

    /// True for the layer of holes.
    #[must_use]
    pub fn is_holes(&self) -> bool {
        self.layer == HOLES
    }
}

impl Weights {
    /// The weights of a layer, in texels of blue, green, red and alpha; `None` if the texture has too few. `bias` is where the
    /// component starts in the texture, in fractions of its size and with half a texel more.
    #[must_use]
    pub fn new(grid: Grid, bias: [f64; 2], (width, texels): (u32, &[u8]), channel: usize) -> Option<Self> {
        let texels = texels.as_chunks::<4>().0;
        // Memory has blue first.
        let channel = [2, 1, 0, 3].get(channel).copied()?;
        let rows = u32::try_from(texels.len() / (width as usize).max(1)).ok()?;
        let start = |bias: f64, size: u32| {
            let found = (bias * f64::from(size)).floor();
            (found.is_finite() && (0.0..65536.0).contains(&found)).then(|| whole(found))
        };
        let (start_x, start_y) = (start(bias[0], width)?, start(bias[1], rows)?);
        if start_x + grid.texels() > width || start_y + grid.texels() > rows {
            return None;
        }
        let side = grid.side();
        let mut weights = Vec::with_capacity((side * side) as usize);
        for y in 0..side {
            for x in 0..side {
                let row = (start_y + grid.texel(y)) as usize * width as usize;
                weights.push(*texels.get(row + (start_x + grid.texel(x)) as usize)?.get(channel)?);
            }
        }
        Some(Self(weights))
    }
}
