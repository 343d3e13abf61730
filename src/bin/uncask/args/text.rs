//! `uncask text`.

use super::common::{OUTPUT, SelectArgs, StoreArgs};
use super::json::PropertyArgs;
use super::positional::inputs_and_patterns;
use super::write::DamageArgs;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    mut_arg("all", |arg| arg.help("Show also what the editor keeps for itself, and chunks that another container overrides")),
    after_help = "Examples:
  uncask text BP_Door.uasset
      an asset of a project, to stdout
  uncask text Content/ -o review
      every asset of a project, a file for each
  uncask text Paks/ /Game/Blueprints/BP_Door
      a package of a game, with its code
  uncask diff old/BP_Door.uasset BP_Door.uasset --text
      what changed between two versions

The text is made to be compared and read in reviews: the same asset always gives the same text, in an
order of its own, with nothing numbered that a change elsewhere would renumber. Graphs of blueprints are
lists of nodes in the order of execution: `->` leads to the next node, `<-` to the source of an input,
`=` stands before a value. What the editor keeps for itself is left out: positions, GUIDs, caches,
thumbnails, compiled classes. --all shows that, too.

`uncask git install` makes git show these texts in its diffs.

INPUT may be a .uasset or .umap, a folder of them, or containers."
)]
pub(crate) struct TextArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Folder to write a file for each package to, instead of stdout
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) properties: PropertyArgs,
    #[command(flatten)]
    pub(crate) damage: DamageArgs,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

inputs_and_patterns!(TextArgs);
