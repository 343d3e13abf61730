//! Old container headers, as evidence about packages.

use super::original::Original;
use super::packages::Package;
use crate::container::container_header::{ContainerHeader, Entry, PackageStore};
use crate::error::{Error, Result};
use crate::id::{ContainerId, PackageId};
use crate::objection::{Finding, Objection};
use crate::source::read_file;
use std::path::{Path, PathBuf};

/// Limit for a header that is read, in bytes: ten times the size for a million packages.
const MAX_LEN: u64 = 1 << 30;

/// Headers from the folder and from the original container. They are evidence about packages, and do not
/// become chunks.
#[derive(Debug, Default)]
pub(super) struct OldHeaders(Vec<OldHeader>);

#[derive(Debug)]
struct OldHeader {
    header: ContainerHeader,
    bytes: Vec<u8>,
}

impl OldHeaders {
    /// Reads headers, with warnings for damaged ones and for those of another container than `container`.
    pub(super) fn read(
        paths: &[PathBuf],
        container: ContainerId,
        original: Option<&Original>,
        warnings: &mut Vec<Finding>,
    ) -> Self {
        let mut headers = Vec::new();
        for path in paths {
            match read_file(path, MAX_LEN).and_then(|bytes| OldHeader::parse(bytes, path)) {
                Ok(old) => {
                    let found = old.header.container_id;
                    // Still useful: its facts about packages do not depend on the container.
                    if found != container {
                        let replaced = Objection::OldHeaderReplaced { found, own: container };
                        warnings.push(Finding::new(replaced, path));
                    }
                    headers.push(old);
                }
                Err(error) => warnings.push(Finding::new(Objection::OldHeaderUnread(error.into()), path)),
            }
        }
        // Last, so that the headers in the folder win.
        headers.extend(original.and_then(|original| {
            let bytes = original.header(MAX_LEN)?;
            OldHeader::parse(bytes, original.container().path()).ok()
        }));
        Self(headers)
    }

    /// Headers that were read elsewhere.
    pub(super) fn of(headers: Vec<ContainerHeader>) -> Self {
        Self(headers.into_iter().map(|header| OldHeader { bytes: header.write(), header }).collect())
    }

    /// Returns all headers.
    pub(super) fn iter(&self) -> impl Iterator<Item = &ContainerHeader> {
        self.0.iter().map(|old| &old.header)
    }

    /// Returns the entry of a package in the first header that lists it.
    pub(super) fn entry(&self, package: &Package) -> Option<Entry<'_>> {
        self.iter().find_map(|header| {
            let store = if package.optional { &header.optional } else { &header.packages };
            store.find(package.id)
        })
    }

    /// Returns the soft references of a package in the first header that lists it.
    pub(super) fn soft_references(&self, package: PackageId) -> Vec<PackageId> {
        let found = self.iter().find_map(|header| {
            let soft = header.soft_references.as_ref()?;
            Some(soft.of(header.packages.position(package)?).collect())
        });
        found.unwrap_or_default()
    }

    /// Returns the header of the same container with the same entry for each package of a new one. It may
    /// have more: those of patches list packages of the patched container.
    pub(super) fn that_says(&self, new: &ContainerHeader) -> Option<&[u8]> {
        let says = |old: &&OldHeader| {
            let OldHeader { header, .. } = old;
            let same = |new: &PackageStore, old: &PackageStore| {
                new.iter().all(|entry| old.find(entry.id) == Some(entry))
            };
            header.container_id == new.container_id
                && header.layout.version == new.layout.version
                && same(&new.packages, &header.packages)
                && same(&new.optional, &header.optional)
        };
        self.0.iter().find(says).map(|old| old.bytes.as_slice())
    }
}

impl OldHeader {
    fn parse(bytes: Vec<u8>, path: &Path) -> Result<Self> {
        let header = ContainerHeader::parse(&bytes).map_err(Error::malformed("container header", path))?;
        Ok(Self { header, bytes })
    }
}
