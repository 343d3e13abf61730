//! What the container headers of a store say together.

use super::parallel;
use crate::container::container_header::{self, ContainerHeader};
use crate::error::{Error, Result};
use crate::id::{ChunkKind, PackageId};
use crate::package::name_map::MappedName;
use crate::store::{Container, Store};
use std::collections::HashMap;
use std::sync::Arc;

/// The container headers of a store, and what is looked up in them often.
#[derive(Debug, Default)]
pub(super) struct Directory {
    /// One for each container of the store, where it has one that can be read.
    pub(super) headers: Vec<Option<ContainerHeader>>,
    /// Positions of the containers, the first to be asked first.
    order: Vec<usize>,
    /// Packages that stand for others.
    pub(super) redirects: HashMap<PackageId, PackageId>,
    /// Names of packages that redirects and localized packages mention.
    pub(super) names: HashMap<PackageId, String>,
}

impl Directory {
    /// Reads the headers of all containers. Where they disagree, the first in `order` is right.
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
        let (mut redirects, mut names) = (HashMap::new(), HashMap::new());
        for header in this.in_order() {
            for redirect in &header.redirects {
                redirects.entry(redirect.source).or_insert(redirect.target);
            }
            names.extend(named(header));
        }
        (Self { redirects, names, ..this }, problems)
    }

    /// What the container headers say about a package.
    pub(super) fn store_entry(&self, id: PackageId) -> Option<container_header::Entry<'_>> {
        self.in_order().find_map(|header| header.packages.find(id))
    }

    /// What they say about its optional segment.
    pub(super) fn optional_entry(&self, id: PackageId) -> Option<container_header::Entry<'_>> {
        self.in_order().find_map(|header| header.optional.find(id))
    }

    /// The packages that it refers to softly, as far as the header says that also says the rest.
    pub(super) fn soft_references_of(&self, id: PackageId) -> Vec<PackageId> {
        let found = self.in_order().find_map(|header| Some((header, header.packages.position(id)?)));
        let soft = found.and_then(|(header, at)| Some((header.soft_references.as_ref()?, at)));
        soft.map_or_else(Vec::new, |(soft, at)| soft.of(at).collect())
    }

    /// The headers, the first to be asked first.
    fn in_order(&self) -> impl Iterator<Item = &ContainerHeader> {
        self.order.iter().filter_map(|at| self.headers.get(*at)?.as_ref())
    }
}

/// Packages whose names are in a header. A name that is not the one of its id is not believed.
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
