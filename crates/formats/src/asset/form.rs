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
    /// Fonts.
    Ttf,
    /// Text: sound cues, and the markers in sounds.
    Json,
    /// Bytes as they are stored.
    Raw,
}
