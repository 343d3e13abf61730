//! `uncask install` and `uncask uninstall`.

use super::common::{INPUT, OUTPUT};
use super::positional::in_order;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask install Doors_P.utoc \"C:/Games/MyGame\"
  uncask install Doors_P.utoc MyGame/ --dry-run       where its files would go
  uncask install Doors_P.utoc MyGame/ --overwrite     a new version of it

Copies the files of a mod (.utoc, .ucas and .pak, or a .pak alone) to Content/Paks/~mods of the game, after
the checks of `uncask check`. `uncask uninstall` removes them.")]
pub(crate) struct InstallArgs {
    /// The mod: its .utoc, or its .pak
    #[arg(value_name = "MOD", help_heading = None)]
    pub(crate) file: PathBuf,
    /// The game: its folder, or its Paks folder
    #[arg(value_name = "GAME", help_heading = None)]
    pub(crate) game: PathBuf,
    /// AES-256 key: hex, base64, GUID=KEY or @FILE; may be repeated. UNCASK_AES_KEY is read as well
    #[arg(long, value_name = "KEY", help_heading = INPUT)]
    pub(crate) aes_key: Vec<String>,
    /// Replace a mod of the same name
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) overwrite: bool,
    /// Install what the game would not load
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) force: bool,
    /// Show where the files would go, and write nothing
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask uninstall Doors_P \"C:/Games/MyGame\"
  uncask uninstall Doors_P.utoc MyGame/ --dry-run     which files would go

Removes only the files of the mod, from Content/Paks/~mods of the game.")]
pub(crate) struct UninstallArgs {
    /// The mod: the name of its files, with or without extension
    #[arg(value_name = "MOD", help_heading = None)]
    pub(crate) name: String,
    /// The game: its folder, or its Paks folder
    #[arg(value_name = "GAME", help_heading = None)]
    pub(crate) game: PathBuf,
    /// Show which files would be removed, and remove nothing
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) dry_run: bool,
}

in_order!(InstallArgs, UninstallArgs);
