//! Layouts of container headers.

use crate::version::ContainerHeaderVersion;

/// Layout of a container header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Layout {
    /// Version, which decides the order of the parts.
    pub version: ContainerHeaderVersion,
    /// Length of a store entry in bytes: 32 (UE4), 24 (up to 5.2) or 16; 16 and 40 in some UE4 games.
    pub entry_len: usize,
    /// Length of a shader map hash in bytes: 20, or 8 from 5.8 on.
    pub shader_hash_len: usize,
}

impl Layout {
    /// Returns the engine's layout for a version. Shader map hashes have 20 bytes up to 5.7 and 8 from 5.8
    /// on.
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

/// Returns the layouts to try for a chunk that claims a version.
pub(super) fn candidates(claimed: ContainerHeaderVersion) -> Vec<Layout> {
    let ue4 = claimed.is_ue4();
    // UE5 versions are told apart by the magic, so UE4 never needs them as alternatives.
    let newer = |version: &ContainerHeaderVersion| !ue4 && !version.is_ue4() && *version != claimed;
    let others = ContainerHeaderVersion::ALL.into_iter().filter(newer);
    let mut layouts = Vec::new();
    // The claimed version first; the others catch games that changed the layout but not the number.
    for version in std::iter::once(claimed).chain(others) {
        let entry_lens: &[usize] = match (ue4, version.has_export_counts()) {
            (true, _) => &[32, 16, 40],
            (false, true) => &[24],
            (false, false) => &[16],
        };
        // UE4 entries have no shader map hashes, so their length makes no difference there.
        let hash_lens: &[usize] = if ue4 { &[20] } else { &[20, 8] };
        for &entry_len in entry_lens {
            layouts.extend(hash_lens.iter().map(|&len| Layout { version, entry_len, shader_hash_len: len }));
        }
    }
    layouts
}
