//! `uncask export`: textures of the corpus as pictures, held against what an independent reader found.

mod forms;
mod media;
mod replace;
mod textures;

use crate::support::corpus;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A run that has ended.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn uncask<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_uncask"))
        .args(args)
        .env_remove("UNCASK_AES_KEY")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

/// The payloads of the corpus.
fn payloads() -> Option<PathBuf> {
    corpus::find().map(|corpus| corpus.join("payloads")).filter(|folder| folder.is_dir())
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
