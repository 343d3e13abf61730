//! `uncask port`.

use super::common::{INPUT, OUTPUT};
use super::json::PropertyArgs;
use super::positional::in_order;
use crate::args::StoreArgs;
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask port Doors_P.utoc --from Game-1.0/ --to Game-1.1/ -o new/Doors_P.utoc
  uncask port Doors_P.utoc --from Game-1.0/ --to Game-1.1/ --dry-run
  uncask port Doors_P.utoc --from 1.0/ --to 1.1/ -o new/Doors_P.utoc \\
      --mappings 1.0.usmap --new-mappings 1.1.usmap
  uncask port Doors_P.utoc --from 1.0/ --to 1.1/ -o new/Doors_P.utoc \\
      --rename Damage=BaseDamage

Makes a mod for a new build of a game out of one for an old build. What the mod changes is found by
comparing it with the old build; the packages of the new build get these values. Packages that the new
build left alone, and those that only the mod has, are taken as they are.

What does not come along is listed: packages, objects and properties that the new build no longer has;
functions, objects and data of packages that it changed. So is what both changed: there the value of
the mod counts. Exit code 1 means that something did not come along.")]
pub(crate) struct PortArgs {
    /// The mod: its .utoc or .pak
    #[arg(value_name = "MOD", help_heading = None)]
    pub(crate) file: PathBuf,
    /// The build that the mod was made for: its folder, or its Paks folder
    #[arg(long, value_name = "OLD", help_heading = INPUT)]
    pub(crate) from: PathBuf,
    /// The build that it is to be for
    #[arg(long, value_name = "NEW", help_heading = INPUT)]
    pub(crate) to: PathBuf,
    /// AES-256 key: hex, base64, GUID=KEY or @FILE; may be repeated. UNCASK_AES_KEY is read as well
    #[arg(long, value_name = "KEY", help_heading = INPUT)]
    pub(crate) aes_key: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: PropertyArgs,
    /// Mappings of the new build, if they are not those of the old one
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub(crate) new_mappings: Option<PathBuf>,
    /// A property that the new build calls by another name; may be repeated
    #[arg(long, value_name = "OLD=NEW", value_parser = rename, help_heading = INPUT)]
    pub(crate) rename: Vec<[String; 2]>,
    /// The .utoc or .pak to write
    #[arg(short, long, value_name = "NAME", required_unless_present = "dry_run", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    /// Show what would come along, and write nothing
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) dry_run: bool,
    /// Replace an existing mod
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) overwrite: bool,
    /// Write what the game would not load
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) force: bool,
}

impl PortArgs {
    /// The mod or a build as an input. The old build lends names to the mod.
    pub(crate) fn store(&self, input: &Path) -> StoreArgs {
        let base = if input == self.file { vec![self.from.clone()] } else { Vec::new() };
        StoreArgs::of_mod(input, base, &self.aes_key)
    }
}

/// Two names of a property.
fn rename(text: &str) -> Result<[String; 2], String> {
    let names = text.split_once('=').filter(|(old, new)| !old.is_empty() && !new.is_empty());
    let (old, new) = names.ok_or("expected OLD=NEW, two names of a property")?;
    Ok([old, new].map(str::to_owned))
}

in_order!(PortArgs);
