//! Dependencies of packages up to 5.2, which record only the order of bundles.
//!
//! ```text
//! steps of one bundle     one after the other
//! arcs between bundles    last step of the one, then first step of the other (UE4: each bundle after the one before it)
//! arcs from imports       the import has been created or serialized, then first step of the bundle
//! arcs from packages      UE4: last step of a bundle of the other package, if this one imports that export
//! ```
//!
//! The cooker's own lists are lost; these make a loader process the exports in the same order.

use super::import_table::Imports;
use super::job::ConvertJob;
use super::preload_lists::Groups;
use crate::package::legacy::PackageIndex;
use crate::package::zen::{Bundle, BundleEntry, Command, Graph, Header, Neighbours, PackageArcs, PublicId};
use std::collections::HashSet;

/// Builds the lists of all exports.
pub(super) fn groups<N: Neighbours>(job: &ConvertJob<'_, N>) -> Vec<Groups> {
    let header = job.header;
    let mut builder = Builder {
        groups: vec![Groups { is_unlisted: true, ..Groups::default() }; header.exports.len()],
        known: HashSet::new(),
        header,
    };
    // Bundles run their steps in order, so each step depends on the one before it.
    for bundle in &header.bundles {
        let steps = steps(header, bundle);
        for (before, after) in steps.iter().zip(steps.iter().skip(1)) {
            builder.add(export(*before), before.command, *after);
        }
    }
    match &header.graph {
        Graph::Packages(packages) => {
            // UE4 records no arcs between its own bundles: they load in order.
            builder.chain_bundles();
            for arcs in packages {
                builder.add_package(arcs, job.world.neighbours, &job.imports);
            }
        }
        Graph::Arcs { internal, external } => {
            for arc in internal {
                builder.between(arc.from, arc.to);
            }
            for arc in external.iter().flatten() {
                let import = u32::try_from(arc.from_import).ok().and_then(PackageIndex::import);
                if let (Some(import), Some(first)) = (import, builder.first(arc.to_bundle)) {
                    builder.add(import, arc.from_command, first);
                }
            }
        }
        Graph::Dependencies(_) => {}
    }
    builder.groups
}

struct Builder<'a> {
    groups: Vec<Groups>,
    /// Dependencies added so far.
    known: HashSet<(PackageIndex, Command, u32, Command)>,
    header: &'a Header,
}

impl Builder<'_> {
    /// Records that `before` must have completed `command` when `after` runs.
    fn add(&mut self, before: PackageIndex, command: Command, after: BundleEntry) {
        // Every loader creates an export before it serializes it, so that pair needs no entry.
        if before == export(after) || !self.known.insert((before, command, after.export, after.command)) {
            return;
        }
        let Some(groups) = self.groups.get_mut(after.export as usize) else { return };
        let list = match (command, after.command) {
            (Command::Serialize, Command::Serialize) => &mut groups.serialize_before_serialize,
            (Command::Create, Command::Serialize) => &mut groups.create_before_serialize,
            (Command::Serialize, Command::Create) => &mut groups.serialize_before_create,
            (Command::Create, Command::Create) => &mut groups.create_before_create,
        };
        list.push(before);
    }

    fn between(&mut self, from: i32, to: i32) {
        if let (Some(last), Some(first)) = (self.last(from), self.first(to)) {
            self.add(export(last), last.command, first);
        }
    }

    fn chain_bundles(&mut self) {
        let count = i32::try_from(self.header.bundles.len()).unwrap_or(i32::MAX);
        for to in 1..count {
            self.between(to - 1, to);
        }
    }

    fn add_package<N: Neighbours>(&mut self, arcs: &PackageArcs, neighbours: &N, imports: &Imports) {
        let Some(other) = neighbours.package(arcs.package) else { return };
        for arc in &arcs.arcs {
            let bundle = match usize::try_from(arc.from) {
                // A negative bundle means the last one: the package lies in another container and its bundles
                // were not known.
                Ok(from) => other.bundles.get(from),
                Err(_) => other.bundles.last(),
            };
            let Some(last) = bundle.and_then(|bundle| steps(&other, bundle).last().copied()) else {
                continue;
            };
            let public = other.exports.get(last.export as usize).map(|export| export.public);
            // Only public exports can be imported.
            let Some(PublicId::GlobalImport(index)) = public else { continue };
            // Without an import of that export, the arc cannot be expressed and is dropped.
            let import = imports.index_of(index);
            if let Some(first) = self.first(arc.to).filter(|_| import.0 < 0) {
                self.add(import, last.command, first);
            }
        }
    }

    fn first(&self, bundle: i32) -> Option<BundleEntry> {
        steps(self.header, self.header.bundles.get(usize::try_from(bundle).ok()?)?).first().copied()
    }

    fn last(&self, bundle: i32) -> Option<BundleEntry> {
        steps(self.header, self.header.bundles.get(usize::try_from(bundle).ok()?)?).last().copied()
    }
}

fn steps<'a>(header: &'a Header, bundle: &Bundle) -> &'a [BundleEntry] {
    // Counts come from the header unchecked against each other, so the range is clipped.
    let rest = header.bundle_entries.get(bundle.first as usize..).unwrap_or_default();
    rest.get(..(bundle.count as usize).min(rest.len())).unwrap_or_default()
}

fn export(step: BundleEntry) -> PackageIndex {
    PackageIndex::export(step.export).unwrap_or_default()
}
