//! `uncask git`.

use clap::{Args, Subcommand};
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

Git calls uncask for each version of an asset that it shows; nothing in the repository changes but its
.gitattributes. The text is that of `uncask text`, and git keeps it, so that it is made once.")]
pub(crate) struct GitArgs {
    #[command(subcommand)]
    pub(crate) command: GitCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GitCommand {
    /// Make git show assets as text
    Install(GitScopeArgs),
    /// Take that back
    Uninstall(GitScopeArgs),
    /// Open a page in the browser with the assets that differ, side by side
    Difftool(GitDifftoolArgs),
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
this user. Without the driver, git ignores the attribute. Files in Git LFS are shown, too.")]
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

#[derive(Debug, Args)]
pub(crate) struct GitTextconvArgs {
    /// File with the version
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Version of the text, which git's cache goes by
    #[arg(long, value_name = "N")]
    pub(crate) text_version: Option<u32>,
}
