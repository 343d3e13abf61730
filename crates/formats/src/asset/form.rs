/// The kinds of files that assets become.
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
    /// Fonts.
    Ttf,
    /// Text: sound cues, and the named places in sounds.
    Json,
    /// Bytes as they are stored.
    Raw,
}
