//! Facts about this build, which maintainers ask for first.

use serde::Serialize;

/// Facts about this build.
#[derive(Debug, Serialize)]
pub(crate) struct Program {
    version: &'static str,
    /// Enabled features, by their names in Cargo.toml.
    features: Vec<&'static str>,
    /// Operating system and architecture, such as `windows-x86_64`.
    system: String,
}

impl Program {
    /// The facts about this build.
    pub(crate) fn this() -> Self {
        let features = [
            ("brotli", cfg!(feature = "brotli")),
            ("browse", cfg!(feature = "browse")),
            ("catalog", cfg!(feature = "catalog")),
            ("libdeflate", cfg!(feature = "libdeflate")),
            ("liblz4", cfg!(feature = "liblz4")),
            ("oodle-safe-only", cfg!(feature = "oodle-safe-only")),
            ("oodle-sdk", cfg!(feature = "oodle-sdk")),
            ("remote", cfg!(feature = "remote")),
            ("zstd", cfg!(feature = "zstd")),
        ];
        Self {
            version: env!("CARGO_PKG_VERSION"),
            features: features.into_iter().filter(|(_, is_on)| *is_on).map(|(name, _)| name).collect(),
            system: format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}
