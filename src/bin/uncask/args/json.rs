//! `uncask json`.

use super::common::{INPUT, OUTPUT, SelectArgs, StoreArgs};
use super::to_legacy::parse_release;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use uncask::values::json::JsonForm;
use uncask::version::Release;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask json Paks/ /Game/Items/Sword --mappings Game.usmap      one package, to stdout
  uncask json Paks/ '*/Items/*' -o values --mappings Game.usmap  a document for each package
  uncask json Sword.uasset | jq '.[].Properties'                 a file, with the .uexp beside it
  uncask json unpacked/ -o values --form tree                    everything, with its types

Most games since UE 4.25 ship properties without their names; a mappings file (.usmap) supplies
these. Dumper-7, UE4SS and other tools write one from the running game. Without --mappings, uncask
looks for a Mappings.usmap in the input's folder and in the three above it.

INPUT may also be a .uasset or .umap, or a folder of some.")]
pub(crate) struct JsonArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Folder to write to, one document for each package; without it, the only package that matches goes to stdout
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    /// Form of the documents: fmodel, as FModel writes them; or tree, which keeps all types and values
    #[arg(long, value_enum, value_name = "FORM", default_value = "fmodel", hide_possible_values = true, help_heading = OUTPUT)]
    pub(crate) form: FormArg,
    /// Mappings file of the game (.usmap), or a folder that has one
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub(crate) mappings: Option<PathBuf>,
    /// Read packages that do not name their engine as those of this release, such as 5.4 or UE5_4
    #[arg(long, value_name = "RELEASE", value_parser = parse_any_release, help_heading = INPUT)]
    pub(crate) engine: Option<&'static Release>,
    /// Stop at the first problem
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) fail_fast: bool,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

/// Forms of documents.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum FormArg {
    Fmodel,
    Tree,
}

impl From<FormArg> for JsonForm {
    fn from(form: FormArg) -> Self {
        match form {
            FormArg::Fmodel => Self::FModel,
            FormArg::Tree => Self::Tree,
        }
    }
}

/// Any release: legacy packages are older than containers.
pub(super) fn parse_any_release(text: &str) -> Result<&'static Release, String> {
    Release::from_name(text).map_or_else(|| parse_release(text), Ok)
}
