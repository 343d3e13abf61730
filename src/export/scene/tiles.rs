//! Heights and weights of landscapes as pictures of the whole, put together row by row: what waits for its row is not in memory.

use crate::error::{Error, Result};
use crate::export::files::{Files, Target};
use crate::sink::Spool;
use crate::values::sink_error;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

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
    pictures: BTreeMap<(usize, Option<String>), Vec<Stored>>,
}

/// A tile in the spool.
#[derive(Clone, Copy)]
struct Stored {
    first: [i32; 2],
    side: u32,
    at: u64,
}

/// The largest side of a picture: no landscape of the engine is larger.
const MAX_SIDE: i64 = 1 << 15;

impl Tiles {
    pub(super) fn new(target: &Target) -> Result<Self> {
        Ok(Self { spool: target.spool()?, pictures: BTreeMap::new() })
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
        let stored = Stored { first: tile.first, side: tile.side, at: self.spool.len() };
        self.spool.append(bytes)?;
        self.pictures.entry(key).or_default().push(stored);
        Ok(())
    }

    /// Writes the pictures of a landscape. The text says which were too large.
    pub(super) fn write(
        &self,
        (landscape, name): (usize, &str),
        [start, size]: [[i32; 2]; 2],
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
            let picture = Picture { spool: &self.spool, tiles, start, size: [width, height], unit };
            files.put_with(&suffix, "png", |out| picture.write(out))?;
        }
        Ok(None)
    }
}

/// The error of writing to the sink.
fn not_written(error: io::Error) -> Error {
    sink_error(error, Path::new("a picture of a landscape"))
}

/// A picture of one channel.
struct Picture<'t> {
    spool: &'t Spool,
    tiles: &'t [Stored],
    /// First quad.
    start: [i32; 2],
    size: [i64; 2],
    /// Bytes of a sample.
    unit: usize,
}

impl Picture<'_> {
    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let failed = |error: png::EncodingError| {
            let error = match error {
                png::EncodingError::IoError(error) => error,
                other => io::Error::other(other),
            };
            not_written(error)
        };
        let [width, height] = self.size.map(|side| u32::try_from(side).unwrap_or_default());
        let mut encoder = png::Encoder::new(out, width, height);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(if self.unit == 2 { png::BitDepth::Sixteen } else { png::BitDepth::Eight });
        let mut writer = encoder.write_header().map_err(failed)?;
        let mut stream = writer.stream_writer().map_err(failed)?;
        // Where no component is, the ground is at the height of the plane, and no layer has weight.
        let empty: &[u8] = if self.unit == 2 { &[0x80, 0] } else { &[0] };
        let mut row = Vec::with_capacity(width as usize * self.unit);
        for y in 0..height {
            row.clear();
            row.extend(empty.iter().cycle().take(width as usize * self.unit));
            for tile in self.tiles {
                self.fill(&mut row, tile, i64::from(y))?;
            }
            stream.write_all(&row).map_err(not_written)?;
        }
        stream.finish().map_err(failed)
    }

    /// Puts the part of a tile that is in a row there.
    fn fill(&self, row: &mut [u8], tile: &Stored, y: i64) -> Result<()> {
        let [x, first_y] = [0, 1].map(|axis: usize| {
            let of = |list: [i32; 2]| list.get(axis).copied().map_or(0, i64::from);
            of(tile.first) - of(self.start)
        });
        let own = y - first_y;
        if own < 0 || own >= i64::from(tile.side) {
            return Ok(());
        }
        let len = tile.side as usize * self.unit;
        let from = usize::try_from(x).ok().map(|x| x.saturating_mul(self.unit));
        let Some(part) = from.and_then(|from| row.get_mut(from..from.checked_add(len)?)) else {
            return Ok(());
        };
        let at = tile.at + u64::try_from(own).unwrap_or_default() * len as u64;
        self.spool.read_at(at, part)
    }
}
