//! Kinds of components, by their classes.

/// Kind of a component, by what it draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ComponentKind {
    /// A mesh without bones.
    StaticMesh,
    /// Many of one mesh.
    Instances,
    /// A mesh bent along a curve.
    SplineMesh,
    /// A mesh with bones.
    SkeletalMesh,
    /// A light.
    Light(super::LightKind),
    /// A camera.
    Camera,
    /// A picture on other surfaces.
    Decal,
    /// A part of a landscape.
    Landscape,
    /// Effects, sounds, texts, fog and sky, which no file of meshes could hold.
    Effect,
    /// Shapes and volumes that games never draw.
    Shape,
    /// A place that others are attached to.
    Place,
}

use super::LightKind::{Directional, Point, Rect, Spot};
use ComponentKind as Of;

/// Classes, of which the most derived one of a component decides.
const CLASSES: &[(&str, ComponentKind)] = &[
    ("InstancedStaticMeshComponent", Of::Instances),
    ("SplineMeshComponent", Of::SplineMesh),
    ("StaticMeshComponent", Of::StaticMesh),
    ("SkeletalMeshComponent", Of::SkeletalMesh),
    ("PoseableMeshComponent", Of::SkeletalMesh),
    ("SkinnedMeshComponent", Of::SkeletalMesh),
    ("SpotLightComponent", Of::Light(Spot)),
    ("RectLightComponent", Of::Light(Rect)),
    ("PointLightComponent", Of::Light(Point)),
    ("DirectionalLightComponent", Of::Light(Directional)),
    ("CameraComponent", Of::Camera),
    ("DecalComponent", Of::Decal),
    ("LandscapeComponent", Of::Landscape),
    ("ShapeComponent", Of::Shape),
    ("BrushComponent", Of::Shape),
    ("ArrowComponent", Of::Shape),
    ("BillboardComponent", Of::Shape),
    ("SplineComponent", Of::Shape),
    ("NavLinkRenderingComponent", Of::Shape),
    ("NavMeshRenderingComponent", Of::Shape),
    ("DrawFrustumComponent", Of::Shape),
    ("LandscapeHeightfieldCollisionComponent", Of::Shape),
    ("PrimitiveComponent", Of::Effect),
    ("LightComponentBase", Of::Effect),
    ("AudioComponent", Of::Effect),
    ("PostProcessComponent", Of::Effect),
    ("ReflectionCaptureComponent", Of::Effect),
    ("ExponentialHeightFogComponent", Of::Effect),
    ("SkyAtmosphereComponent", Of::Effect),
    ("VolumetricCloudComponent", Of::Effect),
    ("WindDirectionalSourceComponent", Of::Effect),
    ("FXSystemComponent", Of::Effect),
    ("SceneComponent", Of::Place),
];

impl ComponentKind {
    /// The kind of a component by its class and the bases of that, the class itself first; `None` for other objects.
    #[must_use]
    pub fn of_classes(classes: &[impl AsRef<str>]) -> Option<Self> {
        classes.iter().find_map(|class| {
            let row = CLASSES.iter().find(|(name, _)| name.eq_ignore_ascii_case(class.as_ref()));
            row.map(|(_, kind)| *kind)
        })
    }

    /// True if scenes show it, unless something else is asked for.
    #[must_use]
    pub const fn is_shown(self) -> bool {
        !matches!(self, Self::Effect | Self::Shape | Self::Place)
    }
}
