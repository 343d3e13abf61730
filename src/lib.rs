//! Opens Unreal Engine's IoStore containers: `.utoc` tables of contents and `.ucas` data.

pub mod wire;

pub mod version;

pub mod id;

pub mod codec;
pub mod crypto;

pub mod container;

pub mod error;
pub mod report;
pub mod sink;
pub mod source;

pub mod pipeline;

pub mod store;

pub mod extract;
pub mod pack;
