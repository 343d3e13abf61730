//! Worlds: a level, and all levels that it loads.

use crate::asset::Transform;
use crate::error::Result;
use crate::job::{Context, Kind, Outcome};
use crate::level::{Streamed, StreamedKind};
use crate::package::ObjectPath;
use crate::store::packages::Packages;
use crate::values::levels::{Level, LevelReader};
use crate::values::{PackageInput, PackageInputs, PackageJob, ValueOptions};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// A level, and all that it loads: each level once, and the places where they stand.
#[derive(Debug, Default)]
pub struct World {
    /// Levels, the one that loads the others first.
    pub levels: Vec<WorldLevel>,
    /// Where they stand; each after the one that it stands in.
    pub standing: Vec<StandingLevel>,
    /// Packages of levels that are not there, or have no level.
    pub missing: BTreeSet<String>,
    /// True if levels that load each other were left out, because there were too many.
    pub is_cut: bool,
}

/// A level with its package.
#[derive(Debug)]
pub struct WorldLevel {
    /// The package.
    pub item: PackageInput,
    /// The level.
    pub level: Level,
}

/// A place of a level.
#[derive(Debug, Clone, PartialEq)]
pub struct StandingLevel {
    /// Index of the level.
    pub level: usize,
    /// Index of the place that it is in; `None` for the first.
    pub outer: Option<usize>,
    /// Its transform there.
    pub place: Transform,
    /// The reason why it is loaded; `None` for the first.
    pub kind: Option<StreamedKind>,
}

/// Bytes of memory for the place of a level. Levels that refer to levels twice double with each step: there are as many places
/// as references, or as many as there is memory for.
const STANDING: u64 = 4096;

/// Reads the level of the first of some packages, and all levels that it loads; `None` if it has none.
pub async fn world(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    context: &Context,
    options: ValueOptions,
) -> Result<Outcome<Option<World>>> {
    let job = Arc::new(PackageJob::new(packages, inputs, options));
    let mut outcome = Outcome::of(Kind::Package);
    if let Some(first) = job.inputs.items().first() {
        let found = read_world(&job, &Arc::default(), first, context, &mut outcome).await?;
        outcome.done = found;
    }
    Ok(outcome)
}

/// Reads the level of a package, and all levels that it loads; `None` if it has none.
pub(crate) async fn read_world<T>(
    job: &Arc<PackageJob>,
    reader: &Arc<LevelReader>,
    first: &PackageInput,
    context: &Context,
    outcome: &mut Outcome<T>,
) -> Result<Option<World>> {
    let mut world = World::default();
    // Levels by the names under which others refer to them.
    let mut known: HashMap<String, Option<usize>> = HashMap::new();
    let mut wave = vec![first.clone()];
    let mut asked = HashMap::from([(first.name.clone(), first.package_name().to_lowercase())]);
    while !wave.is_empty() && !outcome.cancelled {
        let mut found: Vec<(PackageInput, Level)> = Vec::new();
        let own = Arc::clone(reader);
        let work = move |job: &PackageJob, _: usize, item: &PackageInput| {
            let mut loaded = job.load(item)?;
            let unread = job.unread(&loaded);
            let level = own.read(job, &loaded, &|export, object| unread.see(export, object));
            job.note_unread(item, unread);
            Ok((level, loaded.take_mismatch()))
        };
        // These packages are not inputs, so they are not counted.
        let (count, raw_bytes) = (outcome.count, outcome.raw_bytes);
        job.each_of(&wave, context, outcome, work, |_, item, level| {
            found.extend(level.map(|level| (item.clone(), level)));
            Ok(())
        })
        .await?;
        (outcome.count, outcome.raw_bytes) = (count, raw_bytes);
        wave.clear();
        for (item, mut level) in found {
            for actor in item.external_actors() {
                let name = actor.package_name();
                level.streamed.push(Streamed::actor(&name));
                known.insert(name.to_lowercase(), None);
                asked.insert(actor.name.clone(), name.to_lowercase());
                wave.push(actor);
            }
            for path in level.streamed.iter().filter_map(|streamed| streamed.world.as_ref()) {
                let key = path.package().to_lowercase();
                if known.contains_key(&key) {
                    continue;
                }
                known.insert(key.clone(), None);
                if let Some(other) = job.library.input_anywhere(path.package(), first) {
                    asked.insert(other.name.clone(), key);
                    wave.push(other);
                }
            }
            let own = [asked.remove(&item.name), Some(level.package.to_lowercase())];
            known.extend(own.into_iter().flatten().map(|name| (name, Some(world.levels.len()))));
            world.levels.push(WorldLevel { item, level });
        }
    }
    world.stand(&known, context.budget().total() / STANDING);
    Ok((!world.levels.is_empty()).then_some(world))
}

impl World {
    /// Transforms of the places of levels in the world.
    #[must_use]
    pub fn places(&self) -> Vec<Transform> {
        let mut places: Vec<Transform> = Vec::with_capacity(self.standing.len());
        for of in &self.standing {
            let outer = of.outer.and_then(|outer| places.get(outer));
            places.push(outer.map_or(of.place, |outer| of.place.within(outer)));
        }
        places
    }

    /// Finds the places of all levels.
    fn stand(&mut self, known: &HashMap<String, Option<usize>>, most: u64) {
        if self.levels.is_empty() {
            return;
        }
        let of = |path: &ObjectPath| known.get(&path.package().to_lowercase()).copied().flatten();
        let whole = |level, outer, place, kind| StandingLevel { level, outer, place, kind };
        let references: usize = self.levels.iter().map(|level| level.level.streamed.len()).sum();
        let most = references.saturating_add(1).max(usize::try_from(most).unwrap_or(usize::MAX));
        self.standing.push(whole(0, None, Transform::IDENTITY, None));
        let mut at = 0;
        while let Some(this) = self.standing.get(at).cloned() {
            let streamed =
                self.levels.get(this.level).map(|level| &*level.level.streamed).unwrap_or_default();
            for streamed in streamed {
                let Some(path) = &streamed.world else { continue };
                let Some(level) = of(path) else {
                    self.missing.insert(path.package().to_owned());
                    continue;
                };
                if self.is_within(at, level) || self.standing.len() >= most {
                    self.is_cut = true;
                    continue;
                }
                // Cells are in the space of the world, whatever the object that loads them says.
                let place = streamed.place.filter(|_| streamed.kind != StreamedKind::Cell);
                let place = place.unwrap_or(Transform::IDENTITY);
                self.standing.push(whole(level, Some(at), place, Some(streamed.kind)));
            }
            at += 1;
        }
    }

    /// True if a level stands around a place, or there.
    fn is_within(&self, at: usize, level: usize) -> bool {
        /// The most levels in levels.
        const MAX_DEPTH: usize = 64;
        let mut next = Some(at);
        for _ in 0..MAX_DEPTH {
            let Some(this) = next.and_then(|at| self.standing.get(at)) else { return false };
            if this.level == level {
                return true;
            }
            next = this.outer;
        }
        true
    }
}
