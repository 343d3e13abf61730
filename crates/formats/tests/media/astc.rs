//! ASTC with a high dynamic range, against Arm's reference decoder (`astcenc -dh`): blocks of every form of endpoints, with one
//! plane of weights and two, with up to four partitions, and of one colour.

use std::path::Path;
use uncask_formats::image::{Channels, Picture, PixelFormat, Pixels};

/// Length of what is in front of the blocks of an `.astc` file.
const HEADER: usize = 16;

#[test]
fn half_floats_are_those_of_the_reference_decoder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/astc");
    for (side, across) in [(4, 9), (6, 6), (8, 5), (10, 4), (12, 3)] {
        let read =
            |extension: &str| std::fs::read(folder.join(format!("{side}x{side}.{extension}"))).unwrap();
        let (file, expected) = (read("astc"), read("half"));
        let format = PixelFormat::from_name(&format!("PF_ASTC_{side}x{side}_HDR")).unwrap();
        let picture = Picture::new(format, side * across, side * across, &file[HEADER..]).unwrap();
        let image = picture.decode().unwrap();
        assert_eq!(image.channels, Channels::Rgba);
        let Pixels::F16(values) = image.pixels else { panic!("{side}") };
        let expected: Vec<u16> =
            expected.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect();
        assert_eq!(values.len(), expected.len());
        let differs = values.iter().zip(&expected).position(|(found, expected)| found != expected);
        assert_eq!(differs, None, "blocks of {side} by {side}");
    }
}

/// A mode that is reserved, and one whose endpoints do not fit: hardware shows both as magenta.
#[test]
fn blocks_that_are_not_valid_are_magenta() {
    let format = PixelFormat::from_name("PF_ASTC_4x4_HDR").unwrap();
    for block in [[0; 16], [0xFF; 16]] {
        let image = Picture::new(format, 4, 4, &block).unwrap().decode().unwrap();
        assert_eq!(image.pixels, Pixels::F16([0x3C00, 0, 0x3C00, 0x3C00].repeat(16)));
    }
}
