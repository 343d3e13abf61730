//! How packages are read for their values.

use crate::property::Schemas;
use crate::version::Release;
use std::sync::Arc;

/// How packages are read for their values.
#[derive(Debug, Clone, Default)]
pub struct ValueOptions {
    /// What the classes of the game have.
    pub mappings: Option<Arc<Schemas>>,
    /// The release that wrote the packages; without it, it is found out.
    pub release: Option<&'static Release>,
    /// Packages in containers are compared with their recorded hashes.
    pub verify: bool,
    /// Packages whose content does not have its recorded hash are not read at all.
    pub strict: bool,
    /// The first problem ends the job.
    pub fail_fast: bool,
}

/// Findings from reading packages.
#[derive(Debug, Default)]
pub struct ValuesRead {
    /// Packages whose properties have no tags, although there are no mappings.
    pub without_mappings: u64,
    /// Exports whose values could not be read, by what is in the way.
    pub unread: Vec<super::unread::UnreadValues>,
    /// Which release the cooked packages were taken for that do not say it, if none was given, and why.
    pub engine: Option<crate::release::Verdict>,
    /// What kept references from being resolved.
    pub problems: Vec<crate::error::Error>,
}
