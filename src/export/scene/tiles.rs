//! Heights and weights of landscapes as pictures of the whole, put together row by row: what waits for its row is not in memory.

use super::grid_picture::{GridPicture, StoredTile};
use crate::error::Result;
use crate::export::files::{Files, Target};
use crate::export::options::HeightForm;
use crate::sink::Spool;
use std::collections::BTreeMap;

/// Heights and weights of a component.
pub(super) struct Tile {
    /// Its first quad in the whole landscape.
    pub(super) first: [i32; 2],
    /// Vertices along each side.
    pub(super) side: u32,
    pub(super) heights: Vec<u16>,
    /// Weights by layer.
    pub(super) layers: Vec<(String, Vec<u8>)>,
}

/// Tiles of all landscapes of a scene.
pub(super) struct Tiles {
    spool: Spool,
    /// Tiles by landscape and layer; without a layer, they are heights.
    pictures: BTreeMap<(usize, Option<String>), Vec<StoredTile>>,
    form: HeightForm,
}

/// The largest side of a picture: no landscape of the engine is larger.
const MAX_SIDE: i64 = 1 << 15;

impl Tiles {
    pub(super) fn new(target: &Target, form: HeightForm) -> Result<Self> {
        Ok(Self { spool: target.spool()?, pictures: BTreeMap::new(), form })
    }

    /// Keeps a tile of a landscape.
    pub(super) fn add(&mut self, landscape: usize, tile: &Tile) -> Result<()> {
        let heights: Vec<u8> = tile.heights.iter().flat_map(|height| height.to_be_bytes()).collect();
        self.keep((landscape, None), tile, &heights)?;
        for (layer, weights) in &tile.layers {
            self.keep((landscape, Some(layer.clone())), tile, weights)?;
        }
        Ok(())
    }

    fn keep(&mut self, key: (usize, Option<String>), tile: &Tile, bytes: &[u8]) -> Result<()> {
        let stored = StoredTile { first: tile.first, side: tile.side, at: self.spool.len() };
        self.spool.append(bytes)?;
        self.pictures.entry(key).or_default().push(stored);
        Ok(())
    }

    /// Writes the pictures of a landscape. The text says which were too large.
    pub(super) fn write(
        &self,
        (landscape, name): (usize, &str),
        [start, size]: [[i32; 2]; 2],
        target: &Target,
        files: &mut Files<'_>,
    ) -> Result<Option<String>> {
        let [width, height] = size.map(|quads| i64::from(quads) + 1);
        let own = self.pictures.iter().filter(|((of, _), _)| *of == landscape);
        if width > MAX_SIDE || height > MAX_SIDE {
            return Ok(Some(format!("the pictures of {name} would be {width} x {height}, and are left out")));
        }
        for ((_, layer), tiles) in own {
            let (suffix, unit) = match layer {
                None => (format!("_{name}_height"), 2),
                Some(layer) => (format!("_{name}_weight_{layer}"), 1),
            };
            let size = [width, height].map(|side| u32::try_from(side).unwrap_or_default());
            let picture = GridPicture { spool: &self.spool, tiles, start, size, unit };
            match self.form {
                HeightForm::Png => files.put_with(&suffix, "png", |out| picture.write_png(out))?,
                HeightForm::Exr => {
                    let scratch = target.spool()?;
                    files.put_with(&suffix, "exr", |out| picture.write_exr(scratch, out))?;
                }
            }
        }
        Ok(None)
    }
}
