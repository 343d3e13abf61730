/// File formats that assets are exported to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExportForm {
    /// Images with 8 or 16 bits per channel.
    Png,
    /// Images with floats.
    Exr,
    /// Images as stored, with all mips and slices.
    Dds,
    /// Sounds as plain samples.
    Wav,
    /// Sounds compressed with Vorbis or Opus.
    Ogg,
    /// Meshes, skeletons and animations.
    Gltf,
    /// Levels, with all that they show, as glTF.
    Scene,
    /// The same as USD.
    Usd,
    /// Fonts.
    Ttf,
    /// Tables.
    Csv,
    /// Text: sound cues, and the markers in sounds.
    Json,
    /// Bytes as they are stored.
    Raw,
}

impl ExportForm {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Png,
        Self::Exr,
        Self::Dds,
        Self::Wav,
        Self::Ogg,
        Self::Gltf,
        Self::Scene,
        Self::Usd,
        Self::Ttf,
        Self::Csv,
        Self::Json,
        Self::Raw,
    ];

    /// Name in lower case, such as `png`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Exr => "exr",
            Self::Dds => "dds",
            Self::Wav => "wav",
            Self::Ogg => "ogg",
            Self::Gltf => "gltf",
            Self::Scene => "scene",
            Self::Usd => "usd",
            Self::Ttf => "ttf",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Raw => "raw",
        }
    }

    /// The form of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }
}
