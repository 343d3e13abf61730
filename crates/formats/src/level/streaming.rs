//! Other levels that a level loads.
//!
//! | object | level | place |
//! |---|---|---|
//! | `LevelStreaming` | `WorldAsset` | `LevelTransform` |
//! | cell of a World Partition | as above, in the folder `_Generated_` of the map | that of the world |
//! | actor `LevelInstance` | `CookedWorldAsset` | its root component |
//! | actor in `__ExternalActors__` | a package below the path of the map; in the editor only | that of the level |

use super::fields::{Fields, Parts};
use super::link::Link;
use crate::asset::Transform;
use crate::package::ObjectPath;
use crate::property::{Object, Scope};

/// Reason for loading another level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StreamedKind {
    /// It belongs to this level, and is always loaded.
    Always,
    /// The game loads it when it wants.
    OnDemand,
    /// It is a part of a partitioned world.
    Cell,
    /// An actor stands for it.
    Instance,
    /// It is an actor of this level, which the editor stores in a package of its own.
    Actor,
}

/// A level that another one loads.
#[derive(Debug, Clone, PartialEq)]
pub struct Streamed {
    /// The reason.
    pub kind: StreamedKind,
    /// The class of the object that loads it.
    pub class: String,
    /// The package and the world in it; of a cell only the package is meant.
    pub world: Option<ObjectPath>,
    /// Its place in this level; `None` if it has none of its own.
    pub place: Option<Transform>,
    /// The actor that stands for it, whose root is its place.
    pub actor: Option<usize>,
}

impl Streamed {
    /// An actor of the level in a package of its own.
    #[must_use]
    pub fn actor(package: &str) -> Self {
        let world = Some(ObjectPath::from_text(package));
        Self { kind: StreamedKind::Actor, class: "Actor".to_owned(), world, place: None, actor: None }
    }

    /// The level that an object loads, by the classes of the object; `None` if it is another object.
    pub(super) fn read(scope: &Scope<'_>, classes: &[impl AsRef<str>], object: &Object) -> Option<Self> {
        let is = |name: &str| classes.iter().any(|class| class.as_ref().eq_ignore_ascii_case(name));
        let fields = Fields::Stored { scope, object };
        let class = classes.first()?.as_ref().to_owned();
        let world =
            |names: [&str; 2]| names.iter().find_map(|name| fields.link(name)).and_then(|Link(path)| path);
        if is("LevelInstance") {
            let world = world(["CookedWorldAsset", "WorldAsset"]);
            return Some(Self { kind: StreamedKind::Instance, class, world, place: None, actor: None });
        }
        if !is("LevelStreaming") {
            return None;
        }
        let kind = if is("WorldPartitionLevelStreamingDynamic") {
            StreamedKind::Cell
        } else if is("LevelStreamingAlwaysLoaded") || is("LevelStreamingPersistent") {
            StreamedKind::Always
        } else {
            StreamedKind::OnDemand
        };
        let place = fields.parts("LevelTransform").map(transform);
        Some(Self { kind, class, world: world(["WorldAsset", "WorldAsset"]), place, actor: None })
    }
}

fn transform(of: Parts<'_>) -> Transform {
    let rotation = of.parts("Rotation").map(|found| found.numbers(["X", "Y", "Z", "W"]));
    Transform {
        rotation: rotation.unwrap_or(Transform::IDENTITY.rotation),
        translation: of.parts("Translation").map(|found| found.vector()).unwrap_or_default(),
        scale: of.parts("Scale3D").map_or(Transform::IDENTITY.scale, |found| found.vector()),
    }
}
