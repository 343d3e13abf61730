//! Damaged pictures and sounds: every family of pixel formats, every codec, and the files that textures get.

use super::Meter;
use super::fuzz::{self, kernels::family};
use super::mutate::mutate;
use exr::prelude::{Image, SpecificChannels, Vec2, WritableImage};
use std::collections::BTreeMap;
use uncask::image::PixelFormat;
use uncask::image::dds_file::{self, DdsHeader, DdsKind};
use uncask::wire::Writer;

/// Inputs of targets.
type Inputs = Vec<(&'static str, String, Vec<u8>)>;

/// A little of every pixel format.
fn pictures() -> Inputs {
    let mut rng = super::hostile::Rng::new(7);
    let blocks: Vec<u8> = std::iter::repeat_with(|| rng.next().to_le_bytes()).take(300).flatten().collect();
    let mut places: BTreeMap<&str, u32> = BTreeMap::new();
    let mut inputs = Vec::new();
    for format in (0..=u8::MAX).filter_map(PixelFormat::from_number) {
        let target = family(format);
        let place = places.entry(target).or_default();
        // The order of some blocks takes powers of two.
        for [width, height] in [[13, 9], [16, 8]] {
            let head = [*place, width | height << 16].map(u32::to_le_bytes).concat();
            inputs.push((target, format!("{format}, {width} by {height}"), [&head, &blocks[..]].concat()));
        }
        *place += 1;
    }
    for kind in [DdsKind::Pictures(2), DdsKind::Cubes(1), DdsKind::Volume(2)] {
        let mut file = Writer::new();
        // BC1, which is number 5 of the engine.
        DdsHeader { format: 71, width: 13, height: 9, mips: 2, kind }.write(&mut file, 96);
        file.bytes(&blocks[..1200]);
        let file = file.into_bytes();
        inputs.push(("image_files", format!("{kind:?}"), file.clone()));
        let input = [&5_u32.to_le_bytes()[..], &file[dds_file::MAGIC.len()..]].concat();
        inputs.push(("image_dds", format!("{kind:?}"), input));
    }
    inputs
}

/// PNG and EXR files of a few pixels.
fn files() -> Inputs {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 3, 2);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header().unwrap().write_image_data(&[7; 24]).unwrap();
    let mut exr = std::io::Cursor::new(Vec::new());
    let pixel = |_: Vec2<usize>| (0.25_f32, 0.5_f32, 1.0_f32, 1.0_f32);
    let image = Image::from_channels((3, 2), SpecificChannels::rgba(pixel));
    image.write().non_parallel().to_buffered(&mut exr).unwrap();
    vec![("image_files", "PNG".to_owned(), file), ("image_files", "EXR".to_owned(), exr.into_inner())]
}

/// Sounds, without the first bytes that say what they are.
fn sounds() -> Inputs {
    let mut rng = super::hostile::Rng::new(8);
    let noise: Vec<u8> = std::iter::repeat_with(|| rng.next().to_le_bytes()).take(40).flatten().collect();
    let wave = |coding: u16, bits: u16| {
        let mut w = Writer::new();
        w.u32(36 + 320)
            .bytes(b"WAVEfmt ")
            .u32(16)
            .u16(coding)
            .u16(1)
            .u32(48_000)
            .u32(96_000)
            .u16(2)
            .u16(bits);
        w.bytes(b"data").u32(320).bytes(&noise);
        w.into_bytes()
    };
    let page = b"\0\x02\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0....\x01\x1E\x01vorbis\0\0\0\0\x02\x44\xAC\0\0";
    let last = b"....OggS\0\x04\x10\x27\0\0\0\0\0\0";
    let mut opus = Writer::new();
    // A version, a channel; both rates; samples, frames; what is skipped at both ends; three packets of 20 ms.
    opus.bytes(b"OPUS\0\0\0\x01").u32(48_000).u32(48_000).u64(2880).u32(3).u32(312).u32(0).u32(0);
    // A seek table: samples of an entry, the first one, two distances.
    opus.bytes(b"SEEK\0").u16(960).u32(0).u32(2).u16(0).u16(12);
    for _ in 0..3 {
        opus.u16(10).bytes(&[0x48]).bytes(&noise[..9]);
    }
    let mut old = Writer::new();
    old.bytes(b"4OPUS\0").u16(48_000).u32(1920).u8(2).u16(2);
    for _ in 0..2 {
        old.u16(10).bytes(&[0x48]).bytes(&noise[..9]);
    }
    let mut bink = Writer::new();
    // A version, a channel; the rate, samples; the largest block, flags, all bytes; no seek table of its own.
    bink.bytes(&[1, 1, 0, 0]).u32(48_000).u32(3840).u16(320).u16(1).u32(324).u32(0);
    bink.bytes(&[0x99, 0x99])
        .u16(320)
        .bytes(&noise)
        .bytes(&[0x99, 0x99])
        .u16(0xFFFF)
        .u16(320)
        .u16(100)
        .bytes(&noise);
    vec![
        ("sound_wave", "PCM".to_owned(), wave(1, 16)),
        ("sound_wave", "ADPCM".to_owned(), wave(2, 4)),
        ("sound_vorbis", "Vorbis".to_owned(), [&page[..], last].concat()),
        ("sound_opus", "Opus".to_owned(), opus.into_bytes()),
        ("sound_opus", "Opus of UE4".to_owned(), old.into_bytes()),
        ("sound_bink", "Bink Audio".to_owned(), bink.into_bytes()),
    ]
}

#[test]
fn damaged_pictures_and_sounds_cost_little() {
    let _turn = Meter::turn();
    let mut meter = Meter::default();
    for (target, name, bytes) in pictures().into_iter().chain(files()).chain(sounds()) {
        meter.run(|| format!("{name}, {target}"), bytes.len(), || fuzz::run(target, &bytes));
        for len in (0..bytes.len()).step_by(bytes.len() / 100 + 1) {
            let name = || format!("{name}, {target}, cut to {len}");
            meter.run(name, len, || fuzz::run(target, &bytes[..len]));
        }
        for seed in 0..100 {
            let damaged = mutate(&bytes, seed);
            let name = || format!("{name}, {target}, mutation {seed}");
            meter.run(name, damaged.len(), || fuzz::run(target, &damaged));
        }
    }
    meter.say("damaged pictures and sounds");
    assert!(meter.cases > 20_000, "{} cases", meter.cases);
}
