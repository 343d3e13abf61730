//! `uncask check-mappings`.

use super::common::{SelectArgs, StoreArgs};
use super::json::PropertyArgs;
use super::positional::inputs_and_patterns;
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask check-mappings MyGame/ --mappings MyGame.usmap
  uncask check-mappings MyGame/ \"*/Items/*\" --mappings MyGame.jmap.gz
  uncask check-mappings MyGame/
      the mappings beside it, or the built-in classes

It reads the values of all packages, and names the classes that the mappings lack or have in another
form, as those of an older build do. Where every object ends where its class says that it should, the
mappings fit; the exit code is 1 where they do not.

INPUT may also be a .uasset or .umap, or a folder of them.")]
pub(crate) struct CheckMappingsArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    pub(crate) properties: PropertyArgs,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

inputs_and_patterns!(CheckMappingsArgs);
