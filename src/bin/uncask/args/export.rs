//! `uncask export`.

use super::common::{OUTPUT, SelectArgs, StoreArgs};
use super::json::PropertyArgs;
use super::positional::inputs_and_patterns;
use super::scene::SceneArgs;
use super::write::WriteArgs;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use uncask::game::{CubeForm, ExportForm, ExportOptions, Forms, Levels, NaniteDetail, Overwrite};

#[derive(Debug, Args)]
#[command(
    override_usage = "uncask export [OPTIONS] --output <OUT> <INPUT> [PATTERN]...\n       uncask export [OPTIONS] --summary <INPUT> [PATTERN]...",
    after_help = "Examples:
  uncask export Paks/ -o assets
      everything that can be opened elsewhere
  uncask export Paks/ \"*/UI/*\" -o ui --mappings Game.usmap
  uncask export Paks/ T_Rock_N -o out --as dds
      as it is stored, with all mips
  uncask export Paks/ T_Rock -o out --as png,dds --all-mips
  uncask export Paks/ \"*/SM_*\" -o out --all-lods
      meshes, with the textures of their materials
  uncask export Paks/ /Game/Maps/Town -o out --as scene
      a level with all that it shows, as one file
  uncask export unpacked/ -o pictures
      legacy assets, with .uexp and .ubulk beside
  uncask export Paks/ --summary
      what can be exported, class by class

Textures become PNG, or EXR where they hold floats; sounds WAV or Ogg; materials JSON, with
the pictures of their textures; sound cues, montages, sequences, effects and the like JSON; data
tables, curves, string tables and enums of blueprints CSV; meshes, skeletons and animations glTF;
fonts TTF or OTF. Videos and the files of Wwise and FMOD stay as
they are. Meshes come with their bones, morph targets, sockets and materials; animations with the
bones of their skeleton. Cubes, arrays and volumes become one picture for each face or
slice.

A scene is a .glb of a level, with the levels and cells that it loads: meshes, instances, lights, cameras
and decals, where they stand and attached as they are, with materials and the pictures of their textures
beside. What the game never draws is left out; --json counts it by class and reason.

Properties say whether a texture is a normal map or sRGB, and which textures a material has. For
UE 4.27 to 5.8 they need no --mappings: the engine's own classes are built in. For other releases
without tags, defaults are assumed. Mappings are found in the same places as by json.

INPUT may also be a .uasset or .umap, or a folder of them."
)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Folder to write to; created if missing
    #[arg(short, long, value_name = "OUT", required_unless_present = "summary", help_heading = OUTPUT)]
    output: Option<PathBuf>,
    /// What assets become: png, exr, dds, wav, ogg, gltf, scene (levels, as one glTF each), ttf, csv (tables), json (materials, sound cues, sequences, effects), raw (bytes as they are stored, and videos, Wwise
    /// and FMOD files); several with commas. Without it, what suits each
    #[arg(long = "as", value_name = "FORM", value_delimiter = ',', value_parser = forms(), hide_possible_values = true, help_heading = OUTPUT)]
    pub(crate) forms: Vec<ExportForm>,
    /// Export this mip of textures; 0 is the largest. Without it, the largest whose data is there
    #[arg(long, value_name = "N", conflicts_with = "all_mips", help_heading = OUTPUT)]
    pub(crate) mip: Option<usize>,
    /// Export every mip of textures
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) all_mips: bool,
    /// Export this level of detail of meshes; 0 is the best. Without it, the best whose data is there
    #[arg(long, value_name = "N", conflicts_with = "all_lods", help_heading = OUTPUT)]
    pub(crate) lod: Option<usize>,
    /// Export every level of detail of meshes
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) all_lods: bool,
    /// Detail of Nanite meshes: full (all triangles, where they are there), or fallback (the mesh that is shown without Nanite)
    #[arg(long, value_enum, value_name = "DETAIL", default_value = "full", hide_possible_values = true, help_heading = OUTPUT)]
    pub(crate) nanite: NaniteArg,
    /// Write Nanite meshes with fewer triangles, whose surface is at most this far from the full one, in centimetres
    #[arg(long, value_name = "CM", value_parser = distance, conflicts_with = "nanite", help_heading = OUTPUT)]
    pub(crate) nanite_error: Option<f32>,
    /// What cubes become: faces (six pictures), or equirectangular (one picture of all directions)
    #[arg(long, value_enum, value_name = "FORM", default_value = "faces", hide_possible_values = true, help_heading = OUTPUT)]
    pub(crate) cube: CubeArg,
    /// Export the simple shapes for collisions, too: NAME_collision.glb of static meshes, and physics assets
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) collision: bool,
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// Write nothing, but print how many assets of each class can be exported, and why others cannot
    #[arg(long, conflicts_with_all = ["output", "dry_run", "manifest", "resume", "overwrite"], help_heading = OUTPUT)]
    pub(crate) summary: bool,
    #[command(flatten)]
    pub(crate) write: WriteArgs,
    #[command(flatten)]
    pub(crate) properties: PropertyArgs,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

/// Detail of Nanite meshes.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum NaniteArg {
    Full,
    Fallback,
}

impl From<NaniteArg> for NaniteDetail {
    fn from(detail: NaniteArg) -> Self {
        match detail {
            NaniteArg::Full => Self::Full,
            NaniteArg::Fallback => Self::Fallback,
        }
    }
}

/// Output forms of cubes.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum CubeArg {
    Faces,
    Equirectangular,
}

impl From<CubeArg> for CubeForm {
    fn from(form: CubeArg) -> Self {
        match form {
            CubeArg::Faces => Self::Faces,
            CubeArg::Equirectangular => Self::Equirectangular,
        }
    }
}

fn distance(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| *number >= 0.0 && number.is_finite());
    number.ok_or_else(|| "give a number of centimetres, such as 0.5".to_owned())
}

/// Reads a form by its name.
fn forms() -> impl TypedValueParser<Value = ExportForm> {
    let names = PossibleValuesParser::new(ExportForm::ALL.map(ExportForm::name));
    names.try_map(|name| ExportForm::from_name(&name).ok_or("unknown form"))
}

impl ExportArgs {
    /// The output folder; empty if nothing is written.
    pub(crate) fn output(&self) -> &Path {
        self.output.as_deref().unwrap_or(Path::new(""))
    }

    /// The options for exporting.
    pub(crate) fn options(&self) -> anyhow::Result<ExportOptions> {
        let levels = |all, one: Option<usize>| match one {
            _ if all => Levels::All,
            Some(level) => Levels::One(level),
            None => Levels::Best,
        };
        Ok(ExportOptions {
            forms: Forms::new(self.forms.clone()),
            mips: levels(self.all_mips, self.mip),
            lods: levels(self.all_lods, self.lod),
            nanite: self.nanite_error.map_or(self.nanite.into(), NaniteDetail::Within),
            cubes: self.cube.into(),
            collision: self.collision,
            scene: self.scene.options()?,
            overwrite: self.write.overwrite(Overwrite::Untouched),
        })
    }
}

inputs_and_patterns!(ExportArgs);
