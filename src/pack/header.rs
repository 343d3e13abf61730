//! The container header for the packages that go into a container.
//!
//! A zen package does not say everything that a header holds. The rest is taken from the headers that lie in the folder, as
//! `unpack` writes them: shader maps, redirects, soft references, and before 5.3 imported packages. Those headers are never
//! packed themselves: they list the packages of another container, or list other packages.

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

/// What a store entry is made of.
struct Row {
    id: PackageId,
    optional: bool,
    counts: ExportCounts,
    imports: Vec<PackageId>,
    shader_map_hashes: Vec<ShaderMapHash>,
}

/// The header for the packages, which are sorted by their ids. If they are those of the container that the new one is made like, and
/// its header says the same about them, it is that.
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
    if layout.version.is_ue4() {
        number(&mut rows);
    }
    let store = |optional: bool| {
        let rows = rows.iter().filter(|row| row.optional == optional);
        PackageStore::from_entries(rows.map(|row| Entry {
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
    let localized = localized(packages);
    if layout.version.is_ue4() {
        header.cultures = cultures(&localized);
    } else {
        header.localized = sources(&localized, &mut names);
    }
    header.redirects = redirects(&header.packages, old, &mut names);
    header.names = names.finish();
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
        (Imports::Unknown { count }, Some(imports)) if count.is_none_or(|count| count == imports.len()) => {
            imports.to_vec()
        }
        (Imports::Unknown { .. }, _) => {
            objections.add(Objection::ImportsUnknown, &package.source);
            imported.unwrap_or_default().to_vec()
        }
    };
    let fits = |hash: &&ShaderMapHash| hash.as_bytes().len() == layout.shader_hash_len;
    let hashes = before.map(|entry| entry.shader_map_hashes).filter(|_| package.shader_maps.is_empty());
    let hashes = hashes.unwrap_or(&package.shader_maps);
    let load_order = before.and_then(|entry| entry.counts?.load_order);
    Row {
        id: package.id,
        optional: package.optional,
        counts: ExportCounts { load_order, ..package.counts },
        imports,
        shader_map_hashes: hashes.iter().filter(fits).copied().collect(),
    }
}

/// Numbers the packages in the order of loading, unless all have numbers already.
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

/// A package that is the form of another for one culture: `/Game/L10N/de/Maps/Level` of `/Game/Maps/Level`.
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

/// UE4 lists the forms of each culture.
fn cultures(localized: &[Localized]) -> Vec<Culture> {
    let mut cultures: BTreeMap<&str, Vec<(PackageId, PackageId)>> = BTreeMap::new();
    for found in localized {
        let pair = (PackageId::from_name(&found.source), found.id);
        cultures.entry(&found.culture).or_default().push(pair);
    }
    cultures.into_iter().map(|(name, packages)| Culture { name: name.to_owned(), packages }).collect()
}

/// UE5 lists each package that has other forms once.
fn sources(localized: &[Localized], names: &mut Names) -> Vec<LocalizedPackage> {
    let sources: BTreeMap<PackageId, &str> =
        localized.iter().map(|found| (PackageId::from_name(&found.source), found.source.as_str())).collect();
    sources.into_iter().map(|(source, name)| LocalizedPackage { source, name: names.add(name) }).collect()
}

/// Redirects lead to packages of their container; nothing but an old header knows them.
fn redirects(packages: &PackageStore, old: &OldHeaders, names: &mut Names) -> Vec<Redirect> {
    let mut seen = HashSet::new();
    let all = old.iter().flat_map(|header| header.redirects.iter().map(move |redirect| (header, redirect)));
    let kept = all.filter(|(_, redirect)| {
        packages.position(redirect.target).is_some() && seen.insert((redirect.source, redirect.target))
    });
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
        soft.indices.push(targets.into_iter().map(|target| {
            *places.entry(target).or_insert_with(|| {
                soft.packages.push(target);
                u32::try_from(soft.packages.len() - 1).unwrap_or(u32::MAX)
            })
        }));
    }
    (!soft.packages.is_empty()).then_some(soft)
}

/// Names of the container, each once.
#[derive(Default)]
struct Names {
    texts: Vec<String>,
    places: HashMap<String, u32>,
}

impl Names {
    fn add(&mut self, name: &str) -> MappedName {
        /// The bits that stand for the names of a container.
        const CONTAINER: u32 = 1 << 30;
        let (base, number) = split_number(name);
        let place = *self.places.entry(base.to_ascii_lowercase()).or_insert_with(|| {
            self.texts.push(base.to_owned());
            u32::try_from(self.texts.len() - 1).unwrap_or(0)
        });
        MappedName::new(CONTAINER | place, number)
    }

    /// The table. Names come from tables of the same form, so they fit.
    fn finish(&self) -> NameMap {
        NameMap::from_names(self.texts.iter().map(String::as_str)).unwrap_or_default()
    }
}
