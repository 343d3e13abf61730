//! No parser takes more memory than a fixed multiple of its input, whatever the bytes. An allocation beyond that ends
//! the process, so this is a test binary of its own, with one test.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

#[path = "../it/package/support/mod.rs"]
#[expect(dead_code, reason = "shared with the other test binary")]
mod support;

use cap::Cap;
use std::alloc::System;
use support::hostile::abuse;
use uncask::{
    container::{
        container_header::ContainerHeader,
        script_objects::ScriptObjects,
        shader_library::{LooseShaderLibrary, ShaderLibrary},
    },
    package::{classic, legacy, zen},
};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Bytes of memory for one byte of input, and what small inputs may take beyond that.
const FACTOR: usize = 48;
const SLACK: usize = 64 << 10;

fn bounded(bytes: &[u8], parse: impl FnOnce(&[u8])) {
    ALLOCATOR.set_limit(ALLOCATOR.allocated() + FACTOR * bytes.len() + SLACK).unwrap();
    parse(bytes);
    ALLOCATOR.set_limit(usize::MAX).unwrap();
}

fn every_parser(bytes: &[u8]) {
    bounded(bytes, |bytes| drop(zen::Header::parse_partial(bytes)));
    bounded(bytes, |bytes| drop(zen::package_name(bytes)));
    bounded(bytes, |bytes| drop(legacy::Package::parse_partial(bytes, None)));
    bounded(bytes, |bytes| drop(classic::Package::parse_partial(bytes)));
    bounded(bytes, |bytes| drop(ContainerHeader::parse(bytes)));
    bounded(bytes, |bytes| drop(ScriptObjects::parse(bytes)));
    bounded(bytes, |bytes| drop(LooseShaderLibrary::parse(bytes)));
    bounded(bytes, |bytes| {
        drop(ShaderLibrary::parse(bytes).map(|library| LooseShaderLibrary::lay_out(&library, |_| 0)));
    });
    if let Ok(package) = classic::Package::parse(bytes) {
        for export in &package.exports {
            bounded(bytes, |bytes| drop(package.properties(bytes, export)));
            bounded(bytes, |bytes| drop(package.texture(bytes, export)));
        }
    }
}

#[test]
fn memory_is_bounded_by_the_input() {
    let Some(corpus) = support::corpus() else { return };
    let mut files = support::files(
        &corpus,
        "packages",
        &["uasset", "umap", "uzenasset", "ushaderbytecode", "uzenshaderbytecode"],
    );
    files.extend(support::files(&corpus, "uncooked", &["uasset"]));
    files.extend(support::files(&corpus, "classic", &["u"]));
    files.extend(support::files(&corpus, "headers", &["bin"]));
    let mut cases = 0;
    for (_, bytes) in files {
        every_parser(&bytes);
        let short = &bytes[..bytes.len().min(1 << 16)];
        cases += abuse(short, 300, every_parser);
    }
    assert!(cases > 60_000, "{cases} cases");
}
