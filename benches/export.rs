//! Pixels: a picture of every format that is decoded, in pixels a second.

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

criterion_group!(benches, pictures);
criterion_main!(benches);
