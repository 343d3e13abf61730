//! `uncask merge`.

use super::common::{INPUT, OUTPUT};
use super::json::PropertyArgs;
use super::positional::in_order;
use crate::args::StoreArgs;
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask merge Doors_P.utoc Swords_P.utoc --game MyGame/ -o Both_P.utoc
  uncask merge A_P.utoc B_P.utoc --game MyGame/ -o Both_P.utoc --dry-run
  uncask merge A_P.utoc B_P.utoc --game MyGame/ -o Both_P.utoc --prefer B_P.utoc

Makes one mod of several. Packages that only one of them has are taken as they are. A package that
several have is taken from the one that the game would take it from, with the values that the others
change: what each mod changes is found by comparing it with the game. The result is read again before
it gets its name; a change that it lacks is an error.

Values that two mods change in different ways are a conflict. So are functions, objects and pictures
that another mod changes than the one that the package is taken from. Nothing is written then, unless
a mod is preferred: what it has wins, and what is left out is listed. `uncask conflicts` shows all.")]
pub(crate) struct MergeArgs {
    /// The mods: a .utoc or a .pak each
    #[arg(value_name = "MOD", required = true, num_args = 2.., help_heading = None)]
    pub(crate) mods: Vec<PathBuf>,
    /// The game that the mods are for: its folder, or its Paks folder
    #[arg(long, value_name = "GAME", help_heading = INPUT)]
    pub(crate) game: PathBuf,
    /// AES-256 key: hex, base64, GUID=KEY or @FILE; may be repeated. UNCASK_AES_KEY is read as well
    #[arg(long, value_name = "KEY", help_heading = INPUT)]
    pub(crate) aes_key: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: PropertyArgs,
    /// The .utoc or .pak to write, such as Merged_P.utoc
    #[arg(short, long, value_name = "NAME", required_unless_present = "dry_run", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    /// Where mods cannot be merged, take what this one has
    #[arg(long, value_name = "MOD", help_heading = OUTPUT)]
    pub(crate) prefer: Option<PathBuf>,
    /// Show what would be merged, and write nothing
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) dry_run: bool,
    /// Replace an existing mod
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) overwrite: bool,
    /// Write what the game would not load
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) force: bool,
}

impl MergeArgs {
    /// A mod or the game as an input. The game lends names to the mods.
    pub(crate) fn store(&self, input: &Path) -> StoreArgs {
        let base = if self.game == input { Vec::new() } else { vec![self.game.clone()] };
        StoreArgs::of_mod(input, base, &self.aes_key)
    }
}

in_order!(MergeArgs);
