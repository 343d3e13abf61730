//! What a package is converted from.

use crate::package::convert::common::header_len;
use crate::package::convert::remainder::Remainder;
use crate::package::legacy::Package;
use crate::package::placeholder;
use crate::package::zen::BundleEntry;
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
    /// Up to 5.2, for a package that others wait for and that waits for these: the bundles that [`circles`](super::circles)
    /// found. Without them, one bundle has all steps.
    pub bundles: Option<&'a [Vec<BundleEntry>]>,
    /// What the zen package had that this one was made from, and cannot be seen any more.
    pub remainder: Option<&'a Remainder>,
}

impl Source<'_> {
    /// The name of the package that it stands in for in one culture: `/Game/Maps/Level` for `/Game/L10N/de/Maps/Level`.
    pub(super) fn localized_name(&self) -> Option<String> {
        let (mount, rest) = self.name.strip_prefix('/')?.split_once('/')?;
        let (folder, rest) = rest.split_once('/')?;
        let (_, rest) = rest.split_once('/')?;
        folder.eq_ignore_ascii_case("L10N").then(|| format!("/{mount}/{rest}"))
    }

    /// Bytes of the cooker's header, as they are recorded.
    pub(super) fn cooked_header_len(&self) -> u32 {
        let recorded = self.remainder.and_then(|remainder| remainder.cooked_header_len);
        recorded.unwrap_or_else(|| self.own_header_len())
    }

    /// Bytes by which the cooker's header was longer than the one that there is now.
    pub(super) fn lost_header_len(&self) -> i64 {
        i64::from(self.cooked_header_len()) - i64::from(self.own_header_len())
    }

    /// Bytes of the header without those that are not recorded.
    fn own_header_len(&self) -> u32 {
        let Package { form, imports, summary, .. } = self.package;
        let imports = imports.len() - placeholder::added_imports(self.package);
        let unrecorded = header_len::unrecorded(form.versions, form.cooked_import_names, imports);
        let unrecorded = u32::try_from(unrecorded).unwrap_or(u32::MAX);
        summary.total_header_len.unsigned_abs().saturating_sub(unrecorded)
    }
}
