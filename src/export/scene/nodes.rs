//! Nodes of a scene.

use super::counts::{SceneCounts, name};
use super::file::{Growing, broken};
use super::lights::{camera, light};
use super::shown::{Shown, is_within, mesh_of};
use crate::asset::Transform;
use crate::asset::gltf::SceneNode;
use crate::error::Result;
use crate::export::options::{InstanceForm, SceneOptions};
use crate::level::{ComponentKind, Link};
use crate::scene::{Level, LevelComponent, World};
use serde_json::{Map, Value, json};

/// Adds nodes for all components that are shown, and for those that they are attached to.
pub(super) fn add_all(
    world: &World,
    shown: &Shown,
    options: &SceneOptions,
    growing: &mut Growing,
) -> Result<SceneCounts> {
    let (mut counts, options) = (shown.counts.clone(), &options.at_origin());
    let mut level_nodes: Vec<Option<usize>> = vec![None; world.standing.len()];
    for (at, standing) in world.standing.iter().enumerate() {
        let Some(of) = world.levels.get(standing.level) else { continue };
        let place = shown.places.get(at).copied().unwrap_or(Transform::IDENTITY);
        // The first level is the scene itself.
        if let Some(outer) = standing.outer {
            let node = SceneNode {
                name: of.level.package.rsplit('/').next().unwrap_or_default().to_owned(),
                parent: level_nodes.get(outer).copied().flatten(),
                relative: Some(standing.place),
                place: Some(place),
                extras: Some(json!({ "ue": { "level": of.level.package } })),
                ..SceneNode::default()
            };
            let node = growing.file.add_node(node);
            if let Some(known) = level_nodes.get_mut(at) {
                *known = Some(node);
            }
        }
        let parent = level_nodes.get(at).copied().flatten();
        let mut adder = Adder {
            level_at: standing.level,
            level: &of.level,
            place,
            parent,
            shown,
            options,
            growing,
            counts: &mut counts,
        };
        adder.add(shown.components.get(&at).map_or(&[][..], Vec::as_slice))?;
    }
    counts.nodes = growing.file.nodes() as u64;
    let meshes = || growing.meshes.iter().flatten();
    let landscapes = || growing.landscapes.values();
    counts.meshes = (meshes().count() + landscapes().count()) as u64;
    let triangles = meshes().map(|mesh| mesh.triangles).chain(landscapes().map(|found| found.triangles));
    counts.triangles = triangles.sum();
    Ok(counts)
}

/// The nodes of one level at one place.
struct Adder<'s> {
    /// Position of the level in the world.
    level_at: usize,
    level: &'s Level,
    /// Its place in the world.
    place: Transform,
    /// Its node; `None` for the scene itself.
    parent: Option<usize>,
    shown: &'s Shown,
    options: &'s SceneOptions,
    growing: &'s mut Growing,
    counts: &'s mut SceneCounts,
}

impl Adder<'_> {
    fn add(&mut self, wanted: &[usize]) -> Result<()> {
        let components = &self.level.components;
        let mut is_wanted = vec![false; components.len()];
        for at in wanted {
            if let Some(is_wanted) = is_wanted.get_mut(*at) {
                *is_wanted = true;
            }
        }
        let mut nodes: Vec<Option<usize>> = vec![None; components.len()];
        for start in wanted {
            // Down from the first component that has no node yet: levels have no circles of attachments.
            let (mut chain, mut next) = (Vec::new(), Some(*start));
            while let Some(at) = next.filter(|at| nodes.get(*at).is_some_and(Option::is_none)) {
                chain.push(at);
                next = components.get(at).and_then(|of| of.component.parent);
            }
            let mut outer = next.and_then(|at| nodes.get(at).copied().flatten());
            for at in chain.into_iter().rev() {
                let Some(component) = components.get(at) else { continue };
                let is_shown = is_wanted.get(at) == Some(&true);
                let node = self.node((at, component), outer.or(self.parent), is_shown)?;
                outer = Some(node);
                nodes.get_mut(at).into_iter().for_each(|known| *known = Some(node));
            }
        }
        Ok(())
    }

    /// Adds a component. One that is not shown is an empty node, for others that are attached to it.
    fn node(
        &mut self,
        (number, of): (usize, &LevelComponent),
        parent: Option<usize>,
        is_shown: bool,
    ) -> Result<usize> {
        let mut extras = self.extras(of);
        let component = &of.component;
        let values = &component.values;
        let mut node = SceneNode {
            name: self.name(of),
            parent,
            relative: Some(of.relative),
            place: Some(of.place.within(&self.place)),
            is_hidden: is_shown && !self.level.is_visible(component),
            ..SceneNode::default()
        };
        if !is_shown {
            node.extras = Some(json!({ "ue": extras }));
            return Ok(self.growing.file.add_node(node));
        }
        let mesh = self.mesh(of, &mut extras);
        let lamp = match component.kind {
            ComponentKind::Light(kind) => {
                let (made, more) = light(kind, &values.light);
                extras.insert("light".to_owned(), more);
                Some(made)
            }
            _ => None,
        };
        if component.kind == ComponentKind::Decal {
            let material = values.decal.material.as_ref().and_then(|Link(path)| path.as_ref());
            let size = values.decal.size.unwrap_or([128.0, 256.0, 256.0]);
            extras.insert("decal".to_owned(), json!({ "material": material, "size": size }));
        }
        node.extras = Some(json!({ "ue": extras }));
        let instances = values.instances.as_ref().filter(|_| component.kind == ComponentKind::Instances);
        let has_bones = mesh.is_some_and(|(number, _)| self.growing.file.has_bones(number));
        if instances.is_none() && !has_bones {
            node.mesh = mesh.map(|(_, mesh)| mesh);
        }
        if component.kind == ComponentKind::Landscape {
            let found = self.growing.landscapes.get(&(self.level_at, number));
            node.mesh = found.map(|found| found.mesh);
            self.counts.missing += u64::from(found.is_none());
        }
        let at = self.growing.file.add_node(node);
        if let Some(lamp) = &lamp {
            self.growing.file.add_light(at, lamp);
        }
        if component.kind == ComponentKind::Camera {
            self.growing.file.add_camera(at, camera(&values.camera));
        }
        if let Some((number, mesh)) = mesh {
            if instances.is_some() {
                self.instances(of, at, mesh)?;
            } else if has_bones {
                let path = self.level.package.clone();
                self.growing.file.add_skin(at, number, mesh).map_err(broken(&path))?;
            }
        }
        Ok(at)
    }

    /// The number of a component's mesh in the scene, and the mesh of the file with its materials.
    fn mesh(&mut self, of: &LevelComponent, extras: &mut Map<String, Value>) -> Option<(usize, usize)> {
        let path = mesh_of(of)?;
        extras.insert("mesh".to_owned(), path.to_string().into());
        let added = self.shown.mesh(of, path).and_then(|at| self.growing.meshes.get(at)?.clone());
        let Some(added) = added else {
            extras.insert("missing".to_owned(), true.into());
            self.counts.missing += 1;
            return None;
        };
        let mut slots: Vec<Option<usize>> = added.slots.iter().map(|slot| Some(*slot)).collect();
        let overrides = of.component.values.mesh.materials.as_deref().unwrap_or_default();
        for (slot, Link(material)) in slots.iter_mut().zip(overrides) {
            let own = material.as_ref().and_then(|path| self.shown.material(path));
            if let Some(own) = own.and_then(|at| self.growing.materials.get(at)) {
                *slot = Some(*own);
            }
        }
        Some((added.number, self.growing.file.with_materials(added.number, &slots)?))
    }

    /// Adds the instances of a component below its node.
    fn instances(&mut self, of: &LevelComponent, node: usize, mesh: usize) -> Result<()> {
        let values = &of.component.values;
        let Some(instances) = &values.instances else { return Ok(()) };
        let place = of.place.within(&self.place);
        let all: Vec<Transform> = instances.transforms().collect();
        let is_wanted = |own: &Transform| is_within(self.options, &own.within(&place));
        let wanted: Vec<usize> =
            all.iter().enumerate().filter(|(_, own)| is_wanted(own)).map(|(at, _)| at).collect();
        self.counts.instances += wanted.len() as u64;
        let transforms: Vec<Transform> = wanted.iter().filter_map(|at| all.get(*at).copied()).collect();
        let base = self.name(of);
        if self.options.instances == InstanceForm::Nodes {
            for (at, own) in wanted.iter().zip(transforms) {
                self.growing.file.add_node(SceneNode {
                    name: format!("{base}.{at}"),
                    parent: Some(node),
                    relative: Some(own),
                    place: Some(own.within(&place)),
                    mesh: Some(mesh),
                    ..SceneNode::default()
                });
            }
            return Ok(());
        }
        let width = if all.is_empty() { 0 } else { instances.custom.len() / all.len() };
        let custom =
            wanted.iter().flat_map(|at| instances.custom.iter().skip(at * width).take(width)).copied();
        let custom: Vec<f32> = custom.collect();
        // The extension replaces the mesh of its node: a reader without it shows one.
        let child = self.growing.file.add_node(SceneNode {
            name: format!("{base} instances"),
            parent: Some(node),
            relative: Some(Transform::IDENTITY),
            place: None,
            mesh: Some(mesh),
            ..SceneNode::default()
        });
        self.growing.file.add_instances(child, &transforms, (&custom, width));
        self.growing.spool()
    }

    /// The name of a node: that of its actor for the root of one, as people see it in the editor.
    fn name(&self, of: &LevelComponent) -> String {
        let Some(actor) = self.level.actors.get(of.component.actor) else { return of.component.name.clone() };
        let shown = actor.label.as_ref().unwrap_or(&actor.name);
        let root = actor.root.and_then(|root| self.level.components.get(root));
        let is_root = root.is_some_and(|root| root.component.export == of.component.export);
        if is_root { shown.clone() } else { format!("{shown}.{}", of.component.name) }
    }

    /// Facts about a component that have no place in glTF.
    fn extras(&self, of: &LevelComponent) -> Map<String, Value> {
        let mut extras = Map::new();
        let component = &of.component;
        extras.insert("path".to_owned(), self.level.name(component).into());
        extras.insert("class".to_owned(), name(&component.class).into());
        if let Some(actor) = self.level.actors.get(component.actor) {
            extras.insert("actor_class".to_owned(), name(&actor.class).into());
        }
        if let Some(mobility) = &component.values.visibility.mobility {
            extras.insert("mobility".to_owned(), mobility.clone().into());
        }
        extras
    }
}
