//! Thumbnails of an editor package: small pictures, each a complete PNG or JPEG file.
//!
//! ```text
//! table     i32 n │ n × { class, path inside the package, i32 offset of the picture }
//! picture   i32 width │ i32 height: negative for JPEG │ i32 length │ bytes
//! ```
//!
//! Pictures precede the table. Width, height and length 0 mean that there is no picture, which is common.

use crate::wire::{Archive, Fault, FaultKind, WireString};

/// One thumbnail.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Thumbnail {
    /// Short class name of the object.
    pub class: WireString,
    /// Path inside the package.
    pub path: WireString,
    /// File offset of the picture.
    pub offset: i32,
    /// The picture.
    pub picture: Picture,
}

/// A picture in file form.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Picture {
    /// Pixels in a row.
    pub width: i32,
    /// Rows; negative for JPEG.
    pub height: i32,
    /// Complete PNG or JPEG file.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

/// File format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum PictureKind {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// Neither.
    Unknown,
}

impl Picture {
    /// Returns true if there is no picture.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the format by its first bytes, regardless of the sign of the height.
    #[must_use]
    pub fn kind(&self) -> PictureKind {
        // The first bytes are certain, whatever the sign of the height says.
        match self.bytes.as_slice() {
            [0x89, b'P', b'N', b'G', ..] => PictureKind::Png,
            [0xFF, 0xD8, 0xFF, ..] => PictureKind::Jpeg,
            _ => PictureKind::Unknown,
        }
    }

    /// Returns width and height in pixels.
    #[must_use]
    pub const fn size(&self) -> (u32, u32) {
        (self.width.unsigned_abs(), self.height.unsigned_abs())
    }
}

impl PictureKind {
    /// Returns the usual file extension.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Unknown => "bin",
        }
    }
}

pub(super) fn table<A: Archive>(a: &mut A, thumbnails: &mut Vec<Thumbnail>) -> Result<(), Fault> {
    // 12 bytes are the smallest entry: two empty strings and an offset.
    a.list("thumbnails: count", thumbnails, 12, |a, thumbnail| {
        a.string("thumbnail: class", &mut thumbnail.class)?;
        a.string("thumbnail: path", &mut thumbnail.path)?;
        a.i32("thumbnail: offset", &mut thumbnail.offset)
    })
}

/// Archives a picture and charges its length to `budget`, so that entries cannot share one and multiply it.
pub(super) fn picture<A: Archive>(a: &mut A, picture: &mut Picture, budget: &mut u64) -> Result<(), Fault> {
    a.i32("thumbnail: width", &mut picture.width)?;
    a.i32("thumbnail: height", &mut picture.height)?;
    let at = a.offset();
    let len = a.count("thumbnail: length", picture.bytes.len(), 1)?;
    // Many entries may point to one picture, so the sum of lengths is limited.
    *budget = budget.checked_sub(len as u64).ok_or(Fault {
        offset: at,
        field: "thumbnail: length",
        kind: FaultKind::TooLarge { found: len as u64, limit: *budget },
    })?;
    a.blob("thumbnail: picture", &mut picture.bytes, len)
}
