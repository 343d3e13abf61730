//! Pixels and samples: what decodes them, one family at a time.

use super::bounds::bounded;
use super::{PER_BYTE, number};
use std::borrow::Cow;
use uncask::asset::sound::{AudioFile, Codec, Facts, Markers};
use uncask::image::dds_file::{self, Dds};
use uncask::image::{
    Band, Image, Layout, Meaning, Mips, NormalMap, Picture, PixelFormat, Pixels, complete_normals,
};

/// Formats with one kind of kernel.
type Family = fn(Layout) -> bool;

/// The families of pixel formats, by the targets that take them.
const FAMILIES: [(&str, Family); 5] = [
    ("image_bc", |layout| {
        use Layout::{Bc1, Bc2, Bc3, Bc4, Bc5, Bc6, Bc7};
        matches!(layout, Bc1 | Bc2 | Bc3 | Bc4 | Bc5 | Bc6 | Bc7)
    }),
    ("image_astc", |layout| {
        matches!(layout, Layout::Astc(..) | Layout::AstcNormal(..) | Layout::AstcHdr(..))
    }),
    ("image_etc", |layout| {
        use Layout::{EacR, EacRg, Etc1, Etc2Rgb, Etc2Rgba};
        matches!(layout, Etc1 | Etc2Rgb | Etc2Rgba | EacR | EacRg)
    }),
    ("image_pvrtc", |layout| matches!(layout, Layout::Pvrtc2 | Layout::Pvrtc4)),
    ("image_plain", |layout| layout.block() == [1, 1]),
];

/// The family that a format belongs to.
#[must_use]
pub fn family(format: PixelFormat) -> &'static str {
    FAMILIES.iter().find(|(_, has)| has(format.layout())).expect("every format has one").0
}

/// The formats of a family.
fn formats(target: &str) -> Vec<PixelFormat> {
    (0..=u8::MAX).filter_map(PixelFormat::from_number).filter(|format| family(*format) == target).collect()
}

/// The place of a format, width, height, and blocks of one family.
pub(super) fn image(target: &str, mut data: &[u8]) {
    let [place, ..] = number(&mut data).to_le_bytes();
    let sides = number(&mut data);
    let formats = formats(target);
    decode(formats[usize::from(place) % formats.len()], sides, data);
}

/// The number of a format, width, height, and blocks.
pub(super) fn any_image(mut data: &[u8]) {
    let ([format, ..], sides) = (number(&mut data).to_le_bytes(), number(&mut data));
    if let Some(format) = PixelFormat::from_number(format) {
        if let Ok(dds) = Dds::parse(data) {
            let _ = dds.mips(format);
        }
        decode(format, sides, data);
    }
}

/// Decodes a picture, as a whole and in bands, and makes of it what is made of pictures.
fn decode(format: PixelFormat, sides: u32, data: &[u8]) {
    let Ok(picture) = Picture::new(format, sides & 0xFFFF, sides >> 16, data) else { return };
    bounded(data.len(), PER_BYTE, || {
        let Ok(mut image) = picture.decode() else { return };
        assert_eq!((image.width, image.height), (picture.width, picture.height));
        let bands = picture.decode_by(1, |bands| bands.into_iter().rev().for_each(Band::decode));
        assert!(bands.is_ok_and(|bands| is_same(&bands, &image)), "bands are the picture");
        // Encoders take their time.
        if data.len() < 1024
            && let Ok(bytes) = image.encode(format)
        {
            assert_eq!(bytes.len() as u64, format.byte_len(image.width, image.height));
        }
        let half = Mips::new(&image, Meaning::Srgb).image();
        assert_eq!(half.width, (image.width / 2).max(1));
        let small = picture.thumbnail(16).expect("what can be decoded has a thumbnail");
        assert!(small.width.max(small.height) <= 16);
        if let Some(map) = NormalMap::of(format.layout(), &image) {
            complete_normals(&mut image, map);
        }
    });
}

/// Floats may be no numbers, which are not equal to themselves.
fn is_same(one: &Image, other: &Image) -> bool {
    match (&one.pixels, &other.pixels) {
        (Pixels::F32(one), Pixels::F32(other)) => {
            one.iter().map(|value| value.to_bits()).eq(other.iter().map(|value| value.to_bits()))
        }
        (one, other) => one == other,
    }
}

/// The number of a format, and what follows the first bytes of a DDS file.
pub(super) fn dds(mut data: &[u8]) {
    let [format, ..] = number(&mut data).to_le_bytes();
    let file = [&dds_file::MAGIC, data].concat();
    let Some(format) = PixelFormat::from_number(format) else { return };
    bounded(file.len(), PER_BYTE, || {
        let Ok(dds) = Dds::parse(&file) else { return };
        let Ok(mips) = dds.mips(format) else { return };
        assert!(mips.iter().map(Vec::len).sum::<usize>() <= file.len(), "nothing is there twice");
    });
}

/// Runs a decoder on the data after the magic of a sound.
pub(super) fn sound(magic: &[u8], data: &[u8]) {
    let audio = [magic, data].concat();
    bounded(audio.len(), PER_BYTE, || {
        let facts = Facts::parse(&audio);
        let Ok(file) = AudioFile::playable(&audio) else { return };
        let markers = Markers { is_looping: true, cues: Vec::new() };
        drop(markers.added_to(&file.bytes));
        if let Cow::Owned(made) = &file.bytes {
            assert!(facts.is_ok(), "what has a file has facts");
            assert_ne!(Codec::detect(made), Codec::Other, "what was made is a file of some codec");
        }
    });
}
