//! Packages that wait for each other in a circle, up to 5.2.
//!
//! A bundle waits for everything that its steps wait for, and then all of them run. If a package waits for another one, and that
//! one for the first, one bundle each would wait for ever, and the game would never leave its loading screen:
//!
//! ```text
//! one bundle each     A: create, serialize      B: create, serialize      A waits for B to be created, B for A
//! what is written     A: create │ serialize     B: create │ serialize     each second bundle waits for the other's first
//! ```
//!
//! So the packages of a circle are gone through one after the other. A step that waits for one of a package whose turn has not
//! come has that step run first. What runs of one package in one go becomes a bundle. As every step comes after those that it
//! waits for, so does every bundle.
//!
//! The engine's packager does the same over all packages of a container; where exactly it starts a bundle is not known. This
//! finds 6 of 6 packages of 5.0 to 5.2 that have two bundles, and cuts none of 155 others that have one.

use super::error::ToZenError;
use super::parts::Parts;
use super::source::Source;
use crate::id::{ObjectRef, PackageId};
use crate::package::legacy::PackageRef;
use crate::package::zen::{BundleEntry, Command, Graph, Header, Neighbours, PublicId};
use foldhash::{HashMap, HashSet};
use std::collections::BTreeSet;

/// What the loading of a package consists of.
#[derive(Debug, Clone)]
pub struct Loading {
    package: PackageId,
    /// What is run in one go: a step, or a bundle of a package that is in a container already.
    parts: Vec<Part>,
    /// In which part a public export is created and serialized.
    public: HashMap<(PublicId, Command), usize>,
}

#[derive(Debug, Clone)]
struct Part {
    steps: Vec<BundleEntry>,
    waits: Vec<Wait>,
}

/// What has to come first.
#[derive(Debug, Clone, Copy)]
enum Wait {
    /// A part of the same package.
    Own(usize),
    /// A step of another package.
    Other(PackageId, PublicId, Command),
}

/// What was found.
#[derive(Debug, Default)]
pub struct Circles {
    /// The bundles of each package.
    pub bundles: HashMap<PackageId, Vec<Vec<BundleEntry>>>,
    /// Packages with steps that wait for each other, so that no bundles help.
    pub stuck: BTreeSet<PackageId>,
}

impl Loading {
    /// Of a package that is to be converted.
    pub fn of_source<N: Neighbours>(source: &Source<'_>, neighbours: &N) -> Result<Self, ToZenError> {
        let Parts { header, imports, preload, .. } = Parts::new(source, neighbours)?;
        let places = places(&header.bundle_entries);
        let mut waits = vec![Vec::new(); header.bundle_entries.len()];
        for (export, lists) in (0..).zip(preload.iter()) {
            for step in [Command::Create, Command::Serialize] {
                let Some(waits) = places.get(&(export, step)).and_then(|at| waits.get_mut(*at)) else {
                    continue;
                };
                // An export is created before it is serialized.
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
        let steps = header.bundle_entries.iter().map(|step| vec![*step]);
        let parts = steps.zip(waits).map(|(steps, waits)| Part { steps, waits }).collect();
        Ok(Self::new(PackageId::from_name(source.name), &header, parts))
    }

    /// Of a package that is in a container, which imports these packages.
    #[must_use]
    pub fn of_header(header: &Header, imported: &[PackageId]) -> Self {
        let bundle = |bundle: &crate::package::zen::Bundle| {
            let steps = header.bundle_entries.iter().skip(bundle.first as usize).take(bundle.count as usize);
            Part { steps: steps.copied().collect(), waits: Vec::new() }
        };
        let mut parts: Vec<Part> = header.bundles.iter().map(bundle).collect();
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
            // They name bundles of the other package as it was, which may be replaced; that one comes after the one before it is
            // all that is certain.
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

    /// The package.
    #[must_use]
    pub const fn package(&self) -> PackageId {
        self.package
    }

    /// The packages that it waits for, each once.
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

/// Finds the bundles of packages that wait for each other. They come in the order of their turns: those that are waited for before
/// those that wait, as far as there is such an order.
#[must_use]
pub fn find(packages: &[Loading]) -> Circles {
    let mut walk = Walk::new(packages);
    for (package, loading) in packages.iter().enumerate() {
        (0..loading.parts.len()).for_each(|part| walk.run((package, part)));
    }
    walk.circles
}

/// A part, by the place of its package and its own.
type Node = (usize, usize);

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Waiting,
    /// What it waits for is being run; so many others were begun before it, and have not ended.
    Begun {
        depth: usize,
    },
    Done,
}

/// A part that has begun.
struct Open {
    node: Node,
    /// The place of its next wait.
    next: usize,
    /// The depth of the first part that it waits for, by itself or by those after it, although that one waits for it.
    reaches: usize,
}

struct Walk<'a> {
    packages: &'a [Loading],
    places: HashMap<PackageId, usize>,
    states: Vec<Vec<State>>,
    /// The package of the last part that was run.
    last: Option<PackageId>,
    circles: Circles,
}

impl<'a> Walk<'a> {
    fn new(packages: &'a [Loading]) -> Self {
        Self {
            packages,
            places: packages.iter().zip(0..).map(|(loading, at)| (loading.package, at)).collect(),
            states: packages.iter().map(|loading| vec![State::Waiting; loading.parts.len()]).collect(),
            last: None,
            circles: Circles::default(),
        }
    }

    /// Runs a part, after everything that it waits for. No recursion: chains may be long.
    fn run(&mut self, node: Node) {
        let begin = |node| Open { node, next: 0, reaches: usize::MAX };
        let mut open = vec![begin(node)];
        while let Some(depth) = open.len().checked_sub(1)
            && let Some(top) = open.last_mut()
        {
            let node = top.node;
            match self.state(node) {
                Some(State::Waiting) => self.set(node, State::Begun { depth }),
                Some(State::Begun { .. }) => {}
                _ => {
                    open.pop();
                    continue;
                }
            }
            let wait = self.part(node).and_then(|part| part.waits.get(top.next)).copied();
            top.next += 1;
            let Some(wait) = wait else {
                let reaches = top.reaches;
                open.pop();
                self.finish(node);
                if reaches <= depth {
                    self.circles.stuck.extend(self.packages.get(node.0).map(Loading::package));
                }
                if let Some(below) = open.last_mut().filter(|_| reaches < depth) {
                    below.reaches = below.reaches.min(reaches);
                }
                continue;
            };
            let Some(before) = self.node(node, wait) else { continue };
            match self.state(before) {
                Some(State::Waiting) => open.push(begin(before)),
                Some(State::Begun { depth }) => top.reaches = top.reaches.min(depth),
                _ => {}
            }
        }
    }

    fn finish(&mut self, node: Node) {
        self.set(node, State::Done);
        let Some((loading, part)) = self.packages.get(node.0).zip(self.part(node)) else { return };
        let bundles = self.circles.bundles.entry(loading.package).or_default();
        match bundles.last_mut().filter(|_| self.last == Some(loading.package)) {
            Some(bundle) => bundle.extend_from_slice(&part.steps),
            None => bundles.push(part.steps.clone()),
        }
        self.last = Some(loading.package);
    }

    /// The part that a wait is about; `None` if it is of no package that takes part.
    fn node(&self, (package, _): Node, wait: Wait) -> Option<Node> {
        match wait {
            Wait::Own(part) => Some((package, part)),
            Wait::Other(other, object, command) => {
                let at = *self.places.get(&other)?;
                Some((at, *self.packages.get(at)?.public.get(&(object, command))?))
            }
        }
    }

    fn part(&self, (package, part): Node) -> Option<&'a Part> {
        self.packages.get(package)?.parts.get(part)
    }

    fn state(&self, (package, part): Node) -> Option<State> {
        self.states.get(package)?.get(part).copied()
    }

    fn set(&mut self, (package, part): Node, state: State) {
        if let Some(place) = self.states.get_mut(package).and_then(|parts| parts.get_mut(part)) {
            *place = state;
        }
    }
}

fn places(steps: &[BundleEntry]) -> HashMap<(u32, Command), usize> {
    steps.iter().zip(0..).map(|(step, at)| ((step.export, step.command), at)).collect()
}

/// The object of another package that an import is.
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
