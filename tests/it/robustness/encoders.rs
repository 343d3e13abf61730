//! Damaged packages through whole jobs, up to the encoders of pictures, sounds and models: an error for each, and no panic.

use crate::support::cli::{command, run};
use crate::support::corpus;
use crate::support::hostile::Rng;
use crate::support::say;
use std::path::{Path, PathBuf};

/// Damaged copies of each package.
const COPIES: usize = if cfg!(windows) { 2 } else { 24 };
/// Bytes at both ends that are damaged most often: properties and dimensions are there, pixels in between.
const ENDS: usize = 700;

/// Damages one to four places.
fn damage(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..=rng.below(4) {
        let len = bytes.len();
        if len < 8 {
            return;
        }
        let at = match rng.below(4) {
            0 => rng.below(len - 4),
            1 => len - 4 - rng.below(ENDS.min(len - 4)),
            _ => rng.below(ENDS.min(len - 4)),
        };
        match rng.below(8) {
            0 => bytes[at..at + 4].fill(0),
            1 => bytes[at..at + 4].fill(0xFF),
            2 => bytes[at..at + 4].copy_from_slice(&0x7FFF_FFFF_u32.to_le_bytes()),
            3 => bytes[at..at + 4].copy_from_slice(&1_u32.to_le_bytes()),
            4 => bytes.truncate(at + 4),
            _ => bytes[at] = u8::try_from(rng.below(256)).unwrap(),
        }
    }
}

/// Damaged copies of all packages below a folder. The header stays as it is in most: few get further with another.
fn damaged(original: &Path, folder: &Path, rng: &mut Rng) -> usize {
    let mut packages = 0;
    for entry in walkdir::WalkDir::new(original).sort_by_file_name().into_iter().map(Result::unwrap) {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "uasset") {
            continue;
        }
        for copy in 0..COPIES {
            let stem = path.file_stem().unwrap().to_str().unwrap();
            let out = folder.join(format!("{copy}/{stem}"));
            std::fs::create_dir_all(out.parent().unwrap()).unwrap();
            let exports = path.with_extension("uexp");
            // Without a file of exports, they are in the one file that there is.
            let in_header = !exports.exists() || rng.below(6) == 0;
            for extension in ["uasset", "uexp", "ubulk"] {
                let Ok(mut bytes) = std::fs::read(path.with_extension(extension)) else { continue };
                if (extension == "uasset") == in_header {
                    damage(&mut bytes, rng);
                }
                std::fs::write(out.with_extension(extension), bytes).unwrap();
            }
            packages += 1;
        }
    }
    packages
}

/// Cooked and uncooked packages of the corpus, some of them out of containers.
fn originals(corpus: &Path, folder: &Path) -> Vec<(PathBuf, &'static str)> {
    let fixture = corpus.join("iostore/ue5.8/tagged");
    let mut convert = command();
    convert.args(["to-legacy", "-q", "-o"]).arg(folder.join("ue5.8")).arg(fixture.join("Uncompressed"));
    run(convert.arg("--base").arg(fixture.join("global.utoc"))).expect(0);
    vec![
        (corpus.join("payloads/ue5.1-cooked"), "5.1"),
        (folder.join("ue5.8"), "5.8"),
        (corpus.join("uncooked"), "5.4"),
    ]
}

#[test]
fn damaged_packages_are_errors_in_every_encoder() {
    let Some(corpus) = corpus::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (mut rng, mut total) = (Rng::new(23), [0, 0]);
    for (original, engine) in originals(&corpus, folder.path()) {
        let input = folder.path().join("damaged");
        let packages = damaged(&original, &input, &mut rng);
        assert!(packages >= 10 * COPIES, "{}: {packages}", original.display());
        let jobs: [&[&str]; 8] = [
            &["export"],
            &["export", "--as", "exr,gltf"],
            &["export", "--as", "dds,raw"],
            &["json", "--form", "tree"],
            &["code"],
            &["text", "--all"],
            &["thumbnails"],
            &["to-legacy"],
        ];
        let mut written = 0;
        for job in jobs {
            let mut damaged = command();
            damaged.args(job).arg(&input).args(["--memory", "64M", "-o"]).arg(folder.path().join("out"));
            if job[0] != "thumbnails" {
                damaged.args(["--engine", engine]);
            }
            // A panic on a worker is among the failures, as an error of this program.
            let ran = run(&mut damaged);
            assert!(!ran.stderr.contains("internal error"), "{job:?}: {}", ran.shown());
            assert!((0..=5).contains(&ran.code), "{job:?}: {}", ran.shown());
            let out = folder.path().join("out");
            written +=
                walkdir::WalkDir::new(&out).into_iter().flatten().filter(|at| at.path().is_file()).count();
            let _ = std::fs::remove_dir_all(out);
        }
        say(&format!(
            "{packages} damaged packages of {}: {written} files by {} jobs",
            original.display(),
            jobs.len()
        ));
        total = [total[0] + packages, total[1] + written];
        std::fs::remove_dir_all(&input).unwrap();
    }
    let [packages, written] = total;
    assert!(written > packages, "most are only refused: {written} files of {packages} packages");
}
