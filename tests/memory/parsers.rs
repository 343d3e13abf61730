//! Every parser, about every small fixture.

use super::mutate::mutate;
use super::registry::early::early;
use super::registry::{Quirks, Registry, VERSIONS};
use super::{Meter, corpus, fuzz, texts, types};
use std::path::{Path, PathBuf};
use uncask::codec::{Method, Scratch, compress};
use uncask::container::{DirectoryIndexBuilder, Toc};

/// The longest fixture of `testdata`, and of the corpus.
const MAX_LEN: [u64; 2] = [4 << 10, 12 << 10];

/// Targets that are whole jobs, or that do not parse.
const NO_PARSERS: [&str; 3] = ["pipeline", "pack_roundtrip", "compress"];

/// Prefixes of targets that draw their input from the bytes and have their own bounds, or have their own
/// fixtures: see `payloads`, `kernels` and `clips`.
const OTHERS: [&str; 4] = ["shape_", "sound_", "image_", "asset_acl"];

/// True if a target runs on every fixture.
fn is_parser(target: &str) -> bool {
    let has_fixtures = fuzz::payloads::CLASSES.iter().any(|(name, _)| *name == target);
    !has_fixtures && !NO_PARSERS.contains(&target) && !OTHERS.iter().any(|start| target.starts_with(start))
}

/// Files of a folder that are small enough.
fn small(folder: &Path, max_len: u64) -> Vec<(String, Vec<u8>)> {
    let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    let small = |path: &PathBuf| path.metadata().is_ok_and(|data| data.is_file() && data.len() <= max_len);
    let files = files.map(walkdir::DirEntry::into_path).filter(small);
    let name = |path: &Path| path.strip_prefix(folder).unwrap().display().to_string();
    files.map(|path| (name(&path), std::fs::read(&path).unwrap())).collect()
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    Path::new(name).extension().is_some_and(|end| extensions.iter().any(|wanted| end == *wanted))
}

/// Gives every parser an input.
fn ask_all(meter: &mut Meter, name: impl Fn() -> String, bytes: &[u8]) {
    for (target, run) in fuzz::TARGETS {
        if is_parser(target) {
            meter.run(|| format!("{}, {target}", name()), bytes.len(), || run(bytes));
        }
    }
}

#[test]
fn every_truncation_of_every_fixture_through_every_parser() {
    let _turn = Meter::turn();
    let mut meter = Meter::default();
    for (name, bytes) in fixtures() {
        for len in 0..=bytes.len() {
            ask_all(&mut meter, || format!("{name}, cut to {len}"), &bytes[..len]);
        }
    }
    meter.say("cuts of fixtures");
    assert!(meter.cases > 50_000, "{} cases", meter.cases);
}

#[test]
fn mutations_of_every_fixture_through_every_parser() {
    let _turn = Meter::turn();
    let mut meter = Meter::default();
    for (name, bytes) in fixtures() {
        for seed in 0..300 {
            ask_all(&mut meter, || format!("{name}, mutation {seed}"), &mutate(&bytes, seed));
        }
    }
    meter.say("mutations of fixtures");
    assert!(meter.cases > 50_000, "{} cases", meter.cases);
}

/// The small files of `testdata`, and parts with their own parser.
fn fixtures() -> Vec<(String, Vec<u8>)> {
    let mut all = small(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata"), MAX_LEN[0]);
    all.retain(|(name, _)| !name.starts_with("regressions") && !has_extension(name, &["md", "sh"]));
    assert!(all.len() >= 6, "{} fixtures", all.len());
    let tables = all.iter().filter(|(name, _)| has_extension(name, &["utoc"]));
    let indices: Vec<_> = tables
        .map(|(name, bytes)| {
            let toc = Toc::parse(bytes.clone().into()).unwrap();
            let index = toc.directory_index_bytes();
            (format!("{name}, index"), [&toc.chunk_count().to_le_bytes()[..], &index].concat())
        })
        .collect();
    all.extend(indices);
    let mut builder = DirectoryIndexBuilder::new("../../../Game/");
    for (chunk, path) in (0..).zip(["a.uasset", "Maps/b.umap", "Maps/Ünï/c.ubulk", "Maps/Ünï/d.ubulk"]) {
        builder.add(path, chunk);
    }
    for version in [3, 6, 8, 22] {
        let registry = Registry::sample(version).write(Quirks::default());
        all.push((format!("asset registry, version {version}"), registry));
    }
    all.extend([0, 1].map(|version| (format!("asset registry, version {version}"), early(version))));
    all.extend(loose());
    all.push(("wide names".to_owned(), [&4_u32.to_le_bytes()[..], &builder.finish()].concat()));
    all
}

#[test]
fn mutations_of_asset_registries_of_every_version() {
    let _turn = Meter::turn();
    let mut meter = Meter::default();
    for version in VERSIONS {
        for seed in 0..100 {
            let texts_last = seed % 2 == 1;
            let bytes = Registry::random(version, seed).write(Quirks { texts_last, ..Quirks::default() });
            for mutation in 0..30 {
                let damaged = mutate(&bytes, mutation);
                let name = || format!("asset registry, version {version}, seed {seed}, mutation {mutation}");
                meter.run(name, damaged.len(), || fuzz::run("asset_registry", &damaged));
            }
        }
    }
    for version in [0, 1] {
        for mutation in 0..3000 {
            let damaged = mutate(&early(version), mutation);
            let name = || format!("asset registry, version {version}, mutation {mutation}");
            meter.run(name, damaged.len(), || fuzz::run("asset_registry", &damaged));
        }
    }
    meter.say("mutations of asset registries");
    assert!(meter.cases > 50_000, "{} cases", meter.cases);
}

/// Texts and type mappings, of the versions that differ most.
fn loose() -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<_> =
        [0, 1, 3].map(|version| (format!("locres {version}"), texts::locres(version, &texts::SPACES))).into();
    all.push(("locmeta".to_owned(), texts::locmeta(2)));
    let extensions = || vec![(*b"PPTH", vec![0; 9])];
    let types = [0, 4, 6].map(|version| types::Types {
        has_versions: true,
        extensions: extensions(),
        ..types::Types::demo(version)
    });
    all.extend(types.iter().map(|types| (format!("usmap {}", types.version), types.file())));
    let (types, mut stored) = (types::Types::demo(3), Vec::new());
    compress(Method::Oodle, &types.data(), None, &mut stored, &mut Scratch::default()).unwrap();
    all.push(("usmap, Oodle".to_owned(), types.wrap(1, &stored, types.data().len())));
    let types = types::Types::demo(4);
    all.push(("usmap, Brotli".to_owned(), types.wrap(2, types::BROTLI, types.data().len())));
    all
}

/// Real files of every kind: evenly spread cuts, and mutations, through every parser.
#[test]
fn damaged_files_of_the_corpus_through_every_parser() {
    let _turn = Meter::turn();
    let Some(corpus) = corpus() else { return };
    let mut meter = Meter::default();
    for (name, bytes) in small(&corpus, MAX_LEN[1]) {
        if has_extension(&name, &["tsv", "md", "uexp", "ucas"]) {
            continue;
        }
        for len in (0..bytes.len()).step_by(bytes.len() / 30 + 1) {
            ask_all(&mut meter, || format!("{name}, cut to {len}"), &bytes[..len]);
        }
        for seed in 0..40 {
            ask_all(&mut meter, || format!("{name}, mutation {seed}"), &mutate(&bytes, seed));
        }
    }
    meter.say("damaged files of the corpus");
    assert!(meter.cases > 50_000, "{} cases", meter.cases);
}
