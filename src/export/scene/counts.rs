//! Counts of what a scene shows, and of what it does not.

use crate::scene::World;
use crate::wire::counted;
use serde::Serialize;
use std::collections::BTreeMap;

/// Reason for leaving out a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UnshownReason {
    /// Games never show it.
    Hidden,
    /// It has no mesh.
    NoMesh,
    /// It is a shape or a volume, or only a place for others.
    NotDrawn,
    /// It is an effect, a sound or the like, which the format has no form for.
    NoForm,
    /// It shows others from afar.
    LevelOfDetail,
    /// It is outside of the circle that was asked for.
    Outside,
    /// Its class was not asked for.
    OtherClass,
    /// Its level stands, or its template is used, so often that there is no memory for all.
    TooMany,
}

/// Counts of a scene: components that it shows, and those that it does not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SceneCounts {
    /// Levels that stand in it.
    pub levels: u64,
    /// Nodes of the file.
    pub nodes: u64,
    /// Meshes, each counted once.
    pub meshes: u64,
    /// Triangles of these, each mesh counted once.
    pub triangles: u64,
    /// Instances of meshes in components that have many.
    pub instances: u64,
    /// Components that are shown, by class.
    pub shown: BTreeMap<String, u64>,
    /// Components that are not, by reason and class.
    pub skipped: BTreeMap<UnshownReason, BTreeMap<String, u64>>,
    /// Components whose mesh is not there: they are empty nodes.
    pub missing: u64,
    /// Actors and components whose properties cannot be read, by class.
    pub unread: BTreeMap<String, u64>,
}

impl SceneCounts {
    /// Counts a component that is not shown.
    pub(super) fn skip(&mut self, reason: UnshownReason, class: &str) {
        *self.skipped.entry(reason).or_default().entry(name(class)).or_default() += 1;
    }

    /// Counts a component that is shown.
    pub(super) fn show(&mut self, class: &str) {
        *self.shown.entry(name(class)).or_default() += 1;
    }

    /// Notes for the user, about all that is missing.
    pub(super) fn note(&self, world: &World, notes: Vec<String>) -> Option<String> {
        let mut said = notes;
        if self.missing > 0 {
            let components = counted(self.missing, "component has a mesh", "components have meshes");
            said.push(format!("{components} that cannot be read or are not there, and are empty nodes"));
        }
        let unread: u64 = self.unread.values().sum();
        if unread > 0 {
            let objects = counted(unread, "actor or component", "actors and components");
            let classes: Vec<String> =
                self.unread.iter().map(|(class, count)| format!("{count} {class}")).collect();
            said.push(format!("the properties of {objects} cannot be read: {}", listed(&classes)));
        }
        let templates: std::collections::BTreeSet<&String> =
            world.levels.iter().flat_map(|level| &level.level.missing_templates).collect();
        if !templates.is_empty() {
            let packages = counted(templates.len() as u64, "package", "packages");
            let names: Vec<String> = templates.into_iter().cloned().collect();
            said.push(format!("{packages} with templates of components are not there, so that some may be in the wrong place: {}", listed(&names)));
        }
        if !world.missing.is_empty() {
            let levels = counted(world.missing.len() as u64, "level", "levels");
            let names: Vec<String> = world.missing.iter().cloned().collect();
            said.push(format!("{levels} that it loads are not there: {}", listed(&names)));
        }
        if world.is_cut {
            said.push("levels that load each other, or stand too often, are left out".to_owned());
        }
        (!said.is_empty()).then(|| said.join("; "))
    }
}

/// The first of some names.
fn listed(names: &[String]) -> String {
    /// Number of names that are listed.
    const LISTED: usize = 3;
    let shown = names.iter().take(LISTED).map(String::as_str);
    shown.chain((names.len() > LISTED).then_some("…")).collect::<Vec<_>>().join(", ")
}

/// The name of a class, of its path.
pub(super) fn name(class: &str) -> String {
    class.rsplit(['.', '/', ':']).next().unwrap_or(class).to_owned()
}
