//! Components of a world as rows of a table.

use super::world::World;
use crate::asset::Transform;
use crate::level::Link;
use serde::Serialize;

/// A component, at one of the places where its level stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneRow {
    /// Package of its level.
    pub level: String,
    /// Name of its actor.
    pub actor: String,
    /// The actor's name in the editor, if the package has it.
    pub label: Option<String>,
    /// Full path of the actor's class.
    pub actor_class: String,
    /// Its name.
    pub component: String,
    /// Full path of its class.
    pub class: String,
    /// Name of the component that it is attached to.
    pub parent: Option<String>,
    /// Path of its mesh.
    pub mesh: Option<String>,
    /// Number of instances of the mesh; `None` for a component of a single one.
    pub instances: Option<usize>,
    /// False if games never show it.
    pub visible: bool,
    /// Location in the world, in centimetres.
    pub x: f64,
    /// Location along Y.
    pub y: f64,
    /// Location along Z.
    pub z: f64,
    /// Rotation in the world, as a quaternion.
    pub qx: f64,
    /// Second part of the rotation.
    pub qy: f64,
    /// Third part of the rotation.
    pub qz: f64,
    /// Last part of the rotation.
    pub qw: f64,
    /// Scale in the world.
    pub sx: f64,
    /// Scale along Y.
    pub sy: f64,
    /// Scale along Z.
    pub sz: f64,
}

impl World {
    /// All components, level by level.
    pub fn rows(&self) -> impl Iterator<Item = SceneRow> {
        let places = self.places();
        self.standing.iter().zip(places).flat_map(move |(standing, outer)| {
            let level = self.levels.get(standing.level).map(|level| &level.level);
            level.into_iter().flat_map(move |level| {
                level.components.iter().map(move |of| {
                    let actor = level.actors.get(of.component.actor);
                    let parent = of.component.parent.and_then(|parent| level.components.get(parent));
                    let Transform { rotation: [qx, qy, qz, qw], translation: [x, y, z], scale: [sx, sy, sz] } =
                        of.place.within(&outer);
                    let mesh = match &of.component.values.mesh.mesh {
                        Some(Link(path)) => path.as_ref().map(ToString::to_string),
                        None => None,
                    };
                    SceneRow {
                        level: level.package.clone(),
                        actor: actor.map(|actor| actor.name.clone()).unwrap_or_default(),
                        label: actor.and_then(|actor| actor.label.clone()),
                        actor_class: actor.map(|actor| actor.class.clone()).unwrap_or_default(),
                        component: of.component.name.clone(),
                        class: of.component.class.clone(),
                        parent: parent.map(|parent| parent.component.name.clone()),
                        mesh,
                        instances: of.component.values.instances.as_ref().map(|found| found.matrices.len()),
                        visible: level.is_visible(&of.component),
                        x,
                        y,
                        z,
                        qx,
                        qy,
                        qz,
                        qw,
                        sx,
                        sy,
                        sz,
                    }
                })
            })
        })
    }
}
