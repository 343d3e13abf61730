//! World tile info: the place of a level in a composed world.

use super::form::Form;
use crate::wire::{Archive, Fault, WireString};

/// Place of a level in a composed world (`FWorldTileInfo`).
#[doc(alias = "FWorldTileInfo")]
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
pub struct WorldTile {
    /// Position; the third coordinate exists only in the 3D form.
    pub position: [i32; 3],
    /// Minimum and maximum corner.
    pub bounds: TileBounds,
    /// Nonzero if the corners are valid.
    pub bounds_valid: u8,
    /// Layer of the tile.
    pub layer: WorldTileLayer,
    /// True if it is hidden in the tile view (268).
    pub hidden: Option<bool>,
    /// Level that it is loaded with (268).
    pub parent: Option<WireString>,
    /// Levels of detail (316): five words each.
    pub lods: Vec<[u32; 5]>,
    /// Drawing order among tiles (319).
    pub z_order: Option<i32>,
}

/// Corners of a tile, in the precision of the engine that wrote them.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum TileBounds {
    /// Single precision (UE4).
    Single([f32; 6]),
    /// Double precision (UE5, since large world coordinates: 1004).
    Double([f64; 6]),
}

impl Default for TileBounds {
    fn default() -> Self {
        Self::Double([0.0; 6])
    }
}

/// Layer of a composed world (`FWorldTileLayer`).
#[doc(alias = "FWorldTileLayer")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct WorldTileLayer {
    /// Layer name.
    pub name: WireString,
    /// Unused.
    pub reserved: [i32; 3],
    /// Streaming distance (268).
    pub streaming_distance: Option<i32>,
    /// True if the distance is used (329).
    pub distance_streaming: Option<bool>,
}

pub(super) fn world_tile<A: Archive>(a: &mut A, form: &Form, tile: &mut WorldTile) -> Result<(), Fault> {
    let v = form.versions;
    let coordinates = if form.tiles_3d { 3 } else { 2 };
    let mut position = tile.position.iter_mut().take(coordinates);
    position.try_for_each(|number| a.i32("world tile: position", number))?;
    bounds(a, v.has_large_worlds(), &mut tile.bounds)?;
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

fn bounds<A: Archive>(a: &mut A, large: bool, bounds: &mut TileBounds) -> Result<(), Fault> {
    const FIELD: &str = "world tile: bounds";
    // A tile from an engine of the other precision is converted, so that it is written in the target's
    // precision.
    match (large, *bounds) {
        (true, TileBounds::Single(corners)) => *bounds = TileBounds::Double(corners.map(f64::from)),
        #[expect(clippy::cast_possible_truncation, reason = "UE4 stores single precision")]
        (false, TileBounds::Double(corners)) => {
            *bounds = TileBounds::Single(corners.map(|number| number as f32));
        }
        _ => {}
    }
    match bounds {
        TileBounds::Single(corners) => corners.iter_mut().try_for_each(|number| a.f32(FIELD, number)),
        TileBounds::Double(corners) => corners.iter_mut().try_for_each(|number| a.f64(FIELD, number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::version::Release;
    use crate::wire::{Reader, Writer};

    /// Everything after the bounds, in releases since 4.14.
    fn after_bounds(w: &mut Writer) {
        // Valid; the layer, its reserved numbers, its distance; it counts.
        w.u8(1).u32(2).bytes(b"L\0").u32(0).u32(0).u32(0).u32(50_000).u32(1);
        // Not hidden, no parent, one level of detail, Z order.
        w.u32(0).u32(5).bytes(b"None\0").u32(1).bytes(&[7; 20]).u32(9);
    }

    #[track_caller]
    fn check(release: &str, corners: &[u8], expected: TileBounds) {
        let release = Release::from_name(release).unwrap();
        let form =
            Form { versions: release.objects, legacy: release.legacy, tiles_3d: true, ..Form::default() };
        let mut w = Writer::new();
        w.u32(100).u32(200).u32(300).bytes(corners);
        after_bounds(&mut w);
        let bytes = w.into_bytes();
        let (mut r, mut tile) = (Reader::new(&bytes), WorldTile::default());
        world_tile(&mut r, &form, &mut tile).unwrap();
        assert_eq!(r.remaining(), 0);
        assert_eq!(tile.position, [100, 200, 300]);
        assert_eq!(tile.bounds, expected);
        assert_eq!((tile.bounds_valid, tile.layer.name.as_str(), tile.z_order), (1, "L", Some(9)));
        assert_eq!(tile.layer.streaming_distance, Some(50_000));
        let mut w = Writer::new();
        world_tile(&mut w, &form, &mut tile).unwrap();
        assert_eq!(w.into_bytes(), bytes);
    }

    #[test]
    fn bounds_have_double_precision_since_worlds_are_large() {
        // −1, −2, −3, 1, 2, 3.
        let single = b"\0\0\x80\xBF\0\0\0\xC0\0\0\x40\xC0\0\0\x80\x3F\0\0\0\x40\0\0\x40\x40";
        let double = b"\0\0\0\0\0\0\xF0\xBF\0\0\0\0\0\0\0\xC0\0\0\0\0\0\0\x08\xC0\
            \0\0\0\0\0\0\xF0\x3F\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\x08\x40";
        check("4.27", single, TileBounds::Single([-1.0, -2.0, -3.0, 1.0, 2.0, 3.0]));
        for release in ["5.0", "5.4", "5.8"] {
            check(release, double, TileBounds::Double([-1.0, -2.0, -3.0, 1.0, 2.0, 3.0]));
        }
    }
}
