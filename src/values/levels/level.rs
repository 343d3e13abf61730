use crate::asset::Transform;
use crate::level::{Actor, Component, Streamed};
use std::collections::{BTreeMap, BTreeSet};

/// A level: actors and components with all their values.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Level {
    /// The name of its package.
    pub package: String,
    /// Its actors, with the values of their templates.
    pub actors: Vec<Actor>,
    /// Their components, in the order of the file.
    pub components: Vec<LevelComponent>,
    /// Other levels that it loads.
    pub streamed: Vec<Streamed>,
    /// Entries of its list of actors, of which some are empty.
    pub entries: usize,
    /// Number of objects with properties that cannot be read, by class.
    pub unread: BTreeMap<String, u64>,
    /// Packages with templates that are not there, so that values of components may be missing.
    pub missing_templates: BTreeSet<String>,
}

/// A component with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelComponent {
    /// The component, with the values of its templates.
    pub component: Component,
    /// Its transform in the space of the component that it is attached to.
    pub relative: Transform,
    /// Its transform in the space of the level.
    pub place: Transform,
}

impl Level {
    /// The name of a component with that of its actor, such as `Door.Mesh`.
    #[must_use]
    pub fn name(&self, of: &Component) -> String {
        let actor = self.actors.get(of.actor).map(|actor| &*actor.name).unwrap_or_default();
        format!("{actor}.{}", of.name)
    }

    /// False if a component, or its actor, is never drawn.
    #[must_use]
    pub fn is_visible(&self, of: &Component) -> bool {
        let own = &of.values.visibility;
        let actor = self.actors.get(of.actor);
        let is_actor_hidden = actor.is_some_and(|actor| actor.values.visibility.is_hidden == Some(true));
        own.is_visible != Some(false) && own.is_hidden_in_game != Some(true) && !is_actor_hidden
    }
}
