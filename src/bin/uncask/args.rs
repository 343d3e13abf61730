//! Arguments of all commands. Nothing is executed here.

mod bench;
mod browse;
mod check;
mod check_mappings;
mod code;
mod common;
mod compare;
mod conflicts;
mod edit;
mod export;
mod git;
mod inputs;
mod install;
mod json;
mod lint;
mod merge;
mod mods;
mod pack;
mod packages;
mod port;
mod positional;
mod recipe;
mod replace;
mod review;
mod scene;
mod shell;
mod text;
mod texts;
mod to_legacy;
mod to_zen;
mod values;
mod write;

pub(crate) use bench::BenchArgs;
pub(crate) use browse::BrowseArgs;
pub(crate) use check::CheckArgs;
pub(crate) use check_mappings::CheckMappingsArgs;
pub(crate) use code::CodeArgs;
use common::{OUTPUT, SELECTION};
pub(crate) use common::{OnlyKind, SelectArgs, StoreArgs};
pub(crate) use compare::{CatalogArgs, DiffArgs, DuArgs, HistoryArgs, ReportArgs};
pub(crate) use conflicts::ConflictsArgs;
pub(crate) use edit::{AsmArgs, EditArgs, FromJsonArgs, SetArgs};
pub(crate) use export::ExportArgs;
pub(crate) use git::{
    GitArgs, GitCommand, GitDifftoolArgs, GitMergeArgs, GitResolveArgs, GitScopeArgs, GitTextconvArgs,
    PreferredSide,
};
pub(crate) use install::{InstallArgs, UninstallArgs};
pub(crate) use json::{FindArgs, JsonArgs, PropertyArgs};
pub(crate) use lint::LintArgs;
pub(crate) use merge::MergeArgs;
pub(crate) use mods::ModsArgs;
pub(crate) use pack::PackArgs;
pub(crate) use packages::{DepsArgs, InspectArgs, ScriptsArgs, ThumbnailsArgs};
pub(crate) use port::PortArgs;
pub(crate) use recipe::{BuildArgs, RecipeArgs};
pub(crate) use replace::ReplaceArgs;
pub(crate) use review::ReviewArgs;
pub(crate) use shell::{CompletionsArgs, ManArgs};
pub(crate) use text::TextArgs;
pub(crate) use texts::{TextsArgs, TextsCommand, TextsExportArgs, TextsImportArgs};
pub(crate) use to_legacy::ToLegacyArgs;
pub(crate) use to_zen::ToZenArgs;
use values::parse_memory;
pub(crate) use write::{DamageArgs, UnpackArgs};

pub(crate) use inputs::is_input;
pub(crate) use positional::Positional;

use crate::exit::UsageError;
use clap::{ArgAction, Args, ValueEnum};
use positional::{inputs_and_patterns, inputs_only, one_chunk, sort};
use std::path::PathBuf;
use uncask::game::Shard;
use uncask::wire::Size;

/// Use of colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "General options")]
pub(crate) struct GlobalArgs {
    /// Print help (-h for a summary)
    #[arg(short = 'h', long, global = true, action = ArgAction::Help)]
    help: Option<bool>,
    /// Print version
    #[arg(short = 'V', long, global = true, action = ArgAction::Version)]
    version: Option<bool>,
    /// Print JSON to stdout
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print errors only: no progress, notes or warnings
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Print more: every failure, and notes about containers
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// When to use colors: auto, always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub(crate) color: ColorWhen,
    /// Number of worker threads; 0 means one per core
    #[arg(short = 'j', long, global = true, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Memory limit for data in flight, such as 64M or 1G
    #[arg(long, global = true, value_name = "SIZE", default_value = "256M", value_parser = parse_memory)]
    pub(crate) memory: Size,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask info Paks/                          a table of all containers
  uncask info Paks/ -v                       all details of each
  uncask info Paks/pakchunk0-Windows.utoc --json
  uncask Paks/pakchunk0-Windows.utoc         short form")]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// More inputs
    #[arg(value_name = "INPUT", help_heading = None)]
    pub(crate) inputs: Vec<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask list Paks/
      every path
  uncask list Paks/ \"*.umap\" -l
      maps, with sizes
  uncask list Paks/ --type bulk --sort size
      largest bulk data first
  uncask list Paks/ --class Texture2D -l
      textures, with their bulk data
  uncask list Paks/ \"*/Maps/*\" --show-class
      with the class of each package's main object
  uncask list Paks/ --conflicts
      which container overrides which
  uncask list Paks/ --jsonl | jq .path")]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Show type, sizes, ratio, method, partition, offset and container, and the class of up to 1,000 packages. Columns are
    /// shortened or dropped to fit the terminal
    #[arg(short, long, help_heading = OUTPUT)]
    pub(crate) long: bool,
    /// Print a folder tree
    #[arg(long, conflicts_with_all = ["long", "json", "jsonl", "csv"], help_heading = OUTPUT)]
    pub(crate) tree: bool,
    /// Sort by path; size or stored (largest first); offset (order of the data); none (order of the tables of contents)
    #[arg(long, value_enum, value_name = "KEY", default_value = "path", hide_possible_values = true, help_heading = OUTPUT)]
    pub(crate) sort: SortKey,
    /// Show the class of each package's main object, which reads the header of every package. Implies -l, unless --json,
    /// --jsonl or --csv is given
    #[arg(long, conflicts_with = "tree", help_heading = OUTPUT)]
    pub(crate) show_class: bool,
    /// Show only chunks found in several containers, and which container wins
    #[arg(long, conflicts_with_all = ["long", "tree", "show_class", "jsonl", "csv"], help_heading = OUTPUT)]
    pub(crate) conflicts: bool,
    /// Print one JSON object per line
    #[arg(long, conflicts_with_all = ["csv", "json"], help_heading = OUTPUT)]
    pub(crate) jsonl: bool,
    /// Print CSV with a header line. Safe for spreadsheets: control characters are escaped, and text that starts with =, +,
    /// - or @ gets a leading '. JSON keeps all text unchanged
    #[arg(long, conflicts_with = "json", help_heading = OUTPUT)]
    pub(crate) csv: bool,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SortKey {
    /// By path
    Path,
    /// Largest uncompressed size first
    Size,
    /// Largest stored size first
    Stored,
    /// Container by container, in the order of the data
    Offset,
    /// Container by container, in the order of the tables of contents
    None,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:
  uncask verify Paks/
  uncask verify Paks/ --json > report.json
  uncask verify Paks/ --winners
      only what the game uses
  uncask verify out --manifest 1.jsonl --manifest 2.jsonl
      files unpacked by two machines",
    mut_arg("all", |arg| arg.hide(true))
)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Stop at the first problem
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) fail_fast: bool,
    /// Skip chunks that another container overrides
    #[arg(long, conflicts_with = "all", help_heading = SELECTION)]
    pub(crate) winners: bool,
    /// Only share I of N, of about equal stored size, such as 1/4: splits a job between N machines
    #[arg(long, value_name = "I/N", help_heading = SELECTION)]
    pub(crate) shard: Option<Shard>,
    /// Check the files in INPUT, a folder unpacked with --manifest, against this manifest; may be repeated, once for each
    /// share of a job
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shard", "patterns", "more_inputs", "base"])]
    pub(crate) manifest: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask get Paks/ Game/Content/Maps/Start.umap > Start.umap
  uncask get Paks/:/Game/Maps/Start > Start.umap
  uncask get Paks/ 915ddb99070a4f0400000001 -o chunk.bin")]
pub(crate) struct GetArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Chunk id, path, package name or unambiguous pattern; it may also follow INPUT and a colon
    #[arg(value_name = "CHUNK_ID|PATH", help_heading = None)]
    chunk: Option<String>,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
}

impl GetArgs {
    /// The requested chunk.
    pub(crate) fn chunk(&self) -> Result<&str, UsageError> {
        let missing = || UsageError("name a chunk: uncask get INPUT CHUNK, or INPUT:CHUNK".to_owned());
        self.chunk.as_deref().ok_or_else(missing)
    }
}

inputs_and_patterns!(ListArgs);

inputs_only!(InfoArgs);

impl Positional for VerifyArgs {
    fn sort(&mut self) -> Result<Vec<String>, UsageError> {
        // With manifests, the input is a folder of unpacked files.
        let takes_patterns = self.manifest.is_empty();
        Ok(if takes_patterns { sort(&mut self.store, &mut self.select) } else { Vec::new() })
    }
}

impl Positional for GetArgs {
    fn sort(&mut self) -> Result<Vec<String>, UsageError> {
        one_chunk(&mut self.store.input, &mut self.chunk);
        Ok(Vec::new())
    }
}
