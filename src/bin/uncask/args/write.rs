//! Arguments of the commands that write files.

use super::{SelectArgs, Size, StoreArgs, parse_size};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use uncask::extract::{Overwrite, Shard};

/// Headings of options.
pub(super) const INPUT: &str = "Input";
pub(super) const OUTPUT: &str = "Output";
pub(super) const SELECTION: &str = "Selection";

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask unpack Paks/ -o out
  uncask unpack Paks/ -o out '*/Maps/*' --exclude '*.ubulk'
  uncask unpack Paks/ -o out /Game/Maps/Start --with-deps
  uncask unpack Paks/ -o out --changed-since OldGame/
  uncask unpack Paks/ -o out --dry-run")]
pub(crate) struct UnpackArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Folder to write to; it is made if it does not exist
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    pub(crate) output: PathBuf,
    /// Also the packages that the selected ones depend on, and what those depend on, with their bulk data
    #[arg(long, help_heading = SELECTION)]
    pub(crate) with_deps: bool,
    #[command(flatten)]
    pub(crate) write: WriteArgs,
    /// End at the first problem
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) fail_fast: bool,
    /// Remove this folder from the front of paths
    #[arg(long, value_name = "PREFIX", help_heading = OUTPUT)]
    pub(crate) strip_prefix: Option<String>,
    /// Refuse to write more than this, such as 100G
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = OUTPUT)]
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
    /// Replace all files
    Always,
}

impl From<OverwriteArg> for Overwrite {
    fn from(arg: OverwriteArg) -> Self {
        match arg {
            OverwriteArg::Never => Self::Never,
            OverwriteArg::Different => Self::Different,
            OverwriteArg::Always => Self::Always,
        }
    }
}

/// What `unpack` and `to-legacy` write, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = OUTPUT)]
pub(crate) struct WriteArgs {
    /// Replace files that are there already: never, always, or where the content differs from the recorded hash
    #[arg(long, value_enum, value_name = "WHEN", default_value = "different", hide_possible_values = true)]
    pub(crate) overwrite: OverwriteArg,
    /// Go on with a run that was interrupted: write only what is not there yet, whole and right, and remove the
    /// unfinished files of runs that were killed
    #[arg(long, conflicts_with_all = ["overwrite", "dry_run"])]
    pub(crate) resume: bool,
    /// Only what this older build does not have, or has with other content
    #[arg(long, value_name = "OLD")]
    pub(crate) changed_since: Option<PathBuf>,
    /// Print what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Do not compare content with the recorded hashes
    #[arg(long)]
    pub(crate) no_verify: bool,
    /// Do not write chunks whose content does not have the recorded hash
    #[arg(long, conflicts_with = "no_verify")]
    pub(crate) strict: bool,
    /// Only the I-th of N shares of about the same stored size, such as 1/4; N machines together do everything
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    /// Also write what was written, with hashes, for `verify --manifest`
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    pub(crate) manifest: Option<PathBuf>,
}

impl WriteArgs {
    /// What to do about files that are there already.
    pub(crate) fn overwrite(&self) -> Overwrite {
        if self.resume { Overwrite::Different } else { self.overwrite.into() }
    }
}
