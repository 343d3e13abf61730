//! `uncask lint`.

use super::common::{INPUT, SelectArgs, StoreArgs};
use super::json::PropertyArgs;
use super::positional::inputs_and_patterns;
use super::write::DamageArgs;
use clap::Args;
use std::path::PathBuf;
use uncask::wire::Size;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask lint MyProject
      references to assets that are not there
  uncask lint MyProject --rules lint.toml
      also names, textures and sizes, by rules
  uncask lint MyProject '/Game/Maps/**' --budget 2G

Each line names a file, what was found and what is expected. The exit code is 1 if there is any, so that a
build stops. Rules are a TOML file: names by class, sizes of textures, budgets; docs/projects.md has one.

References are looked for among all packages of INPUT, selected or not; those to packages of the engine are
left out.")]
pub(crate) struct LintArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// File with rules
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub(crate) rules: Option<PathBuf>,
    /// Greatest size of all selected assets together, such as 2G
    #[arg(long, value_name = "SIZE", help_heading = INPUT)]
    pub(crate) budget: Option<Size>,
    #[command(flatten)]
    pub(crate) properties: PropertyArgs,
    #[command(flatten)]
    pub(crate) damage: DamageArgs,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

inputs_and_patterns!(LintArgs);
