//! `uncask conflicts`.

use super::common::{INPUT, OUTPUT};
use super::json::PropertyArgs;
use super::positional::in_order;
use crate::args::StoreArgs;
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask conflicts Doors_P.utoc Swords_P.utoc --game \"C:/Games/MyGame\"
  uncask conflicts ~mods/*.pak --game MyGame/ --html conflicts.html
  uncask conflicts A_P.pak B_P.pak
      without the game: how the mods differ from each other

A game takes each package from one mod, so that the changes of all others to it are lost. This lists
the packages and files that several mods have, which of the mods wins, and what each changes in the
game: values, objects, functions, pictures and other data.

A package is the same if all do the same in it, so that nothing is lost; compatible if they change
different values, which one mod could have together; a conflict if they change one value in different
ways.

Mods that are installed in the game do not count as part of it. Exit code 1 means a conflict.")]
pub(crate) struct ConflictsArgs {
    /// The mods: a .utoc, a .pak or a folder of them each
    #[arg(value_name = "MOD", required = true, num_args = 2.., help_heading = None)]
    pub(crate) mods: Vec<PathBuf>,
    /// The game that the mods are for: its folder, or its Paks folder
    #[arg(long, value_name = "GAME", help_heading = INPUT)]
    pub(crate) game: Option<PathBuf>,
    /// AES-256 key: hex, base64, GUID=KEY or @FILE; may be repeated. UNCASK_AES_KEY is read as well
    #[arg(long, value_name = "KEY", help_heading = INPUT)]
    pub(crate) aes_key: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: PropertyArgs,
    /// Write a page about them to this file, too
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) html: Option<PathBuf>,
}

impl ConflictsArgs {
    /// A mod or the game as an input. The game lends names to the mods.
    pub(crate) fn store(&self, input: &Path) -> StoreArgs {
        let base = self.game.iter().filter(|game| *game != input).cloned().collect();
        StoreArgs::of_mod(input, base, &self.aes_key)
    }
}

in_order!(ConflictsArgs);
