//! Opens Unreal Engine's IoStore containers: `.utoc` tables of contents and `.ucas` data.

pub mod id;
pub mod version;
pub mod wire;
