//! `uncask git`.

use super::positional::in_order;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(disable_help_subcommand = true)]
#[command(after_help = "Examples:
  uncask git install
      in a repository: git diff, log -p and show have text for .uasset and .umap
  uncask git install --global
      for all repositories of this user
  uncask git difftool
      what is changed, as a page in the browser
  uncask git uninstall

Git calls uncask for each version of an asset that it shows or merges; nothing in the repository changes
but its .gitattributes. The text is that of `uncask text`, and git keeps it, so that it is made once.")]
pub(crate) struct GitArgs {
    #[command(subcommand)]
    pub(crate) command: GitCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GitCommand {
    /// Make git show assets as text, and merge them
    Install(GitScopeArgs),
    /// Undo `git install`
    Uninstall(GitScopeArgs),
    /// Show the assets that differ as a page in the browser
    Difftool(GitDifftoolArgs),
    /// Merge two versions of an asset; git calls this
    Merge(GitMergeArgs),
    /// Merge assets in conflict again, and take what both change from one version
    Resolve(GitResolveArgs),
    /// Print the text of a version of an asset; git calls this
    #[command(hide = true)]
    Textconv(GitTextconvArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask git install
  uncask git install --global

Sets the driver `uncask` in git's configuration, and names it for *.uasset and *.umap: in the file
.gitattributes of the repository, which is for all who work on it, or with --global in the attributes of
this user. Without the driver, git ignores the attribute. Files in Git LFS are shown and merged, too.")]
pub(crate) struct GitScopeArgs {
    /// For all repositories of this user, not only for the one around the current folder
    #[arg(long)]
    pub(crate) global: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask git difftool
      what is changed and not committed
  uncask git difftool main...HEAD
  uncask git difftool HEAD~1 -- Content/Maps

The page is that of `uncask review -o FILE.html`: texts side by side, and graphs as pictures in which the
nodes are marked that differ. It stays in the system's folder for temporary files.")]
pub(crate) struct GitDifftoolArgs {
    /// Versions, as for git diff: BASE..HEAD, BASE...HEAD, or one that is compared with the files [default: HEAD]
    #[arg(value_name = "RANGE")]
    pub(crate) range: Option<String>,
    /// Files or folders to show; all without any
    #[arg(value_name = "PATH", last = true)]
    pub(crate) paths: Vec<String>,
    /// Show also what the editor keeps for itself
    #[arg(long)]
    pub(crate) all: bool,
    /// Print the path of the page, and open no browser
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// Version to take what both change from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PreferredSide {
    /// The version of the branch that is merged into
    Ours,
    /// The version of the branch that is merged
    Theirs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask git merge base.uasset ours.uasset theirs.uasset
      what theirs changes goes into ours.uasset
  uncask git merge base.uasset ours.uasset theirs.uasset -o merged.uasset

Objects, properties, elements of lists, nodes and links are taken from the version that changed them. Where
both change one in different ways, each such place is told, the exit code is 1, and nothing is written.
`uncask git install` makes git call this. Other programs that merge with an external tool can, too.")]
pub(crate) struct GitMergeArgs {
    /// Version that both come from; an empty file if both added the asset
    #[arg(value_name = "BASE")]
    pub(crate) base: PathBuf,
    /// Version that gets the changes
    #[arg(value_name = "OURS")]
    pub(crate) ours: PathBuf,
    /// Version whose changes are taken
    #[arg(value_name = "THEIRS")]
    pub(crate) theirs: PathBuf,
    /// Path of the asset in the repository, for messages [default: OURS]
    #[arg(value_name = "PATH")]
    pub(crate) path: Option<String>,
    /// Write the merged asset to this file, not to OURS
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Take what both change from this version
    #[arg(long, value_name = "VERSION")]
    pub(crate) prefer: Option<PreferredSide>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask git resolve --prefer theirs Content/BP_Door.uasset
      after a merge with conflicts: what only one version changes is merged, the rest is theirs
  git add Content/BP_Door.uasset

Unlike `git checkout --theirs`, this keeps what only ours changes.")]
pub(crate) struct GitResolveArgs {
    /// Version to take what both change from
    #[arg(long, value_name = "VERSION")]
    pub(crate) prefer: PreferredSide,
    /// Assets that git says are in conflict
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct GitTextconvArgs {
    /// File with the version
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Version of the text, which git's cache goes by
    #[arg(long, value_name = "N")]
    pub(crate) text_version: Option<u32>,
}

in_order!(GitArgs);
