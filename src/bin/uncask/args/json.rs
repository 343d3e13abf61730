//! `uncask json` and `uncask find`.

use super::common::{INPUT, OUTPUT, SelectArgs, StoreArgs};
use super::positional::inputs_and_patterns;
use super::to_legacy::parse_release;
use super::write::{DamageArgs, OverwriteArg};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use uncask::game::JsonForm;
use uncask::version::Release;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask json Paks/ /Game/Items/Sword --mappings Game.usmap
      one package, to stdout
  uncask json Paks/ \"*/Items/*\" -o values --mappings Game.usmap
      a document for each package
  uncask json Paks/ /Game/Items/Sword -o Sword.json --form tree
      to a file, for from-json
  uncask json Sword.uasset | jq \".[].Properties\"
      a file, with the .uexp beside it
  uncask json unpacked/ -o values --form tree
      everything, with its types
  uncask json Paks/ \"*/Items/*\" --jsonl
      a line for each package
  uncask json Paks/ \"*/Items/*\" -o items.csv
      a row for each value

Most games since UE 4.25 ship properties without their names. Those of the engine's own classes are
built in, for UE 4.27 to 5.8; for the game's classes, a mappings file (.usmap) supplies them. Dumper-7, UE4SS and other tools write one from the running game. Without --mappings, uncask
takes a Mappings.usmap from the input's folder, its Paks folders, or one of the three above, or the
only .usmap of another name in the input's or its Paks folders.

INPUT may also be a .uasset or .umap, or a folder of them.")]
pub(crate) struct JsonArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Folder to write to, one document for each package; a .json for the only package that matches; or a .jsonl or .csv for all.
    /// Without it, the document goes to stdout
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    /// Replace existing documents in a folder: never, always, different (if the content differs), or untouched (if it differs,
    /// but not what was changed since it was written) [default: untouched]
    #[arg(long, value_enum, value_name = "WHEN", hide_possible_values = true, help_heading = OUTPUT)]
    pub(crate) overwrite: Option<OverwriteArg>,
    /// Print one line for each package: an object with its name and its document
    #[arg(long, conflicts_with = "csv", help_heading = OUTPUT)]
    pub(crate) jsonl: bool,
    /// Print CSV, one row for each value: package, object, class, property, value
    #[arg(long, conflicts_with = "form", help_heading = OUTPUT)]
    pub(crate) csv: bool,
    /// Form of the documents: fmodel, as FModel writes them; or tree, which keeps all types and values
    #[arg(long, value_enum, value_name = "FORM", default_value = "fmodel", hide_possible_values = true, help_heading = OUTPUT)]
    form: FormArg,
    /// Add to actors and components of levels where they are in the world: WorldTransform, in centimetres
    #[arg(long, conflicts_with_all = ["csv", "form"], help_heading = OUTPUT)]
    transforms: bool,
    #[command(flatten)]
    pub(crate) properties: PropertyArgs,
    #[command(flatten)]
    pub(crate) damage: DamageArgs,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

impl JsonArgs {
    /// The form of the documents.
    pub(crate) fn form(&self) -> JsonForm {
        if self.transforms { JsonForm::Placed } else { self.form.into() }
    }
}

/// Options for reading properties.
#[derive(Debug, Args)]
pub(crate) struct PropertyArgs {
    /// Mappings file of the game (.usmap or .jmap), or a folder that has one
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub(crate) mappings: Option<PathBuf>,
    /// Read packages that do not name their engine as those of this release, such as 5.4 or UE5_4
    #[arg(long, value_name = "RELEASE", value_parser = parse_any_release, help_heading = INPUT)]
    pub(crate) engine: Option<&'static Release>,
}

/// Forms of documents.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum FormArg {
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

/// Parses any release, even those before containers, for legacy packages.
pub(super) fn parse_any_release(text: &str) -> Result<&'static Release, String> {
    Release::from_name(text).map_or_else(|| parse_release(text), Ok)
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask find Paks/ --property Damage
      every object that sets Damage, and to what
  uncask find Paks/ --property Damage --value 25
      only where it is 25
  uncask find Paks/ --property Damage --value \">100\"
      or \"<=5\", or 10..20
  uncask find Paks/ --value Excalibur \"/Game/Items\"
      texts, names and references with this in them
  uncask find Paks/ --property \"*Cost\" --csv
      a table, with numbers as numbers; --json, too
  uncask find unpacked/ --value-regex \"^/Game/.*_Old\"
  uncask find Paks/ --calls OpenLevel
      functions of blueprints that call it
  uncask find Paks/ --code \"Health *<\"
      lines of pseudo-code

Each line is a package, the address of a value in it, and the value. Exit code 5 means that
nothing was found.

INPUT may also be a .uasset or .umap, or a folder of them.")]
pub(crate) struct FindArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Name of a property, or a glob such as '*Cost'; with --value, also of one that holds the value's property
    #[arg(long, value_name = "NAME", required_unless_present_any = ["property_regex", "value", "value_regex", "calls", "code"], help_heading = SEARCH)]
    pub(crate) property: Option<String>,
    /// Only properties whose names match this regular expression
    #[arg(long, value_name = "REGEX", help_heading = SEARCH)]
    pub(crate) property_regex: Option<String>,
    /// A number that the value equals, a range of numbers (>5, <=5, 5..10), or a text that is part of it
    #[arg(long, value_name = "TEXT|NUMBER", allow_hyphen_values = true, help_heading = SEARCH)]
    pub(crate) value: Option<String>,
    /// Only values whose text matches this regular expression
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true, help_heading = SEARCH)]
    pub(crate) value_regex: Option<String>,
    /// Functions of blueprints that call a function of this name, or of a glob such as 'Spawn*'
    #[arg(long, value_name = "NAME", conflicts_with_all = ["property", "property_regex", "value", "value_regex"], help_heading = SEARCH)]
    pub(crate) calls: Option<String>,
    /// Lines of pseudo-code that match this regular expression; with --calls, only in functions with such a call
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true, conflicts_with_all = ["property", "property_regex", "value", "value_regex"], help_heading = SEARCH)]
    pub(crate) code: Option<String>,
    /// Print CSV with a header line
    #[arg(long, conflicts_with = "json", help_heading = OUTPUT)]
    pub(crate) csv: bool,
    #[command(flatten)]
    pub(crate) properties: PropertyArgs,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

const SEARCH: &str = "Search";

inputs_and_patterns!(JsonArgs, FindArgs);
