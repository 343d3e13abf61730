//! `uncask set` and `uncask from-json`.

use super::common::{INPUT, OUTPUT, StoreArgs};
use super::json::PropertyArgs;
use super::positional::{Positional, holds_packages, in_order, join};
use crate::exit::UsageError;
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask set Paks/:/Game/Sword Default__Sword_C.Damage 25 --dry-run
  uncask set Paks/:/Game/Sword Default__Sword_C.Damage 25 -o Sword_P.utoc
  uncask set Paks/:/Game/DT_Items DT_Items.Sword.Price 9 -o Items_P.utoc
  uncask set Sword.uasset \"Sword.Levels[2]\" '{\"Damage\": 7}' -o out
  uncask set Paks/:/Game/BP_Door Open@0x01F3=90 120 -o Door_P.utoc
      a constant in a function
  uncask set Paks/:/Game/BP_Door --no-op Open@0x0210 -o Door_P.utoc
      a statement without effect

An address begins with the name of an export, or with #3 for one by its place; `uncask json` shows
them. Then come properties, rows of tables and fields with a dot in front, elements of arrays and
keys of maps in brackets. VALUE is a number, a text, true or false, the name of an enum value, or
the path of an object; structs, arrays and maps are JSON, in which a struct names what changes.
[+] is a new element at the end of an array, [+Gold] a new key of a map, and a name that no row has a
new row, whose value has to be all of it as JSON. A property that is left out, as it has its default, is added: with --mappings, or where a blueprint or
another object of the class in the package has it.

FUNCTION@0x01F3 is a constant in a function of a blueprint, or a conditional jump, whose condition
becomes true or false; `uncask code --form listing` shows the places. =OLD after it is the value that
has to be there.

INPUT is a .uasset or .umap; or, with :PACKAGE, a container, a game's folder, or a folder of cooked
packages.")]
pub(crate) struct SetArgs {
    /// A container or folder with :PACKAGE after it, or a .uasset or .umap
    #[arg(value_name = "INPUT:PACKAGE", help_heading = None)]
    pub(crate) target: PathBuf,
    /// Addresses of values, each followed by its new value. PACKAGE may stand before them, instead of after a colon
    #[arg(value_names = ["ADDRESS", "VALUE"], required_unless_present = "no_op", num_args = 2.., allow_negative_numbers = true, help_heading = None)]
    pub(crate) values: Vec<String>,
    #[command(flatten)]
    pub(crate) edit: EditArgs,
    /// Leave out a statement of a blueprint; may be repeated
    #[arg(long, value_name = "FUNCTION@PLACE", help_heading = OUTPUT)]
    pub(crate) no_op: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask json Paks/ /Game/Items/Sword --form tree -o Sword.json
  uncask from-json Sword.json --onto Paks/ -o Sword_P.utoc
  uncask from-json values/ --onto Paks/ -o Items_P.utoc --mappings Game.usmap
  uncask from-json Sword.json --onto Sword.uasset -o out

A document is one that `uncask json` has written, and that was changed since. With --form tree it
has all values of its package, and they replace all there are. In the other form, which FModel
writes, too, only the values that differ are changed. Packages whose documents were not changed are
left out.")]
pub(crate) struct FromJsonArgs {
    /// Documents of packages, or folders of them
    #[arg(value_name = "FILE.json", required = true, help_heading = None)]
    pub(crate) documents: Vec<PathBuf>,
    /// Where the packages are: a container, a game's folder, or the .uasset or .umap of the only document
    #[arg(long, value_name = "INPUT", help_heading = INPUT)]
    pub(crate) onto: PathBuf,
    #[command(flatten)]
    pub(crate) edit: EditArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask code Paks/ /Game/BP_Door --form listing > Door.txt
  uncask asm Door.txt --onto Paks/ -o Door_P.utoc
  uncask asm Door.txt --onto BP_Door.uasset -o out --dry-run

A listing is one that `uncask code --form listing` has written, and that was changed since; functions
whose listings were not changed, or were removed from the file, stay as they are. The places in front
of statements are labels: jumps lead to them, and new statements take any place that is not in use.
Lengths, counts, jumps and the entries of events follow by themselves.")]
pub(crate) struct AsmArgs {
    /// Listings of packages
    #[arg(value_name = "LISTING", required = true, help_heading = None)]
    pub(crate) listings: Vec<PathBuf>,
    /// Where the packages are: a container, a game's folder, or the .uasset or .umap of the only listing
    #[arg(long, value_name = "INPUT", help_heading = INPUT)]
    pub(crate) onto: PathBuf,
    #[command(flatten)]
    pub(crate) edit: EditArgs,
}

/// Arguments of these commands.
#[derive(Debug, Args)]
pub(crate) struct EditArgs {
    /// Containers used only to look up names; may be repeated
    #[arg(long, value_name = "DIR", help_heading = INPUT)]
    pub(crate) base: Vec<PathBuf>,
    /// AES-256 key: hex, base64, GUID=KEY or @FILE; may be repeated. UNCASK_AES_KEY is read as well
    #[arg(long, value_name = "KEY", help_heading = INPUT)]
    pub(crate) aes_key: Vec<String>,
    #[command(flatten)]
    pub(crate) properties: PropertyArgs,
    /// A .utoc or .pak to write, or a folder for .uasset and .uexp. Names of mods end in _P
    #[arg(short, long, value_name = "OUT", required_unless_present_any = ["dry_run", "into"], help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    /// A mod to write into, beside what it has: its packages are changed further, all others are added
    #[arg(long, value_name = "MOD.utoc", conflicts_with_all = ["output", "overwrite"], help_heading = OUTPUT)]
    pub(crate) into: Option<PathBuf>,
    /// Show what would change, and write nothing
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) dry_run: bool,
    /// Replace files that exist
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) overwrite: bool,
    /// Write what a game would not load
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) force: bool,
}

impl EditArgs {
    /// Options for opening containers.
    pub(crate) fn store(&self, input: &Path) -> StoreArgs {
        StoreArgs {
            input: input.to_owned(),
            // Its packages win over those of the game, so that a second change does not undo the first.
            more_inputs: self.into.iter().filter(|path| path.exists()).cloned().collect(),
            base: self.base.clone(),
            aes_key: self.aes_key.clone(),
            toc_version: None,
            only: None,
        }
    }
}

in_order!(AsmArgs, FromJsonArgs);

impl Positional for SetArgs {
    fn sort(&mut self) -> Result<Vec<String>, UsageError> {
        // Addresses and values come in pairs, so an odd one is the package.
        if self.values.len() % 2 == 1 && holds_packages(&self.target) {
            join(&mut self.target, self.values.remove(0).as_ref());
        }
        Ok(Vec::new())
    }
}
