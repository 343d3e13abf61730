//! Arguments that many commands have.

use super::values::{parse_kind, parse_toc_version};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use uncask::game::{FileKind, with_pak};
use uncask::id::ChunkKind;
use uncask::version::TocVersion;

/// Headings of options.
pub(super) const INPUT: &str = "Input";
pub(super) const OUTPUT: &str = "Output";
pub(super) const SELECTION: &str = "Selection";

/// Containers to open, and options for that.
#[derive(Debug, Args)]
#[command(next_help_heading = INPUT)]
pub(crate) struct StoreArgs {
    /// A .utoc, a .ucas, a .pak, a Paks folder or a game's root folder
    #[arg(value_name = "INPUT", help_heading = None)]
    pub(crate) input: PathBuf,
    /// Another input; may be repeated
    #[arg(short = 'i', long = "input", value_name = "INPUT")]
    pub(crate) more_inputs: Vec<PathBuf>,
    /// Containers that only lend names, such as a mod's game; may be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) base: Vec<PathBuf>,
    /// AES-256 key: hex, base64, GUID=KEY or @FILE; may be repeated. UNCASK_AES_KEY is read as well
    #[arg(long, value_name = "KEY")]
    pub(crate) aes_key: Vec<String>,
    /// Read tables of contents as this version, ignoring the recorded one
    #[arg(long, value_name = "N", value_parser = parse_toc_version)]
    pub(crate) toc_version: Option<TocVersion>,
    /// Use only .utoc and .ucas files (iostore) or only .pak files (pak)
    #[arg(long, value_name = "KIND", hide_possible_values = true)]
    pub(crate) only: Option<OnlyKind>,
}

impl StoreArgs {
    /// A single input with these keys, and no other option.
    pub(crate) fn single(input: &Path, aes_key: &[String]) -> Self {
        Self {
            input: input.to_owned(),
            more_inputs: Vec::new(),
            base: Vec::new(),
            aes_key: aes_key.to_vec(),
            toc_version: None,
            only: None,
        }
    }

    /// A mod with the `.pak` beside it, or its game, which lends it names.
    pub(crate) fn of_mod(input: &Path, base: Vec<PathBuf>, aes_key: &[String]) -> Self {
        Self { more_inputs: with_pak(input).split_off(1), base, ..Self::single(input, aes_key) }
    }
}

/// The kinds of files that a game may have.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum OnlyKind {
    Iostore,
    Pak,
}

impl OnlyKind {
    /// Extension of its files.
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Self::Iostore => ".utoc",
            Self::Pak => ".pak",
        }
    }
}

impl From<OnlyKind> for FileKind {
    fn from(kind: OnlyKind) -> Self {
        match kind {
            OnlyKind::Iostore => Self::IoStore,
            OnlyKind::Pak => Self::Pak,
        }
    }
}

/// Selection of chunks.
#[derive(Debug, Args)]
#[command(next_help_heading = SELECTION)]
pub(crate) struct SelectArgs {
    /// Glob, path, file or folder name, package or package folder (/Game/…), or chunk id; case-insensitive. A .utoc, .ucas
    /// or .pak counts as another INPUT
    #[arg(value_name = "PATTERN", help_heading = None)]
    pub(crate) patterns: Vec<String>,
    /// Skip what this pattern matches; may be repeated
    #[arg(long, value_name = "PATTERN")]
    pub(crate) exclude: Vec<String>,
    /// Only paths that match this regular expression
    #[arg(long, value_name = "REGEX")]
    pub(crate) regex: Option<String>,
    /// Only chunks of this type, such as package or bulk; may be repeated
    #[arg(long = "type", value_name = "TYPE", value_parser = parse_kind)]
    pub(crate) kinds: Vec<ChunkKind>,
    /// Only packages whose main object is of this class, such as Texture2D or '*Curve*', with their bulk data; may be repeated.
    /// Reads the header of every package
    #[arg(long = "class", value_name = "NAME")]
    pub(crate) classes: Vec<String>,
    /// Only paths or chunk ids listed in this file, one per line; - is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,
    /// Include chunks that another container overrides
    #[arg(long)]
    pub(crate) all: bool,
}
