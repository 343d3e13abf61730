//! Definition of the command line. Nothing is executed here.

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
mod help;
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
mod read;
mod recipe;
mod replace;
mod review;
mod scene;
mod shell;
mod sort;
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
pub(crate) use help::command_line;
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

use sort::Positional;

use crate::exit::UsageError;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use uncask::game::Shard;
use uncask::wire::Size;

#[derive(Debug, Parser)]
#[command(name = "uncask", bin_name = "uncask", version, about, after_help = AFTER_HELP, propagate_version = true)]
#[command(disable_help_flag = true, disable_version_flag = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER_HELP: &str = "\
INPUT is a .utoc, a .ucas, a .pak, a Paks folder or a game's root folder. A build with the
feature `remote` also takes the address of a .utoc: https://…, http://… or s3://….
INPUT may be repeated, as in Paks/*.utoc.
`uncask INPUT` is short for `uncask info INPUT`.

Examples:
  uncask info MyGame/
  uncask list MyGame/ \"*.umap\" -l
  uncask unpack MyGame/ -o out --aes-key 0x1234…
  uncask to-legacy MyGame/ -o out
  uncask get MyGame/ /Game/Maps/Start -o Start.umap
  uncask inspect MyGame/:/Game/Maps/Start
  uncask json MyGame/ /Game/Items --mappings MyGame.usmap -o values
  uncask code MyGame/ /Game/Blueprints/BP_Door
  uncask set MyGame/:/Game/Items/Sword Default__Sword_C.Damage 25 -o Sword_P.utoc
  uncask replace MyGame/:/Game/Textures/T_Rock rock.png -o Rock_P.utoc
  uncask deps MyGame/ /Game/Maps/Start

Exit codes: 0 success · 1 some chunks failed, a check failed, or builds differ · 2 wrong usage ·
3 an input could not be read · 4 a key is missing or wrong · 5 nothing matched · 130 interrupted";

/// Makes the enum of commands from a table, in which no command can lack what all have.
macro_rules! commands {
    ($($(#[$meta:meta])* $name:ident($args:ty),)+) => {
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($(#[$meta])* $name($args),)+
        }

        impl Command {
            /// Moves positional arguments to their places. Returns notes on ambiguous ones.
            pub(crate) fn sort(&mut self) -> Result<Vec<String>, UsageError> {
                match self {
                    $(Self::$name(args) => args.sort(),)+
                }
            }
        }
    };
}

commands! {
    /// Describe containers: version, encryption, compression, sizes
    Info(InfoArgs),
    /// List chunks by path
    #[command(visible_alias = "ls")]
    List(ListArgs),
    /// Check every chunk against its recorded hash
    Verify(VerifyArgs),
    /// Write chunks to a folder, under their paths
    #[command(visible_alias = "extract")]
    Unpack(UnpackArgs),
    /// Convert packages to legacy assets: .uasset or .umap, .uexp, bulk data
    ToLegacy(ToLegacyArgs),
    /// Write one chunk to stdout or to a file
    #[command(visible_alias = "cat")]
    Get(GetArgs),
    /// Show what a file or chunk is and what it contains
    Inspect(InspectArgs),
    /// Write the properties of every object as JSON
    Json(JsonArgs),
    /// Write textures, sounds, meshes, animations and fonts in common file formats
    Export(ExportArgs),
    /// Show the functions of blueprints as pseudo-code
    Code(CodeArgs),
    /// Show packages as text that is made for reviews
    Text(TextArgs),
    /// Find packages by the properties of their objects
    Find(FindArgs),
    /// Change values of a package, and write it as a mod
    Set(SetArgs),
    /// Take the values of packages from JSON documents, and write them as a mod
    FromJson(FromJsonArgs),
    /// Put edited listings of functions into blueprints, and write them as a mod
    Asm(AsmArgs),
    /// Replace textures, and write them as a mod
    Replace(ReplaceArgs),
    /// Export the texts of a game in all its languages, or import edited ones
    Texts(TextsArgs),
    /// Show a game in the browser: search, look, listen, edit, save
    #[cfg_attr(not(feature = "browse"), command(hide = true))]
    Browse(BrowseArgs),
    /// Show which packages a package needs, or which need it
    Deps(DepsArgs),
    /// List the native objects that packages refer to
    Scripts(ScriptsArgs),
    /// Export thumbnails of uncooked assets and textures of classic packages
    Thumbnails(ThumbnailsArgs),
    /// Show what changed between two builds
    Diff(DiffArgs),
    /// Show how values moved over several builds
    History(HistoryArgs),
    /// Show what changed in the assets of a git repository
    Review(ReviewArgs),
    /// Check the assets of a project by rules
    Lint(LintArgs),
    /// Make git show assets as text, and merge them
    Git(GitArgs),
    /// Show what takes the space
    Du(DuArgs),
    /// Write an HTML report: size map, totals, duplicates, searchable table
    Report(ReportArgs),
    /// Write Parquet tables of chunks and packages, for SQL
    #[cfg_attr(not(feature = "catalog"), command(hide = true))]
    Catalog(CatalogArgs),
    /// Pack a folder into a container or .pak
    Pack(PackArgs),
    /// Make a mod from cooked assets
    ToZen(ToZenArgs),
    /// Check whether a game will load a mod
    Check(CheckArgs),
    /// List the mods of a game, and what each does
    Mods(ModsArgs),
    /// Show where several mods change the same
    Conflicts(ConflictsArgs),
    /// Make one mod of several
    Merge(MergeArgs),
    /// Make a mod for a new build of its game
    Port(PortArgs),
    /// Write what a mod changes as text
    Recipe(RecipeArgs),
    /// Make a mod from a recipe
    Build(BuildArgs),
    /// Check whether mappings fit a game
    CheckMappings(CheckMappingsArgs),
    /// Copy a mod into a game
    Install(InstallArgs),
    /// Remove a mod from a game
    Uninstall(UninstallArgs),
    /// Measure how fast uncask runs on this machine
    Bench(BenchArgs),
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Print or write manual pages
    Man(ManArgs),
}

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
