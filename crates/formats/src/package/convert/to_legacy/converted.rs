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

/// What packages are converted for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Target {
    /// The release whose layout is written; without it, it is found out.
    pub release: Option<&'static Release>,
}

/// A zen package and what is known about it from outside.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// Its header.
    pub header: &'a Header,
    /// All of it, header included.
    pub chunk: &'a [u8],
    /// Name of the file that it becomes, without extension; without it, the last part of the package's name.
    pub file_stem: Option<&'a str>,
    /// What is known from outside about the engine that wrote it.
    pub evidence: Evidence<'a>,
}

/// A package in its legacy form, as values: nothing has been written.
#[derive(Debug, Clone)]
pub struct Converted<'a> {
    /// The package, equal to what a reader makes of the written header. The saved hash is zero until then: it covers bytes.
    pub package: Package,
    /// The `.uexp`, with the tag at its end.
    pub body: Cow<'a, [u8]>,
    /// It is a map: the header goes into a `.umap`.
    pub is_map: bool,
    /// The release whose layout it has.
    pub release: &'static Release,
    /// How the release was found out.
    pub how: How,
    /// All releases that fit, if they write different layouts, so that the one that was taken may be wrong.
    pub fitting: Option<Releases>,
    /// What could not be brought back.
    pub losses: Vec<Loss>,
    /// The length of the cooker's header, if this one is longer and has room for a note of it.
    pub(super) noted_len: Option<u32>,
}

/// A package in its legacy form, as files.
#[derive(Debug, Clone)]
pub struct Asset<'a> {
    /// The `.uasset` or `.umap`.
    pub header: Vec<u8>,
    /// The package that was written, with its saved hash, and the `.uexp`.
    pub converted: Converted<'a>,
}

impl<'a> Converted<'a> {
    /// Writes the header, with the saved hash where there is one.
    pub fn write(mut self) -> Result<Asset<'a>, ConvertError> {
        let mut header = self.package.write_header()?;
        if let Some(len) = self.noted_len {
            note::put(&mut header, len);
        }
        if let Some(hash) = &mut self.package.summary.saved_hash {
            *hash = set_saved_hash(&mut header, self.body.strip_suffix(&END_TAG).unwrap_or(&self.body));
        }
        Ok(Asset { header, converted: self })
    }
}
