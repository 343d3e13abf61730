//! Shapes for collisions: a node for each body, and one with a mesh for each of its shapes.

use super::super::collision::{CollisionBody, CollisionForm, CollisionShape};
use super::super::transform::Transform;
use super::axes;
use super::builder::{Builder, Glb, GltfError, push};
use super::document::{Accessor, INDICES, Mesh, Node, Primitive, U32, VERTICES};
use super::nodes::placed;

/// Segments around a round shape, and rings of half a sphere.
const SEGMENTS: u32 = 16;
const RINGS: u32 = 4;

/// Limit of shapes in a file: a capsule is a few bytes in the package, and thousands as triangles.
const MAX_SHAPES: usize = 4096;

/// Writes the shapes of bodies. Each body is a node called like its bone.
pub fn collision(name: &str, bodies: &[CollisionBody]) -> Result<Glb, GltfError> {
    let mut builder = Builder::new();
    // Most shapes are boxes and spheres, which differ in size alone.
    let mut unit = Shared::default();
    let mut left = MAX_SHAPES;
    for body in bodies {
        let body_name = body.bone.as_deref().unwrap_or(name);
        let node = push(&mut builder.document.nodes, placed(body_name, &Transform::IDENTITY));
        builder.show(node);
        if body.shapes.len() > left {
            builder.note("it has too many shapes: some are left out");
        }
        for (at, shape) in body.shapes.iter().take(left).enumerate() {
            let child = add_shape(&mut builder, &mut unit, shape, &format!("{body_name} {at}"));
            if let Some(node) = builder.document.nodes.get_mut(node) {
                node.children.push(child);
            }
        }
        left = left.saturating_sub(body.shapes.len());
    }
    if builder.document.nodes.is_empty() {
        return Err(GltfError::Obstacle("it has no simple shapes"));
    }
    builder.finish()
}

/// Meshes of size 1, made on first use.
#[derive(Default)]
struct Shared {
    sphere: Option<usize>,
    cuboid: Option<usize>,
}

fn add_shape(builder: &mut Builder, unit: &mut Shared, shape: &CollisionShape, name: &str) -> usize {
    let mut place = shape.place;
    let mesh = match &shape.form {
        CollisionForm::Sphere(radius) => {
            place.scale = place.scale.map(|scale| scale * radius);
            *unit.sphere.get_or_insert_with(|| add_mesh(builder, "sphere", &capsule([1.0; 2], 0.0)))
        }
        CollisionForm::Box(sides) => {
            for (scale, side) in place.scale.iter_mut().zip(sides) {
                *scale *= side;
            }
            *unit.cuboid.get_or_insert_with(|| add_mesh(builder, "box", &cuboid()))
        }
        CollisionForm::Capsule(radii, length) => add_mesh(builder, "capsule", &capsule(*radii, *length)),
        CollisionForm::Convex(vertices, indices) => {
            add_mesh(builder, "convex", &Hull { vertices: vertices.clone(), indices: indices.clone() })
        }
    };
    push(&mut builder.document.nodes, Node { mesh: Some(mesh), ..placed(name, &place) })
}

/// A convex hull.
struct Hull {
    vertices: Vec<[f64; 3]>,
    indices: Vec<u32>,
}

/// A box with sides of 1 around the origin.
fn cuboid() -> Hull {
    let corner = |at: u32| [0, 1, 2].map(|axis| if at >> axis & 1 == 1 { 0.5 } else { -0.5 });
    let faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    let indices = faces.into_iter().flat_map(|[a, b, c, d]| [a, b, c, a, c, d]).collect();
    Hull { vertices: (0..8).map(corner).collect(), indices }
}

/// A capsule along Z around the origin; a sphere, if it has no length.
fn capsule([upper, lower]: [f64; 2], length: f64) -> Hull {
    let quarter = std::f64::consts::FRAC_PI_2 / f64::from(RINGS);
    let mut vertices = vec![[0.0, 0.0, length / 2.0 + upper]];
    // From the upper pole down to the equator, which each half has, and on to the lower pole.
    let down = (1..=RINGS).map(|ring| (f64::from(ring), upper, length / 2.0));
    let on = (RINGS..2 * RINGS).map(|ring| (f64::from(ring), lower, -length / 2.0));
    for (ring, radius, middle) in down.chain(on) {
        let (across, along) = (ring * quarter).sin_cos();
        vertices.extend((0..SEGMENTS).map(|segment| {
            let (y, x) = (f64::from(segment) * std::f64::consts::TAU / f64::from(SEGMENTS)).sin_cos();
            [radius * across * x, radius * across * y, middle + radius * along]
        }));
    }
    vertices.push([0.0, 0.0, -length / 2.0 - lower]);
    let rings = 2 * RINGS;
    let at = |ring: u32, segment: u32| 1 + ring * SEGMENTS + segment % SEGMENTS;
    let last = 1 + rings * SEGMENTS;
    let mut indices = Vec::new();
    for segment in 0..SEGMENTS {
        let next = segment + 1;
        indices.extend([0, at(0, segment), at(0, next)]);
        for ring in 1..rings {
            let [a, b] = [at(ring - 1, segment), at(ring - 1, next)];
            let [c, d] = [at(ring, segment), at(ring, next)];
            indices.extend([a, c, b, b, c, d]);
        }
        indices.extend([last, at(rings - 1, next), at(rings - 1, segment)]);
    }
    Hull { vertices, indices }
}

fn add_mesh(builder: &mut Builder, name: &str, hull: &Hull) -> usize {
    let vertices: Vec<[f32; 3]> = singles(hull).map(axes::position).collect();
    let indices = outward(&vertices, &hull.indices);
    let position = builder.floats(vertices, Some(VERTICES), true);
    let view = builder.view(indices.iter().flat_map(|index| index.to_le_bytes()), Some(INDICES));
    let indices = builder.accessor(Accessor {
        buffer_view: Some(view),
        component_type: U32,
        count: indices.len(),
        kind: "SCALAR",
        ..Default::default()
    });
    let attributes = std::iter::once(("POSITION".to_owned(), position.into())).collect();
    let primitive = Primitive { attributes, indices, material: None, targets: Vec::new() };
    let mesh = Mesh { name: name.to_owned(), primitives: vec![primitive], weights: Vec::new(), extras: None };
    push(&mut builder.document.meshes, mesh)
}

/// The vertices as glTF stores them.
#[expect(clippy::cast_possible_truncation, reason = "glTF has floats")]
fn singles(hull: &Hull) -> impl Iterator<Item = [f32; 3]> {
    hull.vertices.iter().map(|vertex| vertex.map(|part| part as f32))
}

/// Turns the triangles of a hull so that they face away from its middle.
fn outward(vertices: &[[f32; 3]], indices: &[u32]) -> Vec<u32> {
    #[expect(clippy::cast_precision_loss, reason = "a mean")]
    let count = vertices.len().max(1) as f32;
    let mut middle = [0.0; 3];
    for vertex in vertices {
        for (sum, part) in middle.iter_mut().zip(vertex) {
            *sum += part / count;
        }
    }
    let mut turned = Vec::with_capacity(indices.len());
    for &[a, b, c] in indices.as_chunks::<3>().0 {
        let of = |index: u32| vertices.get(index as usize).copied().unwrap_or(middle);
        let from = |a: [f32; 3], b: [f32; 3]| [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        let [u, v] = [from(of(a), of(b)), from(of(a), of(c))];
        let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let away = from(middle, of(a));
        let facing: f32 = normal.iter().zip(away).map(|(a, b)| a * b).sum();
        turned.extend(if facing < 0.0 { [a, c, b] } else { [a, b, c] });
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Area and volume of a hull whose triangles all face outwards.
    fn volume(hull: &Hull) -> f64 {
        let tetrahedron = |[a, b, c]: [[f64; 3]; 3]| {
            a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
        };
        let indices = outward(&singles(hull).collect::<Vec<_>>(), &hull.indices);
        let corner = |index: u32| hull.vertices[index as usize];
        let triangles = indices.as_chunks::<3>().0.iter();
        triangles.map(|triangle| tetrahedron(triangle.map(corner)) / 6.0).sum()
    }

    #[test]
    fn shapes_are_closed_and_as_large_as_they_should_be() {
        let near = |found: f64, expected: f64, share: f64| {
            assert!((found / expected - 1.0).abs() < share, "{found}, not {expected}");
        };
        near(volume(&cuboid()), 1.0, 1e-9);
        // Round shapes have corners, which lie on the surface: they are smaller.
        let sphere = 4.0 / 3.0 * std::f64::consts::PI;
        near(volume(&capsule([1.0; 2], 0.0)), sphere, 0.08);
        near(volume(&capsule([1.0; 2], 10.0)), sphere + 10.0 * std::f64::consts::PI, 0.05);
        assert!(volume(&capsule([1.0, 2.0], 10.0)) > volume(&capsule([1.0; 2], 10.0)));
    }
}
