//! Container header for the packages of a new container.
//!
//! Zen packages lack some of the facts in a header. Old headers in the folder, as `unpack` writes them,
//! supply the rest: shader maps, redirects, soft references, and before 5.3 imported packages. These headers
//! are never packed themselves, since they list the packages of another container.

use super::load_order;
use super::objections::Objections;
use super::old_headers::OldHeaders;
use super::original::Original;
use super::packages::{Imports, Package};
use crate::container::Lists;
use crate::container::container_header::{
    ContainerHeader, Culture, Entry, ExportCounts, Layout, LocalizedPackage, PackageStore, Redirect,
    ShaderMapHash, SoftReferences,
};
use crate::id::{ContainerId, PackageId};
use crate::objection::Objection;
use crate::package::name_map::{MappedName, NameMap, split_number};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Content of a store entry.
struct Row {
    id: PackageId,
    optional: bool,
    counts: ExportCounts,
    imports: Vec<PackageId>,
    shader_map_hashes: Vec<ShaderMapHash>,
}

/// Makes the header for packages, which are sorted by id. If they are exactly the original's packages, and
/// its header has the same facts about them, that header is returned unchanged.
pub(super) fn bytes(
    container: ContainerId,
    layout: Layout,
    packages: &[Package],
    old: &OldHeaders,
    original: Option<&Original>,
    objections: &mut Objections,
) -> Vec<u8> {
    let made = make(container, layout, packages, old, objections);
    let is_same = original.is_some_and(|original| original.has_packages(made.packages.ids()));
    let kept = old.that_says(&made).filter(|_| is_same);
    kept.map_or_else(|| made.write(), <[u8]>::to_vec)
}

fn make(
    container: ContainerId,
    layout: Layout,
    packages: &[Package],
    old: &OldHeaders,
    objections: &mut Objections,
) -> ContainerHeader {
    let mut rows: Vec<Row> = packages.iter().map(|package| row(package, layout, old, objections)).collect();
    // UE4 headers hold the order of loading, which depends on all packages together.
    if layout.version.is_ue4() {
        number(&mut rows);
    }
    let store = |optional: bool| {
        let rows = rows.iter().filter(|row| row.optional == optional);
        PackageStore::from_entries(rows.map(|row| Entry {
            // From version 3 on (5.3), entries have no counts.
            id: row.id,
            counts: layout.version.has_export_counts().then_some(row.counts),
            imports: &row.imports,
            shader_map_hashes: &row.shader_map_hashes,
        }))
    };
    let mut names = Names::default();
    let mut header = ContainerHeader {
        packages: store(false),
        optional: if layout.version.has_optional_segments() { store(true) } else { PackageStore::default() },
        ..ContainerHeader::new(layout, container)
    };
    // UE4 lists localized packages by culture, UE5 by source.
    let localized = localized(packages);
    if layout.version.is_ue4() {
        header.cultures = cultures(&localized);
    } else {
        header.localized = sources(&localized, &mut names);
    }
    header.redirects = redirects(&header.packages, old, &mut names);
    header.names = names.finish();
    // Cooked packages do not list their soft references, so only old headers can supply them.
    if layout.version.has_soft_references() {
        header.soft_references = soft_references(&header.packages, old);
    }
    header
}

fn row(package: &Package, layout: Layout, old: &OldHeaders, objections: &mut Objections) -> Row {
    let before = old.entry(package);
    let imported = before.map(|entry| entry.imports);
    let imports = match (&package.imports, imported) {
        (Imports::Known(imports), _) => imports.clone(),
        // An old list of another length belongs to another state of the package.
        (Imports::Unknown { count }, Some(imports)) if count.is_none_or(|count| count == imports.len()) => {
            imports.to_vec()
        }
        (Imports::Unknown { .. }, _) => {
            objections.add(Objection::ImportsUnknown, &package.source);
            imported.unwrap_or_default().to_vec()
        }
    };
    // Hashes of another length come from another engine release, and would not match its libraries.
    let fits = |hash: &&ShaderMapHash| hash.as_bytes().len() == layout.shader_hash_len;
    let hashes = before.map(|entry| entry.shader_map_hashes).filter(|_| package.shader_maps.is_empty());
    let hashes = hashes.unwrap_or(&package.shader_maps);
    // Numbers of the old header are kept: renumbering would change bytes without any use.
    let load_order = before.and_then(|entry| entry.counts?.load_order);
    Row {
        id: package.id,
        optional: package.optional,
        counts: ExportCounts { load_order, ..package.counts },
        imports,
        shader_map_hashes: hashes.iter().filter(fits).copied().collect(),
    }
}

/// Assigns an order of loading to the packages, unless all have one already.
fn number(rows: &mut [Row]) {
    if rows.iter().all(|row| row.counts.load_order.is_some()) {
        return;
    }
    let packages: Vec<load_order::Node<'_>> =
        rows.iter().map(|row| (row.id, row.imports.as_slice(), row.counts.bundles)).collect();
    let orders = load_order::of(&packages);
    for row in rows {
        row.counts.load_order = orders.get(&row.id).copied();
    }
}

/// Package for one culture: `/Game/L10N/de/Maps/Level` is one of `/Game/Maps/Level`.
struct Localized {
    culture: String,
    source: String,
    id: PackageId,
}

fn localized(packages: &[Package]) -> Vec<Localized> {
    let parts = |package: &Package| {
        let (mount, rest) = package.name.strip_prefix('/')?.split_once('/')?;
        let (folder, rest) = rest.split_once('/')?;
        let (culture, rest) = rest.split_once('/')?;
        let is_localized = folder.eq_ignore_ascii_case("L10N");
        let source = format!("/{mount}/{rest}");
        is_localized.then(|| Localized { culture: culture.to_owned(), source, id: package.id })
    };
    packages.iter().filter(|package| !package.optional).filter_map(parts).collect()
}

/// Returns UE4's form: the localized packages of each culture.
fn cultures(localized: &[Localized]) -> Vec<Culture> {
    let mut cultures: BTreeMap<&str, Vec<(PackageId, PackageId)>> = BTreeMap::new();
    for found in localized {
        let pair = (PackageId::from_name(&found.source), found.id);
        cultures.entry(&found.culture).or_default().push(pair);
    }
    cultures.into_iter().map(|(name, packages)| Culture { name: name.to_owned(), packages }).collect()
}

/// Returns UE5's form: each package with localized variants, once.
fn sources(localized: &[Localized], names: &mut Names) -> Vec<LocalizedPackage> {
    // Sorted and without repeats: one row per source, however many cultures it has.
    let sources: BTreeMap<PackageId, &str> =
        localized.iter().map(|found| (PackageId::from_name(&found.source), found.source.as_str())).collect();
    sources.into_iter().map(|(source, name)| LocalizedPackage { source, name: names.add(name) }).collect()
}

/// Returns the redirects to packages of the container; only old headers know them.
fn redirects(packages: &PackageStore, old: &OldHeaders, names: &mut Names) -> Vec<Redirect> {
    let mut seen = HashSet::new();
    let all = old.iter().flat_map(|header| header.redirects.iter().map(move |redirect| (header, redirect)));
    let kept = all.filter(|(_, redirect)| {
        packages.position(redirect.target).is_some() && seen.insert((redirect.source, redirect.target))
    });
    // Names are indices into the old header's table, so they are copied into the new one.
    kept.map(|(header, redirect)| {
        let name = redirect.name.and_then(|name| header.names.resolve(name));
        Redirect { name: name.map(|name| names.add(&name.to_string())), ..*redirect }
    })
    .collect()
}

fn soft_references(packages: &PackageStore, old: &OldHeaders) -> Option<SoftReferences> {
    let mut soft = SoftReferences { packages: Vec::new(), indices: Lists::default() };
    let mut places: HashMap<PackageId, u32> = HashMap::new();
    for id in packages.ids() {
        let targets: Vec<PackageId> = old.soft_references(*id);
        // Targets are stored once; each package refers to them by index.
        soft.indices.push(targets.into_iter().map(|target| {
            *places.entry(target).or_insert_with(|| {
                soft.packages.push(target);
                u32::try_from(soft.packages.len() - 1).unwrap_or(u32::MAX)
            })
        }));
    }
    (!soft.packages.is_empty()).then_some(soft)
}

/// Name table of the container, without duplicates.
#[derive(Default)]
struct Names {
    texts: Vec<String>,
    places: HashMap<String, u32>,
}

impl Names {
    fn add(&mut self, name: &str) -> MappedName {
        /// Bits that mark a name of the container's table.
        const CONTAINER: u32 = 1 << 30;
        // Letter case does not distinguish names, and number suffixes are not part of the table.
        let (base, number) = split_number(name);
        let place = *self.places.entry(base.to_ascii_lowercase()).or_insert_with(|| {
            self.texts.push(base.to_owned());
            u32::try_from(self.texts.len() - 1).unwrap_or(0)
        });
        MappedName::new(CONTAINER | place, number)
    }

    /// Builds the table. The names come from tables with the same limits, so they always fit.
    fn finish(&self) -> NameMap {
        NameMap::from_names(self.texts.iter().map(String::as_str)).unwrap_or_default()
    }
}
