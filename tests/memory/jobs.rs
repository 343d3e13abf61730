//! `verify`, `unpack` and `to-legacy` over damaged containers: an error, or the right bytes.
//!
//! The undamaged container decides what is right: a strict job may omit a chunk, but whatever it writes is
//! the content of some chunk, unless the damaged table has no hash to tell.

use super::mutate::mutate;
use super::{Meter, block_on, corpus, cpu};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use uncask::crypto::KeyRing;
use uncask::error::Error;
use uncask::extract::legacy::{LegacyOptions, LegacyOutputs, LegacySelection, RebuiltAssets, to_legacy};
use uncask::extract::{Filter, Outputs, UnpackOptions, unpack, verify};
use uncask::job::{Budget, Context, Outcome};
use uncask::sink::MemorySink;
use uncask::store::packages::Packages;
use uncask::store::{Store, StoreOptions};

const MEMORY: u64 = 8 << 20;
const KEY: &str = "0x1111111111111111111111111111111111111111111111111111111111111111";
const STRICT: UnpackOptions = UnpackOptions {
    overwrite: uncask::sink::Overwrite::Always,
    verify: true,
    strict: true,
    fail_fast: false,
};

/// A container, copied to where it may be damaged.
struct Patient {
    name: String,
    _folder: TempDir,
    toc: PathBuf,
    /// Every file of it, sound.
    sound: Vec<(PathBuf, Vec<u8>)>,
    /// Hashes of all chunks, and of all exports that `to-legacy` makes of them.
    right: BTreeSet<[u8; 32]>,
}

/// Results of the jobs over damaged containers.
#[derive(Default)]
struct Tally {
    refused: u64,
    incomplete: u64,
    whole: u64,
}

fn hash(bytes: &[u8]) -> [u8; 32] {
    *blake3::hash(bytes).as_bytes()
}

fn open(toc: &Path) -> Store {
    let mut keys = KeyRing::default();
    keys.add_argument(KEY).unwrap();
    Store::open(&[toc.to_owned()], &[], &StoreOptions { keys, ..StoreOptions::default() }).unwrap()
}

impl Patient {
    fn new(toc: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let stem = toc.file_stem().unwrap().to_str().unwrap();
        let mut sound = Vec::new();
        for entry in std::fs::read_dir(toc.parent().unwrap()).unwrap() {
            let from = entry.unwrap().path();
            let own = from.file_stem().unwrap().to_str().unwrap();
            // The `.pak` beside a container is another input.
            let is_pak = from.extension().is_some_and(|extension| extension == "pak");
            let is_of = own == stem || own.strip_prefix(stem).is_some_and(|rest| rest.starts_with("_s"));
            if is_of && !is_pak {
                let to = folder.path().join(from.file_name().unwrap());
                sound.push((to, std::fs::read(&from).unwrap()));
            }
        }
        let toc = folder.path().join(toc.file_name().unwrap());
        let mut this = Self { name: stem.to_owned(), _folder: folder, toc, sound, right: BTreeSet::new() };
        this.heal();
        let (_, files) = Self::unpack(&open(&this.toc));
        let (_, assets) = Self::to_legacy(&open(&this.toc));
        this.right = files.files().values().chain(assets.files().values()).map(|bytes| hash(bytes)).collect();
        assert!(!this.right.is_empty(), "{}: nothing came of it", this.name);
        this
    }

    fn heal(&self) {
        for (path, bytes) in &self.sound {
            std::fs::write(path, bytes).unwrap();
        }
    }

    fn table(&self) -> &[u8] {
        &self.sound.iter().find(|(path, _)| *path == self.toc).unwrap().1
    }

    fn data(&self) -> impl Iterator<Item = &(PathBuf, Vec<u8>)> {
        self.sound.iter().filter(|(path, _)| *path != self.toc)
    }

    fn context() -> Context {
        Context::new(cpu().clone(), Budget::new(MEMORY), true)
    }

    fn unpack(store: &Store) -> (Outcome, MemorySink) {
        let outputs = Outputs::new(store, &Filter::default().select(store, true), None);
        let sink = MemorySink::default();
        let context = Self::context();
        let job = unpack(store, outputs, Arc::new(sink.clone()), &context, STRICT);
        (block_on(job), sink)
    }

    fn to_legacy(store: &Store) -> (Outcome<RebuiltAssets>, MemorySink) {
        let entries = Filter::default().select(store, true);
        let outputs = LegacyOutputs::new(store, &LegacySelection::new(store, &entries, true));
        let sink = MemorySink::default();
        let options = LegacyOptions { unpack: STRICT, ..LegacyOptions::default() };
        let (packages, context) = (Packages::new(store, MEMORY), Self::context());
        let job = to_legacy(packages, outputs, Arc::new(sink.clone()), &context, options);
        (block_on(job), sink)
    }

    /// Runs all three jobs over the container as it lies there now.
    fn examine(&self, tally: &mut Tally, name: &str) {
        let store = open(&self.toc);
        if !store.failed().is_empty() {
            tally.refused += 1;
            return;
        }
        let entries = Filter::default().select(&store, true);
        let verified = block_on(verify(&store, &entries, &Self::context(), false));
        let (unpacked, files) = Self::unpack(&store);
        let (converted, assets) = Self::to_legacy(&store);
        let problems = verified.problems().chain(unpacked.problems()).chain(converted.problems());
        for failure in problems {
            assert!(!matches!(failure.error, Error::Internal { .. }), "{name}: {}", failure.error);
        }
        assert_eq!(verified.count, unpacked.count, "{name}: what verifies is what is written");
        assert_eq!(files.files().len() as u64, unpacked.count, "{name}: every chunk has a file of its own");
        let is_right = |bytes: &Vec<u8>| bytes.is_empty() || self.right.contains(&hash(bytes));
        if unpacked.unhashed == 0 {
            for (path, bytes) in files.files() {
                assert!(is_right(&bytes), "{name}: {path} is written, and is not what it should be");
            }
            // Headers tell what other packages are called, so they may lose names with these.
            let of_chunks = |path: &str| ![".uasset", ".umap"].iter().any(|end| path.ends_with(end));
            for (path, bytes) in assets.files().into_iter().filter(|(path, _)| of_chunks(path)) {
                assert!(is_right(&bytes), "{name}: {path} is converted, and is not what it should be");
            }
        }
        let whole = unpacked.is_ok() && verified.is_ok();
        *(if whole { &mut tally.whole } else { &mut tally.incomplete }) += 1;
    }
}

/// Containers of `testdata`, and one with real packages.
fn patients() -> Vec<Patient> {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let mut tocs: Vec<PathBuf> = ["pakchunk0-Demo", "pakchunk0-Demo_0_P", "pakchunk1-Demo", "pakchunk2-Demo"]
        .iter()
        .map(|name| testdata.join(format!("demo/{name}.utoc")))
        .collect();
    tocs.push(testdata.join("encrypted/secret-Demo.utoc"));
    tocs.extend(corpus().map(|it| it.join("iostore/ue5.8/patch/CUE4ParseFixtures-PatchBase.utoc")));
    tocs.iter().map(|toc| Patient::new(toc)).collect()
}

#[test]
fn every_truncation_of_every_table_through_every_job() {
    let _turn = Meter::turn();
    let (mut meter, mut tally) = (Meter::default(), Tally::default());
    for patient in patients() {
        let table = patient.table();
        for len in 0..table.len() {
            std::fs::write(&patient.toc, &table[..len]).unwrap();
            let name = format!("{}, table cut to {len}", patient.name);
            meter.run(|| name.clone(), len, || patient.examine(&mut tally, &name));
        }
    }
    meter.say("cut tables");
    assert_eq!((tally.refused + tally.incomplete, tally.whole), (meter.cases, 0), "a cut table is not whole");
}

#[test]
fn mutations_of_every_table_through_every_job() {
    let _turn = Meter::turn();
    let (mut meter, mut tally) = (Meter::default(), Tally::default());
    for patient in patients() {
        let table = patient.table();
        for seed in 0..250 {
            let damaged = mutate(table, seed);
            std::fs::write(&patient.toc, &damaged).unwrap();
            let name = format!("{}, table mutation {seed}", patient.name);
            meter.run(|| name.clone(), damaged.len(), || patient.examine(&mut tally, &name));
        }
    }
    let Tally { refused, incomplete, whole } = tally;
    meter.say(&format!("damaged tables: {refused} refused, {incomplete} in part, {whole} whole"));
    assert!(refused > 100 && incomplete > 100 && whole > 10, "the mutations are too crude, or too mild");
}

#[test]
fn damaged_data_through_every_job() {
    let _turn = Meter::turn();
    let (mut meter, mut tally) = (Meter::default(), Tally::default());
    for patient in patients() {
        for (path, sound) in patient.data() {
            let cuts = (0..sound.len()).step_by(sound.len() / 25 + 1).map(|len| sound[..len].to_vec());
            let mutated = (0..50).map(|seed| mutate(sound, seed));
            for (case, damaged) in cuts.chain(mutated).enumerate() {
                std::fs::write(path, &damaged).unwrap();
                let name = format!("{}, damage {case}", path.file_name().unwrap().display());
                meter.run(|| name.clone(), damaged.len(), || patient.examine(&mut tally, &name));
            }
            patient.heal();
        }
    }
    let Tally { refused, incomplete, whole } = tally;
    meter.say(&format!("damaged data files: {incomplete} in part, {whole} whole"));
    assert_eq!(refused, 0, "the tables are sound");
    // Whole is what was damaged between the blocks.
    assert!(whole < incomplete / 10, "{whole} damaged data files are as good as sound ones");
}
