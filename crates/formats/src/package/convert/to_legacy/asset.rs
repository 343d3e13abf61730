//! What a package is converted from and into.

use super::engine::{Evidence, How};
use super::loss::Loss;
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

/// A legacy package, as files.
#[derive(Debug, Clone)]
pub struct Asset<'a> {
    /// It is a map: the header goes into a `.umap`.
    pub is_map: bool,
    /// The `.uasset` or `.umap`.
    pub header: Vec<u8>,
    /// The `.uexp`, with the tag at its end.
    pub exports: Cow<'a, [u8]>,
    /// The release whose layout was written.
    pub release: &'static Release,
    /// How it was found out.
    pub how: How,
    /// All releases that fit, if they write different layouts, so that the one that was taken may be wrong.
    pub fitting: Option<Releases>,
    /// What could not be brought back.
    pub losses: Vec<Loss>,
}
