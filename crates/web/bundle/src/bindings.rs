//! The library as WebAssembly, and the script through which others call it.

use anyhow::{Context as _, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

/// Optimised for size without giving up the speed of decoders. See `Cargo.toml`.
const PROFILE: &str = "web";

/// With SIMD, and with a stack as deep as threads have elsewhere.
const FLAGS: &str = "-C target-feature=+simd128 -C link-arg=-zstack-size=8388608";

/// The library, ready to run.
pub(crate) struct Bound {
    /// Defines `wasm_bindgen`, for scripts that are no modules.
    pub script: String,
    pub wasm: Vec<u8>,
}

/// Folder for all that is made: `web` in Cargo's target folder.
pub(crate) fn folder(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from).join("web")
}

/// Builds the library.
pub(crate) fn build(root: &Path) -> Result<PathBuf> {
    let target = folder(root);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--locked", "--package", "uncask-web", "--target", "wasm32-unknown-unknown"])
        .args(["--profile", PROFILE, "--target-dir"])
        .arg(&target)
        .env("RUSTFLAGS", format!("{FLAGS} {}", std::env::var("RUSTFLAGS").unwrap_or_default()))
        .current_dir(root)
        .status()
        .context("cannot start cargo")?;
    ensure!(
        status.success(),
        "the library cannot be built for wasm32-unknown-unknown; `rustup target add` gets that target"
    );
    Ok(target.join("wasm32-unknown-unknown").join(PROFILE).join("uncask_web.wasm"))
}

/// Makes the script for a library that was built. What it takes for that is left in a folder.
pub(crate) fn bind(wasm: &Path, folder: &Path) -> Result<Bound> {
    let folder = folder.join("bound");
    std::fs::create_dir_all(&folder)?;
    Bindgen::new()
        .input_path(wasm)
        .out_name("uncask")
        .no_modules(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(&folder)?;
    let read = |name: &str| std::fs::read(folder.join(name)).with_context(|| format!("there is no {name}"));
    Ok(Bound { script: String::from_utf8(read("uncask.js")?)?, wasm: read("uncask_bg.wasm")? })
}
