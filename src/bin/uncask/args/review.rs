//! `uncask review`.

use super::common::OUTPUT;
use super::positional::in_order;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask review
      what is changed and not committed, as Markdown
  uncask review main...HEAD -o review.html
      a branch, as a page: texts side by side, graphs as pictures
  uncask review main...HEAD -o review.md
      for a pull request
  uncask review HEAD~1 -- Content/Maps

Shows all .uasset and .umap files that differ between two versions in git: what changed in each, and which
references lead to packages of the project that are not there. Files in Git LFS are fetched as git does
it. The text is that of `uncask text`; nodes of graphs are matched by their ids.")]
pub(crate) struct ReviewArgs {
    /// Versions, as for git diff: BASE..HEAD, BASE...HEAD, or one that is compared with the files [default: HEAD]
    #[arg(value_name = "RANGE")]
    pub(crate) range: Option<String>,
    /// Files or folders to show; all without any
    #[arg(value_name = "PATH", last = true)]
    pub(crate) paths: Vec<String>,
    /// File to write: a page (.html), or Markdown (.md); without it, Markdown goes to stdout
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    /// Show also what the editor keeps for itself
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) all: bool,
}

in_order!(ReviewArgs);
