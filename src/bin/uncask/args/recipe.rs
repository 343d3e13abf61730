//! `uncask recipe` and `uncask build`.

use super::common::{INPUT, OUTPUT, StoreArgs};
use super::json::PropertyArgs;
use super::positional::in_order;
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(
    override_usage = "uncask recipe [OPTIONS] --game <GAME> --output <FOLDER> <MOD>\n       uncask recipe --schema",
    after_help = "Examples:
  uncask recipe Doors_P.utoc --game MyGame/ -o Doors/
  uncask recipe Doors_P.utoc --game MyGame/ -o Doors/ --mappings Game.usmap
  uncask recipe patch.json -o Patch/
      a patch of a loader that changes tables and blueprints while a game runs
  uncask recipe --schema > recipe.schema.json

Writes what a mod changes as text: mod.toml, with old and new values, and beside it pictures, listings
of functions, and, below files/, what is no change of the game's. `uncask build` makes the mod of it.

The recipe is built and compared with the mod. Packages that come out otherwise, since they have more
than values, functions and pictures changed, are among the files."
)]
pub(crate) struct RecipeArgs {
    /// The mod: its .utoc or .pak; or a .json patch
    #[arg(value_name = "MOD", required_unless_present = "schema", help_heading = None)]
    pub(crate) file: Option<PathBuf>,
    /// The game that the mod is for: its folder, or its Paks folder. A patch needs none
    #[arg(long, value_name = "GAME", help_heading = INPUT)]
    pub(crate) game: Option<PathBuf>,
    /// AES-256 key: hex, base64, GUID=KEY or @FILE; may be repeated. UNCASK_AES_KEY is read as well
    #[arg(long, value_name = "KEY", help_heading = INPUT)]
    pub(crate) aes_key: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: PropertyArgs,
    /// Folder for the recipe
    #[arg(short, long, value_name = "FOLDER", required_unless_present = "schema", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    /// Replace a recipe that is there, with all below its files/
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) overwrite: bool,
    /// Print the JSON schema of recipes, by which editors complete and check them
    #[arg(long, conflicts_with_all = ["file", "output", "game"], help_heading = OUTPUT)]
    pub(crate) schema: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask build Doors/ --game MyGame/ -o Doors_P.utoc
  uncask build Doors/ --game MyGame/ --dry-run
  uncask build cheap.toml --game MyGame/ -o Cheap_P.pak --mappings Game.usmap

A recipe is a folder with a mod.toml, a .toml, or a .json patch. Each [[change]] in a .toml has `packages`,
names or patterns such as \"/Game/Weapons/*\"; `property`, an address as `uncask set` takes it, such as
\"*.Damage\", with * for any name and ** for any number of steps; and `set`, `multiply`, `add`, `append` or
`remove`. `from` is the expected old value: another one is a warning. `where` has conditions on values
beside it. A change that finds nothing to change is an error, unless it has `optional = true`.

Pictures, texts, functions, files, and recipes that include others: docs/recipes.md of uncask.")]
pub(crate) struct BuildArgs {
    /// The recipe: its folder, its .toml, or a .json patch
    #[arg(value_name = "RECIPE", help_heading = None)]
    pub(crate) file: PathBuf,
    /// The game that the mod is for: its folder, or its Paks folder
    #[arg(long, value_name = "GAME", help_heading = INPUT)]
    pub(crate) game: PathBuf,
    /// AES-256 key: hex, base64, GUID=KEY or @FILE; may be repeated. UNCASK_AES_KEY is read as well
    #[arg(long, value_name = "KEY", help_heading = INPUT)]
    pub(crate) aes_key: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: PropertyArgs,
    /// A .utoc or .pak to write, or a folder for files. Names of mods end in _P
    #[arg(short, long, value_name = "OUT", required_unless_present = "dry_run", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    /// Show what would change, and write nothing
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) dry_run: bool,
    /// Leave out changes that cannot be made, and write the others
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) keep_going: bool,
    /// Replace files that exist
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) overwrite: bool,
    /// Write what the game would not load
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) force: bool,
}

impl RecipeArgs {
    /// The mod or its game as an input. The game lends names to the mod.
    pub(crate) fn store(&self, input: &Path) -> StoreArgs {
        let is_game = self.game.as_deref() == Some(input);
        let base = if is_game { Vec::new() } else { self.game.iter().cloned().collect() };
        StoreArgs::of_mod(input, base, &self.aes_key)
    }
}

in_order!(BuildArgs, RecipeArgs);
