//! Options for reading values.

use crate::property::Schemas;
use crate::version::Release;
use std::sync::Arc;

/// Options for reading values.
#[derive(Debug, Clone, Default)]
pub struct ValueOptions {
    /// Schemas of the game's classes and structs.
    pub mappings: Option<Arc<Schemas>>,
    /// The release that wrote the packages; deduced if `None`.
    pub release: Option<&'static Release>,
    /// Check packages in containers against their recorded hashes.
    pub verify: bool,
    /// Refuse packages that do not match their recorded hashes.
    pub strict: bool,
    /// End the job on the first problem.
    pub fail_fast: bool,
}

/// Findings from reading packages.
#[derive(Debug, Default)]
pub struct ValuesRead {
    /// Number of packages with untagged properties that need mappings: all, or those with classes of the game.
    pub without_mappings: u64,
    /// Number of packages with objects that were read by the [built-in schemas](crate::property::engine_schemas), for lack of mappings.
    pub by_engine_schemas: u64,
    /// Number of packages with untagged properties.
    pub untagged: u64,
    /// Number of objects whose properties were looked at.
    pub objects: u64,
    /// The release of these schemas.
    pub engine_classes: Option<&'static Release>,
    /// Exports with unreadable values, grouped by cause.
    pub unread: Vec<super::unread::UnreadValues>,
    /// The release assumed for cooked packages without versions, and the reason, if none was given.
    pub engine: Option<crate::release::Verdict>,
    /// Errors that kept references from being resolved.
    pub problems: Vec<crate::error::Error>,
}
