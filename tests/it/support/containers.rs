//! Packed containers on disk, for tests that want real files.

use super::hostile::Rng;
use super::{block_on, context, cpu};
use crate::support::packing::pack;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use uncask::crypto::KeyRing;
use uncask::extract::{Filter, Outputs, UnpackOptions, unpack, verify};
use uncask::job::Outcome;
use uncask::pack::PackOptions;
use uncask::sink::DirectorySink;
use uncask::store::{Entry, Store, StoreOptions};

/// A container and the folder that it was made from.
#[derive(Debug)]
pub(crate) struct Packed {
    pub(crate) folder: TempDir,
    /// The `.utoc`.
    pub(crate) toc: PathBuf,
}

impl Packed {
    /// Packs files, by their paths below the mount point, into `demo.utoc`, whatever they hold.
    pub(crate) fn new<'a>(
        files: impl IntoIterator<Item = (&'a str, Vec<u8>)>,
        options: &PackOptions,
    ) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let tree = folder.path().join("tree");
        std::fs::create_dir(&tree).expect("a folder");
        write_tree(&tree, files);
        let toc = folder.path().join("demo.utoc");
        let options = PackOptions { force: true, ..options.clone() };
        let packed = pack(&tree, &toc, &options, cpu()).expect("it packs");
        assert!(packed.skipped.is_empty(), "left out: {:?}", packed.skipped);
        Self { folder, toc }
    }

    /// A path beside the `.utoc`.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The only `.ucas`, or the first.
    pub(crate) fn data(&self) -> PathBuf {
        self.toc.with_extension("ucas")
    }
}

/// Writes files below a folder.
pub(crate) fn write_tree<'a>(folder: &Path, files: impl IntoIterator<Item = (&'a str, Vec<u8>)>) {
    for (path, content) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, content).expect("a file");
    }
}

/// Opens a store without complaint.
pub(crate) fn open(input: &Path, keys: &[&str]) -> Store {
    let mut ring = KeyRing::default();
    for key in keys {
        ring.add_argument(key).expect("a key");
    }
    let options = StoreOptions { keys: ring, ..StoreOptions::default() };
    let store = Store::open(&[input.to_owned()], &[], &options).expect("an input");
    assert!(store.failed().is_empty(), "{:?}", store.failed());
    store
}

/// Checks every chunk of a store.
pub(crate) fn verify_all(store: &Store) -> Outcome {
    let entries = Filter::default().select(store, true);
    block_on(verify(store, &entries, &context(), false))
}

/// Unpacks every chunk of a store that wins.
pub(crate) fn unpack_all(store: &Store, to: &Path) -> Outcome {
    unpack_entries(store, &Filter::default().select(store, false), to)
}

/// Unpacks some chunks of a store.
pub(crate) fn unpack_entries(store: &Store, entries: &[Entry], to: &Path) -> Outcome {
    let outputs = Outputs::new(store, entries, None);
    let sink = Arc::new(DirectorySink::open(to).expect("an output folder"));
    let options = UnpackOptions { verify: true, ..UnpackOptions::default() };
    block_on(unpack(store, outputs, sink, &context(), options))
}

/// Bytes that no codec makes smaller.
pub(crate) fn noise(len: usize, seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    std::iter::repeat_with(|| rng.next().to_le_bytes()).flatten().take(len).collect()
}

/// Bytes that every codec makes smaller.
pub(crate) fn prose(len: usize) -> Vec<u8> {
    let words =
        (0_u32..).flat_map(|line| format!("line {line} of a text that repeats itself\n").into_bytes());
    words.take(len).collect()
}
