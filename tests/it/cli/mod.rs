//! The built command as users see it: output, messages and exit codes.

mod bench;
mod exit_codes;
mod help;
mod inputs;
mod json;
mod keys;
mod losers;
mod manifest;
mod output;
mod plurals;
mod resume;
mod terminal;
mod threads;
mod windows;

use crate::support::cli::{Run, settings, uncask};
use crate::support::containers::{Packed, noise, prose};
use uncask::codec::Method;
use uncask::crypto::AesKey;
use uncask::id::Guid;
use uncask::pack::PackOptions;

/// Key of the encrypted container, as bytes, as hex and as base64.
const KEY: &str = "s3cret-s3cret-s3cret-s3cret-s3cr";
const KEY_HEX: &str = "7333637265742d7333637265742d7333637265742d7333637265742d73336372";
const KEY_BASE64: &str = "czNjcmV0LXMzY3JldC1zM2NyZXQtczNjcmV0LXMzY3I=";
/// Another key.
const WRONG_KEY: &str = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a";

fn options() -> PackOptions {
    PackOptions { method: Method::Lz4, block_size: 16 << 10, ..PackOptions::default() }
}

fn demo_with(options: &PackOptions) -> Packed {
    let files = [
        ("Demo/Config/Game.ini", prose(700)),
        ("Demo/Content/Hero.uasset", prose(40_000)),
        ("Demo/Content/Hero.ubulk", noise(50_000, 1)),
        ("Demo/Content/Maps/Start.umap", prose(3000)),
        ("Engine/Content/Empty.uasset", Vec::new()),
    ];
    Packed::new(files, options)
}

/// A small container with several types.
fn demo() -> Packed {
    demo_with(&options())
}

/// [`demo`], encrypted.
fn secret() -> Packed {
    let key = AesKey::new(KEY.as_bytes().try_into().expect("32 bytes"));
    let guid: Guid = "000000010000000200000003DEADBEEF".parse().expect("a GUID");
    demo_with(&PackOptions { key: Some((guid, key)), ..options() })
}

/// Runs a command on a container; `@` in an argument stands for its folder.
fn run(packed: &Packed, args: &[&str]) -> Run {
    let folder = packed.folder.path().display().to_string();
    uncask(args.iter().map(|arg| arg.replace('@', &folder)))
}

/// Compares what a command shows with the snapshot of this name.
#[track_caller]
fn snapshot(name: &str, packed: &Packed, args: &[&str]) {
    let shown = run(packed, args).shown();
    settings(packed.folder.path())
        .bind(|| insta::assert_snapshot!(name, format!("$ uncask {}\n{shown}", args.join(" "))));
}
