//! Writes the seeds of every fuzz target: `seeds OUT`, one folder each.

use std::path::{Path, PathBuf};

fn main() {
    let out = std::env::args_os().nth(1).map(PathBuf::from).expect("seeds OUT");
    for (target, seeds) in uncask_fuzz::seeds::all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")) {
        let folder = out.join(target);
        std::fs::create_dir_all(&folder).expect("a folder");
        for (number, bytes) in seeds.iter().enumerate() {
            std::fs::write(folder.join(format!("seed{number:03}")), bytes).expect("a file");
        }
    }
}
