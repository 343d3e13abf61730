//! `uncask export`: textures of the corpus as pictures, held against what an independent reader found.

mod animations;
mod fonts;
mod forms;
mod geometry_cache;
mod materials;
mod media;
mod nanite;
mod opacity;
mod opened;
mod options;
mod others;
mod replace;
mod scenes;
mod streamed;
mod tables;
mod textures;
mod uncooked;
mod usd;

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

/// Runs a script in Python, and returns the lines of JSON that it prints about files; `None` without what it needs. `python` is a variable that names a
/// Python, and the usual one below `target/validators`.
fn script(name: &str, python: [&str; 2], missing: &str, files: &[PathBuf]) -> Option<Vec<Value>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let [variable, usual] = python;
    let usual = root.join("target/validators").join(usual).join("bin/python3");
    let python = std::env::var_os(variable).map_or(usual, PathBuf::from);
    let run =
        std::process::Command::new(&python).arg(root.join("tests/it/export").join(name)).args(files).output();
    let run = match run {
        Ok(run) if run.status.code() != Some(77) => run,
        _ => {
            crate::support::say(&format!(
                "skipped, no Python with the module {missing} ({variable} names one): {name}"
            ));
            return None;
        }
    };
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
    // The library of USD warns of what it cannot resolve.
    assert!(missing != "pxr" || said.is_empty(), "{said}");
    let text = String::from_utf8(run.stdout).unwrap();
    Some(
        text.lines()
            .filter(|line| line.starts_with('{'))
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    )
}
