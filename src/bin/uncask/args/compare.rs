//! Commands that compare containers and sum up sizes.

use super::common::{INPUT, OUTPUT, SELECTION, SelectArgs, StoreArgs};
use super::json::PropertyArgs;
use super::positional::{Positional, in_order, inputs_and_patterns, two};
use super::values::parse_toc_version;
use crate::exit::UsageError;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use uncask::game::By;
use uncask::version::TocVersion;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask diff Game-1.0/ Game-1.1/
  uncask diff Game-1.0/ Game-1.1/ \"*.umap\" --json
  uncask diff base.utoc patch_P.utoc
      what a patch replaces
  uncask unpack Game-1.1/ -o out --changed-since Game-1.0/
  uncask diff Game-1.0/ Game-1.1/ --properties
      which values changed, from what to what
  uncask diff Game-1.0/ Game-1.1/ --properties --csv --ignore \"*Offset\"
  uncask diff Game-1.0/ Game-1.1/ --code
      which functions of blueprints changed, and how
  uncask diff old/BP_Door.uasset BP_Door.uasset --text
      what changed in an asset of a project

Compares the hashes in the tables of contents; reads no data, unless --properties, --code or --text is
given. Exit code 1 means that the builds differ.")]
pub(crate) struct DiffArgs {
    /// The old build: a .utoc, a .ucas, a .pak, a Paks folder or a game's root folder
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// The new build
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
    /// AES-256 key: hex, base64, GUID=KEY or @FILE; may be repeated. UNCASK_AES_KEY is read as well
    #[arg(long, value_name = "KEY", help_heading = INPUT)]
    pub(crate) aes_key: Vec<String>,
    /// Read tables of contents as this version, ignoring the recorded one
    #[arg(long, value_name = "N", value_parser = parse_toc_version, help_heading = INPUT)]
    pub(crate) toc_version: Option<TocVersion>,
    /// Print CSV with a header line. Safe for spreadsheets: control characters are escaped, and text that starts with =, +,
    /// - or @ gets a leading '. JSON keeps all text unchanged
    #[arg(long, conflicts_with_all = ["json", "code"], help_heading = OUTPUT)]
    pub(crate) csv: bool,
    /// Compare the values of the objects in packages of the same name; OLD and NEW may also be folders of .uasset files
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) properties: bool,
    /// With --properties: ignore changes in properties of this name, or of a glob such as '*Offset'; may be repeated
    #[arg(long, value_name = "NAME", requires = "properties", help_heading = SELECTION)]
    pub(crate) ignore: Vec<String>,
    /// With --properties: show also changes of GUIDs, and of the namespaces and keys of texts, which tools make anew on every save
    #[arg(long, requires = "properties", help_heading = SELECTION)]
    pub(crate) noise: bool,
    /// Compare packages as text for review, as a unified diff; nodes of graphs are matched by their ids. OLD and NEW may also
    /// be .uasset or .umap files, or folders of them
    #[arg(long, conflicts_with_all = ["properties", "code", "csv"], help_heading = OUTPUT)]
    pub(crate) text: bool,
    /// Compare the functions of blueprints, as a unified diff of their pseudo-code
    #[arg(long, conflicts_with = "properties", help_heading = OUTPUT)]
    pub(crate) code: bool,
    #[command(flatten)]
    pub(crate) reading: PropertyArgs,
    /// Mappings of the new build, if they are not those of the old one
    #[arg(long, value_name = "FILE", requires = "properties", help_heading = INPUT)]
    pub(crate) new_mappings: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

impl DiffArgs {
    /// One of the two builds as an input, with the options for both.
    pub(crate) fn store(&self, input: &std::path::Path) -> StoreArgs {
        StoreArgs { toc_version: self.toc_version, ..StoreArgs::single(input, &self.aes_key) }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask du Paks/                    folders, largest first
  uncask du Paks/ --depth 3          one level deeper
  uncask du Paks/ --by class         textures, meshes, sounds, …
  uncask du Paks/ --by method        what each compression method saves
  uncask du Paks/ /Game/Maps/Start --with-deps
  uncask du MyProject/Content /Game/Maps/Start --with-deps --by class
  uncask du Paks/ \"*/Maps/*\" --json

Of a folder of package files, as in a project, the sizes are those of the files.")]
pub(crate) struct DuArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Number of folder levels to show
    #[arg(short, long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=64), help_heading = OUTPUT)]
    pub(crate) depth: u32,
    /// Also count every package that the selection needs, except for soft references; of a map, also actors in files of
    /// their own
    #[arg(long, help_heading = SELECTION)]
    pub(crate) with_deps: bool,
    /// Group by folder, type, class (reads the header of every package), container, or method (block by block)
    #[arg(long, value_enum, value_name = "WHAT", default_value = "folder", hide_possible_values = true, help_heading = OUTPUT)]
    pub(crate) by: ByArg,
    /// Print at most this many lines; 0 prints all
    #[arg(short = 'n', long, value_name = "N", default_value_t = 40, help_heading = OUTPUT)]
    pub(crate) lines: usize,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ByArg {
    /// Folders, with the folders in them
    Folder,
    /// Types of chunks
    Type,
    /// Classes of the packages' main objects; reads the header of every package
    Class,
    /// Containers
    Container,
    /// Compression methods, block by block
    Method,
}

impl From<ByArg> for By {
    fn from(arg: ByArg) -> Self {
        match arg {
            ByArg::Folder => Self::Folder,
            ByArg::Type => Self::Type,
            ByArg::Class => Self::Class,
            ByArg::Container => Self::Container,
            ByArg::Method => Self::Method,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask report MyGame/ -o report.html
  uncask report Paks/ -o maps.html \"*/Maps/*\" --title \"Maps of MyGame\"
  uncask report Paks/ -o report.html --show-class
      include sizes by class
  uncask report Paks/ \"*/UI/*\" -o ui.html --gallery
      with a picture of every texture
  uncask report Paks/ -o gallery --gallery
      a folder, for many textures: open index.html

The page is a single file that loads nothing and needs no network. Reads only tables of contents and package headers; with
--gallery, packages, too. Thumbnails are PNG files in a folder of their own where OUT is a folder.")]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// HTML file to write, or with --gallery a folder for it and its thumbnails; existing files are replaced
    #[arg(short, long, value_name = "FILE.html", help_heading = OUTPUT)]
    pub(crate) output: PathBuf,
    /// Title of the page [default: the name of INPUT]
    #[arg(long, value_name = "TEXT", help_heading = OUTPUT)]
    pub(crate) title: Option<String>,
    /// Include the class of each package's main object, which reads the header of every package. Done by default for up to
    /// 1,000 packages
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) show_class: bool,
    /// Show all assets: textures as thumbnails, the others in numbers
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) gallery: bool,
    #[command(flatten)]
    pub(crate) properties: PropertyArgs,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask catalog MyGame/ -o catalog
  uncask catalog Paks/ -o maps \"*/Maps/*\"
  duckdb -c \"SELECT type, sum(stored) FROM 'out/chunks.parquet' GROUP BY type\"

chunks.parquet has one row per chunk, packages.parquet one row per package with its imports; package_id joins them.
Reads tables of contents and the header of every package. Needs a build with the feature `catalog`.")]
pub(crate) struct CatalogArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Folder for chunks.parquet and packages.parquet, or NAME.parquet for NAME.parquet and NAME.packages.parquet.
    /// Existing files are replaced
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask history Game-1.0/ Game-1.1/ Game-1.2/ --property Damage
  uncask history \"builds/*/Paks\" --property \"*Cost\" --changed
  uncask history s3://builds/*/Paks --property Damage -o damage
  duckdb -c \"FROM 'damage/*.parquet' ORDER BY package, property, position\"

Packages that did not change since the build before are not read. In OUT, a build that is there already, read in the same
way, is not read again. Parquet tables need a build with the feature `catalog`.")]
pub(crate) struct HistoryArgs {
    /// Builds of a game, oldest first: Paks folders, root folders, containers. Wildcards are sorted by the numbers in names
    #[arg(value_name = "BUILD", required = true)]
    pub(crate) builds: Vec<PathBuf>,
    /// AES-256 key: hex, base64, GUID=KEY or @FILE; may be repeated. UNCASK_AES_KEY is read as well
    #[arg(long, value_name = "KEY", help_heading = INPUT)]
    pub(crate) aes_key: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: PropertyArgs,
    /// Write a Parquet table for each build into this folder, with a row for each value that it adds, changes or removes
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    /// Print CSV with a header line, safe for spreadsheets, with a row for each value that a build adds, changes or removes
    #[arg(long, conflicts_with_all = ["json", "output"], help_heading = OUTPUT)]
    pub(crate) csv: bool,
    /// Only values in properties of this name, or of a glob such as '*Cost'
    #[arg(long, value_name = "NAME", help_heading = SELECTION)]
    pub(crate) property: Option<String>,
    /// Only these packages: names, paths or globs; may be repeated
    #[arg(long, value_name = "PATTERN", help_heading = SELECTION)]
    pub(crate) package: Vec<String>,
    /// Only values that change after the build that adds them
    #[arg(long, conflicts_with = "output", help_heading = SELECTION)]
    pub(crate) changed: bool,
}

inputs_and_patterns!(DuArgs, ReportArgs, CatalogArgs);

in_order!(HistoryArgs);

impl Positional for DiffArgs {
    fn sort(&mut self) -> Result<Vec<String>, UsageError> {
        two(&self.select.patterns)?;
        Ok(Vec::new())
    }
}
