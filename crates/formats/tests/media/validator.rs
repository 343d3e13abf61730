//! The glTF validator of the Khronos Group, where it is installed.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Fails the test if the validator finds an error in a file, or anything to warn of. Without a validator, says that the test is skipped.
pub(crate) fn validate(files: &[PathBuf]) {
    // The same from either package.
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    let root = root.unwrap_or_else(|| Path::new("."));
    let run = Command::new("node")
        .arg(root.join("tests/it/export/validator.js"))
        .args(files)
        .env("NODE_PATH", root.join("target/validators/node_modules"))
        .output();
    let said = run.as_ref().map(|run| String::from_utf8_lossy(&run.stdout).into_owned()).unwrap_or_default();
    match run.ok().and_then(|run| run.status.code()) {
        Some(0) => {}
        None | Some(3) => {
            let install = "npm install --prefix target/validators gltf-validator";
            let _ = writeln!(std::io::stderr(), "skipped, no glTF validator ({install})");
        }
        Some(_) => panic!("{said}"),
    }
}
