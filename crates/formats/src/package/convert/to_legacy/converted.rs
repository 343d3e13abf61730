//! The input and the result of a conversion.
//!
//! ```text
//! Input ──convert──► Converted: values ──write──► Asset: files
//! ```

use super::engine::{Evidence, How};
use super::error::ConvertError;
use super::loss::Loss;
use crate::package::convert::note;
use crate::package::legacy::{END_TAG, Package, set_saved_hash};
use crate::package::zen::Header;
use crate::version::{Release, Releases};
use std::borrow::Cow;

/// Target of a conversion.
#[derive(Debug, Clone, Copy, Default)]
pub struct Target {
    /// Release whose layout is written; detected if absent.
    pub release: Option<&'static Release>,
}

/// A zen package and external facts about it.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// Header.
    pub header: &'a Header,
    /// Whole chunk, header included.
    pub chunk: &'a [u8],
    /// File name without extension; if absent, the last part of the package name.
    pub file_stem: Option<&'a str>,
    /// External evidence of the engine that wrote it.
    pub evidence: Evidence<'a>,
}

/// A package in legacy form, as values, not yet written.
#[derive(Debug, Clone)]
pub struct Converted<'a> {
    /// The package, equal to the result of reading its written header. The saved hash is zero until then: it
    /// covers bytes.
    pub package: Package,
    /// `.uexp` data, trailing tag included.
    pub body: Cow<'a, [u8]>,
    /// True if the header goes into a `.umap`.
    pub is_map: bool,
    /// Release whose layout it has.
    pub release: &'static Release,
    /// Evidence for the release.
    pub how: How,
    /// All releases that fit.
    pub left: Releases,
    /// True if their layouts differ, so that the chosen one may be wrong.
    pub is_open: bool,
    /// Facts that could not be restored.
    pub losses: Vec<Loss>,
    /// Length of the cooker's header, if this one is longer and has room for a note.
    pub(super) noted_len: Option<u32>,
}

/// A package in legacy form, as files.
#[derive(Debug, Clone)]
pub struct Asset<'a> {
    /// `.uasset` or `.umap` data.
    pub header: Vec<u8>,
    /// Written package, with its saved hash, and the `.uexp`.
    pub converted: Converted<'a>,
}

impl<'a> Converted<'a> {
    /// Writes the header, including the saved hash if it has one.
    pub fn write(mut self) -> Result<Asset<'a>, ConvertError> {
        let mut header = self.package.write_header()?;
        // Before the hash, which covers the note as well.
        if let Some(len) = self.noted_len {
            note::put(&mut header, len);
        }
        if let Some(hash) = &mut self.package.summary.saved_hash {
            *hash = set_saved_hash(&mut header, self.body.strip_suffix(&END_TAG).unwrap_or(&self.body));
        }
        Ok(Asset { header, converted: self })
    }
}
