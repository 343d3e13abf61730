//! Cycles of packages that wait for each other, up to 5.2.
//!
//! A bundle waits for all dependencies of its steps, then runs them together. If two packages wait for each
//! other, one bundle each would wait forever, and the game would never leave its loading screen:
//!
//! ```text
//! one bundle each     A: create, serialize      B: create, serialize      A waits for B to be created, B for A
//! what is written     A: create │ serialize     B: create, serialize      A's second bundle waits for B, B for A's first
//! ```
//!
//! So packages are visited in turn, imported ones before their importers. A visit runs all steps of a package
//! that are ready. Packages with steps left are visited again after the others had their turn. The steps of
//! one visit become a bundle. Since every step comes after its dependencies, so does every bundle.
//!
//! The engine's packager does the same over all packages of a container. Every cut in the builds of 5.0 to
//! 5.2
//! that could be compared (12 packages with two bundles each) separates two visits of this walk.

use super::error::ToZenError;
use super::order::Rank;
use super::parts::Parts;
use super::source::Source;
use crate::id::{ObjectRef, PackageId};
use crate::package::legacy::PackageRef;
use crate::package::zen::{Bundle, BundleEntry, Command, Graph, Header, Neighbours, PublicId};
use foldhash::{HashMap, HashSet};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// Loading of one package.
#[derive(Debug, Clone)]
pub struct Loading {
    package: PackageId,
    /// Units that run together: a step, or a bundle of a package that is already in a container.
    parts: Vec<Part>,
    /// Unit that creates or serializes each public export.
    public: HashMap<(PublicId, Command), usize>,
}

#[derive(Debug, Clone)]
struct Part {
    steps: Vec<BundleEntry>,
    waits: Vec<Wait>,
    rank: Rank,
}

/// A dependency.
#[derive(Debug, Clone, Copy)]
enum Wait {
    /// On a unit of the same package.
    Own(usize),
    /// On a step of another package.
    Other(PackageId, PublicId, Command),
}

/// Result of the search.
#[derive(Debug, Default)]
pub struct Circles {
    /// Bundles of each package.
    pub bundles: HashMap<PackageId, Vec<Vec<BundleEntry>>>,
    /// Packages with steps in a cycle, which no bundles can resolve.
    pub stuck: BTreeSet<PackageId>,
}

impl Loading {
    /// Describes a package that is to be converted.
    pub fn of_source<N: Neighbours>(source: &Source<'_>, neighbours: &N) -> Result<Self, ToZenError> {
        let Parts { header, imports, preload, .. } = Parts::new(source, neighbours)?;
        let places = places(&header.bundle_entries);
        let mut waits = vec![Vec::new(); header.bundle_entries.len()];
        for (export, lists) in (0..).zip(preload.iter()) {
            for step in [Command::Create, Command::Serialize] {
                let Some(waits) = places.get(&(export, step)).and_then(|at| waits.get_mut(*at)) else {
                    continue;
                };
                // Every export is created before it is serialized.
                let create = (step == Command::Serialize).then_some((Command::Create, export));
                waits.extend(
                    create
                        .and_then(|(command, export)| places.get(&(export, command)))
                        .map(|at| Wait::Own(*at)),
                );
                for (before, index) in lists.before(step) {
                    if let PackageRef::Export(other) = index.decode() {
                        waits.extend(places.get(&(other, before)).map(|at| Wait::Own(*at)));
                    } else if let Some((package, object)) = imports.object(index) {
                        waits.push(Wait::Other(package, object, before));
                    }
                }
            }
        }
        let parts = header.bundle_entries.iter().zip(waits).map(|(step, waits)| {
            let rank = Rank::of(*step, &header.exports, header.generation);
            Part { steps: vec![*step], waits, rank }
        });
        let parts = parts.collect();
        Ok(Self::new(PackageId::from_name(source.name), &header, parts))
    }

    /// Describes a package in a container, with its imported packages.
    #[must_use]
    pub fn of_header(header: &Header, imported: &[PackageId]) -> Self {
        let bundle = |(bundle, place): (&Bundle, u32)| {
            let steps = header.bundle_entries.iter().skip(bundle.first as usize).take(bundle.count as usize);
            // Its bundles are fixed, so they run as units and in their order.
            Part { steps: steps.copied().collect(), waits: Vec::new(), rank: Rank::in_order(place) }
        };
        let mut parts: Vec<Part> = header.bundles.iter().zip(0..).map(bundle).collect();
        let mut add = |to: i32, wait: Wait| {
            if let Some(part) = usize::try_from(to).ok().and_then(|to| parts.get_mut(to)) {
                part.waits.push(wait);
            }
        };
        match &header.graph {
            Graph::Arcs { internal, external } => {
                for arc in internal {
                    if let Ok(from) = usize::try_from(arc.from) {
                        add(arc.to, Wait::Own(from));
                    }
                }
                for (package, arcs) in imported.iter().zip(external) {
                    for arc in arcs {
                        let object = usize::try_from(arc.from_import).ok().and_then(|at| object(header, at));
                        if let Some(object) = object {
                            add(arc.to_bundle, Wait::Other(*package, object, arc.from_command));
                        }
                    }
                }
            }
            // These arcs name bundles of other packages in their present form, which may be replaced; only
            // the order of this package's own bundles is certain.
            Graph::Packages(_) => {
                let later = 1..i32::try_from(header.bundles.len()).unwrap_or(i32::MAX);
                later.zip(0..).for_each(|(to, from)| add(to, Wait::Own(from)));
            }
            Graph::Dependencies(_) => {}
        }
        Self::new(header.id(), header, parts)
    }

    fn new(package: PackageId, header: &Header, parts: Vec<Part>) -> Self {
        let steps =
            || parts.iter().zip(0..).flat_map(|(part, at)| part.steps.iter().map(move |step| (step, at)));
        let public = steps().filter_map(|(step, at)| {
            let public = header.exports.get(step.export as usize)?.public;
            (public != PublicId::Private).then_some(((public, step.command), at))
        });
        Self { package, public: public.collect(), parts }
    }

    /// Returns the package id.
    #[must_use]
    pub const fn package(&self) -> PackageId {
        self.package
    }

    /// Returns the packages that it waits for, each once.
    #[must_use]
    pub fn awaited(&self) -> Vec<PackageId> {
        let mut known = HashSet::default();
        let waits = self.parts.iter().flat_map(|part| &part.waits);
        let others = waits.filter_map(|wait| match wait {
            Wait::Other(package, ..) => Some(*package),
            Wait::Own(_) => None,
        });
        others.filter(|package| known.insert(*package)).collect()
    }
}

/// Finds the bundles of packages that wait for each other, in order of their visits.
///
/// Packages outside the set are loaded first, except for unknown ones: any of these may wait for a package of
/// the set, so everything waiting for them runs in later visits. One bundle too many is harmless; one too few
/// may stop the game.
#[must_use]
pub fn find(packages: &[Loading], is_known: impl Fn(PackageId) -> bool) -> Circles {
    let mut visits = Visits::new(packages, is_known);
    visits.run();
    visits.run_late();
    visits.finish()
}

/// Index of a unit among the units of all packages.
type Node = usize;

struct Visits<'a> {
    packages: &'a [Loading],
    parts: Vec<(usize, &'a Part)>,
    /// For each unit, the units that wait for it.
    next: Vec<Vec<Node>>,
    /// For each unit, its number of open dependencies.
    open: Vec<usize>,
    /// Units that wait for unknown packages.
    late: Vec<Node>,
    /// For each package, the units that are ready.
    ready: Vec<BinaryHeap<Reverse<(Rank, Node)>>>,
    /// Packages with ready units, by round of their visit.
    queue: BTreeSet<(usize, usize)>,
    /// Package of the last unit run.
    last: Option<usize>,
    bundles: HashMap<PackageId, Vec<Vec<BundleEntry>>>,
}

impl<'a> Visits<'a> {
    fn new(packages: &'a [Loading], is_known: impl Fn(PackageId) -> bool) -> Self {
        let mut first = Vec::with_capacity(packages.len());
        let mut parts = Vec::new();
        for (package, loading) in packages.iter().enumerate() {
            first.push(parts.len());
            parts.extend(loading.parts.iter().map(|part| (package, part)));
        }
        let places: HashMap<PackageId, usize> =
            packages.iter().zip(0..).map(|(loading, at)| (loading.package, at)).collect();
        let is_late = |wait: &Wait| match wait {
            Wait::Own(_) => false,
            Wait::Other(package, ..) => !places.contains_key(package) && !is_known(*package),
        };
        let node = |package: usize, wait| node(packages, &first, &places, package, wait);
        let (mut next, mut open) = (vec![Vec::new(); parts.len()], vec![0; parts.len()]);
        let mut late = Vec::new();
        for (after, ((package, part), open)) in parts.iter().zip(&mut open).enumerate() {
            // Counted as one more open dependency, which `run_late` removes.
            if part.waits.iter().any(is_late) {
                late.push(after);
                *open += 1;
            }
            for before in part.waits.iter().filter_map(|wait| node(*package, *wait)) {
                // A unit may depend on itself in a damaged package; it would never run.
                let Some(next) = next.get_mut(before).filter(|_| before != after) else { continue };
                next.push(after);
                *open += 1;
            }
        }
        let (ready, queue) = (vec![BinaryHeap::new(); packages.len()], BTreeSet::new());
        Self { packages, parts, next, open, late, ready, queue, last: None, bundles: HashMap::default() }
    }

    fn run(&mut self) {
        for node in 0..self.parts.len() {
            if self.open.get(node) == Some(&0) {
                self.is_ready(node, 0, None);
            }
        }
        self.visit();
    }

    /// Runs the units that wait for unknown packages.
    fn run_late(&mut self) {
        for node in std::mem::take(&mut self.late) {
            let Some(open) = self.open.get_mut(node) else { continue };
            *open -= 1;
            if *open == 0 {
                self.is_ready(node, 0, None);
            }
        }
        // The next visit starts a new bundle, even if it visits the same package.
        self.last = None;
        self.visit();
    }

    fn visit(&mut self) {
        while let Some((round, package)) = self.queue.pop_first() {
            // Units that become ready in the package being visited join the same visit.
            while let Some(Reverse((_, node))) = self.ready.get_mut(package).and_then(BinaryHeap::pop) {
                self.done(node);
                for next in self.next.get_mut(node).map(std::mem::take).unwrap_or_default() {
                    let Some(open) = self.open.get_mut(next) else { continue };
                    *open -= 1;
                    if *open == 0 {
                        self.is_ready(next, round, Some(package));
                    }
                }
            }
        }
    }

    /// Marks a unit as ready and queues its package, unless it is being visited. It is visited in this round
    /// if its turn comes after the current package, otherwise in the next.
    fn is_ready(&mut self, node: Node, round: usize, visited: Option<usize>) {
        let Some((package, part)) = self.parts.get(node) else { return };
        if let Some(ready) = self.ready.get_mut(*package) {
            ready.push(Reverse((part.rank, node)));
        }
        let had_its_turn = visited.is_some_and(|visited| *package < visited);
        if visited != Some(*package) && !self.queue.contains(&(round, *package)) {
            self.queue.insert((round + usize::from(had_its_turn), *package));
        }
    }

    fn done(&mut self, node: Node) {
        let Some((package, part)) = self.parts.get(node) else { return };
        let Some(loading) = self.packages.get(*package) else { return };
        let bundles = self.bundles.entry(loading.package).or_default();
        // Still the same visit: the unit joins its bundle.
        match bundles.last_mut().filter(|_| self.last == Some(*package)) {
            Some(bundle) => bundle.extend_from_slice(&part.steps),
            None => bundles.push(part.steps.clone()),
        }
        self.last = Some(*package);
    }

    /// Runs the remaining units, so that every step is in some bundle.
    fn finish(mut self) -> Circles {
        let left: Vec<Node> =
            self.open.iter().zip(0..).filter(|(open, _)| **open > 0).map(|(_, node)| node).collect();
        let stuck = self.stuck(&left);
        for node in left {
            self.done(node);
        }
        Circles { bundles: self.bundles, stuck }
    }

    /// Returns the packages of units that wait and are waited for, without those that merely wait for a
    /// cycle.
    fn stuck(&self, left: &[Node]) -> BTreeSet<PackageId> {
        let mut waiting: HashMap<Node, usize> = HashMap::default();
        let mut before: HashMap<Node, Vec<Node>> = HashMap::default();
        for node in left {
            let next = self.next.get(*node).into_iter().flatten();
            waiting.insert(*node, next.clone().count());
            next.for_each(|next| before.entry(*next).or_default().push(*node));
        }
        // Units that nothing else waits for are removed until only cycles and what leads to them remain.
        let mut ends: Vec<Node> = left.iter().copied().filter(|node| waiting.get(node) == Some(&0)).collect();
        while let Some(end) = ends.pop() {
            waiting.remove(&end);
            for node in before.remove(&end).unwrap_or_default() {
                if let Some(count) = waiting.get_mut(&node) {
                    *count -= 1;
                    if *count == 0 {
                        ends.push(node);
                    }
                }
            }
        }
        let package = |node: &Node| Some(self.packages.get(self.parts.get(*node)?.0)?.package);
        waiting.keys().filter_map(package).collect()
    }
}

/// Resolves a dependency to a unit; `None` if its package is not in the set.
fn node(
    packages: &[Loading],
    first: &[usize],
    places: &HashMap<PackageId, usize>,
    package: usize,
    wait: Wait,
) -> Option<Node> {
    let (package, part) = match wait {
        Wait::Own(part) => (package, part),
        Wait::Other(other, object, command) => {
            let at = *places.get(&other)?;
            (at, *packages.get(at)?.public.get(&(object, command))?)
        }
    };
    Some(first.get(package)? + part)
}

fn places(steps: &[BundleEntry]) -> HashMap<(u32, Command), usize> {
    steps.iter().zip(0..).map(|(step, at)| ((step.export, step.command), at)).collect()
}

/// Returns the object of another package that an import refers to.
fn object(header: &Header, import: usize) -> Option<PublicId> {
    match header.imports.get(import)?.decode() {
        ObjectRef::Package(import) => {
            let hash = header.imported_public_export_hashes.get(import.hash() as usize)?;
            Some(PublicId::Hash(*hash))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
