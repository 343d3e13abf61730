//! One file of all parts.

use crate::bindings::Bound;
use crate::modules::{Module, Modules};
use anyhow::{Context as _, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::io::Write as _;
use std::path::Path;

/// The parts that a script makes modules of.
#[derive(Serialize)]
struct Parts<'a> {
    modules: Vec<Part<'a>>,
    worker: String,
    wasm: String,
}

/// A module: as text, or compressed and in base64.
#[derive(Serialize)]
struct Part<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    packed: Option<String>,
}

/// The page as one file.
pub(crate) fn page(root: &Path, bound: &Bound) -> Result<String> {
    let (own, shared) = (root.join("crates/web/page"), root.join("src/browse/page"));
    let read = |path: &Path| {
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
    };
    let (loader, style) = (read(&own.join("loader.js"))?, read(&shared.join("style.css"))?);
    let modules = Modules::new(vec![own.clone(), shared.clone()])?.with_imports("main.js")?;
    let parts = Parts {
        modules: modules.iter().map(part).collect::<Result<_>>()?,
        worker: format!("{}\n{}", bound.script, read(&own.join("worker.js"))?),
        wasm: packed(&bound.wasm)?,
    };
    // Nothing in a script's data may look like its end.
    let parts = serde_json::to_string(&parts)?.replace('<', "\\u003c");
    let icon = STANDARD.encode(read(&shared.join("icon.svg"))?);
    let mut page = read(&shared.join("index.html"))?;
    for (from, to) in [
        (
            r#"<meta charset="utf-8">"#,
            format!(
                "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">",
                policy(&loader, &style)
            ),
        ),
        (
            r#"<link rel="icon" href="icon.svg">"#,
            format!(r#"<link rel="icon" href="data:image/svg+xml;base64,{icon}">"#),
        ),
        (r#"<link rel="stylesheet" href="style.css">"#, format!("<style>{style}</style>")),
        ("<script type=\"module\" src=\"main.js\"></script>\n", String::new()),
        (
            "</body>",
            format!(
                "<script type=\"application/json\" id=\"parts\">{parts}</script>\n<script>{loader}</script>\n</body>"
            ),
        ),
    ] {
        anyhow::ensure!(page.matches(from).count() == 1, "the page has not one {from}");
        page = page.replace(from, &to);
    }
    Ok(page)
}

/// The page's content security policy: it may run its own scripts and show what they make, but reach no
/// server.
fn policy(loader: &str, style: &str) -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text));
    format!(
        "default-src 'none'; script-src 'sha256-{}' 'wasm-unsafe-eval' blob:; style-src 'sha256-{}'; worker-src blob:; \
         connect-src blob:; img-src blob: data:; media-src blob:; font-src blob:; base-uri 'none'; form-action 'none'",
        hash(loader),
        hash(style)
    )
}

/// Our own modules stay readable.
fn part(module: &Module) -> Result<Part<'_>> {
    let Module { name, text } = module;
    Ok(if name.starts_with("vendor/") {
        Part { name, text: None, packed: Some(packed(text.as_bytes())?) }
    } else {
        Part { name, text: Some(text), packed: None }
    })
}

/// Compressed, and in letters.
pub(crate) fn packed(bytes: &[u8]) -> Result<String> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes)?;
    Ok(STANDARD.encode(packer.finish()?))
}
