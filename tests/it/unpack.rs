//! `unpack` leaves whole files or none, and never writes outside its folder.

use crate::support::containers::{Packed, noise, open};
use crate::support::{block_on, cpu};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use uncask::codec::Method;
use uncask::extract::{Filter, Outputs, UnpackOptions, unpack};
use uncask::job::{Budget, CancelToken, Context, Outcome};
use uncask::pack::PackOptions;
use uncask::report::{Event, Observer, Silent};
use uncask::sink::{DirectorySink, Overwrite};

const SMALL: usize = 200_000;
const LARGE: usize = 6 << 20;

/// Content by path: forty small files and a large one in the middle of the data.
fn files() -> BTreeMap<String, Vec<u8>> {
    let small = (0..40_u64).map(|n| (format!("Game/Content/f{n:02}.uasset"), noise(SMALL, n)));
    small.chain([("Game/Content/f20.ubulk".to_owned(), noise(LARGE, 99))]).collect()
}

fn packed(files: &BTreeMap<String, Vec<u8>>) -> Packed {
    Packed::new(files.iter().map(|(path, content)| (path.as_str(), content.clone())), &PackOptions::default())
}

const CHECKED: UnpackOptions =
    UnpackOptions { overwrite: Overwrite::Different, verify: true, strict: false, fail_fast: false };

/// Unpacks everything with a budget that a few small files fill.
fn run(
    packed: &Packed,
    out: &Path,
    options: UnpackOptions,
    observer: impl FnOnce(&Context) -> Arc<dyn Observer>,
) -> Outcome {
    let store = open(&packed.toc, &[]);
    let outputs = Outputs::new(&store, &Filter::default().select(&store, false), None);
    let sink = Arc::new(DirectorySink::open(out).unwrap());
    let context = Context::new(cpu().clone(), Budget::new(1 << 20), options.verify);
    let observer = observer(&context);
    block_on(unpack(&store, outputs, sink, &context.with_observer(observer), options))
}

fn quietly(packed: &Packed, out: &Path, options: UnpackOptions) -> Outcome {
    run(packed, out, options, |_| Arc::new(Silent))
}

/// All files below a folder, by their paths.
fn found(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().is_file());
    let name = |path: &Path| {
        path.strip_prefix(folder).unwrap().to_str().unwrap().replace(std::path::MAIN_SEPARATOR, "/")
    };
    files.map(|entry| (name(entry.path()), std::fs::read(entry.path()).unwrap())).collect()
}

/// Cancels its job when some bytes have come through.
struct Impatient {
    cancel: CancelToken,
    after: u64,
    seen: std::sync::atomic::AtomicU64,
}

impl Observer for Impatient {
    fn on(&self, event: &Event<'_>) {
        if let Event::Advanced { raw_bytes, .. } = event {
            let seen = self.seen.fetch_add(*raw_bytes, std::sync::atomic::Ordering::Relaxed) + raw_bytes;
            if seen >= self.after {
                self.cancel.cancel();
            }
        }
    }
}

#[test]
fn a_cancelled_job_leaves_whole_files_or_none() {
    let files = files();
    let packed = packed(&files);
    let large_starts = 20 * SMALL as u64;
    for after in [1, large_starts, large_starts + 2 * SMALL as u64, large_starts + (LARGE / 2) as u64] {
        let out = packed.beside(&format!("out{after}"));
        let outcome = run(&packed, &out, CHECKED, |context| {
            Arc::new(Impatient { cancel: context.cancel_token().clone(), after, seen: 0.into() })
        });
        assert!(outcome.cancelled && outcome.failures.is_empty(), "{outcome:?}");
        let found = found(&out);
        assert!(found.len() < files.len(), "cancelled after {after} bytes, but nothing is missing");
        for (path, content) in &found {
            assert!(files.get(path) == Some(content), "{path}, cancelled after {after} bytes");
        }
    }
}

#[test]
fn existing_files_are_treated_as_asked() {
    let files = files();
    let (packed, changed, last) = (packed(&files), "Game/Content/f03.uasset", files.len() as u64);
    let out = packed.beside("out");
    assert_eq!(quietly(&packed, &out, CHECKED).count, last);
    for (overwrite, written) in [(Overwrite::Never, 0), (Overwrite::Different, 1), (Overwrite::Always, last)]
    {
        std::fs::write(out.join(changed), "my own").unwrap();
        let outcome = quietly(&packed, &out, UnpackOptions { overwrite, ..CHECKED });
        assert_eq!(
            (outcome.count, outcome.kept + outcome.unchanged),
            (written, last - written),
            "{overwrite:?}"
        );
        let expected = if overwrite == Overwrite::Never { b"my own" } else { files[changed].as_slice() };
        assert!(found(&out)[changed] == expected, "{overwrite:?}");
    }
    assert!(found(&out) == files);
}

#[test]
fn strict_writes_nothing_with_a_wrong_hash() {
    let files = files();
    let packed = packed(&files);
    let mut data = std::fs::read(packed.data()).unwrap();
    data[SMALL * 3 / 2] ^= 1;
    let inside_of_large = data.len() / 2;
    data[inside_of_large] ^= 1;
    std::fs::write(packed.data(), data).unwrap();
    for (strict, written) in [(false, files.len()), (true, files.len() - 2)] {
        let out = packed.beside(&format!("strict-{strict}"));
        let outcome = quietly(&packed, &out, UnpackOptions { strict, ..CHECKED });
        assert_eq!((outcome.mismatches.len(), outcome.failures.len()), (2, 0), "strict: {strict}");
        assert_eq!(found(&out).len(), written, "strict: {strict}");
    }
    let out = packed.beside("fast");
    let outcome = quietly(&packed, &out, UnpackOptions { strict: true, fail_fast: true, ..CHECKED });
    assert!(!outcome.is_ok() && found(&out).len() < files.len() / 2, "{} files", found(&out).len());
}

#[cfg(unix)]
#[test]
fn a_symlink_does_not_lead_out_of_the_output_folder() {
    let packed = Packed::new(
        [("Game/Content/a.uasset", noise(100, 1)), ("Safe/b.ubulk", noise(100, 2))],
        &PackOptions::default(),
    );
    let (out, outside) = (packed.beside("out"), packed.beside("outside"));
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::create_dir_all(&out).unwrap();
    std::os::unix::fs::symlink(&outside, out.join("Game")).unwrap();
    let outcome = quietly(&packed, &out, CHECKED);
    assert_eq!((outcome.count, outcome.failures.len()), (1, 1), "{outcome:?}");
    assert_eq!(found(&outside).len(), 0, "nothing is written through the link");
    assert!(out.join("Safe/b.ubulk").is_file());
}

/// Without checking, uncompressed chunks are copied from file to file, and need not pass through the program.
#[test]
fn what_is_not_checked_is_copied_byte_for_byte() {
    let (files, unchecked) = (files(), UnpackOptions { verify: false, ..CHECKED });
    for method in [Method::None, Method::Lz4] {
        let given = files.iter().map(|(path, content)| (path.as_str(), content.clone()));
        let packed = Packed::new(given, &PackOptions { method, ..PackOptions::default() });
        let out = packed.beside("out");
        let outcome = quietly(&packed, &out, unchecked);
        assert!(outcome.is_ok() && outcome.count == files.len() as u64, "{outcome:?}");
        assert!(found(&out) == files, "{method}: other bytes");
    }
}

/// The pieces of a large chunk are hashed apart, by several threads; one wrong bit shows all the same.
#[test]
fn a_wrong_bit_in_a_large_chunk_is_found() {
    let packed = packed(&files());
    let good = quietly(&packed, &packed.beside("good"), CHECKED);
    assert!(good.is_ok(), "{good:?}");
    let mut data = std::fs::read(packed.data()).unwrap();
    let large = noise(LARGE, 99);
    let start = data.windows(32).position(|window| window == &large[..32]).unwrap();
    data[start + LARGE / 2 + 1] ^= 1;
    std::fs::write(packed.data(), data).unwrap();
    let outcome = quietly(&packed, &packed.beside("bad"), CHECKED);
    let wrong: Vec<&str> = outcome.mismatches.iter().map(|failure| failure.path.as_str()).collect();
    assert_eq!((wrong, outcome.failures.len()), (vec!["Game/Content/f20.ubulk"], 0));
}
