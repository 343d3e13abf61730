//! `uncask mods`.

use super::common::StoreArgs;
use super::positional::in_order;
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask mods \"C:/Games/MyGame\"
  uncask mods MyGame/ -v
      with what is hidden, and what `uncask check` says
  uncask mods MyGame/ --json

Mods are the containers and paks in folders below Paks, such as ~mods and LogicMods, and all whose names
end in _P, but for patches by the engine's own packager. Those that win over others come first.

CHANGES counts the packages and files that the game has, too, ADDS those that it does not have, and
HIDDEN those that another mod has and wins with.

Exit code 1 means that the game would not load a mod, or not all of it.")]
pub(crate) struct ModsArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

in_order!(ModsArgs);
