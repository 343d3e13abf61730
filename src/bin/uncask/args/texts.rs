//! `uncask texts`.

use super::common::{INPUT, OUTPUT, SELECTION, StoreArgs};
use super::json::PropertyArgs;
use super::positional::in_order;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(disable_help_subcommand = true)]
#[command(after_help = "Examples:
  uncask texts export MyGame/ -o texts.csv
      all languages, one column each
  uncask texts import texts.csv --onto MyGame/ -o mod
      .locres files from the edited table

The help of export and of import has more.")]
pub(crate) struct TextsArgs {
    #[command(subcommand)]
    pub(crate) command: TextsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TextsCommand {
    /// Write all texts as a table (.csv), or as .po files
    Export(TextsExportArgs),
    /// Make .locres files from an edited table or .po files
    Import(TextsImportArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask texts export MyGame/ -o texts.csv
      all languages, one column each
  uncask texts export MyGame/ -o texts.csv --culture en --culture de
  uncask texts export MyGame/ -o de.po --culture de
      for translation tools
  uncask texts export MyGame/ -o po --po
      one .po for each .locres

A row is a text: its file, its namespace, its key, the hash of the text that it translates, and the
text in each language. Text that starts with =, +, -, @ or ' gets a leading ', which import removes.

Texts of string tables are rows, too: their file is the path of the table, such as
/Game/Texts/ST_Menu.ST_Menu, and their text is in the column \"text\". With --culture they are left out.

INPUT may also be a .locres, or a folder of them.")]
pub(crate) struct TextsExportArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// File to write: a .csv, or a .po for a single .locres; with --po, a folder
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    pub(crate) output: PathBuf,
    /// Write a folder of .po files, one for each .locres
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) po: bool,
    /// Only this language, such as de or pt-BR; may be repeated
    #[arg(long, value_name = "CULTURE", help_heading = SELECTION)]
    pub(crate) culture: Vec<String>,
    #[command(flatten)]
    pub(crate) properties: PropertyArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask texts import texts.csv --onto MyGame/ -o mod
      all .locres of the table's languages
  uncask texts import texts.csv --onto MyGame/ -o mod --changed
  uncask texts import po/ --onto MyGame/ -o mod
  uncask pack mod/ -o Texts_P.pak
      a mod with the new texts

Files whose texts are unchanged come out byte for byte as they are in the game. Texts that the table
does not have stay as they are. A language that the game does not have gets files of its own.

String tables are packages: they come out as .uasset and .uexp, or in a .utoc or .pak.")]
pub(crate) struct TextsImportArgs {
    /// A .csv or .po file, or a folder of .po files
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The game, or its folder of .locres files; may be repeated
    #[arg(long, value_name = "INPUT", required = true, help_heading = INPUT)]
    pub(crate) onto: Vec<PathBuf>,
    /// AES-256 key: hex, base64, GUID=KEY or @FILE; may be repeated. UNCASK_AES_KEY is read as well
    #[arg(long, value_name = "KEY", help_heading = INPUT)]
    pub(crate) aes_key: Vec<String>,
    /// Folder to write to; created if missing. For string tables alone also a .utoc or .pak
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    pub(crate) output: PathBuf,
    /// Write only files whose texts change
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) changed: bool,
    /// Write a .utoc or .pak that a game would not load
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) properties: PropertyArgs,
}

impl TextsImportArgs {
    /// Options for opening the game.
    pub(crate) fn store(&self) -> StoreArgs {
        let mut inputs = self.onto.iter().cloned();
        StoreArgs {
            input: inputs.next().unwrap_or_default(),
            more_inputs: inputs.collect(),
            base: Vec::new(),
            aes_key: self.aes_key.clone(),
            toc_version: None,
            only: None,
        }
    }
}

in_order!(TextsArgs);
