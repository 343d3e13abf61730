//! Arguments of `uncask bench`.

use super::common::{INPUT, OUTPUT};
use super::positional::in_order;
use super::values::parse_toc_version;
use crate::bench::{Kind, Mix};
use clap::{ArgGroup, Args, ValueEnum};
use std::path::PathBuf;
use uncask::version::TocVersion;
use uncask::wire::Size;

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("subject").required(true).args(["input", "synthetic"])))]
#[command(after_help = "Examples:
  uncask bench Paks/                          a game, or 2 GiB of it
  uncask bench --synthetic kraken             a generated container
  uncask bench --synthetic mixed --size 512M --plot bench.svg
  uncask bench Paks/ -j 8 --json > bench.json

Files are written to a new folder in --folder and removed afterwards. Measurements and
references alternate, and every figure is a median with its spread: on a busy machine, trust
only the ratios.")]
pub(crate) struct BenchArgs {
    /// A .utoc, a .ucas, a .pak, a Paks folder or a game's root folder
    #[arg(value_name = "INPUT")]
    pub(crate) input: Option<PathBuf>,
    /// Measure generated containers: none (uncompressed), zlib, lz4, zstd, mermaid, kraken, selkie, or mixed (one of each)
    #[arg(long, value_enum, hide_possible_values = true, value_name = "KIND", help_heading = INPUT)]
    pub(crate) synthetic: Option<KindArg>,
    /// Sizes of generated chunks: as in real games, or small
    #[arg(hide_possible_values = true, long, value_enum, value_name = "MIX", default_value = "games", conflicts_with = "input", help_heading = INPUT)]
    pub(crate) mix: MixArg,
    /// Uncompressed bytes to generate, or to use of INPUT at most
    #[arg(long, value_name = "SIZE", default_value = "2G", help_heading = INPUT)]
    pub(crate) size: Size,
    /// Keep the generated containers and their files in --folder
    #[arg(long, conflicts_with = "input", help_heading = OUTPUT)]
    pub(crate) keep: bool,
    /// Number of rounds, after one warm-up round
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..), help_heading = OUTPUT)]
    pub(crate) rounds: u32,
    /// Folder to write to [default: the system's temporary folder]
    #[arg(long, value_name = "DIR", help_heading = OUTPUT)]
    pub(crate) folder: Option<PathBuf>,
    /// Draw the results as a chart
    #[arg(long, value_name = "FILE.svg", help_heading = OUTPUT)]
    pub(crate) plot: Option<PathBuf>,
    /// AES-256 key: hex, base64, GUID=KEY or @FILE; may be repeated. UNCASK_AES_KEY is read as well
    #[arg(long, value_name = "KEY", help_heading = INPUT)]
    pub(crate) aes_key: Vec<String>,
    /// Read tables of contents as this version, ignoring the recorded one
    #[arg(long, value_name = "N", value_parser = parse_toc_version, help_heading = INPUT)]
    pub(crate) toc_version: Option<TocVersion>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KindArg {
    /// Not compressed
    None,
    /// Zlib, level 6
    Zlib,
    /// LZ4
    Lz4,
    /// Zstandard, level 3
    Zstd,
    /// Oodle Mermaid
    Mermaid,
    /// Oodle Kraken
    Kraken,
    /// Oodle Selkie
    Selkie,
    /// A container of each
    Mixed,
}

impl From<KindArg> for Kind {
    fn from(arg: KindArg) -> Self {
        match arg {
            KindArg::None => Self::None,
            KindArg::Zlib => Self::Zlib,
            KindArg::Lz4 => Self::Lz4,
            KindArg::Zstd => Self::Zstd,
            KindArg::Mermaid => Self::Mermaid,
            KindArg::Kraken => Self::Kraken,
            KindArg::Selkie => Self::Selkie,
            KindArg::Mixed => Self::Mixed,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MixArg {
    /// As in real games: most bytes are in large chunks
    Games,
    /// Many small files
    Small,
}

impl From<MixArg> for Mix {
    fn from(arg: MixArg) -> Self {
        match arg {
            MixArg::Games => Self::Games,
            MixArg::Small => Self::Small,
        }
    }
}

in_order!(BenchArgs);
