//! The merged container headers of a store.

use super::parallel;
use crate::container::container_header::{self, ContainerHeader};
use crate::error::{Error, Result};
use crate::id::{ChunkKind, PackageId};
use crate::package::name_map::MappedName;
use crate::store::{Container, Store};
use std::collections::HashMap;
use std::sync::Arc;

/// The container headers of a store, with indices for frequent lookups.
#[derive(Debug, Default)]
pub(super) struct Directory {
    /// One per container of the store; `None` if it is missing or unreadable.
    pub(super) headers: Vec<Option<ContainerHeader>>,
    /// Positions of the containers, in search order.
    order: Vec<usize>,
    /// The header that has the store entry of a package, of the first in search order; empty if there are few headers.
    holders: HashMap<PackageId, u32, foldhash::fast::RandomState>,
    /// Redirect targets by source package.
    pub(super) redirects: HashMap<PackageId, PackageId>,
    /// Names of packages mentioned by redirects and localized packages.
    pub(super) names: HashMap<PackageId, String>,
}

impl Directory {
    /// Reads the headers of all containers. On conflicts the first in `order` wins.
    pub(super) fn read(store: &Store, order: &[usize], limit: u64) -> (Self, Vec<Error>) {
        let read = |container: &Arc<Container>| read(container, limit);
        let results = parallel::map(store.cpu().threads(), store.containers(), read);
        let mut this = Self { order: order.to_owned(), ..Self::default() };
        let mut problems = Vec::new();
        for result in results {
            this.headers.push(result.unwrap_or_else(|error| {
                problems.push(error);
                None
            }));
        }
        // Asking a few headers in turn is as fast as an index.
        if this.in_order().nth(FEW).is_some() {
            this.holders = this.holders();
        }
        let (mut redirects, mut names) = (HashMap::new(), HashMap::new());
        for header in this.in_order() {
            for redirect in &header.redirects {
                // `or_insert` keeps the target of the first header, which has priority.
                redirects.entry(redirect.source).or_insert(redirect.target);
            }
            names.extend(named(header));
        }
        (Self { redirects, names, ..this }, problems)
    }

    /// The store entry of a package (`FFilePackageStoreEntry`).
    pub(super) fn store_entry(&self, id: PackageId) -> Option<container_header::Entry<'_>> {
        self.holder(id)?.packages.find(id)
    }

    /// The header that has the store entry of a package.
    fn holder(&self, id: PackageId) -> Option<&ContainerHeader> {
        if self.holders.is_empty() {
            return self.in_order().find(|header| header.packages.position(id).is_some());
        }
        self.headers.get(*self.holders.get(&id)? as usize)?.as_ref()
    }

    /// The first header in search order that has each package.
    fn holders(&self) -> HashMap<PackageId, u32, foldhash::fast::RandomState> {
        let mut holders = HashMap::default();
        for at in &self.order {
            let Some(header) = self.headers.get(*at).and_then(Option::as_ref) else { continue };
            let at = u32::try_from(*at).unwrap_or(u32::MAX);
            for id in header.packages.ids() {
                holders.entry(*id).or_insert(at);
            }
        }
        holders
    }

    /// The store entry of a package's optional segment.
    pub(super) fn optional_entry(&self, id: PackageId) -> Option<container_header::Entry<'_>> {
        self.in_order().find_map(|header| header.optional.find(id))
    }

    /// Packages it refers to softly, as recorded in the header that also has its store entry.
    pub(super) fn soft_references_of(&self, id: PackageId) -> Vec<PackageId> {
        // Soft references are stored by position in the same header, so positions of another one do not apply.
        let found = self.holder(id).and_then(|header| Some((header, header.packages.position(id)?)));
        let soft = found.and_then(|(header, at)| Some((header.soft_references.as_ref()?, at)));
        soft.map_or_else(Vec::new, |(soft, at)| soft.of(at).collect())
    }

    /// The headers, in search order.
    fn in_order(&self) -> impl Iterator<Item = &ContainerHeader> {
        self.order.iter().filter_map(|at| self.headers.get(*at)?.as_ref())
    }
}

/// Headers that are asked in turn.
const FEW: usize = 4;

/// Package names in a header. A name that does not hash to its id is ignored.
fn named(header: &ContainerHeader) -> impl Iterator<Item = (PackageId, String)> {
    let localized = header.localized.iter().map(|package| (package.source, package.name));
    let redirected = header.redirects.iter().filter_map(|redirect| Some((redirect.source, redirect.name?)));
    let text = |(id, name): (PackageId, MappedName)| Some((id, header.names.resolve(name)?.to_string()));
    localized.chain(redirected).filter_map(text).filter(|(id, name)| PackageId::from_name(name) == *id)
}

fn read(container: &Container, limit: u64) -> Result<Option<ContainerHeader>> {
    let Some(chunk) = container.find_kind(ChunkKind::ContainerHeader) else { return Ok(None) };
    let bytes = container.read(chunk, 0..u64::MAX, limit)?;
    ContainerHeader::parse(&bytes).map(Some).map_err(Error::malformed("container header", container.path()))
}
