//! `uncask replace`.

use super::common::INPUT;
use super::edit::EditArgs;
use super::positional::{Positional, join};
use crate::exit::UsageError;
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  uncask replace Paks/:/Game/Textures/T_Rock rock.png -o Rock_P.utoc
  uncask replace Paks/:/Game/UI/Icons icon.png --object T_Sword -o Icons_P.utoc
  uncask export Paks/ \"*/UI/*\" -o ui
  uncask replace Paks/ --from ui -o UI_P.utoc
  uncask replace T_Rock.uasset rock.dds -o out

The picture may have another size than the texture: mips are made, as many as the texture has for it. \
PNG goes into BC1 to BC5, BC7 and formats without compression, EXR into those of floats. DDS goes in as it is, with \
all its mips: for what cannot be encoded (BC6H), cubes, arrays and volumes.

With --from, pictures are found by the paths at which `uncask export` writes them; textures whose picture was not \
changed stay as they are. Properties say whether a texture is a normal map or sRGB: games since UE 4.25 need --mappings \
for that.

INPUT is a .uasset or .umap; or, with :PACKAGE, a container, a game's folder, or a folder of cooked
packages.")]
pub(crate) struct ReplaceArgs {
    /// The package: a container or a folder with :PACKAGE after it, or a .uasset or .umap; with --from, the
    /// container or folder itself
    #[arg(value_name = "INPUT:PACKAGE", help_heading = None)]
    pub(crate) target: PathBuf,
    /// The picture: PNG, EXR or DDS. PACKAGE may stand before it
    #[arg(value_name = "PICTURE", required_unless_present = "from", conflicts_with = "from", num_args = 1..=2, help_heading = None)]
    pub(super) rest: Vec<PathBuf>,
    /// Take all pictures below a folder, at the paths at which `uncask export` writes them
    #[arg(long, value_name = "FOLDER", help_heading = INPUT)]
    pub(crate) from: Option<PathBuf>,
    /// Texture name, if it differs from the package
    #[arg(long, value_name = "NAME", conflicts_with = "from", help_heading = INPUT)]
    pub(crate) object: Option<String>,
    #[command(flatten)]
    pub(crate) edit: EditArgs,
}

impl ReplaceArgs {
    /// The picture; empty with `--from`.
    pub(crate) fn picture(&self) -> &Path {
        self.rest.last().map_or(Path::new(""), PathBuf::as_path)
    }
}

impl Positional for ReplaceArgs {
    fn sort(&mut self) -> Result<Vec<String>, UsageError> {
        if self.rest.len() == 2 {
            join(&mut self.target, self.rest.remove(0).as_os_str());
        }
        Ok(Vec::new())
    }
}
