//! Scenes: many meshes, lights and cameras in one file, whose binary data are taken out while it grows.
//!
//! ```text
//! MeshPart ──► add_mesh ──► with_materials ──► node, instances, skin
//! node     translation, rotation, scale     as the engine has them, converted
//! light    child that is turned: glTF looks along −Z, the engine along X
//! ```
//!
//! Extensions: `KHR_lights_punctual`, `EXT_mesh_gpu_instancing`, `KHR_node_visibility`. None is required.

use super::super::skeleton::Bones;
use super::super::transform::Transform;
use super::axes;
use super::builder::{Builder, GltfError, push};
use super::document::{Mesh, Node, Primitive, Skin};
use super::material::{Material, encoded};
use super::matrix::{Matrix, single};
use super::nodes::{add_child, add_joints, placed};
use super::part::MeshPart;
use super::skin::add_bind_matrices;
use serde_json::value::to_raw_value;
use serde_json::{Map, Value, json};
use std::collections::{BTreeSet, HashMap};

/// Scene under construction.
pub struct SceneFile {
    pub(super) builder: Builder,
    pub(super) meshes: Vec<SceneMesh>,
    /// Names that nodes have, with how many have them.
    names: HashMap<String, u32>,
    /// Transforms of nodes in the space of the scene.
    places: Vec<Matrix>,
    pub(super) lights: Vec<Value>,
    /// Meshes of the file that bones move, by the nodes whose bones they are.
    pub(super) skinned: HashMap<usize, usize>,
    used: BTreeSet<&'static str>,
}

/// A mesh that nodes may have, with any materials.
pub(super) struct SceneMesh {
    pub(super) name: String,
    pub(super) primitives: Vec<Primitive>,
    bones: Bones,
    /// Matrices of the skin, once it has one.
    bind: Option<usize>,
    /// Meshes of the file by their materials.
    pub(super) made: HashMap<Vec<Option<usize>>, usize>,
}

/// A node to add.
#[derive(Debug, Clone, Default)]
pub struct SceneNode {
    /// Its name, which gets a number if another node has it.
    pub name: String,
    /// The node that it is in; `None` for the scene itself.
    pub parent: Option<usize>,
    /// Its transform in the parent.
    pub relative: Option<Transform>,
    /// Its transform in the scene.
    pub place: Option<Transform>,
    /// Mesh of the file.
    pub mesh: Option<usize>,
    /// True if viewers should not show it.
    pub is_hidden: bool,
    /// Further facts, for programs that look for them.
    pub extras: Option<Value>,
}

/// A light, looking along X as the engine's do.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneLight {
    /// `directional`, `point` or `spot`.
    pub kind: &'static str,
    /// Linear red, green and blue.
    pub color: [f64; 3],
    /// Candelas, or lux.
    pub intensity: f64,
    /// Distance in centimetres where it ends.
    pub range: Option<f64>,
    /// Half angles in radians, the inner one first.
    pub cone: Option<[f64; 2]>,
}

/// A camera, looking along X as the engine's do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SceneCamera {
    /// With perspective: the vertical angle in radians.
    Perspective(f64),
    /// Without: the width in centimetres.
    Orthographic(f64),
}

pub(super) const LIGHTS: &str = "KHR_lights_punctual";
pub(super) const INSTANCING: &str = "EXT_mesh_gpu_instancing";
pub(super) const VISIBILITY: &str = "KHR_node_visibility";

/// The turn from looking along X to looking along −Z.
const TURN: [f64; 4] = [0.0, -std::f64::consts::FRAC_1_SQRT_2, 0.0, std::f64::consts::FRAC_1_SQRT_2];

impl Default for SceneFile {
    fn default() -> Self {
        Self {
            builder: Builder::new(),
            meshes: Vec::new(),
            names: HashMap::new(),
            places: Vec::new(),
            lights: Vec::new(),
            skinned: HashMap::new(),
            used: BTreeSet::new(),
        }
    }
}

impl SceneFile {
    /// Adds a material, and returns its index.
    pub fn add_material(&mut self, material: &Material) -> usize {
        self.builder.material(material);
        self.builder.document.materials.len() - 1
    }

    /// Adds a mesh, and returns its number in the scene.
    pub fn add_mesh(&mut self, name: &str, part: MeshPart) -> usize {
        let MeshPart { builder, mut primitives, bones, .. } = part;
        let first = self.builder.absorb(builder);
        for primitive in &mut primitives {
            primitive.indices += first;
            for accessor in primitive.attributes.values_mut() {
                *accessor = accessor.as_u64().map_or(Value::Null, |at| (at + first as u64).into());
            }
        }
        let made = HashMap::new();
        push(&mut self.meshes, SceneMesh { name: name.to_owned(), primitives, bones, bind: None, made })
    }

    /// The mesh of the file that has these materials in its slots; `None` for a mesh that does not exist.
    pub fn with_materials(&mut self, mesh: usize, materials: &[Option<usize>]) -> Option<usize> {
        let found = self.meshes.get_mut(mesh)?;
        if let Some(made) = found.made.get(materials) {
            return Some(*made);
        }
        let mut primitives = found.primitives.clone();
        for primitive in &mut primitives {
            primitive.material = primitive.material.and_then(|slot| materials.get(slot).copied().flatten());
        }
        let made = Mesh { name: found.name.clone(), primitives, weights: Vec::new(), extras: None };
        let made = push(&mut self.builder.document.meshes, made);
        found.made.insert(materials.to_vec(), made);
        Some(made)
    }

    /// True if a mesh has bones.
    #[must_use]
    pub fn has_bones(&self, mesh: usize) -> bool {
        self.meshes.get(mesh).is_some_and(|mesh| !mesh.bones.0.is_empty())
    }

    /// Adds a node, and returns its index.
    pub fn add_node(&mut self, node: SceneNode) -> usize {
        let relative = node.relative.unwrap_or(Transform::IDENTITY);
        let outer = node.parent.and_then(|parent| self.places.get(parent)).copied();
        let own = Matrix::new(&axes::transform(&relative));
        let composed = outer.map_or(own, |outer| outer.then(&own));
        // glTF multiplies matrices, which shears where a turned node is in one that is not scaled evenly. The engine does not:
        // such a node stands in the scene itself.
        let place = node.place.map(|place| (place, Matrix::new(&axes::transform(&place))));
        let apart = place.filter(|(_, place)| !place.is_near(&composed));
        let (parent, transform, matrix) = match apart {
            Some((place, matrix)) => (None, place, matrix),
            None => (node.parent, relative, composed),
        };
        let name = self.unique(&node.name);
        // Serialising a tree into memory cannot fail.
        let extras = node.extras.and_then(|extras| to_raw_value(&extras).ok());
        let mut made = Node { mesh: node.mesh, extras, ..compact(placed(&name, &transform)) };
        if node.is_hidden {
            self.used.insert(VISIBILITY);
            made.extensions.insert(VISIBILITY.to_owned(), json!({ "visible": false }));
        }
        self.push_node(parent, made, matrix)
    }

    fn push_node(&mut self, parent: Option<usize>, node: Node, matrix: Matrix) -> usize {
        let at = push(&mut self.builder.document.nodes, node);
        self.places.resize(at, Matrix::IDENTITY);
        self.places.push(matrix);
        match parent {
            Some(parent) => add_child(&mut self.builder, parent, at),
            None => self.builder.show(at),
        }
        at
    }

    /// Makes a name that no other node has.
    fn unique(&mut self, name: &str) -> String {
        let mut wanted = name.to_owned();
        loop {
            let count = self.names.entry(wanted.clone()).or_default();
            *count += 1;
            if *count == 1 {
                return wanted;
            }
            let number = self.names.get(name).copied().unwrap_or_default();
            wanted = format!("{name}_{number}");
        }
    }

    /// Adds a mesh many times in a node, with transforms relative to it. `custom` are as many numbers for each as there are
    /// names.
    pub fn add_instances(&mut self, node: usize, instances: &[Transform], custom: (&[f32], usize)) {
        if instances.is_empty() {
            return;
        }
        let converted: Vec<Transform> = instances.iter().map(axes::transform).collect();
        let vector = |part: fn(&Transform) -> [f64; 3]| converted.iter().map(move |of| part(of).map(finite));
        let builder = &mut self.builder;
        let mut attributes = Map::new();
        let moved = builder.floats(vector(|of| of.translation), None, false);
        attributes.insert("TRANSLATION".to_owned(), moved.into());
        let turned = builder.floats(converted.iter().map(|of| of.rotation.map(single)), None, false);
        attributes.insert("ROTATION".to_owned(), turned.into());
        let scaled = builder.floats(vector(|of| of.scale), None, false);
        attributes.insert("SCALE".to_owned(), scaled.into());
        let (numbers, width) = custom;
        for part in (0..width).filter(|_| numbers.len() == width * instances.len()) {
            let own = numbers.iter().skip(part).step_by(width).map(|number| [finite(f64::from(*number))]);
            let own = builder.floats(own, None, false);
            attributes.insert(format!("_CUSTOM{part}"), own.into());
        }
        self.used.insert(INSTANCING);
        if let Some(node) = self.builder.document.nodes.get_mut(node) {
            node.extensions.insert(INSTANCING.to_owned(), json!({ "attributes": attributes }));
        }
    }

    /// Adds the bones of a mesh to a node, and a node for the mesh that they move. The mesh is one of the file, made of `of`.
    pub fn add_skin(&mut self, node: usize, of: usize, mesh: usize) -> Result<(), GltfError> {
        let Some(found) = self.meshes.get_mut(of) else { return Ok(()) };
        let inverse_bind_matrices =
            *found.bind.get_or_insert_with(|| add_bind_matrices(&mut self.builder, &found.bones));
        let (root, joints) = add_joints(&mut self.builder, &found.name, &found.bones)?;
        add_child(&mut self.builder, node, root);
        self.skinned.insert(node, mesh);
        let name = self.builder.document.nodes.get(node).map(|node| node.name.clone()).unwrap_or_default();
        let skin = Skin { name: name.clone(), inverse_bind_matrices, joints };
        let skin = push(&mut self.builder.document.skins, skin);
        self.places.resize(self.builder.document.nodes.len(), Matrix::IDENTITY);
        // A skin ignores the transform of its node, which belongs into the scene itself.
        let name = self.unique(&format!("{name} mesh"));
        let node = Node { name, mesh: Some(mesh), skin: Some(skin), ..Node::default() };
        self.push_node(None, node, Matrix::IDENTITY);
        Ok(())
    }

    /// Adds a light to a node.
    pub fn add_light(&mut self, node: usize, light: &SceneLight) {
        let mut made = json!({
            "type": light.kind,
            "color": light.color.map(|part| finite(part).clamp(0.0, 1.0)),
            "intensity": finite(light.intensity).max(0.0),
        });
        let range = light.range.map(|range| finite(range * 0.01)).filter(|range| *range > 0.0);
        if let (Some(range), Some(of)) = (range, made.as_object_mut()) {
            of.insert("range".to_owned(), range.into());
        }
        if let (Some([inner, outer]), Some(of)) = (light.cone, made.as_object_mut()) {
            of.insert("spot".to_owned(), json!({ "innerConeAngle": inner, "outerConeAngle": outer }));
        }
        let light = push(&mut self.lights, made);
        self.used.insert(LIGHTS);
        let extension = (LIGHTS.to_owned(), json!({ "light": light }));
        let node = self.turned(node, "light");
        if let Some(node) = self.builder.document.nodes.get_mut(node) {
            node.extensions.extend([extension]);
        }
    }

    /// Adds a camera to a node.
    pub fn add_camera(&mut self, node: usize, (camera, aspect): (SceneCamera, f64)) {
        /// Nearest and farthest points in metres: the engine's near plane is 10 cm away, and it has no far one.
        const NEAR: f64 = 0.1;
        const FAR: f64 = 10_000.0;
        let made = match camera {
            SceneCamera::Perspective(angle) => json!({
                "type": "perspective",
                "perspective": { "yfov": angle, "aspectRatio": aspect, "znear": NEAR, "zfar": FAR },
            }),
            SceneCamera::Orthographic(width) => {
                let half = width * 0.01 / 2.0;
                json!({
                    "type": "orthographic",
                    "orthographic": { "xmag": half, "ymag": half / aspect, "znear": NEAR, "zfar": FAR },
                })
            }
        };
        let camera = push(&mut self.builder.document.cameras, made);
        let node = self.turned(node, "camera");
        if let Some(node) = self.builder.document.nodes.get_mut(node) {
            node.camera = Some(camera);
        }
    }

    /// Adds a node that looks where the engine's do, and returns it.
    fn turned(&mut self, node: usize, what: &str) -> usize {
        let name = self.builder.document.nodes.get(node).map(|node| node.name.clone()).unwrap_or_default();
        let name = self.unique(&format!("{name} {what}"));
        let made = Node { name, rotation: Some(TURN), ..Node::default() };
        let place = self.places.get(node).copied().unwrap_or(Matrix::IDENTITY);
        self.push_node(Some(node), made, place)
    }

    /// Takes out the binary data so far, which follow what was taken before.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        self.builder.take_bytes()
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.builder.document.nodes.len()
    }

    /// Losses and changes, because glTF cannot express the original.
    #[must_use]
    pub fn notes(&self) -> &[&'static str] {
        self.builder.notes()
    }

    /// All of a binary file that stands before its binary data, which were taken out.
    pub fn head(&mut self) -> Result<Vec<u8>, GltfError> {
        self.list_extensions();
        self.builder.head()
    }

    /// The file as JSON, with its binary data in a file at `path`, relative to it.
    pub fn json(&mut self, path: &str) -> Vec<u8> {
        self.list_extensions();
        self.builder.json(Some(&encoded(path)))
    }

    fn list_extensions(&mut self) {
        let document = &mut self.builder.document;
        document.extensions_used = self.used.iter().copied().collect();
        document.extensions = (!self.lights.is_empty()).then(|| json!({ LIGHTS: { "lights": self.lights } }));
    }
}

/// Leaves out the parts of a transform that nodes have anyway.
fn compact(node: Node) -> Node {
    let is = |of: &[f64], usual: &[f64]| of.iter().zip(usual).all(|(a, b)| a.total_cmp(&(b + 0.0)).is_eq());
    Node {
        translation: node.translation.filter(|of| !is(of, &[0.0; 3])),
        rotation: node
            .rotation
            .map(|of| of.map(|part| part + 0.0))
            .filter(|of| !is(of, &[0.0, 0.0, 0.0, 1.0])),
        scale: node.scale.filter(|of| !is(of, &[1.0; 3])),
        ..node
    }
}

/// Returns the number as files have it, or zero for NaN and infinity.
fn finite(number: f64) -> f32 {
    let number = single(number);
    if number.is_finite() { number } else { 0.0 }
}
