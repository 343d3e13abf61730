//! Input of a conversion.

use crate::package::convert::common::unrecorded_header_len;
use crate::package::convert::remainder::Remainder;
use crate::package::legacy::Package;
use crate::package::placeholder;
use crate::package::zen::BundleEntry;
use crate::version::Release;

/// A legacy package and external facts about it.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Header.
    pub package: &'a Package,
    /// Package name, such as `/Game/Maps/Level`.
    pub name: &'a str,
    /// Length of the `.uexp` in bytes, trailing tag included.
    pub exports_len: u64,
    /// Release whose layout is written.
    pub release: &'static Release,
    /// Up to 5.2, for a package in a cycle: the bundles found by [`circles`](super::circles). Without them,
    /// one bundle has all steps.
    pub bundles: Option<&'a [Vec<BundleEntry>]>,
    /// Facts about the original zen package that this one no longer contains.
    pub remainder: Option<&'a Remainder>,
}

impl Source<'_> {
    /// Returns the name of the original of a localized package: `/Game/Maps/Level` for
    /// `/Game/L10N/de/Maps/Level`.
    pub(super) fn localized_name(&self) -> Option<String> {
        // `/mount/L10N/culture/rest`, without the two folders in the middle.
        let (mount, rest) = self.name.strip_prefix('/')?.split_once('/')?;
        let (folder, rest) = rest.split_once('/')?;
        let (_, rest) = rest.split_once('/')?;
        folder.eq_ignore_ascii_case("L10N").then(|| format!("/{mount}/{rest}"))
    }

    /// Returns the length of the cooker's header, as packages record it.
    pub(super) fn cooked_header_len(&self) -> u32 {
        let recorded = self.remainder.and_then(|remainder| remainder.cooked_header_len);
        recorded.unwrap_or_else(|| self.own_header_len())
    }

    /// Returns the difference in length between the cooker's header and the present one.
    pub(super) fn lost_header_len(&self) -> i64 {
        i64::from(self.cooked_header_len()) - i64::from(self.own_header_len())
    }

    /// Returns the header length without the bytes that are not recorded.
    fn own_header_len(&self) -> u32 {
        let Package { form, imports, summary, .. } = self.package;
        // Placeholders were not in the cooker's header.
        let imports = imports.len() - placeholder::added_imports(self.package);
        let unrecorded = unrecorded_header_len(form.versions, form.cooked_import_names, imports);
        let unrecorded = u32::try_from(unrecorded).unwrap_or(u32::MAX);
        summary.total_header_len.unsigned_abs().saturating_sub(unrecorded)
    }
}
