//! Pixels: a picture of every format that is decoded, in pixels a second; the decoders of blocks alone; large pictures, on
//! one thread and on all; PNG files by level and filter; clips of ACL, in tracks and keys a second; tables as CSV; and the export of the corpus beside
//! its unpacking.

#![expect(clippy::indexing_slicing, clippy::print_stdout, reason = "a benchmark")]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use uncask::Game;
use uncask::asset::animation::acl::AclClip;
use uncask::export::{ExportForm, ExportOptions, Forms};
use uncask::image::{Band, Picture, PixelFormat};
use uncask::job::Cpu;

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

/// Blocks of ASTC that `texture2ddecoder` decodes: on some others it panics, and the one before takes their place.
fn tame(blocks: &[u8], side: usize) -> Vec<u8> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let is_tame = |block: &[u8; 16]| {
        let mut pixels = vec![0; side * side];
        std::panic::catch_unwind(move || texture2ddecoder::decode_astc_block(block, side, side, &mut pixels))
            .is_ok()
    };
    let mut last = [0; 16];
    let mut all = Vec::with_capacity(blocks.len());
    for block in blocks.as_chunks::<16>().0 {
        if is_tame(block) {
            last = *block;
        }
        all.extend(last);
    }
    std::panic::set_hook(hook);
    all
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
    group.bench_function("texture2ddecoder BC7", |b| {
        b.iter(|| {
            let mut pixels = vec![0; side * side];
            texture2ddecoder::decode_bc7(&blocks, side, side, &mut pixels).expect("decodes");
            pixels
        });
    });
    for sides in [4_u32, 6] {
        let across = SIDE.div_ceil(sides) as usize;
        let blocks = tame(&content((16 * across * across) as u64), sides as usize);
        group.bench_function(format!("astc-decode {sides}x{sides}"), |b| {
            b.iter(|| {
                let mut pixels = vec![[0; 4]; side * side];
                let footprint = astc_decode::Footprint::new(sides, sides);
                let write = |x: u32, y: u32, color| pixels[y as usize * side + x as usize] = color;
                astc_decode::astc_decode(&*blocks, SIDE, SIDE, footprint, write).expect("decodes");
                pixels
            });
        });
        let block = sides as usize;
        group.bench_function(format!("texture2ddecoder ASTC {sides}x{sides}"), |b| {
            b.iter(|| {
                let mut pixels = vec![0; side * side];
                texture2ddecoder::decode_astc(&blocks, side, side, block, block, &mut pixels)
                    .expect("decodes");
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

/// Pixels that a thread decodes at a time, as in an export.
const BAND: u64 = 1 << 18;

/// Large pictures, as an export decodes them.
fn bands(c: &mut Criterion) {
    let mut group = c.benchmark_group("bands");
    let side = 4 * SIDE;
    group.sample_size(10).throughput(Throughput::Elements(u64::from(side) * u64::from(side)));
    for name in ["PF_DXT1", "PF_BC7", "PF_ASTC_4x4", "PF_ASTC_6x6"] {
        let format = PixelFormat::from_name(name).expect("a format");
        let bytes = content(format.byte_len(side, side));
        let picture = Picture::new(format, side, side, &bytes).expect("long enough");
        for (threads, cpu) in [("one thread", Cpu::default()), ("all threads", Cpu::new(0).expect("threads"))]
        {
            let decode = || {
                let all = |bands: Vec<Band<'_, '_>>| drop(cpu.map(bands, Band::decode));
                picture.decode_by(BAND, all).expect("decodes")
            };
            group.bench_function(format!("{name}, {threads}"), |b| b.iter(decode));
        }
    }
    group.finish();
}

fn png_file(
    pixels: &[u8],
    width: u32,
    height: u32,
    set: impl Fn(&mut png::Encoder<'_, &mut Vec<u8>>),
) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    set(&mut encoder);
    encoder.write_header().and_then(|mut writer| writer.write_image_data(pixels)).expect("encodes");
    file
}

/// PNG files: export uses `Fast`, with the filter that goes with it.
fn files(c: &mut Criterion) {
    use png::Compression::{Balanced, Fast, Fastest, High};
    use png::Filter;
    let mut group = c.benchmark_group("png");
    group.sample_size(10).throughput(Throughput::Elements(u64::from(SIDE) * u64::from(SIDE)));
    let pixels = picture();
    let filters = [
        ("its own filter", None),
        ("no filter", Some(Filter::NoFilter)),
        ("up", Some(Filter::Up)),
        ("paeth", Some(Filter::Paeth)),
        ("adaptive", Some(Filter::Adaptive)),
    ];
    for (name, level) in [("fastest", Fastest), ("fast", Fast), ("balanced", Balanced), ("high", High)] {
        for (filter_name, filter) in filters {
            let encode = || {
                png_file(&pixels, SIDE, SIDE, |encoder| {
                    encoder.set_compression(level);
                    if let Some(filter) = filter {
                        encoder.set_filter(filter);
                    }
                })
            };
            // The slowest level is measured once.
            if name == "high" && filter.is_some() {
                continue;
            }
            let share = 100 * encode().len() / pixels.len();
            group.bench_function(format!("{name}, {filter_name}: {share} % of the pixels"), |b| {
                b.iter(encode);
            });
        }
    }
    group.finish();
}

fn corpus() -> Option<PathBuf> {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let corpus = std::env::var_os("UNCASK_CORPUS").map_or_else(usual, PathBuf::from);
    Some(corpus.join("iostore/ue5.8/tagged")).filter(|folder| folder.is_dir())
}

/// Clips of ACL, structure and hash included. An element is a key of a track.
fn clips(c: &mut Criterion) {
    let Some(folder) = corpus().and_then(|corpus| Some(corpus.ancestors().nth(3)?.join("acl/transform")))
    else {
        println!("skipped, no corpus: clips of ACL");
        return;
    };
    let mut group = c.benchmark_group("acl");
    for name in ["big-2.1.0", "scale-2.1.0", "stripprop-2.1.0", "dropwfull-2.1.0"] {
        let bytes = std::fs::read(folder.join(format!("{name}.acl"))).expect("a clip");
        let clip = AclClip::parse(&bytes).expect("reads");
        group.throughput(Throughput::Elements(u64::from(clip.tracks()) * clip.keys()));
        group.bench_function(name, |b| b.iter(|| AclClip::parse(black_box(&bytes)).expect("reads").decode()));
    }
    group.finish();
}

/// Everything that can be exported of the fixture, and the same packages as they are.
fn whole(c: &mut Criterion) {
    let Some(fixture) = corpus() else {
        println!("skipped, no corpus: export against unpack");
        return;
    };
    let mut group = c.benchmark_group("corpus");
    group.sample_size(10);
    let folder = tempfile::tempdir().expect("a folder");
    let place = std::cell::Cell::new(0);
    let fresh = || {
        place.set(place.get() + 1);
        folder.path().join(place.get().to_string())
    };
    let game = Game::open(fixture.join("Oodle")).expect("opens");
    group.bench_function("unpack", |b| {
        b.iter_batched(fresh, |out| game.all().unpack(out).expect("unpacks"), BatchSize::PerIteration);
    });
    group.bench_function("export", |b| {
        b.iter_batched(
            fresh,
            |out| game.all().export(out, ExportOptions::default()).expect("exports"),
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

/// Tables of the fixture as CSV, and the same packages as JSON.
fn tables(c: &mut Criterion) {
    let Some(fixture) = corpus() else {
        println!("skipped, no corpus: tables as CSV");
        return;
    };
    let mut group = c.benchmark_group("tables");
    group.sample_size(10);
    let game = Game::open(fixture.join("Uncompressed")).expect("opens");
    for (name, form) in [("CSV", ExportForm::Csv), ("JSON", ExportForm::Json)] {
        let options = ExportOptions { forms: Forms::new(vec![form]), ..ExportOptions::default() };
        group.bench_function(name, |b| {
            b.iter_batched(
                || tempfile::tempdir().expect("a folder"),
                |out| game.all().export(out.path(), options.clone()).expect("exports"),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, pictures, alone, bands, files, clips, tables, whole);
criterion_main!(benches);
