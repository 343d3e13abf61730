//! Makes `uncask.html`: the page and the library in one file, which loads nothing from elsewhere.
//!
//! ```text
//! cargo run -p uncask-web-bundle [-- OUTPUT [WASM]]
//! cargo run -p uncask-web-bundle -- bind WASM FOLDER      only the script for a library: bound/uncask.js
//! ```
//!
//! It builds the library for WebAssembly, unless it is given as built, and puts what a browser needs into the page: scripts as
//! text, and what nobody reads compressed. The same input gives the same bytes.

mod bindings;
mod html;
mod modules;

use anyhow::{Context as _, Result};
use std::io::Write as _;
use std::path::{Path, PathBuf};

fn main() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if let [command, wasm, folder] = arguments.as_slice()
        && command.as_os_str() == "bind"
    {
        return bindings::bind(wasm, folder).map(drop);
    }
    let mut arguments = arguments.into_iter();
    let output = arguments.next().unwrap_or_else(|| bindings::folder(&root).join("uncask.html"));
    let wasm = arguments.next().map_or_else(|| bindings::build(&root), Ok)?;
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let bound = bindings::bind(&wasm, folder)?;
    let page = html::page(&root, &bound)?;
    std::fs::write(&output, &page).with_context(|| format!("cannot write {}", output.display()))?;
    let kib = |bytes: usize| bytes.div_ceil(1024);
    writeln!(
        std::io::stdout(),
        "{}: {} KiB, of which the library is {} KiB ({} KiB as it runs)",
        output.display(),
        kib(page.len()),
        kib(html::packed(&bound.wasm)?.len()),
        kib(bound.wasm.len())
    )?;
    Ok(())
}
