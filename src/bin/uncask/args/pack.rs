//! Arguments of `uncask pack`.

use super::positional::in_order;
use super::to_legacy::parse_release;
use super::values::parse_toc_version;
use clap::Args;
use std::path::PathBuf;
use uncask::codec::Method;
use uncask::version::{Release, TocVersion};
use uncask::wire::Size;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask pack out/ -o mod_P.utoc
  uncask pack out/ -o mod_P.utoc --method zlib --engine 5.3
  uncask pack out/ -o mod_P.utoc --aes-key 0x1234… --partition-size 2G
  uncask pack out/ -o new/pakchunk0.utoc --like MyGame/pakchunk0.utoc
  uncask pack out/ -o mod_P.pak --method zlib
      for files that are not packages
  uncask pack Doors_P.utoc Rocks_P.utoc -o All_P.utoc
      several mods as one")]
#[command(next_help_heading = super::common::OUTPUT)]
pub(crate) struct PackArgs {
    /// Folder to pack; or containers, paks and folders to pack into one
    #[arg(value_name = "DIR", required = true, help_heading = None)]
    pub(crate) inputs: Vec<PathBuf>,
    /// The .utoc to write, with its .ucas files beside it, or the .pak (version 11)
    #[arg(short, long, value_name = "NAME.utoc")]
    pub(crate) output: PathBuf,
    /// Make it like this container: the same order, layout, compression and encryption. What did not change stays byte for byte
    /// as it is there
    #[arg(long, value_name = "ORIGINAL.utoc")]
    pub(crate) like: Option<PathBuf>,
    #[arg(
        long,
        value_parser = parse_method,
        help = format!("Compression method: {} [default: that of --like, else none]", known_methods())
    )]
    pub(crate) method: Option<Method>,
    /// Compression level; for Oodle: 0 fast Kraken, 1 Selkie, 2 Mermaid, 3 Kraken, 4 and 5 smaller Kraken; for Zlib 0 to 9, of which
    /// the engine uses 6
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) level: Option<i32>,
    /// Engine release of the game, such as 5.4: sets the layout of the container and its header
    #[arg(long, value_name = "RELEASE", value_parser = parse_release)]
    pub(crate) engine: Option<&'static Release>,
    /// Toc version: 2 (UE 4.26), 3 (4.27), 5 (5.0–5.3), 6 (5.4), 8 (5.5–5.8) or 10 (6.0) [default: that of --engine, --like or the packages]
    #[arg(long, value_name = "N", value_parser = parse_toc_version)]
    pub(crate) toc_version: Option<TocVersion>,
    /// Replace an existing container
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Pack files that no game would load
    #[arg(long)]
    pub(crate) force: bool,
    /// Uncompressed size of a block, such as 64K [default: that of --like, else 64K]
    #[arg(long, value_name = "SIZE")]
    pub(crate) block_size: Option<Size>,
    /// Start a new .ucas file when the current one reaches this size
    #[arg(long, value_name = "SIZE")]
    pub(crate) partition_size: Option<Size>,
    /// Encrypt with this AES-256 key: hex, base64, GUID=KEY or @FILE. With --like, its key if it is encrypted
    #[arg(long, value_name = "KEY")]
    pub(crate) aes_key: Option<String>,
    /// Mount point that paths are relative to
    #[arg(long, value_name = "PATH", default_value = "../../../")]
    pub(crate) mount_point: String,
    /// Write no directory index: chunks have no paths
    #[arg(long)]
    pub(crate) no_directory_index: bool,
    /// Do not write the empty .pak that games need beside the .utoc, nor the empty .utoc that games since 5.6 need beside a .pak
    #[arg(long)]
    pub(crate) no_companion: bool,
}

pub(super) fn parse_method(text: &str) -> Result<Method, String> {
    Method::from_name(text).ok_or_else(|| format!("known methods: {}", known_methods()))
}

/// Methods as they are given on the command line, in one line.
pub(super) fn known_methods() -> String {
    Method::ALL.map(Method::name).join(", ").to_ascii_lowercase()
}

in_order!(PackArgs);
