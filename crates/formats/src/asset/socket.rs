use super::transform::Transform;
use crate::package::legacy::{Name, PackageIndex};
use crate::property::{Body, FromValue, Object, Scope, Struct, Value};

/// `UStaticMeshSocket`, `USkeletalMeshSocket`: a named transform for attachments.
#[doc(alias = "UStaticMeshSocket")]
#[doc(alias = "USkeletalMeshSocket")]
#[derive(Debug, Clone, PartialEq)]
pub struct Socket {
    /// Its name.
    pub name: String,
    /// Bone that it is attached to; `None` for a static mesh.
    pub bone: Option<String>,
    /// Transform relative to the bone, or to the mesh.
    pub place: Transform,
}

const AXES: [&str; 3] = ["X", "Y", "Z"];
/// Classes of sockets.
const CLASSES: [&str; 2] = ["StaticMeshSocket", "SkeletalMeshSocket"];

impl Socket {
    /// Reads the sockets of a mesh, which are objects inside it; empty if their properties cannot be decoded.
    #[must_use]
    pub fn of_mesh(scope: &Scope<'_>, mesh: PackageIndex) -> Vec<Self> {
        let exports = scope.package.exports.iter().filter(|export| export.outer == mesh);
        let sockets = exports.filter(|export| {
            let classes = scope.classes(export.class);
            classes.iter().any(|class| CLASSES.contains(&&**class))
        });
        sockets.filter_map(|export| Self::of_object(scope, &Object::read(scope, export))).collect()
    }

    fn of_object(scope: &Scope<'_>, object: &Object) -> Option<Self> {
        let text = |name: Name| scope.package.text(name).to_string();
        let vector = |field: &str, names: [&str; 3]| {
            let found: &Struct = object.get(scope, field)?;
            Some(names.map(|name| number(scope, found, name)))
        };
        // Properties equal to their defaults are not stored.
        let [pitch, yaw, roll] = vector("RelativeRotation", ["Pitch", "Yaw", "Roll"]).unwrap_or_default();
        Some(Self {
            name: text(object.get(scope, "SocketName")?),
            bone: object.get(scope, "BoneName").map(text),
            place: Transform {
                rotation: Transform::rotation_of(pitch, yaw, roll),
                translation: vector("RelativeLocation", AXES).unwrap_or_default(),
                scale: vector("RelativeScale", AXES).unwrap_or([1.0; 3]),
            },
        })
    }
}

/// Returns a number in a struct; 0 if it is missing, since properties leave out zeros.
pub(super) fn number(scope: &Scope<'_>, of: &Struct, name: &str) -> f64 {
    field(scope, of, name).and_then(f64::from_value).unwrap_or_default()
}

/// Returns a field of a struct, which is written natively or as properties.
pub(super) fn field<'f>(scope: &'f Scope<'_>, of: &'f Struct, name: &str) -> Option<&'f Value> {
    match &of.body {
        Body::Native(record) => record.get(name),
        Body::List(list) => list.find(scope.package, name)?.value,
        Body::Empty => None,
    }
}
