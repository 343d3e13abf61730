//! Actors and components of a package.

use super::kind::ComponentKind;
use super::streaming::Streamed;
use super::values::Values;
use crate::package::ObjectPath;
use crate::package::legacy::{Export, PackageIndex, PackageRef};
use crate::property::{Object, Scope, Value};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// An actor of a level.
#[derive(Debug, Clone, PartialEq)]
pub struct Actor {
    /// Index of its export.
    pub export: u32,
    /// Its name.
    pub name: String,
    /// Its name in the editor, if the package has it.
    pub label: Option<String>,
    /// Full path of its class.
    pub class: String,
    /// Its root component.
    pub root: Option<usize>,
    /// Its own values.
    pub values: Values,
    /// Its template.
    pub template: Option<ObjectPath>,
    /// True if it shows others from afar, which are in the level as well.
    pub is_lod: bool,
}

/// A component of an actor.
#[derive(Debug, Clone, PartialEq)]
pub struct Component {
    /// Index of its export.
    pub export: u32,
    /// Its name.
    pub name: String,
    /// Full path of its class.
    pub class: String,
    /// Its kind.
    pub kind: ComponentKind,
    /// The actor around it.
    pub actor: usize,
    /// The component that it is attached to.
    pub parent: Option<usize>,
    /// Its own values, without those of its template.
    pub values: Values,
    /// Its template.
    pub template: Option<ObjectPath>,
}

/// Actors and components in a package.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LevelContents {
    /// Entries of the level's list of actors, of which some are empty.
    pub entries: usize,
    /// Actors, in the order of the list.
    pub actors: Vec<Actor>,
    /// Components, in the order of the file.
    pub components: Vec<Component>,
    /// Other levels that it loads.
    pub streamed: Vec<Streamed>,
    /// Actors and components with properties that cannot be read, by class.
    pub unread: BTreeMap<String, u64>,
}

/// Classes of actors that stand for others from afar.
const LOD_ACTORS: [&str; 2] = ["WorldPartitionHLOD", "LODActor"];

impl LevelContents {
    /// Reads the level of a package, or an actor that the editor stores in a package of its own; `None` if it has neither.
    /// `note` gets each actor and component that was read.
    #[must_use]
    pub fn read(scope: &Scope<'_>, note: &dyn Fn(&Export, &Object)) -> Option<Self> {
        let level = (0..)
            .zip(&scope.package.exports)
            .find(|(_, export)| !export.is_default_object() && is_a(&scope.classes(export.class), "Level"));
        let mut this = Self::default();
        let listed = match level {
            Some((at, level)) => {
                this.actors_of(scope, (PackageIndex::export(at)?, Object::read(scope, level)))
            }
            None => this.external_actors(scope),
        };
        if level.is_none() && listed.is_empty() {
            return None;
        }
        let mut actors = HashMap::new();
        for at in listed {
            actors.insert(at, this.actors.len());
            this.add_actor(scope, at, note);
        }
        this.add_components(scope, &actors, note);
        this.add_streaming(scope);
        Some(this)
    }

    /// Indices of the exports of a level's actors.
    fn actors_of(&mut self, scope: &Scope<'_>, (index, level): (PackageIndex, Object)) -> Vec<u32> {
        let listed = level.tail.get("Actors").and_then(Value::items);
        if let Some(listed) = listed {
            self.entries = listed.len();
            let mut seen = vec![false; scope.package.exports.len()];
            // A damaged list may name an actor twice.
            let mut is_new =
                |at: &u32| seen.get_mut(*at as usize).is_some_and(|seen| !std::mem::replace(seen, true));
            return listed.iter().filter_map(export_of).filter(|at| is_new(at)).collect();
        }
        // Without the list, actors are those in the level.
        let inside = (0..).zip(&scope.package.exports).filter(|(_, export)| export.outer == index);
        let actors: Vec<u32> = inside
            .filter(|(_, export)| is_a(&scope.classes(export.class), "Actor"))
            .map(|(at, _)| at)
            .collect();
        self.entries = actors.len();
        actors
    }

    /// Indices of the exports of actors whose level is in another package.
    fn external_actors(&mut self, scope: &Scope<'_>) -> Vec<u32> {
        let actors = (0..).zip(&scope.package.exports).filter(|(_, export)| {
            matches!(export.outer.decode(), PackageRef::Import(_))
                && !export.is_default_object()
                && is_a(&scope.classes(export.class), "Actor")
        });
        let actors: Vec<u32> = actors.map(|(at, _)| at).collect();
        self.entries = actors.len();
        actors
    }

    fn add_actor(&mut self, scope: &Scope<'_>, at: u32, note: &dyn Fn(&Export, &Object)) {
        let Some(export) = scope.package.exports.get(at as usize) else { return };
        let (object, classes) = (Object::read(scope, export), scope.classes(export.class));
        self.see(scope, export, &object);
        note(export, &object);
        let label = match object.tail.get("ActorLabel") {
            Some(Value::Str(label)) => Some(label.to_string()).filter(|label| !label.is_empty()),
            _ => None,
        };
        if let Some(streamed) = Streamed::read(scope, &classes, &object) {
            self.streamed.push(Streamed { actor: Some(self.actors.len()), ..streamed });
        }
        self.actors.push(Actor {
            export: at,
            name: scope.package.text(export.name).to_string(),
            label,
            class: scope.package.class_path(export),
            // The export, until components have their places.
            root: object.get(scope, "RootComponent").and_then(export_at).map(|at| at as usize),
            values: Values::read(scope, &object),
            template: template_of(scope, export),
            is_lod: LOD_ACTORS.iter().any(|class| is_a(&classes, class)),
        });
    }

    fn add_components(
        &mut self,
        scope: &Scope<'_>,
        actors: &HashMap<u32, usize>,
        note: &dyn Fn(&Export, &Object),
    ) {
        let (mut places, mut parents) = (HashMap::new(), Vec::new());
        for (at, export) in (0..).zip(&scope.package.exports) {
            let Some(actor) = export_at(export.outer).and_then(|outer| actors.get(&outer)) else { continue };
            let Some(kind) = ComponentKind::of_classes(&scope.classes(export.class)) else { continue };
            let object = Object::read(scope, export);
            self.see(scope, export, &object);
            note(export, &object);
            places.insert(at as usize, self.components.len());
            parents.push(object.get(scope, "AttachParent").and_then(export_at));
            self.components.push(Component {
                export: at,
                name: scope.package.text(export.name).to_string(),
                class: scope.package.class_path(export),
                kind,
                actor: *actor,
                parent: None,
                values: Values::read(scope, &object),
                template: template_of(scope, export),
            });
        }
        for (component, parent) in self.components.iter_mut().zip(parents) {
            component.parent = parent.and_then(|at| places.get(&(at as usize)).copied());
        }
        for actor in &mut self.actors {
            actor.root = actor.root.and_then(|at| places.get(&at).copied());
        }
    }

    fn add_streaming(&mut self, scope: &Scope<'_>) {
        for export in scope.package.exports.iter().filter(|export| !export.is_default_object()) {
            let classes = scope.classes(export.class);
            if is_a(&classes, "LevelStreaming") {
                self.streamed.extend(Streamed::read(scope, &classes, &Object::read(scope, export)));
            }
        }
    }

    /// Notes an object whose properties cannot be read.
    fn see(&mut self, scope: &Scope<'_>, export: &Export, object: &Object) {
        if !object.has_all_properties() {
            let class = scope.class_name(export).unwrap_or_default();
            *self.unread.entry(class.to_string()).or_default() += 1;
        }
    }
}

/// Values of an object that others take as their template.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    /// Its own values.
    pub values: Values,
    /// Its template.
    pub template: Option<ObjectPath>,
}

impl Template {
    /// Reads all templates of components and actors in a package, by their names from the outermost object inwards, in
    /// lower case and joined by slashes.
    #[must_use]
    pub fn read_all(scope: &Scope<'_>) -> HashMap<String, Self> {
        let mut found = HashMap::new();
        for (at, export) in (0..).zip(&scope.package.exports) {
            let classes = scope.classes(export.class);
            if !is_a(&classes, "SceneComponent") && !is_a(&classes, "Actor") {
                continue;
            }
            let path = PackageIndex::export(at).and_then(|index| scope.package.path(index, scope.name()));
            let Some(path) = path else { continue };
            let values = Values::read(scope, &Object::read(scope, export));
            found.insert(Self::key(&path), Self { values, template: template_of(scope, export) });
        }
        found
    }

    /// The key of an object in the result of [`read_all`](Self::read_all).
    #[must_use]
    pub fn key(path: &ObjectPath) -> String {
        path.names().join("/").to_lowercase()
    }
}

/// The object whose values an export takes where it has none of its own.
fn template_of(scope: &Scope<'_>, export: &Export) -> Option<ObjectPath> {
    scope.package.path(export.template?, scope.name())
}

fn is_a(classes: &[Arc<str>], name: &str) -> bool {
    classes.iter().any(|class| class.eq_ignore_ascii_case(name))
}

fn export_at(index: PackageIndex) -> Option<u32> {
    match index.decode() {
        PackageRef::Export(at) => Some(at),
        _ => None,
    }
}

fn export_of(value: &Value) -> Option<u32> {
    match value {
        Value::Object(index) => export_at(*index),
        _ => None,
    }
}
