//! How container headers are laid out.

use crate::version::ContainerHeaderVersion;

/// How a container header is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Layout {
    /// The order of the parts.
    pub version: ContainerHeaderVersion,
    /// Bytes of a store entry: 32 (UE4), 24 (to 5.2) or 16; 16 and 40 in some UE4 games.
    pub entry_len: usize,
    /// Bytes of a shader map hash: 20, or 8 from 5.8 on.
    pub shader_hash_len: usize,
}

impl Layout {
    /// How the engine lays out a header of this version. Shader map hashes have 20 bytes to 5.7, 8 from 5.8 on.
    #[must_use]
    pub const fn of_engine(version: ContainerHeaderVersion, shader_hash_len: usize) -> Self {
        let entry_len = match (version.is_ue4(), version.has_export_counts()) {
            (true, _) => 32,
            (false, true) => 24,
            (false, false) => 16,
        };
        Self { version, entry_len, shader_hash_len }
    }
}

/// The layouts that a chunk may have which claims to be of one version.
pub(super) fn candidates(claimed: ContainerHeaderVersion) -> Vec<Layout> {
    let ue4 = claimed.is_ue4();
    let newer = |version: &ContainerHeaderVersion| !ue4 && !version.is_ue4() && *version != claimed;
    let others = ContainerHeaderVersion::ALL.into_iter().filter(newer);
    let mut layouts = Vec::new();
    for version in std::iter::once(claimed).chain(others) {
        let entry_lens: &[usize] = match (ue4, version.has_export_counts()) {
            (true, _) => &[32, 16, 40],
            (false, true) => &[24],
            (false, false) => &[16],
        };
        let hash_lens: &[usize] = if ue4 { &[20] } else { &[20, 8] };
        for &entry_len in entry_lens {
            layouts.extend(hash_lens.iter().map(|&len| Layout { version, entry_len, shader_hash_len: len }));
        }
    }
    layouts
}
