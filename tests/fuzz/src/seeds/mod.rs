//! Seeds of every fuzz target: inputs that it knows what to do with.
//!
//! They are made from `testdata`, and from the corpus (`UNCASK_CORPUS`, else `../shared/corpus`) if there is one. Large
//! files are left out, or cut: the front of a package is what a fuzzer can do something with.

#[path = "../../../../crates/oodle/tests/it/support/mod.rs"]
mod oodle_support;
#[path = "../../../it/support/registry/mod.rs"]
pub mod registry;
#[path = "../../../it/support/texts.rs"]
pub mod texts;
#[path = "../../../it/support/types.rs"]
pub mod types;

mod files;
mod made;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The longest seed.
const MAX_LEN: usize = 1 << 16;

/// Seeds of one kind that are kept, the shortest first.
const MAX_SEEDS: usize = 200;

/// Seeds by target. Short ones come first, and each is there once.
#[derive(Default)]
struct Seeds(BTreeMap<&'static str, BTreeSet<(usize, Vec<u8>)>>);

/// The seeds of each target, the shortest first. `root` is the folder of the repository.
pub fn all(root: &Path) -> BTreeMap<&'static str, Vec<Vec<u8>>> {
    let mut seeds = Seeds::default();
    let corpus = std::env::var_os("UNCASK_CORPUS").map_or(root.join("../shared/corpus"), PathBuf::from);
    for folder in [&root.join("testdata"), &corpus] {
        let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().filter_map(Result::ok);
        for file in files.filter(|file| file.file_type().is_file()) {
            seeds.file(file.path());
        }
    }
    seeds.codecs(&corpus);
    seeds.images();
    seeds.loose();
    seeds.scripts();
    seeds.jobs();
    seeds.registries();
    seeds.recipes();
    seeds.frames();
    seeds.draws();
    let kept = |seeds: BTreeSet<(usize, Vec<u8>)>| {
        seeds.into_iter().take(MAX_SEEDS).map(|(_, bytes)| bytes).collect()
    };
    seeds.0.into_iter().map(|(target, seeds)| (target, kept(seeds))).collect()
}

impl Seeds {
    fn add(&mut self, target: &'static str, bytes: &[u8]) {
        let bytes = &bytes[..bytes.len().min(MAX_LEN)];
        self.0.entry(target).or_default().insert((bytes.len(), bytes.to_vec()));
    }

    /// A seed that starts with a number.
    fn add_numbered(&mut self, target: &'static str, number: u32, bytes: &[u8]) {
        self.add(target, &[&number.to_le_bytes()[..], bytes].concat());
    }
}

/// A part whose length comes first.
fn with_len(bytes: &[u8]) -> Vec<u8> {
    [&u32::try_from(bytes.len()).expect("a small file").to_le_bytes(), bytes].concat()
}
