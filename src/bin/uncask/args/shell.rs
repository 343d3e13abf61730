//! Commands that help to use the others.

use super::positional::in_order;
use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask completions bash > ~/.local/share/bash-completion/completions/uncask
  uncask completions zsh > ~/.zfunc/_uncask
  uncask completions fish > ~/.config/fish/completions/uncask.fish")]
pub(crate) struct CompletionsArgs {
    /// Shell to print completions for
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  uncask man -o /usr/local/share/man/man1\n  uncask man | man -l -")]
pub(crate) struct ManArgs {
    /// Folder to write one page per command to; without it, the main page is printed
    #[arg(short, long, value_name = "DIR", help_heading = super::common::OUTPUT)]
    pub(crate) output: Option<PathBuf>,
}

in_order!(CompletionsArgs, ManArgs);
