//! The properties of components that a scene needs.

use super::fields::{Fields, Parts};
use super::instances::Instances;
use super::link::Link;
use crate::asset::{SplineBend, SplineEnd};
use crate::package::ObjectPath;
use crate::property::{NativeValues, Object, Scope};
use std::sync::Arc;

/// Generates structs of properties, each from its row: name in Rust, type, and how it is read.
macro_rules! values {
    ($(
        $(#[$doc:meta])*
        $name:ident { $($(#[$field_doc:meta])* $field:ident: $of:ty = $read:ident($($property:literal),+);)* }
    )*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: Option<$of>,)*
        }

        impl $name {
            fn read(fields: Fields<'_>) -> Self {
                Self { $($field: None$(.or_else(|| fields.$read($property)))+,)* }
            }

            fn inherit(&mut self, template: &Self) {
                $(if self.$field.is_none() {
                    self.$field.clone_from(&template.$field);
                })*
            }
        }
    )*};
}

values! {
    /// Place of a component.
    PlaceValues {
        /// Location in centimetres.
        location: [f64; 3] = vector("RelativeLocation");
        /// Rotation as a quaternion.
        rotation: [f64; 4] = rotator("RelativeRotation");
        /// Scale.
        scale: [f64; 3] = vector("RelativeScale3D");
        /// True if the location is that in the world, whatever the component is attached to.
        is_location_absolute: bool = flag("bAbsoluteLocation");
        /// True if the rotation is that in the world.
        is_rotation_absolute: bool = flag("bAbsoluteRotation");
        /// True if the scale is that in the world.
        is_scale_absolute: bool = flag("bAbsoluteScale");
        /// Socket or bone of the parent's mesh that the component is attached to.
        socket: String = text("AttachSocketName");
    }

    /// Visibility of a component.
    VisibilityValues {
        /// False if it is not drawn.
        is_visible: bool = flag("bVisible");
        /// True if it is drawn in the editor only.
        is_hidden_in_game: bool = flag("bHiddenInGame");
        /// True for an actor that is not drawn, with all its components.
        is_hidden: bool = flag("bHidden");
        /// Mobility: `Static`, `Stationary` or `Movable`.
        mobility: String = text("Mobility");
    }

    /// Mesh of a component.
    MeshValues {
        /// The mesh. Its property was renamed in 5.1.
        mesh: Link = link("StaticMesh", "SkinnedAsset", "SkeletalMeshAsset", "SkeletalMesh");
        /// Materials that replace those of the mesh; null ones keep them.
        materials: Vec<Link> = links("OverrideMaterials");
        /// Custom data of each instance, in numbers.
        custom_floats: f64 = number("NumCustomDataFloats");
    }

    /// Light of a component.
    LightValues {
        /// Intensity, in its units.
        intensity: f64 = number("Intensity");
        /// Units: `Unitless`, `Candelas`, `Lumens` or `EV`.
        units: String = text("IntensityUnits");
        /// Colour: red, green, blue, alpha as fractions, in sRGB.
        color: [f64; 4] = color("LightColor");
        /// Temperature in kelvins.
        temperature: f64 = number("Temperature");
        /// True if the temperature tints the colour.
        uses_temperature: bool = flag("bUseTemperature");
        /// Distance in centimetres where it ends.
        radius: f64 = number("AttenuationRadius");
        /// False if it falls off as an artist chose.
        is_physical: bool = flag("bUseInverseSquaredFalloff");
        /// Half the angle of full brightness, in degrees.
        inner_cone: f64 = number("InnerConeAngle");
        /// Half the angle where the cone ends, in degrees.
        outer_cone: f64 = number("OuterConeAngle");
        /// Width of a rectangle, in centimetres.
        width: f64 = number("SourceWidth");
        /// Height of a rectangle, in centimetres.
        height: f64 = number("SourceHeight");
    }

    /// Camera of a component.
    CameraValues {
        /// Horizontal angle of view, in degrees.
        angle: f64 = number("FieldOfView");
        /// Width divided by height.
        aspect: f64 = number("AspectRatio");
        /// Projection: `Perspective` or `Orthographic`.
        projection: String = text("ProjectionMode");
        /// Width of an orthographic view, in centimetres.
        width: f64 = number("OrthoWidth");
        /// Focal length of a film camera, in millimetres.
        focal_length: f64 = number("CurrentFocalLength");
        /// Width and height of the film, in millimetres.
        film: [f64; 2] = film("Filmback");
    }

    /// Part of a landscape, or the actor around it.
    LandscapeValues {
        /// First quad along X, in the whole landscape.
        first_x: f64 = number("SectionBaseX");
        /// First quad along Y.
        first_y: f64 = number("SectionBaseY");
        /// Quads along each side.
        quads: f64 = number("ComponentSizeQuads");
        /// Quads along each side of a subsection.
        subsection_quads: f64 = number("SubsectionSizeQuads");
        /// Subsections along each side.
        subsections: f64 = number("NumSubsections");
        /// Texture of heights and normals.
        height_map: Link = link("HeightmapTexture");
        /// Size of a texel of it, and its start there, in fractions.
        height_scale: [f64; 4] = vector_4("HeightmapScaleBias");
        /// Size of a texel of the weights, and its start there, in fractions.
        weight_scale: [f64; 4] = vector_4("WeightmapScaleBias");
        /// Materials that the cooker made for it.
        materials: Vec<Link> = links("MaterialInstances");
        /// Material of the whole landscape, of its actor.
        material: Link = link("LandscapeMaterial");
        /// Identity of the whole landscape, which many actors may have parts of; of its actor.
        guid: String = text("LandscapeGuid");
    }

    /// Curve that a mesh is bent along.
    SplineValues {
        /// Where it starts.
        start: [f64; 3] = spline_vector("StartPos");
        /// Its direction there.
        start_tangent: [f64; 3] = spline_vector("StartTangent");
        /// Scale of the mesh there.
        start_scale: [f64; 2] = spline_pair("StartScale");
        /// Turn of the mesh there, in radians.
        start_roll: f64 = spline_number("StartRoll");
        /// Distance of the mesh from the curve there.
        start_offset: [f64; 2] = spline_pair("StartOffset");
        /// Where it ends.
        end: [f64; 3] = spline_vector("EndPos");
        /// Its direction there.
        end_tangent: [f64; 3] = spline_vector("EndTangent");
        /// Scale of the mesh there.
        end_scale: [f64; 2] = spline_pair("EndScale");
        /// Turn of the mesh there, in radians.
        end_roll: f64 = spline_number("EndRoll");
        /// Distance of the mesh from the curve there.
        end_offset: [f64; 2] = spline_pair("EndOffset");
        /// Axis of the mesh along the curve: `X`, `Y` or `Z`.
        axis: String = text("ForwardAxis");
        /// Direction that is up.
        up: [f64; 3] = vector("SplineUpDir");
        /// Where the mesh begins along its axis; its bounds if that is where it ends, too.
        low: f64 = number("SplineBoundaryMin");
        /// Where it ends.
        high: f64 = number("SplineBoundaryMax");
        /// True if scale, roll and offset change slowly near the ends.
        is_smooth: bool = flag("bSmoothInterpRollScale");
    }

    /// Decal of a component.
    DecalValues {
        /// Its material.
        material: Link = link("DecalMaterial");
        /// Half its size along its axes, in centimetres. It is projected along X.
        size: [f64; 3] = vector("DecalSize");
    }
}

impl Fields<'_> {
    fn spline(&self, name: &str) -> Option<Parts<'_>> {
        self.parts("SplineParams")?.parts(name)
    }

    /// A vector of the curve of a mesh.
    fn spline_vector(&self, name: &str) -> Option<[f64; 3]> {
        self.spline(name).map(|parts| parts.vector())
    }

    /// A vector of two numbers.
    fn spline_pair(&self, name: &str) -> Option<[f64; 2]> {
        self.spline(name).map(|parts| parts.numbers(["X", "Y"]))
    }

    /// A number of it.
    fn spline_number(&self, name: &str) -> Option<f64> {
        self.parts("SplineParams")?.number(name)
    }

    /// The size of a film, of which a part may be missing: then it is not known.
    fn film(&self, name: &str) -> Option<[f64; 2]> {
        let parts = self.parts(name)?;
        Some([parts.number("SensorWidth")?, parts.number("SensorHeight")?])
    }
}

impl SplineValues {
    /// The curve, with the engine's values where there are none.
    #[must_use]
    pub fn bend(&self) -> SplineBend {
        let usual = SplineBend::default();
        let [start, end] = usual.ends;
        let start = SplineEnd {
            position: self.start.unwrap_or(start.position),
            tangent: self.start_tangent.unwrap_or(start.tangent),
            scale: self.start_scale.unwrap_or(start.scale),
            roll: self.start_roll.unwrap_or(start.roll),
            offset: self.start_offset.unwrap_or(start.offset),
        };
        let end = SplineEnd {
            position: self.end.unwrap_or(end.position),
            tangent: self.end_tangent.unwrap_or(end.tangent),
            scale: self.end_scale.unwrap_or(end.scale),
            roll: self.end_roll.unwrap_or(end.roll),
            offset: self.end_offset.unwrap_or(end.offset),
        };
        let range = [self.low.unwrap_or_default(), self.high.unwrap_or_default()];
        let [low, high] = range;
        SplineBend {
            ends: [start, end],
            axis: match self.axis.as_deref() {
                Some("Y") => 1,
                Some("Z") => 2,
                _ => usual.axis,
            },
            up: self.up.unwrap_or(usual.up),
            range: ((high - low).abs() > f64::EPSILON).then_some(range),
            is_smooth: self.is_smooth.unwrap_or_default(),
        }
    }
}

/// All that a scene needs of a component, or of the template of one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Values {
    /// Its place.
    pub place: PlaceValues,
    /// Its visibility.
    pub visibility: VisibilityValues,
    /// Its mesh.
    pub mesh: MeshValues,
    /// Its light.
    pub light: LightValues,
    /// Its camera.
    pub camera: CameraValues,
    /// Its decal.
    pub decal: DecalValues,
    /// Its curve.
    pub spline: SplineValues,
    /// Its part of a landscape.
    pub landscape: LandscapeValues,
    /// Instances of its mesh.
    pub instances: Option<Arc<Instances>>,
}

impl Values {
    /// Values that an object stores itself.
    #[must_use]
    pub fn read(scope: &Scope<'_>, object: &Object) -> Self {
        let instances = Instances::read(&object.tail).map(Arc::new);
        Self { instances, ..Self::of_fields(Fields::Stored { scope, object }) }
    }

    /// Values of a native object, as a dump of the game has them.
    #[must_use]
    pub fn of_dump(NativeValues(values): &NativeValues) -> Self {
        Self::of_fields(Fields::Dumped(values))
    }

    fn of_fields(fields: Fields<'_>) -> Self {
        Self {
            place: PlaceValues::read(fields),
            visibility: VisibilityValues::read(fields),
            mesh: MeshValues::read(fields),
            light: LightValues::read(fields),
            camera: CameraValues::read(fields),
            decal: DecalValues::read(fields),
            spline: SplineValues::read(fields),
            landscape: LandscapeValues::read(fields),
            instances: None,
        }
    }

    /// Values of an object of a native class that are not what others of its class have.
    #[must_use]
    pub fn of_native(path: &ObjectPath) -> Self {
        // A landscape of one quad for each unit would be tiny.
        const QUAD: [f64; 3] = [128.0, 128.0, 256.0];
        let mut this = Self::default();
        let is_landscape = matches!(path.names(), [actor, root]
            if matches!(&**actor, "Default__Landscape" | "Default__LandscapeStreamingProxy")
                && &**root == "RootComponent0");
        this.place.scale = is_landscape.then_some(QUAD);
        this
    }

    /// Takes those values from a template that are not set.
    pub fn inherit(&mut self, template: &Self) {
        self.place.inherit(&template.place);
        self.visibility.inherit(&template.visibility);
        self.mesh.inherit(&template.mesh);
        self.light.inherit(&template.light);
        self.camera.inherit(&template.camera);
        self.decal.inherit(&template.decal);
        self.spline.inherit(&template.spline);
        self.landscape.inherit(&template.landscape);
        if self.instances.is_none() {
            self.instances.clone_from(&template.instances);
        }
    }
}
