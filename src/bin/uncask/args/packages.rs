//! Commands about packages.

use super::common::{OUTPUT, StoreArgs};
use super::json::PropertyArgs;
use super::positional::{Positional, in_order, inputs_only, join, one_chunk};
use crate::exit::UsageError;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:
  uncask inspect Start.uasset
  uncask inspect TestUC1.u --json
  uncask inspect Paks/:/Game/Maps/Start              a package of a container
  uncask inspect \"Paks/:*.container_header\" --json   a chunk by pattern or id
  uncask inspect Paks/:/Game/Items                   all packages below a folder
  uncask inspect Start.uasset --base Paks/           with names of imports
  uncask inspect Paks/:/Game/Items/Sword -p          the values of its objects",
    mut_arg("input", |arg| arg
        .index(1)
        .value_name("FILE|INPUT:PATH")
        .help("A file; or a container or folder, a colon, and the path, package name or id of a chunk, or a folder of packages"))
)]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// The path, package name, folder or id, if no colon is in front of it
    #[arg(value_name = "PATH", index = 2, help_heading = None)]
    pub(super) chunk: Option<String>,
    /// Show the properties of the objects in a package; without it, only what its assets are
    #[arg(short, long, help_heading = OUTPUT)]
    pub(crate) properties: bool,
    #[command(flatten)]
    pub(crate) reading: PropertyArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask deps Paks/ /Game/Maps/Start
      everything that the map needs
  uncask deps Paks/ /Game/Maps/Start --depth 1
      only direct imports
  uncask deps Paks/ T_Rock --reverse
      everything that needs the texture
  uncask deps Paks/ /Game/Maps/Start --dot | dot -Tsvg > deps.svg")]
pub(crate) struct DepsArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Package name, path, pattern or chunk id; it may also follow INPUT and a colon
    #[arg(value_name = "PACKAGE", help_heading = None)]
    pub(super) package: Option<String>,
    /// Show the packages that need it instead
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) reverse: bool,
    /// Follow dependencies only this many steps
    #[arg(long, value_name = "N", help_heading = OUTPUT)]
    pub(crate) depth: Option<u32>,
    /// Print a graph for Graphviz
    #[arg(long, conflicts_with = "json", help_heading = OUTPUT)]
    pub(crate) dot: bool,
}

impl DepsArgs {
    /// The requested package.
    pub(crate) fn package(&self) -> Result<&str, UsageError> {
        let missing = || UsageError("name a package: uncask deps INPUT PACKAGE, or INPUT:PACKAGE".to_owned());
        self.package.as_deref().ok_or_else(missing)
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask scripts Paks/ > scripts.txt
  uncask scripts Paks/global.utoc --json | jq \".objects[].path\"")]
pub(crate) struct ScriptsArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// More inputs
    #[arg(value_name = "INPUT", help_heading = None)]
    pub(crate) inputs: Vec<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask thumbnails MyProject/Content -o thumbnails
  uncask thumbnails BP_Lamp.uasset -o .
  uncask thumbnails Textures/Ancient.utx -o textures")]
pub(crate) struct ThumbnailsArgs {
    /// An uncooked .uasset or .umap, a package of Unreal Engine 1 to 3, or a folder of them
    #[arg(value_name = "FILE|DIR")]
    pub(crate) input: PathBuf,
    /// Folder to write to; created if missing
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    pub(crate) output: PathBuf,
}

inputs_only!(ScriptsArgs);

in_order!(ThumbnailsArgs);

impl Positional for DepsArgs {
    fn sort(&mut self) -> Result<Vec<String>, UsageError> {
        one_chunk(&mut self.store.input, &mut self.package);
        Ok(Vec::new())
    }
}

impl Positional for InspectArgs {
    fn sort(&mut self) -> Result<Vec<String>, UsageError> {
        if let Some(chunk) = self.chunk.take() {
            join(&mut self.store.input, chunk.as_ref());
        }
        Ok(Vec::new())
    }
}
