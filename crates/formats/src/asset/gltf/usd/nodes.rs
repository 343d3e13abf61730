//! Nodes of a scene, with what they show.

use super::super::document::Node;
use super::super::scene::{INSTANCING, LIGHTS, SceneFile, VISIBILITY};
use super::binary::{Numbers, SceneBytes};
use super::text::{Identifiers, identifier, numbers, quoted, tuple, tuples};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::fmt::{self, Write};

/// Writes the nodes.
pub(super) struct Nodes<'s> {
    scene: &'s SceneFile,
    /// Prototypes of meshes of the file.
    meshes: &'s [Option<String>],
    taken: Identifiers,
    /// Nodes that are bones, or meshes that they move: a mesh stands as its bones have it at rest.
    bones: HashSet<usize>,
}

/// A step through the tree of nodes: it may be deeper than calls can be.
enum Step {
    Open(usize),
    Close,
}

impl<'s> Nodes<'s> {
    pub(super) fn new(scene: &'s SceneFile, meshes: &'s [Option<String>], taken: Identifiers) -> Self {
        let document = &scene.builder.document;
        let skinned =
            document.nodes.iter().enumerate().filter(|(_, node)| node.skin.is_some()).map(|(at, _)| at);
        let joints = document.skins.iter().flat_map(|skin| skin.joints.iter().copied());
        Self { scene, meshes, taken, bones: skinned.chain(joints).collect() }
    }

    pub(super) fn write(mut self, binary: &mut dyn SceneBytes, out: &mut dyn Write) -> fmt::Result {
        let document = &self.scene.builder.document;
        let roots = document.scenes.iter().flat_map(|scene| scene.nodes.iter().copied());
        let mut steps: Vec<Step> = roots.map(Step::Open).collect();
        steps.reverse();
        while let Some(step) = steps.pop() {
            let Step::Open(at) = step else {
                writeln!(out, "}}")?;
                continue;
            };
            let Some(node) = document.nodes.get(at).filter(|_| !self.bones.contains(&at)) else { continue };
            self.node((at, node), binary, out)?;
            steps.push(Step::Close);
            steps.extend(node.children.iter().rev().copied().map(Step::Open));
        }
        Ok(())
    }

    /// Writes a node up to its children. Lines are not indented: the tree may be deep.
    fn node(
        &mut self,
        (at, node): (usize, &Node),
        binary: &mut dyn SceneBytes,
        out: &mut dyn Write,
    ) -> fmt::Result {
        let instances = node.extensions.get(INSTANCING).and_then(|of| of.get("attributes")?.as_object());
        let light =
            node.extensions.get(LIGHTS).and_then(|of| self.scene.lights.get(index(of.get("light")?)?));
        let camera = node.camera.and_then(|at| self.scene.builder.document.cameras.get(at));
        let schema = match (instances, light.and_then(|light| light.get("type")?.as_str()), camera) {
            (Some(_), ..) => "PointInstancer",
            (_, Some("directional"), _) => "DistantLight",
            (_, Some(_), _) => "SphereLight",
            (.., Some(_)) => "Camera",
            _ => "Xform",
        };
        let name = self.taken.unique(&node.name);
        writeln!(out, "def {schema} \"{name}\" (\ndisplayName = {}", quoted(&node.name))?;
        if light.is_some_and(|light| light.get("spot").is_some()) {
            writeln!(out, "prepend apiSchemas = [\"ShapingAPI\"]")?;
        }
        if let Some(Value::Object(extras)) =
            node.extras.as_ref().and_then(|of| serde_json::from_str(of.get()).ok())
        {
            write!(out, "customData = ")?;
            dictionary(out, &extras)?;
        }
        writeln!(out, ")\n{{")?;
        transform(out, node)?;
        if node.extensions.contains_key(VISIBILITY) {
            writeln!(out, "token visibility = \"invisible\"")?;
        }
        if let Some(light) = light {
            self::light(out, light)?;
        }
        if let Some(camera) = camera {
            self::camera(out, camera)?;
        }
        let mesh = node.mesh.or_else(|| self.scene.skinned.get(&at).copied());
        let prototype = mesh.and_then(|mesh| self.meshes.get(mesh)?.as_ref());
        if let (Some(attributes), Some(_)) = (instances, prototype) {
            self.instances(attributes, binary, out)?;
        }
        if let Some(prototype) = prototype {
            let name = if instances.is_some() {
                "Prototype".to_owned()
            } else {
                self.taken.unique(&format!("{name}_mesh"))
            };
            writeln!(
                out,
                "def Xform \"{name}\" (\ninstanceable = true\nprepend inherits = <{prototype}>\n)\n{{\n}}"
            )?;
        }
        Ok(())
    }

    /// Writes where the instances of a mesh stand.
    fn instances(
        &self,
        attributes: &Map<String, Value>,
        binary: &mut dyn SceneBytes,
        out: &mut dyn Write,
    ) -> fmt::Result {
        let document = &self.scene.builder.document;
        let mut read = |name: &str| {
            let at = attributes.get(name).and_then(index);
            at.map(|at| Numbers::read(document, at, binary)).transpose()
        };
        writeln!(out, "rel prototypes = <Prototype>")?;
        if let Some(places) = read("TRANSLATION")? {
            numbers(out, "int[] protoIndices", places.vectors::<3>().map(|_| 0))?;
            tuples::<3>(out, ("point3f[] positions", ""), places.vectors())?;
        }
        if let Some(turns) = read("ROTATION")? {
            // The real part is first. Of half precision is what every program reads, and the other what newer ones prefer.
            let turned = || turns.vectors().map(|[x, y, z, w]| [w, x, y, z]);
            tuples(out, ("quath[] orientations", ""), turned())?;
            tuples(out, ("quatf[] orientationsf", ""), turned())?;
        }
        if let Some(scales) = read("SCALE")? {
            tuples::<3>(out, ("float3[] scales", ""), scales.vectors())?;
        }
        for part in 0.. {
            let Some(own) = read(&format!("_CUSTOM{part}"))? else { break };
            let name = format!("float[] primvars:custom{part}");
            numbers(out, &name, own.vectors::<1>().map(|[number]| number))?;
        }
        Ok(())
    }
}

fn index(of: &Value) -> Option<usize> {
    of.as_u64().and_then(|at| usize::try_from(at).ok())
}

/// Writes the transform of a node.
fn transform(out: &mut dyn Write, node: &Node) -> fmt::Result {
    let mut order = Vec::new();
    if let Some(translation) = node.translation {
        writeln!(out, "double3 xformOp:translate = {}", tuple(translation))?;
        order.push("\"xformOp:translate\"");
    }
    if let Some([x, y, z, w]) = node.rotation {
        writeln!(out, "quatd xformOp:orient = {}", tuple([w, x, y, z]))?;
        order.push("\"xformOp:orient\"");
    }
    if let Some(scale) = node.scale {
        writeln!(out, "double3 xformOp:scale = {}", tuple(scale))?;
        order.push("\"xformOp:scale\"");
    }
    if order.is_empty() {
        Ok(())
    } else {
        writeln!(out, "uniform token[] xformOpOrder = [{}]", order.join(", "))
    }
}

/// Writes a light. Lights of USD are surfaces that shine; a small sphere of the same intensity is a point.
fn light(out: &mut dyn Write, light: &Value) -> fmt::Result {
    /// Radius in metres; normalised lights do not depend on it.
    const RADIUS: f64 = 0.01;
    let number = |name: &str| light.get(name).and_then(Value::as_f64);
    let color: Vec<f64> = light
        .get("color")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_f64)
        .collect();
    if !color.is_empty() {
        writeln!(out, "color3f inputs:color = {}", tuple(&color))?;
    }
    let intensity = number("intensity").unwrap_or(1.0);
    if light.get("type").and_then(Value::as_str) == Some("directional") {
        // Lux, as it is normalised; the sun is half a degree wide.
        return writeln!(
            out,
            "float inputs:angle = 0.53\nfloat inputs:intensity = {intensity}\nbool inputs:normalize = true"
        );
    }
    // Of all sides of a sphere, a quarter of its surface is what one sees of it.
    writeln!(out, "float inputs:intensity = {}\nbool inputs:normalize = true", 4.0 * intensity)?;
    writeln!(out, "float inputs:radius = {RADIUS}\nbool treatAsPoint = true")?;
    let Some(cone) = light.get("spot") else { return Ok(()) };
    let angle = |name: &str| cone.get(name).and_then(Value::as_f64).unwrap_or_default();
    let (inner, outer) = (angle("innerConeAngle"), angle("outerConeAngle"));
    writeln!(out, "float inputs:shaping:cone:angle = {}", outer.to_degrees())?;
    let soft = if outer > 0.0 { (1.0 - inner / outer).clamp(0.0, 1.0) } else { 0.0 };
    writeln!(out, "float inputs:shaping:cone:softness = {soft}")
}

/// Writes a camera. Lengths on the film are tenths of a unit; only their ratio counts.
fn camera(out: &mut dyn Write, camera: &Value) -> fmt::Result {
    const WIDTH: f64 = 36.0;
    let of = |kind: &str| {
        camera.get(kind).map(|of| move |name: &str| of.get(name).and_then(Value::as_f64).unwrap_or(1.0))
    };
    if let Some(of) = of("perspective") {
        let height = WIDTH / of("aspectRatio");
        let focal = height / 2.0 / (of("yfov") / 2.0).tan();
        writeln!(out, "float2 clippingRange = {}", tuple([of("znear"), of("zfar")]))?;
        writeln!(
            out,
            "float focalLength = {focal}\nfloat horizontalAperture = {WIDTH}\nfloat verticalAperture = {height}"
        )?;
        writeln!(out, "token projection = \"perspective\"")?;
    } else if let Some(of) = of("orthographic") {
        writeln!(out, "float2 clippingRange = {}", tuple([of("znear"), of("zfar")]))?;
        let [width, height] = [of("xmag"), of("ymag")].map(|half| half * 2.0 * 10.0);
        writeln!(
            out,
            "float horizontalAperture = {width}\nfloat verticalAperture = {height}\ntoken projection = \"orthographic\""
        )?;
    }
    Ok(())
}

/// Writes facts that have no place in the schemas.
fn dictionary(out: &mut dyn Write, facts: &Map<String, Value>) -> fmt::Result {
    writeln!(out, "{{")?;
    for (name, value) in facts {
        let name = identifier(name);
        match value {
            Value::Object(inner) => {
                write!(out, "dictionary {name} = ")?;
                dictionary(out, inner)?;
            }
            Value::Bool(of) => writeln!(out, "bool {name} = {of}")?,
            Value::Number(of) => writeln!(out, "double {name} = {of}")?,
            Value::String(of) => writeln!(out, "string {name} = {}", quoted(of))?,
            Value::Null | Value::Array(_) => writeln!(out, "string {name} = {}", quoted(&value.to_string()))?,
        }
    }
    writeln!(out, "}}")
}
