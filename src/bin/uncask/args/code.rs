//! `uncask code`.

use super::common::{OUTPUT, SelectArgs, StoreArgs};
use super::json::PropertyArgs;
use super::positional::inputs_and_patterns;
use super::write::DamageArgs;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use uncask::game::CodeForm;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask code Paks/ /Game/Blueprints/BP_Door
      a blueprint, to stdout
  uncask code Paks/ /Game/Blueprints/BP_Door --function Open
      one function
  uncask code Paks/ -o code
      every blueprint, a file for each
  uncask code BP_Door.uasset --form listing
      each token with its place
  uncask code Paks/ BP_Door --form json | jq \".functions[].function\"

Pseudo-code has the head of each class (parent, interfaces, components, variables and their
defaults) and its functions. Bodies of events are in the event graph of the game's files, but are
written with their events; `await` marks calls that finish later.

Functions need no mappings; since UE 4.25, the defaults of variables do in most games.

INPUT may also be a .uasset or .umap, or a folder of them.")]
pub(crate) struct CodeArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Folder to write to, one file for each package with code; without it, everything goes to stdout
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    /// Form of the code: pseudo, for people; listing, one line per token; or json, every token with its operands
    #[arg(long, value_enum, value_name = "FORM", hide_possible_values = true, help_heading = OUTPUT)]
    form: Option<CodeFormArg>,
    /// Only functions with this name; may be repeated
    #[arg(long, value_name = "NAME", help_heading = OUTPUT)]
    pub(crate) function: Vec<String>,
    #[command(flatten)]
    pub(crate) properties: PropertyArgs,
    #[command(flatten)]
    pub(crate) damage: DamageArgs,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

/// Forms of code.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum CodeFormArg {
    Pseudo,
    Listing,
    Json,
}

impl CodeArgs {
    /// The form to write. JSON on stdout is that of the code; with a folder, it is the report.
    pub(crate) fn form(&self, is_json: bool) -> CodeForm {
        match self.form {
            Some(CodeFormArg::Listing) => CodeForm::Listing,
            Some(CodeFormArg::Json) => CodeForm::Json,
            None if is_json && self.output.is_none() => CodeForm::Json,
            Some(CodeFormArg::Pseudo) | None => CodeForm::Pseudo,
        }
    }
}

inputs_and_patterns!(CodeArgs);
