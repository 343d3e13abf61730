//! Pixels: a picture of every format that is decoded, in pixels a second; the decoders of blocks alone; and PNG files by the level of
//! their compression.

#![expect(clippy::indexing_slicing, reason = "a benchmark")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use uncask::image::{Picture, PixelFormat};

const SIDE: u32 = 1024;

/// Blocks that are about as unlike as those of pictures.
fn content(len: u64) -> Vec<u8> {
    let number = |at: u64| at.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 29;
    (0..len).map(|at| number(at / 3).to_le_bytes()[0]).collect()
}

fn pictures(c: &mut Criterion) {
    let mut group = c.benchmark_group("picture");
    group.sample_size(10).throughput(Throughput::Elements(u64::from(SIDE) * u64::from(SIDE)));
    for name in [
        "PF_B8G8R8A8",
        "PF_FloatRGBA",
        "PF_DXT1",
        "PF_DXT5",
        "PF_BC4",
        "PF_BC5",
        "PF_BC6H",
        "PF_BC7",
        "PF_ASTC_4x4",
        "PF_ASTC_6x6",
        "PF_ETC2_RGB",
        "PF_ETC2_RGBA",
        "PF_ETC2_R11_EAC",
    ] {
        let format = PixelFormat::from_name(name).expect("a format");
        let bytes = content(format.byte_len(SIDE, SIDE));
        let picture = Picture::new(format, SIDE, SIDE, &bytes).expect("long enough");
        group.bench_function(name, |b| b.iter(|| black_box(picture).decode().expect("decodes")));
    }
    group.finish();
}

/// The crates by themselves, on the same blocks.
fn alone(c: &mut Criterion) {
    let mut group = c.benchmark_group("alone");
    group.sample_size(10).throughput(Throughput::Elements(u64::from(SIDE) * u64::from(SIDE)));
    let side = SIDE as usize;
    let blocks = content(u64::from(SIDE) * u64::from(SIDE));
    group.bench_function("bcdec_rs BC7", |b| {
        b.iter(|| {
            let mut pixels = vec![0; 4 * side * side];
            for (at, block) in blocks.as_chunks::<16>().0.iter().enumerate() {
                let (x, y) = (at % (side / 4), at / (side / 4));
                bcdec_rs::bc7(block, &mut pixels[16 * (y * side + x)..], 4 * side);
            }
            pixels
        });
    });
    for sides in [4_u32, 6] {
        let across = SIDE.div_ceil(sides) as usize;
        let blocks = content((16 * across * across) as u64);
        group.bench_function(format!("astc-decode {sides}x{sides}"), |b| {
            b.iter(|| {
                let mut pixels = vec![[0; 4]; side * side];
                let footprint = astc_decode::Footprint::new(sides, sides);
                let write = |x: u32, y: u32, color| pixels[y as usize * side + x as usize] = color;
                astc_decode::astc_decode(&*blocks, SIDE, SIDE, footprint, write).expect("decodes");
                pixels
            });
        });
    }
    group.finish();
}

/// A picture with slopes and noise, as textures have them.
fn picture() -> Vec<u8> {
    let noise = content(u64::from(SIDE) * u64::from(SIDE));
    let slope = |at: usize, by: usize| u8::try_from(at / by % 256).unwrap_or_default();
    let pixel = |(at, noise): (usize, &u8)| [slope(at, 7), slope(at, 1024), noise >> 4, 255];
    noise.iter().enumerate().flat_map(pixel).collect()
}

/// PNG files: export uses `Fast`.
fn files(c: &mut Criterion) {
    use png::Compression::{Balanced, Fast, Fastest, High};
    let mut group = c.benchmark_group("png");
    group.sample_size(10).throughput(Throughput::Elements(u64::from(SIDE) * u64::from(SIDE)));
    let pixels = picture();
    for (name, level) in [("fastest", Fastest), ("fast", Fast), ("balanced", Balanced), ("high", High)] {
        let encode = || {
            let mut file = Vec::new();
            let mut encoder = png::Encoder::new(&mut file, SIDE, SIDE);
            encoder.set_color(png::ColorType::Rgba);
            encoder.set_compression(level);
            encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixels)).expect("encodes");
            file
        };
        let share = 100 * encode().len() / pixels.len();
        group.bench_function(format!("{name}, {share} % of the pixels"), |b| b.iter(encode));
    }
    group.finish();
}

criterion_group!(benches, pictures, alone, files);
criterion_main!(benches);
