//! Arguments of commands that write files.

use super::common::{OUTPUT, SELECTION, SelectArgs, StoreArgs};
use super::positional::inputs_and_patterns;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use uncask::game::{Overwrite, Shard};
use uncask::wire::Size;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask unpack Paks/ -o out
  uncask unpack Paks/ -o out \"*/Maps/*\" --exclude \"*.ubulk\"
  uncask unpack Paks/ -o out /Game/Maps/Start --with-deps
  uncask unpack Paks/ -o out --changed-since OldGame/
  uncask unpack Paks/ -o out --dry-run")]
pub(crate) struct UnpackArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Folder to write to; created if missing
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    pub(crate) output: PathBuf,
    /// Include all packages that the selected ones need, with their bulk data
    #[arg(long, help_heading = SELECTION)]
    pub(crate) with_deps: bool,
    #[command(flatten)]
    pub(crate) write: WriteArgs,
    /// Remove this folder from the front of paths
    #[arg(long, value_name = "PREFIX", help_heading = OUTPUT)]
    pub(crate) strip_prefix: Option<String>,
    /// Refuse to write more than this, such as 100G
    #[arg(long, value_name = "SIZE", help_heading = OUTPUT)]
    pub(crate) max_output: Option<Size>,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OverwriteArg {
    /// Keep existing files
    Never,
    /// Replace files whose content differs from the recorded hash
    Different,
    /// Replace files whose content differs, but none that was changed since it was written
    Untouched,
    /// Replace all files
    #[value(alias = "all")]
    Always,
}

impl From<OverwriteArg> for Overwrite {
    fn from(arg: OverwriteArg) -> Self {
        match arg {
            OverwriteArg::Never => Self::Never,
            OverwriteArg::Different => Self::Different,
            OverwriteArg::Untouched => Self::Untouched,
            OverwriteArg::Always => Self::Always,
        }
    }
}

/// Output options of `unpack`, `to-legacy` and `export`.
#[derive(Debug, Args)]
#[command(next_help_heading = OUTPUT)]
pub(crate) struct WriteArgs {
    /// Replace existing files: never, always, different (if the content differs), or untouched (if it differs, but not what
    /// was changed since it was written) [default: different for unpack, else untouched]
    #[arg(long, value_enum, value_name = "WHEN", hide_possible_values = true)]
    pub(crate) overwrite: Option<OverwriteArg>,
    /// Continue an interrupted run: write only files that are missing or differ, and remove unfinished files of killed
    /// runs
    #[arg(long, conflicts_with_all = ["overwrite", "dry_run"])]
    pub(crate) resume: bool,
    /// Only files that are new or changed since this older build
    #[arg(long, value_name = "OLD")]
    pub(crate) changed_since: Option<PathBuf>,
    /// Print what would be written without writing it
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) damage: DamageArgs,
    /// Do not write chunks that fail the hash check
    #[arg(long, conflicts_with = "no_verify")]
    pub(crate) strict: bool,
    /// Only share I of N, of about equal stored size, such as 1/4: splits a job between N machines
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    /// Record written files and hashes here, for `verify --manifest`
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    pub(crate) manifest: Option<PathBuf>,
}

/// Treatment of damaged content.
#[derive(Debug, Args)]
#[command(next_help_heading = OUTPUT)]
pub(crate) struct DamageArgs {
    /// Do not check content against the recorded hashes
    #[arg(long)]
    pub(crate) no_verify: bool,
    /// Stop at the first problem
    #[arg(long)]
    pub(crate) fail_fast: bool,
}

impl WriteArgs {
    /// Treatment of existing files; `usual` is that of the command.
    pub(crate) fn overwrite(&self, usual: Overwrite) -> Overwrite {
        if self.resume { Overwrite::Different } else { self.overwrite.map_or(usual, Overwrite::from) }
    }
}

inputs_and_patterns!(UnpackArgs);
