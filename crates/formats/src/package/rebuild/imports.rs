//! New imports: rows at the ends of the tables, so that all others keep their indices.
//!
//! ```text
//! legacy   two rows: the package, and its object │ names │ preload dependencies of the exports that refer to it
//! zen      two rows: null for the package, and the object by package and public export hash
//!          UE4      the object by its path; arcs from the bundle that creates it
//!          5.0–5.2  arcs from the import; the container header lists the packages
//!          5.3–6.0  package names; dependencies of the exports that refer to it
//! ```
//!
//! An object that an export refers to has to exist before that export is serialized.

use super::changes::{Changes, NewImport};
use super::error::RebuildError;
use crate::id::{ObjectRef, PackageId, PackageObjectIndex, public_export_hash};
use crate::names::split_number;
use crate::package::legacy::{Import, Name, NameEntry, Package, PackageIndex};
use crate::package::zen::{BundleArc, Command, Graph, Header, ImportArc, PackageArcs};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use std::collections::BTreeMap;

/// Package and class of packages themselves.
const PACKAGE_CLASS: [&str; 2] = ["/Script/CoreUObject", "Package"];

/// Where packages of native objects lie.
const SCRIPT: &str = "/Script/";

/// Adds the rows of imports to a legacy package, and returns the names they need beyond those it has.
pub(super) fn add_to_legacy(package: &mut Package, imports: &[NewImport], added: &[String]) -> Vec<String> {
    if imports.is_empty() {
        return Vec::new();
    }
    let mut table = Table::new(package, added);
    for import in imports {
        let mut outer = table.find_or_add(PackageIndex::NONE, &import.package, PACKAGE_CLASS);
        for object in &import.objects {
            outer = table.find_or_add(outer, &object.name, [&object.class_package, &object.class]);
        }
    }
    table.names.added
}

/// Import table of a legacy package that grows.
struct Table<'p> {
    package: &'p mut Package,
    /// The first row of each name, in lower case, in each outer object.
    rows: HashMap<(PackageIndex, String), usize>,
    names: Names,
}

impl<'p> Table<'p> {
    fn new(package: &'p mut Package, added: &[String]) -> Self {
        let mut rows = HashMap::new();
        for (at, row) in package.imports.iter().enumerate() {
            let name = package.text(row.name).to_string().to_lowercase();
            rows.entry((row.outer, name)).or_insert(at);
        }
        Self { names: Names::new(package, added), rows, package }
    }

    /// Returns the import of this name in an outer object, which may be new.
    fn find_or_add(
        &mut self,
        outer: PackageIndex,
        name: &str,
        [class_package, class_name]: [&str; 2],
    ) -> PackageIndex {
        let Self { package, rows, names } = self;
        let at = *rows.entry((outer, name.to_lowercase())).or_insert_with(|| {
            package.imports.push(Import {
                class_package: names.of(class_package),
                class_name: names.of(class_name),
                outer,
                name: names.of(name),
                package_name: package.form.has_import_names().then(|| names.of("None")),
                optional: package.form.versions.has_optional_resources().then_some(false),
            });
            package.imports.len() - 1
        });
        u32::try_from(at).ok().and_then(PackageIndex::import).unwrap_or_default()
    }
}

/// Makes exports wait for imports: as preload dependencies, which only cooked packages have.
pub(super) fn await_in_legacy(package: &mut Package, changes: &Changes) {
    let has_table = package.summary.preload_dependencies.is_some_and(|table| table.offset > 0);
    if !package.form.cooked || !has_table || changes.awaited.is_empty() {
        return;
    }
    let mut by_export: BTreeMap<usize, Vec<PackageIndex>> = BTreeMap::new();
    for (export, import) in &changes.awaited {
        by_export.entry(*export).or_default().extend(PackageIndex::import(*import));
    }
    let old = std::mem::take(&mut package.preload_dependencies);
    let mut inserted: Vec<Inserted> =
        by_export.into_iter().filter_map(|(export, new)| Inserted::new(package, &old, export, new)).collect();
    inserted.sort_by_key(|one| (one.at, one.is_first));
    let mut at = 0;
    for one in &mut inserted {
        package.preload_dependencies.extend(old.get(at..one.at).unwrap_or_default());
        at = one.at;
        one.start = package.preload_dependencies.len();
        package.preload_dependencies.extend(&one.new);
    }
    package.preload_dependencies.extend(old.get(at..).unwrap_or_default());
    move_slices(package, &inserted);
}

/// Preload dependencies that one export gets.
struct Inserted {
    export: usize,
    new: Vec<PackageIndex>,
    /// Index in the old table that they go before.
    at: usize,
    /// True if the export had none before them.
    is_first: bool,
    /// Their index in the new table.
    start: usize,
}

impl Inserted {
    fn new(
        package: &Package,
        old: &[PackageIndex],
        export: usize,
        mut new: Vec<PackageIndex>,
    ) -> Option<Self> {
        let slice = package.exports.get(export)?.preload?;
        let Ok(first) = usize::try_from(slice.first) else {
            return Some(Self { export, new, at: old.len(), is_first: true, start: 0 });
        };
        // After the objects that are serialized before it, and those that are created before it.
        let group = first.checked_add(usize::try_from(slice.serialize_before_serialize).ok()?)?;
        let at = group.checked_add(usize::try_from(slice.create_before_serialize).ok()?)?;
        let known: HashSet<&PackageIndex> = old.get(group..at)?.iter().collect();
        new.retain(|index| !known.contains(index));
        Some(Self { export, new, at, is_first: at == first, start: 0 })
    }
}

/// Moves the slices of all exports with the entries that were inserted.
fn move_slices(package: &mut Package, inserted: &[Inserted]) {
    let count = |len: usize| i32::try_from(len).unwrap_or(i32::MAX);
    // Entries of others that go before an entry of the old table move it.
    let mut sums = Vec::with_capacity(inserted.len() + 1);
    sums.push(0);
    for one in inserted {
        sums.push(sums.last().copied().unwrap_or_default() + one.new.len());
    }
    let moved = |first: i32| {
        let old = usize::try_from(first).unwrap_or_default();
        let before = inserted.partition_point(|one| one.at <= old);
        first.saturating_add(count(sums.get(before).copied().unwrap_or_default()))
    };
    let own: HashMap<usize, &Inserted> = inserted.iter().map(|one| (one.export, one)).collect();
    for (export, row) in package.exports.iter_mut().enumerate() {
        let Some(slice) = &mut row.preload else { continue };
        let own = own.get(&export).filter(|own| !own.new.is_empty());
        slice.first = match own.filter(|own| own.is_first) {
            Some(own) => count(own.start),
            None if slice.first < 0 => slice.first,
            None => moved(slice.first),
        };
        slice.create_before_serialize += own.map_or(0, |own| count(own.new.len()));
    }
    for cell in &mut package.cell_exports {
        let [first, ..] = &mut cell.dependencies;
        *first = if *first < 0 { *first } else { moved(*first) };
    }
}

/// Adds imports to a zen package.
pub(super) fn add_to_zen(header: &mut Header, changes: &Changes) -> Result<(), RebuildError> {
    if changes.imports.is_empty() {
        return Ok(());
    }
    let mut owners = Owners::new(header, changes);
    for import in &changes.imports {
        let path = import.path();
        if is_native(import) {
            header.imports.push(PackageObjectIndex::script(&path.to_string()));
            continue;
        }
        if header.generation.is_ue4() {
            let object = PackageObjectIndex::global_import(&path.to_string());
            header.imports.extend([PackageObjectIndex::NULL, object]);
            continue;
        }
        let owner = owners.of(header, import)?;
        let names: Vec<&str> = import.objects.iter().map(|object| &*object.name).collect();
        let hash = public_export_hash(&names.join("/"));
        let place = u32::try_from(header.imported_public_export_hashes.len()).unwrap_or(u32::MAX);
        header.imported_public_export_hashes.push(hash);
        // The row of the package comes first, as cookers write it; zen packages do not record which it is.
        header.imports.push(PackageObjectIndex::NULL);
        header.imports.push(PackageObjectIndex::package_import(owner, place));
    }
    Ok(())
}

fn is_native(import: &NewImport) -> bool {
    import.package.get(..SCRIPT.len()).is_some_and(|start| start.eq_ignore_ascii_case(SCRIPT))
}

/// Indices of the packages that objects are imported from.
struct Owners(HashMap<PackageId, usize>);

impl Owners {
    fn new(header: &Header, changes: &Changes) -> Self {
        let named = header.imported_package_names.iter().map(|name| PackageId::from_name(name));
        let listed = changes.imported_packages.iter().copied();
        let is_named = header.generation.has_imported_package_names();
        let ids: Vec<PackageId> = if is_named { named.collect() } else { listed.collect() };
        let mut places = HashMap::new();
        for (at, id) in ids.into_iter().enumerate() {
            places.entry(id).or_insert(at);
        }
        Self(places)
    }

    fn of(&mut self, header: &mut Header, import: &NewImport) -> Result<u32, RebuildError> {
        let id = PackageId::from_name(&import.package);
        let at = match self.0.get(&id) {
            Some(at) => *at,
            None if header.generation.has_imported_package_names() => {
                let at = header.imported_package_names.len();
                header.imported_package_names.push((&*import.package).into());
                self.0.insert(id, at);
                at
            }
            None => return Err(RebuildError::ImportedPackageUnlisted { package: import.package.clone() }),
        };
        if let Graph::Arcs { external, .. } = &mut header.graph {
            // Readers walk these lists in parallel with the imported packages.
            external.resize(external.len().max(at + 1), Vec::new());
        }
        Ok(u32::try_from(at).unwrap_or(u32::MAX))
    }
}

/// Makes exports wait for imports.
pub(super) fn await_in_zen(header: &mut Header, changes: &Changes) {
    if changes.awaited.is_empty() {
        return;
    }
    let bundles = header.bundles_of_steps();
    let Header { graph, imports, .. } = header;
    if let Graph::Packages(packages) = graph {
        return await_packages(packages, &bundles, changes);
    }
    // Several exports of a bundle may wait for one import, and need one arc.
    let mut arcs_of = HashSet::new();
    for (export, import) in &changes.awaited {
        // Native objects exist already.
        let Some(ObjectRef::Package(imported)) = imports.get(*import as usize).map(|index| index.decode())
        else {
            continue;
        };
        match graph {
            Graph::Dependencies(lists) => {
                let (Some(lists), Some(index)) = (lists.get_mut(*export), PackageIndex::import(*import))
                else {
                    continue;
                };
                lists.create_before_serialize.push(index.0);
                lists.is_unlisted = false;
            }
            Graph::Arcs { external, .. } => {
                let to = bundles.get(&(u32::try_from(*export).unwrap_or(u32::MAX), Command::Serialize));
                let arcs = external.get_mut(imported.package() as usize);
                let (Some(arcs), Some(to_bundle)) = (arcs, to) else { continue };
                if arcs_of.insert((*to_bundle, *import)) {
                    let from_import = i32::try_from(*import).unwrap_or(i32::MAX);
                    arcs.push(ImportArc {
                        from_import,
                        from_command: Command::Create,
                        to_bundle: *to_bundle,
                    });
                }
            }
            Graph::Packages(_) => {}
        }
    }
}

/// Makes bundles of a UE4 package wait for those of others that create its new imports.
fn await_packages(
    packages: &mut Vec<PackageArcs>,
    bundles: &HashMap<(u32, Command), i32>,
    changes: &Changes,
) {
    let arcs = packages.iter().flat_map(|of| of.arcs.iter().map(|arc| (of.package, arc.from, arc.to)));
    let mut known: HashSet<(PackageId, i32, i32)> = arcs.collect();
    for (export, import) in &changes.awaited {
        let to = bundles.get(&(u32::try_from(*export).unwrap_or(u32::MAX), Command::Serialize));
        let (Some((package, from)), Some(to)) = (changes.created_by.get(import), to) else { continue };
        // By ascending id.
        let at = packages.partition_point(|known| known.package < *package);
        if packages.get(at).is_none_or(|known| known.package != *package) {
            packages.insert(at, PackageArcs { package: *package, arcs: Vec::new() });
        }
        if let Some(of) = packages.get_mut(at)
            && known.insert((*package, *from, *to))
        {
            of.arcs.push(BundleArc { from: *from, to: *to });
        }
    }
}

/// Name table of a legacy package, with names that only the import table refers to.
struct Names {
    /// The first index of each text, in lower case.
    places: HashMap<String, u32>,
    count: u32,
    added: Vec<String>,
}

impl Names {
    fn new(package: &Package, added: &[String]) -> Self {
        let mut this = Self { places: HashMap::new(), count: 0, added: Vec::new() };
        let table = package.names.iter().map(|entry: &NameEntry| entry.text.as_str());
        for text in table.chain(added.iter().map(String::as_str)) {
            this.push(text);
        }
        this
    }

    fn push(&mut self, text: &str) -> u32 {
        let place = self.count;
        self.count = self.count.saturating_add(1);
        self.places.entry(text.to_lowercase()).or_insert(place);
        place
    }

    fn of(&mut self, text: &str) -> Name {
        if let Some(index) = self.places.get(&text.to_lowercase()) {
            return Name { index: *index, number: 0 };
        }
        let (base, number) = split_number(text);
        let index = self.places.get(&base.to_lowercase()).copied().unwrap_or_else(|| {
            self.added.push(base.to_owned());
            self.push(base)
        });
        Name { index, number }
    }
}
