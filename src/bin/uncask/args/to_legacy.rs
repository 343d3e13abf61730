//! `uncask to-legacy`.

use super::common::{OUTPUT, SelectArgs, StoreArgs};
use super::positional::inputs_and_patterns;
use super::write::WriteArgs;
use clap::Args;
use std::path::PathBuf;
use uncask::game::{ConvertOptions, LegacyOptions, Overwrite, UnpackOptions};
use uncask::package::convert::Target;
use uncask::version::Release;
use uncask::wire::Size;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask to-legacy Paks/ -o out
      packages, bulk data, shader libraries
  uncask to-legacy Paks/ -o out \"*/Maps/*\" --check
      verify the written assets
  uncask to-legacy Mod_P.utoc -o out --base Game/Paks
      a mod, with names from its game
  uncask to-legacy unpacked/ -o out --base Game/Paks
      loose zen packages, as unpack writes them
  uncask to-legacy Paks/ -o out --engine 5.7 --report report.json

`unpack` writes chunks as they are: zen packages under the name X.uasset, which only the engine's
loader reads. `to-legacy` writes packages as the cooker wrote them: X.uasset or X.umap, X.uexp, bulk
data; for UAssetGUI, FModel, UnrealPak.

INPUT may also be a loose zen package, or a folder of them.")]
pub(crate) struct ToLegacyArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Folder to write to; created if missing
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    pub(crate) output: PathBuf,
    /// Write the layout of this engine release, such as 5.4 or UE5_4, instead of the detected one
    #[arg(long, value_name = "RELEASE", value_parser = parse_release, help_heading = OUTPUT)]
    pub(crate) engine: Option<&'static Release>,
    /// Read each converted asset again and compare its exports with the original, byte by byte
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) check: bool,
    /// Write a .uncask.json into each folder, with what to-zen needs to make the same packages again and legacy files do not hold
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) sidecar: bool,
    /// Skip shader code libraries
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) no_shaders: bool,
    /// Write a report of what was converted and what was lost, by package
    #[arg(long, value_name = "FILE.json", help_heading = OUTPUT)]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) write: WriteArgs,
    /// Refuse to write more than this, such as 100G
    #[arg(long, value_name = "SIZE", help_heading = OUTPUT)]
    pub(crate) max_output: Option<Size>,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

impl ToLegacyArgs {
    /// Options for converting and writing packages.
    pub(crate) fn options(&self) -> LegacyOptions {
        LegacyOptions {
            unpack: UnpackOptions {
                overwrite: self.write.overwrite(Overwrite::Untouched),
                verify: !self.write.damage.no_verify,
                strict: self.write.strict,
                fail_fast: self.write.damage.fail_fast,
            },
            convert: ConvertOptions {
                target: Target { release: self.engine },
                check: self.check,
                sidecar: self.sidecar,
            },
        }
    }
}

pub(super) fn parse_release(text: &str) -> Result<&'static Release, String> {
    let writes_zen = |release: &&Release| release.zen.is_some();
    Release::from_name(text).filter(writes_zen).ok_or_else(|| {
        let names: Vec<&str> = Release::all().filter(writes_zen).map(|release| release.name).collect();
        format!("known releases: {}", names.join(", "))
    })
}

inputs_and_patterns!(ToLegacyArgs);
