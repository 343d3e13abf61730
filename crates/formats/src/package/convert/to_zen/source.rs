//! What a package is converted from.

use crate::package::legacy::Package;
use crate::version::Release;

/// A legacy package and what is known about it from outside.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Its header.
    pub package: &'a Package,
    /// Its name, such as `/Game/Maps/Level`.
    pub name: &'a str,
    /// Bytes of the `.uexp`, with the tag at its end.
    pub exports_len: u64,
    /// The release whose layout is written.
    pub release: &'static Release,
    /// Up to 5.2: the steps of loading before which a new bundle begins, ascending. Nearly every package has one bundle; those
    /// that import each other in a circle may need more.
    pub cuts: &'a [u32],
}

impl Source<'_> {
    /// The name of the package that it stands in for in one culture: `/Game/Maps/Level` for `/Game/L10N/de/Maps/Level`.
    pub(super) fn localized_name(&self) -> Option<String> {
        let (mount, rest) = self.name.strip_prefix('/')?.split_once('/')?;
        let (folder, rest) = rest.split_once('/')?;
        let (_, rest) = rest.split_once('/')?;
        folder.eq_ignore_ascii_case("L10N").then(|| format!("/{mount}/{rest}"))
    }
}
