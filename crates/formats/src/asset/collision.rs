//! `FKAggregateGeom`: the simple shapes that stand for an object in collisions.
//!
//! ```text
//! BodySetup   AggGeom: SphereElems, BoxElems, SphylElems (capsules), TaperedCapsuleElems, ConvexElems
//!             BoneName, of a body in a physics asset
//! ```
//!
//! All of them are properties. Verified on 5.1, 5.4 and 5.8; capsules follow the names of the properties.

use super::socket::{field, number};
use super::transform::Transform;
use crate::package::legacy::Name;
use crate::property::{FromValue, Object, Scope, Struct, Value};

/// `UBodySetup`: shapes that belong to a mesh or to a bone.
#[doc(alias = "UBodySetup")]
#[derive(Debug, Clone, PartialEq)]
pub struct CollisionBody {
    /// Its bone; `None` for a mesh.
    pub bone: Option<String>,
    /// Its shapes.
    pub shapes: Vec<CollisionShape>,
}

/// A shape.
#[derive(Debug, Clone, PartialEq)]
pub struct CollisionShape {
    /// Place relative to the mesh or bone.
    pub place: Transform,
    /// Form around that place.
    pub form: CollisionForm,
}

/// Form of a shape, in centimetres.
#[derive(Debug, Clone, PartialEq)]
pub enum CollisionForm {
    /// A sphere with this radius.
    Sphere(f64),
    /// A box with these sides.
    Box([f64; 3]),
    /// A cylinder along Z with half spheres at its ends: the upper and lower radius, and the length of the cylinder.
    Capsule([f64; 2], f64),
    /// A hull: vertices, and three indices for each triangle.
    Convex(Vec<[f64; 3]>, Vec<u32>),
}

const AXES: [&str; 3] = ["X", "Y", "Z"];

impl CollisionBody {
    /// Reads the shapes of a `UBodySetup`; `None` if it has none.
    #[must_use]
    pub fn of_object(scope: &Scope<'_>, object: &Object) -> Option<Self> {
        let geometry: &Struct = object.get(scope, "AggGeom")?;
        let shapes = Fields { scope, of: geometry }.shapes();
        let bone: Option<Name> = object.get(scope, "BoneName");
        let bone = bone.map(|name| scope.package.text(name).to_string());
        (!shapes.is_empty()).then_some(Self { bone, shapes })
    }
}

/// A struct of a shape.
#[derive(Clone, Copy)]
struct Fields<'f> {
    scope: &'f Scope<'f>,
    of: &'f Struct,
}

/// Reads the form of a shape.
type ReadForm<'f> = fn(&Fields<'f>) -> Option<CollisionForm>;

impl<'f> Fields<'f> {
    /// All shapes of a geometry.
    fn shapes(&self) -> Vec<CollisionShape> {
        let lists: [(&str, ReadForm<'f>); 5] = [
            ("SphereElems", Self::sphere),
            ("BoxElems", Self::cuboid),
            ("SphylElems", Self::capsule),
            ("TaperedCapsuleElems", Self::tapered_capsule),
            ("ConvexElems", Self::convex),
        ];
        let shape =
            |of: &Self, form: ReadForm<'f>| Some(CollisionShape { form: form(of)?, place: of.place() });
        let shapes = lists.into_iter().flat_map(|(list, form)| self.list(list).map(move |of| (of, form)));
        shapes.filter_map(|(of, form)| shape(&of, form)).collect()
    }

    fn value(&self, name: &str) -> Option<&'f Value> {
        field(self.scope, self.of, name)
    }

    fn items(&self, name: &str) -> impl Iterator<Item = &'f Value> + use<'f> {
        self.value(name).and_then(Value::items).unwrap_or_default().iter()
    }

    fn list(&self, name: &str) -> impl Iterator<Item = Self> + use<'f> {
        let scope = self.scope;
        self.items(name).filter_map(move |value| Some(Self { scope, of: <&Struct>::from_value(value)? }))
    }

    fn number(&self, name: &str) -> f64 {
        number(self.scope, self.of, name)
    }

    fn numbers<const N: usize>(&self, name: &str, parts: [&str; N]) -> Option<[f64; N]> {
        let of = <&Struct>::from_value(self.value(name)?)?;
        Some(parts.map(|part| number(self.scope, of, part)))
    }

    /// Place of the shape: a centre and a rotation, or the transform of a hull.
    fn place(&self) -> Transform {
        if let Some(of) = self.value("Transform").and_then(<&Struct>::from_value) {
            let of = Self { of, ..*self };
            return Transform {
                rotation: of.numbers("Rotation", ["X", "Y", "Z", "W"]).unwrap_or([0.0, 0.0, 0.0, 1.0]),
                translation: of.numbers("Translation", AXES).unwrap_or_default(),
                scale: of.numbers("Scale3D", AXES).unwrap_or([1.0; 3]),
            };
        }
        let [pitch, yaw, roll] = self.numbers("Rotation", ["Pitch", "Yaw", "Roll"]).unwrap_or_default();
        Transform {
            rotation: Transform::rotation_of(pitch, yaw, roll),
            translation: self.numbers("Center", AXES).unwrap_or_default(),
            ..Transform::IDENTITY
        }
    }

    fn sphere(&self) -> Option<CollisionForm> {
        positive(self.number("Radius")).map(CollisionForm::Sphere)
    }

    fn cuboid(&self) -> Option<CollisionForm> {
        let sides = AXES.map(|axis| self.number(axis));
        // A plane is a box without height.
        sides.iter().all(|side| side.is_finite()).then_some(CollisionForm::Box(sides))
    }

    fn capsule(&self) -> Option<CollisionForm> {
        let radius = positive(self.number("Radius"))?;
        Some(CollisionForm::Capsule([radius; 2], length(self.number("Length"))))
    }

    fn tapered_capsule(&self) -> Option<CollisionForm> {
        let radii = [positive(self.number("Radius0"))?, positive(self.number("Radius1"))?];
        Some(CollisionForm::Capsule(radii, length(self.number("Length"))))
    }

    fn convex(&self) -> Option<CollisionForm> {
        let vertex = |value: &Value| {
            let of = <&Struct>::from_value(value)?;
            Some(AXES.map(|axis| number(self.scope, of, axis)))
        };
        let vertices: Vec<[f64; 3]> = self.items("VertexData").map(vertex).collect::<Option<_>>()?;
        let index = |value: &Value| {
            let index = u32::try_from(i32::from_value(value)?).ok()?;
            ((index as usize) < vertices.len()).then_some(index)
        };
        let indices: Vec<u32> = self.items("IndexData").map(index).collect::<Option<_>>()?;
        let is_sound = !indices.is_empty() && indices.len().is_multiple_of(3);
        let is_finite = vertices.iter().flatten().all(|number| number.is_finite());
        (is_sound && is_finite).then_some(CollisionForm::Convex(vertices, indices))
    }
}

fn positive(number: f64) -> Option<f64> {
    (number.is_finite() && number > 0.0).then_some(number)
}

fn length(number: f64) -> f64 {
    positive(number).unwrap_or(0.0)
}
