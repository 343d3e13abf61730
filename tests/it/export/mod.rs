//! `uncask export`: textures of the corpus as pictures, held against what an independent reader found.

mod animations;
mod fonts;
mod forms;
mod materials;
mod media;
mod nanite;
mod opened;
mod options;
mod others;
mod replace;
mod scenes;
mod streamed;
mod tables;
mod textures;
mod uncooked;

use crate::support::cli::{Run, uncask};
use crate::support::corpus;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The payloads of the corpus.
fn payloads() -> Option<PathBuf> {
    corpus::find().map(|corpus| corpus.join("payloads")).filter(|folder| folder.is_dir())
}

/// Folder that `payloads` gives, for a test that needs a file made for the corpus.
fn payloads_with(made: &str) -> Option<PathBuf> {
    corpus::with(made)?;
    payloads()
}

/// A container of the 5.8 fixture with what it needs.
fn fixture(payloads: &Path, cook: &str) -> [String; 4] {
    let folder = payloads.parent().unwrap().join("iostore/ue5.8").join(cook);
    let mappings = payloads.join("ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap");
    let text = |path: PathBuf| path.to_str().unwrap().to_owned();
    [text(folder.join("Uncompressed")), "--base".to_owned(), text(folder.join("global.utoc")), text(mappings)]
}

/// All files below a folder, by their names.
fn files(folder: &Path) -> BTreeMap<String, PathBuf> {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.file_type().is_file());
    files.map(|entry| (entry.file_name().to_str().unwrap().to_owned(), entry.path().to_owned())).collect()
}

/// The JSON of a binary glTF file.
fn json_of(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap();
    let len = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + len]).unwrap()
}

fn hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
