//! Pictures of one channel whose samples come from tiles: heights of 16 bits, or weights of 8.

use crate::error::{Error, Result};
use crate::export::texture::exr;
use crate::sink::Spool;
use crate::values::sink_error;
use std::io::{self, Write};
use std::path::Path;

/// A tile in the spool.
#[derive(Clone, Copy)]
pub(super) struct StoredTile {
    /// Its first quad in the whole landscape.
    pub(super) first: [i32; 2],
    /// Samples along each side.
    pub(super) side: u32,
    /// Offset of the first sample.
    pub(super) at: u64,
}

/// Picture of a grid, of which one row at a time is in memory.
pub(super) struct GridPicture<'t> {
    pub(super) spool: &'t Spool,
    pub(super) tiles: &'t [StoredTile],
    /// First quad.
    pub(super) start: [i32; 2],
    /// Width and height.
    pub(super) size: [u32; 2],
    /// Bytes of a sample, which is big-endian.
    pub(super) unit: usize,
}

/// Height of the plane, and how many steps a centimetre of a landscape without scale has.
const PLANE: f32 = 32_768.0;
const STEPS: f32 = 128.0;

impl GridPicture<'_> {
    pub(super) fn write_png(&self, out: &mut dyn Write) -> Result<()> {
        let failed = |error: png::EncodingError| {
            let error = match error {
                png::EncodingError::IoError(error) => error,
                other => io::Error::other(other),
            };
            not_written(error)
        };
        let [width, height] = self.size;
        let mut encoder = png::Encoder::new(out, width, height);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(if self.unit == 2 { png::BitDepth::Sixteen } else { png::BitDepth::Eight });
        let mut writer = encoder.write_header().map_err(failed)?;
        let mut stream = writer.stream_writer().map_err(failed)?;
        let mut row = Vec::new();
        for y in 0..height {
            self.read_row(y, &mut row)?;
            stream.write_all(&row).map_err(not_written)?;
        }
        stream.finish().map_err(failed)
    }

    /// Writes floats: heights in centimetres above the plane, before the scale of the landscape; weights from 0 to 1. The file is made
    /// in `scratch`, since its table of rows comes first.
    pub(super) fn write_exr(&self, mut scratch: Spool, out: &mut dyn Write) -> Result<()> {
        let (mut row, mut number, mut outcome) = (Vec::new(), None, Ok(()));
        let sample = |x: u32, y: u32| {
            if number != Some(y) && outcome.is_ok() {
                number = Some(y);
                outcome = self.read_row(y, &mut row);
            }
            self.float(&row, x as usize)
        };
        let made = exr::write_grey(self.size, sample, &mut scratch);
        outcome?;
        made.and_then(|()| scratch.copy_to(out)).map_err(not_written)
    }

    fn float(&self, row: &[u8], x: usize) -> f32 {
        match *row.get(x * self.unit..).unwrap_or_default() {
            [high, low, ..] if self.unit == 2 => (f32::from(u16::from_be_bytes([high, low])) - PLANE) / STEPS,
            [weight, ..] => f32::from(weight) / 255.0,
            [] => 0.0,
        }
    }

    /// Fills a row. Where no component is, the ground is at the height of the plane, and no layer has weight.
    fn read_row(&self, y: u32, row: &mut Vec<u8>) -> Result<()> {
        let empty: &[u8] = if self.unit == 2 { &[0x80, 0] } else { &[0] };
        let [width, _] = self.size;
        row.clear();
        row.extend(empty.iter().cycle().take(width as usize * self.unit));
        self.tiles.iter().try_for_each(|tile| self.fill(row, tile, y.into()))
    }

    /// Puts the part of a tile that is in a row there.
    fn fill(&self, row: &mut [u8], tile: &StoredTile, y: i64) -> Result<()> {
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

/// The error of writing to the sink.
fn not_written(error: io::Error) -> Error {
    sink_error(error, Path::new("a picture of a landscape"))
}
