//! `uncask export`.

use super::common::{OUTPUT, SelectArgs, StoreArgs};
use super::json::PropertyArgs;
use super::write::OverwriteArg;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use uncask::export::{ExportForm, ExportOptions, Forms, MipChoice};
use uncask::extract::{Overwrite, Shard};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask export Paks/ -o assets                         textures as PNG or EXR, sounds as WAV or Ogg, meshes as glTF
  uncask export Paks/ \"*/UI/*\" -o ui --mappings Game.usmap
  uncask export Paks/ T_Rock_N -o out --as dds          as it is stored, with all mips
  uncask export Paks/ T_Rock -o out --as png,dds --all-mips
  uncask export unpacked/ -o pictures                   legacy assets, with .uexp and .ubulk beside them

Meshes come with their bones, morph targets and sockets; animations with the bones of their skeleton.
Cubes, arrays and volumes become one picture for each face or slice. Properties say whether a texture
is a normal map or sRGB; without --mappings, games since UE 4.25 as a rule do not tell: then the usual
is assumed. Mappings are found as by json.

INPUT may also be a .uasset or .umap, or a folder of some.")]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Folder to write to; created if missing
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    pub(crate) output: PathBuf,
    /// What assets become: png, exr, dds, wav, ogg, gltf, raw (bytes as they are stored); several with commas. Without it,
    /// what suits each: png or exr, wav or ogg, gltf
    #[arg(long = "as", value_enum, value_name = "FORM", value_delimiter = ',', hide_possible_values = true, help_heading = OUTPUT)]
    pub(crate) forms: Vec<FormArg>,
    /// Export this mip of textures; 0 is the largest. Without it, the largest whose data is there
    #[arg(long, value_name = "N", conflicts_with = "all_mips", help_heading = OUTPUT)]
    pub(crate) mip: Option<usize>,
    /// Export every mip of textures
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) all_mips: bool,
    /// Replace existing files: never, always, or different (if the content differs)
    #[arg(long, value_enum, value_name = "WHEN", default_value = "different", hide_possible_values = true, help_heading = OUTPUT)]
    pub(crate) overwrite: OverwriteArg,
    /// Continue an interrupted run: write only files that are missing or differ, and remove unfinished files of killed
    /// runs
    #[arg(long, conflicts_with = "overwrite", help_heading = OUTPUT)]
    pub(crate) resume: bool,
    /// Only share I of N, of about equal size, such as 1/4: splits a job between N machines
    #[arg(long, value_name = "I/N", help_heading = OUTPUT)]
    pub(crate) shard: Option<Shard>,
    #[command(flatten)]
    pub(crate) properties: PropertyArgs,
    /// Do not compare packages with their recorded hashes
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) no_verify: bool,
    /// Stop at the first problem
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) fail_fast: bool,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

/// What assets become.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum FormArg {
    Png,
    Exr,
    Dds,
    Wav,
    Ogg,
    Gltf,
    Raw,
}

impl From<FormArg> for ExportForm {
    fn from(form: FormArg) -> Self {
        match form {
            FormArg::Png => Self::Png,
            FormArg::Exr => Self::Exr,
            FormArg::Dds => Self::Dds,
            FormArg::Wav => Self::Wav,
            FormArg::Ogg => Self::Ogg,
            FormArg::Gltf => Self::Gltf,
            FormArg::Raw => Self::Raw,
        }
    }
}

impl ExportArgs {
    /// How assets are exported.
    pub(crate) fn options(&self) -> ExportOptions {
        let mips = match (self.all_mips, self.mip) {
            (true, _) => MipChoice::All,
            (false, Some(mip)) => MipChoice::One(mip),
            (false, None) => MipChoice::Largest,
        };
        let forms = Forms::new(self.forms.iter().map(|form| (*form).into()).collect());
        let overwrite = if self.resume { Overwrite::Different } else { self.overwrite.into() };
        ExportOptions { forms, mips, overwrite }
    }
}
