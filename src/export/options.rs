use crate::extract::Overwrite;

/// What assets become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExportForm {
    /// Pictures with 8 or 16 bits a channel.
    Png,
    /// Pictures with floats.
    Exr,
    /// Pictures as they are stored, with all mips and slices.
    Dds,
    /// Sounds as samples.
    Wav,
    /// Sounds that are compressed with Vorbis or Opus.
    Ogg,
    /// Meshes, skeletons and animations.
    Gltf,
    /// Bytes as they are stored.
    Raw,
}

/// The forms that are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Forms(Vec<ExportForm>);

impl Forms {
    /// These forms; the usual one for each asset if there are none.
    #[must_use]
    pub const fn new(forms: Vec<ExportForm>) -> Self {
        Self(forms)
    }

    /// Whether a form is wanted; `usual` says whether it is the usual one for the asset.
    #[must_use]
    pub fn wants(&self, form: ExportForm, usual: bool) -> bool {
        if self.0.is_empty() { usual } else { self.0.contains(&form) }
    }
}

/// Which mips of a texture become pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MipChoice {
    /// The largest that is there.
    #[default]
    Largest,
    /// This one; 0 is the largest.
    One(usize),
    /// All of them.
    All,
}

/// How assets are exported.
#[derive(Debug, Clone, Default)]
pub struct ExportOptions {
    /// What they become.
    pub forms: Forms,
    /// Which mips of textures.
    pub mips: MipChoice,
    /// What to do about files that are there already.
    pub overwrite: Overwrite,
}
