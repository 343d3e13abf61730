//! What a zen package has and its legacy form cannot say.
//!
//! | part | lost where |
//! |---|---|
//! | length of the cooker's header | entries of preload dependencies are missing |
//! | steps of loading and arcs | up to 5.2: a legacy package has the dependencies that these were made of |

use crate::package::zen::Loading;

/// What a legacy package does not say: with it, [`to_zen`](super::to_zen) makes the zen package that there was before.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Remainder {
    /// Bytes of the header that the cooker wrote, as the zen package records them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cooked_header_len: Option<u32>,
    /// How the package is loaded (up to 5.2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loading: Option<Loading>,
}

impl Remainder {
    /// Whether the legacy package says everything.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.cooked_header_len.is_none() && self.loading.is_none()
    }
}
