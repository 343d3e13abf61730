//! World tile info: where a level lies in a composed world.

use super::form::Form;
use crate::wire::{Archive, Fault, WireString};

/// `FWorldTileInfo`.
#[doc(alias = "FWorldTileInfo")]
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
pub struct WorldTile {
    /// Position; the third number only where the form says so.
    pub position: [i32; 3],
    /// Least and largest corner.
    pub bounds: [f32; 6],
    /// Whether the corners mean anything.
    pub bounds_valid: u8,
    /// The layer it is in.
    pub layer: WorldTileLayer,
    /// It is hidden in the tile view (268).
    pub hidden: Option<bool>,
    /// The level it is loaded with (268).
    pub parent: Option<WireString>,
    /// Levels of detail (316): five words each.
    pub lods: Vec<[u32; 5]>,
    /// Order among tiles (319).
    pub z_order: Option<i32>,
}

/// `FWorldTileLayer`.
#[doc(alias = "FWorldTileLayer")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct WorldTileLayer {
    /// Its name.
    pub name: WireString,
    /// Unused.
    pub reserved: [i32; 3],
    /// Distance at which it is loaded (268).
    pub streaming_distance: Option<i32>,
    /// Whether distance matters (329).
    pub distance_streaming: Option<bool>,
}

pub(super) fn world_tile<A: Archive>(a: &mut A, form: &Form, tile: &mut WorldTile) -> Result<(), Fault> {
    let v = form.versions;
    let coordinates = if form.tiles_3d { 3 } else { 2 };
    let mut position = tile.position.iter_mut().take(coordinates);
    position.try_for_each(|number| a.i32("world tile: position", number))?;
    tile.bounds.iter_mut().try_for_each(|number| a.f32("world tile: bounds", number))?;
    a.u8("world tile: bounds valid", &mut tile.bounds_valid)?;
    let layer = &mut tile.layer;
    a.string("world tile: layer", &mut layer.name)?;
    layer.reserved.iter_mut().try_for_each(|number| a.i32("world tile: reserved", number))?;
    a.optional(v.has_tile_streaming(), &mut layer.streaming_distance, |a, n| {
        a.i32("world tile: streaming distance", n)
    })?;
    a.optional(v.has_tile_distance_flag(), &mut layer.distance_streaming, |a, b| {
        a.bool32("world tile: distance streaming", b)
    })?;
    a.optional(v.has_tile_streaming(), &mut tile.hidden, |a, b| a.bool32("world tile: hidden", b))?;
    a.optional(v.has_tile_streaming(), &mut tile.parent, |a, text| a.string("world tile: parent", text))?;
    if v.has_tile_lods() {
        a.list("world tile: levels of detail", &mut tile.lods, 20, |a, lod| {
            lod.iter_mut().try_for_each(|word| a.u32("world tile: level of detail", word))
        })?;
    }
    a.optional(v.has_tile_z_order(), &mut tile.z_order, |a, n| a.i32("world tile: Z order", n))
}
