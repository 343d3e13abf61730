//! Container headers that came along in a folder.

use super::packages::Package;
use crate::container::container_header::{ContainerHeader, Entry};
use crate::error::Error;
use crate::id::{ContainerId, PackageId};
use crate::source::read_file;
use std::path::PathBuf;

/// Bytes of the longest header that is read: that of a container of a million packages has a tenth of it.
const MAX_LEN: u64 = 1 << 30;

/// The headers in a folder. They are evidence of what packages need, not chunks.
#[derive(Debug, Default)]
pub(super) struct OldHeaders(Vec<ContainerHeader>);

impl OldHeaders {
    /// Reads them, and warns of those that are damaged or belong to another container than `container`.
    pub(super) fn read(paths: &[PathBuf], container: ContainerId, warnings: &mut Vec<String>) -> Self {
        let mut headers = Vec::new();
        for path in paths {
            let parsed = read_file(path, MAX_LEN).and_then(|bytes| {
                ContainerHeader::parse(&bytes).map_err(Error::malformed("container header", path))
            });
            match parsed {
                Ok(header) => {
                    if header.container_id != container {
                        warnings.push(format!(
                            "container header of another container, {}, replaced by one of {container}: {}",
                            header.container_id,
                            path.display(),
                        ));
                    }
                    headers.push(header);
                }
                Err(error) => warnings.push(format!("container header is not used: {error}")),
            }
        }
        Self(headers)
    }

    /// Adds what another reader has found.
    pub(super) fn add(&mut self, header: ContainerHeader) {
        self.0.push(header);
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &ContainerHeader> {
        self.0.iter()
    }

    /// What the first that lists a package says about it.
    pub(super) fn entry(&self, package: &Package) -> Option<Entry<'_>> {
        self.0.iter().find_map(|header| {
            let store = if package.optional { &header.optional } else { &header.packages };
            store.find(package.id)
        })
    }

    /// What the first that lists a package says that it refers to softly.
    pub(super) fn soft_references(&self, package: PackageId) -> Vec<PackageId> {
        let found = self.0.iter().find_map(|header| {
            let soft = header.soft_references.as_ref()?;
            Some(soft.of(header.packages.position(package)?).collect())
        });
        found.unwrap_or_default()
    }
}
