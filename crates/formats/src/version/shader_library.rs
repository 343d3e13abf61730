/// Form of a shader library, given by its first number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum ShaderLibraryForm {
    /// A container chunk (1): only an index, with the code in separate chunks.
    IoStore,
    /// A file (2): an index, then the code.
    Loose,
}

impl ShaderLibraryForm {
    /// Decodes the first number.
    #[must_use]
    pub const fn from_wire(raw: u32) -> Option<Self> {
        match raw {
            1 => Some(Self::IoStore),
            2 => Some(Self::Loose),
            _ => None,
        }
    }

    /// Returns the number.
    #[must_use]
    pub const fn to_wire(self) -> u32 {
        match self {
            Self::IoStore => 1,
            Self::Loose => 2,
        }
    }

    /// Reads the form from the first bytes of a library.
    #[must_use]
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        // Only the first number is read; the tables decide if the rest fits.
        bytes.first_chunk().and_then(|start| Self::from_wire(u32::from_le_bytes(*start)))
    }
}
