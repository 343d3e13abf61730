use crate::sink::Overwrite;
use crate::values::ClassFilter;

pub use crate::asset::ExportForm;

/// Requested forms of export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Forms(Vec<ExportForm>);

impl Forms {
    /// Requests these forms; if there are none, the usual one of each asset.
    #[must_use]
    pub const fn new(forms: Vec<ExportForm>) -> Self {
        Self(forms)
    }

    /// True if a form is requested; `usual` is true if it is the asset's usual form.
    #[must_use]
    pub fn wants(&self, form: ExportForm, usual: bool) -> bool {
        if self.0.is_empty() { usual } else { self.0.contains(&form) }
    }

    /// True if one of these forms may be requested.
    pub(super) fn want_any(&self, forms: &[ExportForm]) -> bool {
        forms.iter().any(|form| self.wants(*form, true))
    }
}

/// Choice of levels to export: mips of a texture, levels of detail of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Levels {
    /// The best available.
    #[default]
    Best,
    /// A single level; 0 is the best.
    One(usize),
    /// All levels.
    All,
}

impl Levels {
    /// True if a level may be exported: if the best one is missing, the next one takes its place.
    #[must_use]
    pub fn may_want(self, at: usize) -> bool {
        match self {
            Self::All | Self::Best => true,
            Self::One(wanted) => at == wanted,
        }
    }

    /// Suffix of a level in file names; empty if only the best is exported.
    #[must_use]
    pub fn suffix(self, name: &str, at: usize) -> String {
        match self {
            Self::Best => String::new(),
            Self::All | Self::One(_) => format!("_{name}{at}"),
        }
    }
}

/// Form of cube maps in pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CubeForm {
    /// One picture per face.
    #[default]
    Faces,
    /// One equirectangular picture: columns are longitudes, rows are latitudes.
    Equirectangular,
}

/// Detail of Nanite meshes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum NaniteDetail {
    /// All triangles; the fallback if some of them are not there.
    #[default]
    Full,
    /// As few triangles as the mesh has where none is farther from the full surface than this, in centimetres.
    Within(f32),
    /// The mesh that is shown in its place without Nanite.
    Fallback,
}

/// Form of many instances of one mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InstanceForm {
    /// One node for all, with an extension of glTF.
    #[default]
    Instanced,
    /// A node for each.
    Nodes,
}

/// Form of the heights and weights of landscapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HeightForm {
    /// PNG of 16 bits for heights, as they are stored; of 8 for weights.
    #[default]
    Png,
    /// EXR of floats: heights in centimetres above the plane, before the scale of the landscape; weights from 0 to 1.
    Exr,
}

/// Options for levels as scenes.
#[derive(Debug, Clone)]
pub struct SceneOptions {
    /// Form of instances.
    pub instances: InstanceForm,
    /// Give materials their pictures, and landscapes those of their heights and weights.
    pub textures: bool,
    /// Form of the latter.
    pub heights: HeightForm,
    /// Show what games never show: hidden actors and components.
    pub hidden: bool,
    /// Only components in a circle of the world: its X and Y, and its radius, in centimetres.
    pub within: Option<[f64; 3]>,
    /// The point of the world that is the origin of the scene, in centimetres: far from theirs, programs with numbers of single
    /// precision are not exact.
    pub origin: Option<[f64; 3]>,
    /// The most triangles of a mesh: another level of detail takes the place of one with more.
    pub max_triangles: Option<u64>,
    /// Only components of these classes, or in actors of these, whatever they show.
    pub classes: ClassFilter,
}

impl SceneOptions {
    /// The same in a world whose origin is that of the scene.
    pub(super) fn at_origin(&self) -> Self {
        let [x, y, _] = self.origin.unwrap_or_default();
        let within = self.within.map(|[own_x, own_y, radius]| [own_x - x, own_y - y, radius]);
        Self { within, origin: None, ..self.clone() }
    }
}

impl Default for SceneOptions {
    fn default() -> Self {
        Self {
            instances: InstanceForm::default(),
            textures: true,
            heights: HeightForm::default(),
            hidden: false,
            within: None,
            origin: None,
            max_triangles: None,
            classes: ClassFilter::default(),
        }
    }
}

/// Options for exporting assets.
#[derive(Debug, Clone, Default)]
pub struct ExportOptions {
    /// Requested forms.
    pub forms: Forms,
    /// Mips of textures to export.
    pub mips: Levels,
    /// Levels of detail of meshes to export.
    pub lods: Levels,
    /// Detail of Nanite meshes, in the place of their best level.
    pub nanite: NaniteDetail,
    /// Form of cube maps.
    pub cubes: CubeForm,
    /// Export the simple shapes for collisions, too.
    pub collision: bool,
    /// Options for levels as scenes.
    pub scene: SceneOptions,
    /// Treatment of existing files.
    pub overwrite: Overwrite,
}
