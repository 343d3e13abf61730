//! `uncask to-zen`.

use super::common::{OUTPUT, StoreArgs};
use super::pack::{known_methods, parse_method};
use super::positional::in_order;
use super::to_legacy::parse_release;
use clap::Args;
use std::path::{Path, PathBuf};
use uncask::codec::Method;
use uncask::version::Release;
use uncask::wire::Size;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask to-zen cooked/ -o MyMod_P.utoc --game \"C:/Games/MyGame\"
  uncask to-zen cooked/ -o MyMod_P.utoc --engine 5.4
  uncask to-zen MyMod.pak -o MyMod_P.utoc --game MyGame/ --aes-key 0x1234…
  uncask to-zen cooked/ -o new/MyMod_P.utoc --like MyMod_P.utoc

The folder is one that a cooker writes, with <Project>/Content or Engine/Content in it: .uasset or
.umap, .uexp, bulk data. Packages go into the container; all other files, such as shader libraries,
go into the .pak beside it, but for those that the whole project has once. A mod is the three files .utoc, .ucas and .pak, which have to keep their
common name. Where the game is encrypted, the container gets the game's key.")]
#[command(next_help_heading = OUTPUT)]
pub(crate) struct ToZenArgs {
    /// Folder of cooked files, or a .pak with them
    #[arg(value_name = "INPUT", required = true, help_heading = None)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Folder of the game that the mod is for. Its containers supply the engine release, compression and partition size, and
    /// what can be imported
    #[arg(long, value_name = "GAME", help_heading = super::common::INPUT)]
    pub(crate) game: Option<PathBuf>,
    /// Mappings file of the game (.usmap): checks that its classes have the properties that the packages have
    #[arg(long, value_name = "FILE", requires = "game", help_heading = super::common::INPUT)]
    pub(crate) mappings: Option<PathBuf>,
    /// AES-256 key of the game, of the .pak or of ORIGINAL: hex, base64, GUID=KEY or @FILE; may be repeated. Also read from UNCASK_AES_KEY
    #[arg(long, value_name = "KEY", help_heading = super::common::INPUT)]
    pub(crate) aes_key: Vec<String>,
    /// The .utoc to write; its .ucas files and its .pak go beside it. Names of mods end in _P
    #[arg(short, long, value_name = "NAME_P.utoc")]
    pub(crate) output: PathBuf,
    /// Make it like this container: the same order, layout, compression and encryption. What did not change stays byte for byte
    /// as it is there
    #[arg(long, value_name = "ORIGINAL.utoc")]
    pub(crate) like: Option<PathBuf>,
    /// Engine release of the game, such as 5.4; detected from the game and the packages by default
    #[arg(long, value_name = "RELEASE", value_parser = parse_release)]
    pub(crate) engine: Option<&'static Release>,
    #[arg(
        long,
        value_parser = parse_method,
        help = format!("Compression: {}; by default that of ORIGINAL or the game, else none", known_methods())
    )]
    pub(crate) method: Option<Method>,
    /// Compression level of the method; for Oodle 0 fast Kraken, 1 Selkie, 2 Mermaid, 3 Kraken, 4 and 5 smaller Kraken
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) level: Option<i32>,
    /// Uncompressed size of a block, such as 64K; by default that of ORIGINAL or the game, else 64K
    #[arg(long, value_name = "SIZE")]
    pub(crate) block_size: Option<Size>,
    /// Start a new .ucas file when one has reached this size; by default that of ORIGINAL or the game
    #[arg(long, value_name = "SIZE")]
    pub(crate) partition_size: Option<Size>,
    /// Do not encrypt the container, even if ORIGINAL or the game is
    #[arg(long)]
    pub(crate) no_encrypt: bool,
    /// Pack files that the whole project has once, such as its asset registry and shader libraries; in a mod, they take the place of
    /// the game's, and are left out otherwise
    #[arg(long)]
    pub(crate) project_files: bool,
    /// Replace an existing container
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Write what a game would not load, and leave out packages that cannot be converted
    #[arg(long)]
    pub(crate) force: bool,
}

impl ToZenArgs {
    /// Options for opening some containers.
    pub(crate) fn store(&self, input: &Path) -> StoreArgs {
        StoreArgs::single(input, &self.aes_key)
    }
}

in_order!(ToZenArgs);
