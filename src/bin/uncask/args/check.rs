//! `uncask check`.

use super::common::{INPUT, StoreArgs};
use super::positional::in_order;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask check MyMod_P.utoc
  uncask check MyMod_P.utoc --game \"C:/Games/MyGame\"
  uncask check Mods/ --game MyGame/ --json

Without a game, it checks what containers and paks say about themselves: names, ids, hashes, container
headers, packages, bulk data, files of the whole project. With the game, also engine release, mount
order, imports and native objects. What the game already has of the mod is not compared with it.")]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// The game that the mod is for: its folder, or its Paks folder
    #[arg(long, value_name = "GAME", help_heading = INPUT)]
    pub(crate) game: Option<PathBuf>,
    /// Do not check content against the recorded hashes
    #[arg(long)]
    pub(crate) no_verify: bool,
}

in_order!(CheckArgs);
