use super::*;
use crate::{
    package::{
        classic::{Package, compact},
        legacy::TAG,
    },
    wire::Writer,
};

/// Builds a package of version 69 with one texture and one palette of 256 colors.
fn package(format: u8, width: u32, height: u32, image: &[u8]) -> Vec<u8> {
    let names = ["None", "Texture", "Palette", "Core", "Format", "Class", "T"];
    let mut body = Writer::new();
    for name in names {
        compact::write(&mut body, i32::try_from(name.len() + 1).unwrap());
        body.bytes(name.as_bytes()).u8(0).u32(0);
    }
    let start = |body: &Writer| u32::try_from(body.len() + 64).unwrap();
    let imports = start(&body);
    for class in [1, 2] {
        body.u8(3).u8(5).i32(0).u8(class);
    }
    let texture = start(&body);
    // Format and Palette, then one mip.
    body.u8(4).u8(0x01).u8(format).u8(2).u8(0x05).u8(2).u8(0);
    body.u8(1);
    let mut len = Writer::new();
    compact::write(&mut len, i32::try_from(image.len()).unwrap());
    let end = start(&body) as usize + 4 + len.len() + image.len();
    body.u32(u32::try_from(end).unwrap()).bytes(&len.into_bytes()).bytes(image);
    body.u32(width).u32(height).u8(0).u8(0);
    let palette = start(&body);
    body.u8(0);
    compact::write(&mut body, 256);
    for color in 0..=255u8 {
        body.u8(color).u8(255 - color).u8(7).u8(0);
    }
    let exports = start(&body);
    for (class, from, to) in [(0x81, texture, palette), (0x82, palette, exports)] {
        body.u8(class).u8(0).i32(0).u8(6).u32(0);
        compact::write(&mut body, i32::try_from(to - from).unwrap());
        compact::write(&mut body, i32::try_from(from).unwrap());
    }
    let mut w = Writer::new();
    w.u32(TAG).u16(69).u16(0).u32(1).u32(7).u32(64).u32(2).u32(exports).u32(2).u32(imports);
    w.bytes(&[9; 16]).u32(1).u32(2).u32(7);
    assert_eq!(w.len(), 64);
    w.bytes(&body.into_bytes());
    w.into_bytes()
}

fn decode(file: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    pixels.truncate(info.buffer_size());
    (info.width, info.height, pixels)
}

fn pixels_of(format: u8, width: u32, height: u32, image: &[u8]) -> Result<Vec<u8>, TextureError> {
    let bytes = package(format, width, height, image);
    let package = Package::parse(&bytes).unwrap();
    let texture = package.texture(&bytes, &package.exports[0]).unwrap();
    assert_eq!(texture.palette, Some(ObjectIndex(2)));
    let file = package.texture_png(&bytes, &texture, 0)?;
    let (found_width, found_height, pixels) = decode(&file);
    assert_eq!((found_width, found_height), (width, height));
    Ok(pixels)
}

/// Creates `testdata/classic/texture.utx`; `UPDATE_TESTDATA=1` writes it again.
#[test]
fn the_sample_file_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/classic/texture.utx");
    let made = package(0, 4, 2, &[0, 10, 255, 1, 2, 3, 4, 5]);
    if std::env::var_os("UPDATE_TESTDATA").is_some() {
        std::fs::write(path, &made).unwrap();
    }
    assert_eq!(std::fs::read(path).unwrap(), made);
}

#[test]
fn every_format_becomes_a_picture() {
    let palette = [0, 255, 7, 255, 10, 245, 7, 255, 255, 0, 7, 255, 1, 254, 7, 255];
    assert_eq!(pixels_of(0, 2, 2, &[0, 10, 255, 1]).unwrap(), palette);
    assert_eq!(pixels_of(2, 1, 1, &[0x00, 0xF8]).unwrap(), [255, 0, 0, 255]);
    assert_eq!(pixels_of(4, 1, 1, &[1, 2, 3]).unwrap(), [3, 2, 1, 255]);
    assert_eq!(pixels_of(5, 1, 1, &[1, 2, 3, 4]).unwrap(), [3, 2, 1, 4]);
    assert_eq!(pixels_of(9, 2, 1, &[8, 9]).unwrap(), [8, 8, 8, 255, 9, 9, 9, 255]);
    assert_eq!(pixels_of(10, 1, 1, &[1, 0x80]).unwrap(), [0x80, 0x80, 0x80, 255]);
}

#[test]
fn blocks_are_decoded() {
    // Red and black; the first row takes each of the four colors once.
    let colors = [0x00, 0xF8, 0x00, 0x00, 0b1110_0100, 0, 0, 0];
    let row = [255, 0, 0, 255, 0, 0, 0, 255, 170, 0, 0, 255, 85, 0, 0, 255];
    assert_eq!(pixels_of(3, 4, 1, &colors).unwrap(), row);
    // Only three pixels of a block, and the fourth color is transparent because the first is not the larger.
    let swapped = [0x00, 0x00, 0x00, 0xF8, 0b0000_1110, 0, 0, 0];
    assert_eq!(pixels_of(3, 3, 1, &swapped).unwrap(), [127, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 255]);
    let with = |alpha: [u8; 8]| [alpha, colors].concat();
    let alphas = |pixels: Vec<u8>| pixels.chunks(4).map(|pixel| pixel[3]).collect::<Vec<_>>();
    assert_eq!(alphas(pixels_of(7, 4, 1, &with([0x10, 0xF8, 0, 0, 0, 0, 0, 0])).unwrap()), [0, 17, 136, 255]);
    let codes = 0b111_010_001_000u64 << 16 | 0x00FE;
    assert_eq!(alphas(pixels_of(8, 4, 1, &with(codes.to_le_bytes())).unwrap()), [254, 0, 217, 36]);
}

#[test]
fn what_cannot_be_decoded_says_why() {
    assert_eq!(pixels_of(6, 1, 1, &[]), Err(TextureError::Format(TextureFormat::NoData)));
    assert_eq!(pixels_of(77, 1, 1, &[]), Err(TextureError::Format(TextureFormat::Unknown(77))));
    let short = TextureError::Short { width: 60_000, height: 60_000, found: 4, expected: 3_600_000_000 };
    assert_eq!(pixels_of(0, 60_000, 60_000, &[0; 4]), Err(short));
    let bytes = package(0, 1, 1, &[0]);
    let package = Package::parse(&bytes).unwrap();
    let mut texture = package.texture(&bytes, &package.exports[0]).unwrap();
    texture.palette = Some(ObjectIndex(-1));
    assert_eq!(package.texture_png(&bytes, &texture, 0), Err(TextureError::NoPalette));
    assert!(matches!(
        package.texture_png(&bytes, &texture, 1),
        Err(TextureError::NoMip { index: 1, count: 1 })
    ));
}

#[test]
fn a_mip_ends_where_it_says() {
    let mut bytes = package(0, 1, 1, &[0]);
    let package = Package::parse(&bytes).unwrap();
    let at = usize::try_from(package.exports[0].serial_offset).unwrap() + 8;
    bytes[at] ^= 1;
    assert_eq!(package.texture(&bytes, &package.exports[0]).unwrap_err().field, "mip: end of image");
}

/// A table may claim any number of objects with the same bytes.
#[test]
fn objects_that_share_their_bytes_are_decoded_once() {
    let bytes = package(0, 64, 64, &[7; 64 * 64]);
    let mut package = Package::parse(&bytes).unwrap();
    let texture = package.exports[0].clone();
    package.exports.extend(std::iter::repeat_n(texture, 200));
    let pictures: Vec<_> = package.textures(&bytes).map(|(_, picture)| picture).collect();
    assert_eq!(pictures.len(), 201);
    let first = pictures[0].as_ref().unwrap();
    assert_eq!((first.width, first.height, decode(&first.png).2.len()), (64, 64, 4 * 64 * 64));
    assert!(pictures[1..].iter().all(|picture| *picture == Err(TextureError::Overlap)), "{pictures:?}");
}

/// Two bytes per object in the file.
#[test]
fn an_object_has_a_limited_number_of_properties() {
    let bytes = package(0, 1, 1, &[0]);
    let package = Package::parse(&bytes).unwrap();
    let list = |count: usize| [&[4, 0x83].repeat(count)[..], &[0]].concat();
    let read = |count: usize| {
        let list = list(count);
        let (from, len) = (bytes.len() as u64, list.len() as u64);
        let file = [&bytes[..], &list].concat();
        package.properties_at(&file, from, from + len).map(|(properties, _)| properties.len())
    };
    assert_eq!(read(65_536), Ok(65_536));
    let fault = read(65_537).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "properties of an object: found 65537, expected at most 65536, offset 0x204d2"
    );
}
