//! Dependencies of bundles, up to 5.2.
//!
//! ```text
//! 5.0–5.2   arcs between bundles of the package; arcs from imports, for each imported package
//! UE4       arcs from bundles of imported packages; the package's own bundles load in order anyway
//! ```

use super::imports::Imports;
use super::preload::Preload;
use crate::id::PackageId;
use crate::package::legacy::PackageRef;
use crate::package::zen::{BundleArc, Command, Graph, Header, ImportArc, Neighbours, PackageArcs, PublicId};
use foldhash::{HashMap, HashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(super) fn graph<N: Neighbours>(
    header: &Header,
    preload: &Preload<'_>,
    imports: &Imports,
    neighbours: &N,
) -> Graph {
    let bundles = Bundles::new(header);
    if header.generation.is_ue4() {
        Graph::Packages(of_packages(&bundles, preload, imports, neighbours))
    } else {
        Graph::Arcs { internal: internal(&bundles, preload), external: external(&bundles, preload, imports) }
    }
}

/// Bundle of each step.
struct Bundles(HashMap<(u32, Command), i32>);

impl Bundles {
    fn new(header: &Header) -> Self {
        Self(header.bundles_of_steps())
    }

    fn of(&self, export: u32, command: Command) -> i32 {
        self.0.get(&(export, command)).copied().unwrap_or_default()
    }
}

const STEPS: [Command; 2] = [Command::Create, Command::Serialize];

/// Builds the arcs between bundles: for each step, one from every other bundle that it depends on. If two
/// steps of a bundle depend on the same bundle, the arc is repeated.
fn internal(bundles: &Bundles, preload: &Preload<'_>) -> Vec<BundleArc> {
    let mut arcs = Vec::new();
    for (export, lists) in (0..).zip(preload.iter()) {
        for step in STEPS {
            let to = bundles.of(export, step);
            // Every export is created before it is serialized, perhaps in an earlier bundle.
            let own = (step == Command::Serialize).then(|| bundles.of(export, Command::Create));
            let others = lists.before(step).filter_map(|(before, index)| match index.decode() {
                PackageRef::Export(other) => Some(bundles.of(other, before)),
                _ => None,
            });
            let from: BTreeSet<i32> = own.into_iter().chain(others).filter(|from| *from != to).collect();
            arcs.extend(from.into_iter().map(|from| BundleArc { from, to }));
        }
    }
    // Sorted by waiting bundle; no known file has more than two bundles.
    arcs.sort_by_key(|arc| arc.to);
    arcs
}

/// Builds one list per imported package, empty ones included, sorted by bundle, import and command.
fn external(bundles: &Bundles, preload: &Preload<'_>, imports: &Imports) -> Vec<Vec<ImportArc>> {
    // Readers walk these lists in parallel with the imported packages, so none may be left out.
    let mut all = vec![BTreeSet::new(); imports.packages.len()];
    for (export, lists) in (0..).zip(preload.iter()) {
        for step in STEPS {
            for (before, index) in lists.before(step) {
                let Some((import, owner)) = imports.owner(index) else { continue };
                if let Some(arcs) = all.get_mut(owner) {
                    arcs.insert((bundles.of(export, step), import, before == Command::Serialize));
                }
            }
        }
    }
    let arc = |(to_bundle, import, serialize): (i32, u32, bool)| ImportArc {
        from_import: i32::try_from(import).unwrap_or(i32::MAX),
        from_command: if serialize { Command::Serialize } else { Command::Create },
        to_bundle,
    };
    all.into_iter().map(|arcs| arcs.into_iter().map(arc).collect()).collect()
}

/// Builds the arcs from imported packages, by ascending id; packages without arcs are left out.
fn of_packages<N: Neighbours>(
    bundles: &Bundles,
    preload: &Preload<'_>,
    imports: &Imports,
    neighbours: &N,
) -> Vec<PackageArcs> {
    let mut known = HashSet::default();
    let mut all: BTreeMap<PackageId, Vec<BundleArc>> = BTreeMap::new();
    // Other packages are indexed once, not once per dependency.
    let mut others: HashMap<usize, Option<Other>> = HashMap::default();
    for (export, lists) in (0..).zip(preload.iter()) {
        for step in STEPS {
            for (before, index) in lists.before(step) {
                let Some((import, owner)) = imports.owner(index) else { continue };
                let Some((id, _)) = imports.packages.get(owner) else { continue };
                let other = others.entry(owner).or_insert_with(|| {
                    neighbours.package(*id).map(|header| Other(header.clone(), Bundles::new(&header)))
                });
                let from = other.as_ref().and_then(|other| other.bundle_of(imports, import, before));
                // The engine's packager writes 0 for a package it does not know.
                let arc = BundleArc { from: from.unwrap_or(0), to: bundles.of(export, step) };
                if known.insert((*id, arc.from, arc.to)) {
                    all.entry(*id).or_default().push(arc);
                }
            }
        }
    }
    all.into_iter().map(|(package, arcs)| PackageArcs { package, arcs }).collect()
}

/// Another package and its bundles.
struct Other(Arc<Header>, Bundles);

impl Other {
    /// Returns the bundle that contains a step of an import.
    fn bundle_of(&self, imports: &Imports, import: u32, command: Command) -> Option<i32> {
        let index = *imports.map.get(import as usize)?;
        let export = self.0.find_public(PublicId::GlobalImport(index))?;
        Some(self.1.of(u32::try_from(export).ok()?, command))
    }
}
