//! Large textures, by the command itself: pictures into textures (`replace`), and textures to PNG files (`export`).
//!
//! `cargo bench --bench pictures` paints a picture of 4096 × 4096, gives it to six textures of the 5.8 fixture, and exports what came
//! out, on one thread and on two, in memory where `/dev/shm` exists; `-- --test` does it once with a small one. Without the corpus, it
//! says that it was skipped. A figure that misses its target is marked, and fails nothing.

mod measured;
mod places;

use measured::{mb, median, run, say};
use std::path::{Path, PathBuf};
use std::time::Duration;

const ROUNDS: usize = 5;
const TEXTURES: [&str; 2] = ["T_BC1", "T_BC3"];
/// Pictures in a row, as many of either texture.
const PICTURES: f64 = 6.0;
/// The most seconds of one core for all of them.
const MOST: f64 = 6.0;
/// The least speed on two threads, over that on one.
const SPEEDUP: f64 = 1.8;
/// The fewest megapixels a second on two threads, from BC1.
const RATE: f64 = 150.0;

fn main() {
    let smoke = std::env::args().any(|arg| arg == "--test");
    let corpus = places::corpus();
    let fixture = corpus.join("iostore/ue5.8/tagged");
    if !fixture.is_dir() {
        return say("skipped, no corpus: large pictures");
    }
    let folder = places::temporary();
    let side = if smoke { 256 } else { 4096 };
    let bench = Bench { folder: folder.path(), rounds: if smoke { 1 } else { ROUNDS } };
    std::fs::write(bench.picture(), painted(side)).expect("writes");
    let game = bench.game(&fixture);
    let mut on_one_core = 0.0;
    for texture in TEXTURES {
        let package = format!("{game}:/Game/Fixtures/Textures/{texture}");
        let picture = bench.picture().display().to_string();
        let ([one, two], peak) = bench.on_both(&["replace", &package, &picture], &bench.mod_of(texture));
        on_one_core += one.as_secs_f64() * PICTURES / 2.0;
        let speedup = one.as_secs_f64() / two.as_secs_f64();
        say(&format!(
            "  into {texture}   one thread {one:.2?}, two {two:.2?}: {speedup:.2} ×, at least {SPEEDUP} {}; {:.0} MB",
            judge(speedup >= SPEEDUP),
            mb(peak)
        ));
    }
    say(&format!(
        "  six pictures on one core {on_one_core:.2} s, at most {MOST} {}",
        judge(on_one_core <= MOST)
    ));
    for texture in TEXTURES {
        let file = bench.mod_of(texture).display().to_string();
        let args = ["export", &file, "--as", "png", "--base", &game];
        let ([one, two], peak) = bench.on_both(&args, &bench.folder.join("out"));
        let speedup = one.as_secs_f64() / two.as_secs_f64();
        let rate = f64::from(side) * f64::from(side) / 1e6 / two.as_secs_f64();
        let asked = if texture == "T_BC1" {
            format!(", at least {RATE} {}", judge(rate >= RATE))
        } else {
            String::new()
        };
        say(&format!(
            "  {texture} to PNG   one thread {one:.2?}, two {two:.2?}: {speedup:.2} ×, at least {SPEEDUP} {}; {rate:.0} megapixels/s{asked}; {:.0} MB",
            judge(speedup >= SPEEDUP),
            mb(peak)
        ));
    }
}

fn judge(is_met: bool) -> &'static str {
    if is_met { "met" } else { "MISSED" }
}

struct Bench<'f> {
    folder: &'f Path,
    rounds: usize,
}

impl Bench<'_> {
    fn picture(&self) -> PathBuf {
        self.folder.join("picture.png")
    }

    fn mod_of(&self, texture: &str) -> PathBuf {
        self.folder.join(format!("{texture}_P.utoc"))
    }

    /// Copies a game, and returns its folder.
    fn game(&self, fixture: &Path) -> String {
        let paks = self.folder.join("CUE4ParseFixtures/Content/Paks");
        std::fs::create_dir_all(&paks).expect("makes a folder");
        for folder in [fixture.join("Oodle"), fixture.to_owned()] {
            for entry in std::fs::read_dir(folder).expect("is there") {
                let path = entry.expect("is readable").path();
                if path.is_file() {
                    std::fs::copy(&path, paks.join(path.file_name().expect("a file"))).expect("copies");
                }
            }
        }
        paks.display().to_string()
    }

    /// Runs the command on one thread and on two, in turns, and returns its times and its largest size.
    fn on_both(&self, args: &[&str], out: &Path) -> ([Duration; 2], usize) {
        let target = out.display().to_string();
        let (mut times, mut peak) = ([Vec::new(), Vec::new()], 0);
        for _ in 0..=self.rounds {
            for (times, threads) in times.iter_mut().zip(["-j1", "-j2"]) {
                let mut args = args.to_vec();
                args.extend(["-o", &target, "-q", threads]);
                if out.extension().is_some() {
                    args.push("--overwrite");
                }
                let (time, memory) = run(&args, 1, || drop(std::fs::remove_dir_all(out)));
                times.push(time);
                peak = peak.max(memory);
            }
        }
        assert!(out.exists(), "uncask {} failed", args.join(" "));
        (times.map(median), peak)
    }
}

/// A picture of slopes with a little noise in places, as a PNG file.
fn painted(side: u32) -> Vec<u8> {
    let noise = |x: u32, y: u32| {
        (x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77)).wrapping_mul(0xC2B2_AE3D) >> 29
    };
    let pixel = |at: u32| {
        let (x, y) = (at % side, at / side);
        let grain = if (x / 64 + y / 64) % 2 == 0 { noise(x, y) } else { 0 };
        let value = |value: u32| u8::try_from(value % 256).unwrap_or_default();
        [value(x / 16 + grain), value(y / 16 + grain), value((x + y) / 32 + grain), 255]
    };
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, side, side);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_compression(png::Compression::Fast);
    let pixels: Vec<u8> = (0..side * side).flat_map(pixel).collect();
    encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixels)).expect("encodes");
    file
}
