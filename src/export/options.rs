use crate::sink::Overwrite;

pub use crate::asset::ExportForm;

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

    /// True if one of these forms may be wanted.
    pub(super) fn want_any(&self, forms: &[ExportForm]) -> bool {
        forms.iter().any(|form| self.wants(*form, true))
    }
}

/// Which of several levels become files: mips of a texture, levels of detail of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Levels {
    /// The best that is there.
    #[default]
    Best,
    /// This one; 0 is the best.
    One(usize),
    /// All of them.
    All,
}

impl Levels {
    /// Whether a level may be wanted: the best one may turn out to be missing.
    #[must_use]
    pub fn may_want(self, at: usize) -> bool {
        match self {
            Self::All | Self::Best => true,
            Self::One(wanted) => at == wanted,
        }
    }

    /// What a level adds to the name of its file; nothing where there is only the best.
    #[must_use]
    pub fn suffix(self, name: &str, at: usize) -> String {
        match self {
            Self::Best => String::new(),
            Self::All | Self::One(_) => format!("_{name}{at}"),
        }
    }
}

/// What cubes become where they become pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CubeForm {
    /// A picture for each face.
    #[default]
    Faces,
    /// One picture of all directions: columns are longitudes, rows are latitudes.
    Equirectangular,
}

/// How assets are exported.
#[derive(Debug, Clone, Default)]
pub struct ExportOptions {
    /// What they become.
    pub forms: Forms,
    /// Which mips of textures.
    pub mips: Levels,
    /// Which levels of detail of meshes.
    pub lods: Levels,
    /// What cubes become.
    pub cubes: CubeForm,
    /// What to do about files that are there already.
    pub overwrite: Overwrite,
}
