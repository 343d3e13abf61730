//! Skeletons: bones with names, each at a place relative to its parent.
//!
//! ```text
//! reference skeleton  i32 n │ n × { Name bone, i32 parent } │ i32 n │ n × transform │ i32 n │ n × { Name, i32 }
//! transform           4 reals rotation (x y z w) │ 3 translation │ 3 scale
//! Skeleton            reference skeleton │ poses for retargeting │ GUID │ smart names (before 5.8) │ strip flags (4.24) │ …
//! ```
//!
//! Verified on skeletons of 5.6 to 6.0. Source: the payload sheet.

use super::Payload;
use crate::id::Guid;
use crate::property::{Object, Scope};
use crate::wire::{Fault, FaultKind, counted};
use std::fmt;
use std::sync::Arc;

/// `USkeleton`: the bones that several meshes and animations share.
#[doc(alias = "USkeleton")]
#[derive(Debug, Clone, PartialEq)]
pub struct Skeleton {
    /// Its bones, in the pose that they have by default.
    pub bones: Bones,
    /// Changes with the bones.
    pub guid: Guid,
}

/// `FReferenceSkeleton`: bones; parents come before their children.
#[doc(alias = "FReferenceSkeleton")]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bones(
    /// The bones.
    pub Vec<Bone>,
);

/// `FMeshBoneInfo`, with its pose.
#[doc(alias = "FMeshBoneInfo")]
#[derive(Debug, Clone, PartialEq)]
pub struct Bone {
    /// Its name.
    pub name: Arc<str>,
    /// Place of its parent among the bones; `None` for a root.
    pub parent: Option<usize>,
    /// Where it is, relative to its parent.
    pub pose: Transform,
}

/// `FTransform`: a scale, then a rotation, then a translation.
#[doc(alias = "FTransform")]
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Transform {
    /// As a quaternion: x, y, z, w.
    pub rotation: [f64; 4],
    /// In centimetres.
    pub translation: [f64; 3],
    /// Along the axes before the rotation.
    pub scale: [f64; 3],
}

impl Transform {
    /// Nothing is moved.
    pub const IDENTITY: Self =
        Self { rotation: [0.0, 0.0, 0.0, 1.0], translation: [0.0; 3], scale: [1.0; 3] };

    /// `FRotator` as a quaternion: angles in degrees, up, to the right and about the axis ahead.
    #[doc(alias = "FRotator")]
    #[must_use]
    pub fn rotation_of(pitch: f64, yaw: f64, roll: f64) -> [f64; 4] {
        let [(sp, cp), (sy, cy), (sr, cr)] =
            [pitch, yaw, roll].map(|angle| (angle / 2.0).to_radians().sin_cos());
        [
            cr * sp * sy - sr * cp * cy,
            -cr * sp * cy - sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        ]
    }

    fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        Ok(Self {
            rotation: payload.reals("rotation of a bone")?,
            translation: payload.reals("translation of a bone")?,
            scale: payload.reals("scale of a bone")?,
        })
    }
}

/// Bytes of a transform, with single precision.
const MIN_TRANSFORM: usize = 40;
/// A name and a number.
const BONE: usize = 12;

impl Bones {
    /// Reads a reference skeleton.
    pub(super) fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        let count = payload.r.count("bones", BONE + MIN_TRANSFORM)?;
        let mut bones = Vec::with_capacity(count);
        for index in 0..count {
            let name = payload.name_text("name of a bone")?;
            let at = payload.r.clone();
            let parent = match payload.r.i32("parent of a bone")? {
                -1 => None,
                parent => {
                    Some(usize::try_from(parent).ok().filter(|parent| *parent < index).ok_or_else(|| {
                        at.fault("parent of a bone", FaultKind::Unsupported { found: parent.into() })
                    })?)
                }
            };
            bones.push(Bone { name, parent, pose: Transform::IDENTITY });
        }
        let at = payload.r.clone();
        let poses = payload.r.size("poses of bones")?;
        if poses as usize != count {
            let kind = FaultKind::Unexpected { found: poses.into(), expected: count as u64 };
            return Err(at.fault("poses of bones", kind));
        }
        for bone in &mut bones {
            bone.pose = Transform::read(payload)?;
        }
        // Bones by their names.
        let count = payload.r.count("names of bones", BONE)?;
        payload.r.bytes("names of bones", BONE * count)?;
        Ok(Self(bones))
    }

    /// Place of a bone, by its name in any letter case.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|bone| bone.name.eq_ignore_ascii_case(name))
    }
}

impl Skeleton {
    pub(super) fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        let versions = payload.versions;
        let bones = Bones::read(payload)?;
        for _ in 0..payload.r.count("poses for retargeting", 20)? {
            payload.name("key of a pose")?;
            payload.name("name of a pose")?;
            for _ in 0..payload.r.count("bones of a pose", MIN_TRANSFORM)? {
                Transform::read(payload)?;
            }
        }
        let guid = payload.r.array("GUID of a skeleton").map(Guid)?;
        if versions.has_smart_names() {
            smart_names(payload)?;
        }
        if versions.has_marker_names() && !payload.strip_flags()?.is_editor_data_stripped() {
            let count = payload.r.count("names of markers", 8)?;
            payload.r.bytes("names of markers", 8 * count)?;
        }
        Ok(Self { bones, guid })
    }
}

/// `FSmartNameContainer`: names of curves, and which bones go with them.
fn smart_names(payload: &mut Payload<'_, '_>) -> Result<(), Fault> {
    for _ in 0..payload.r.count("kinds of smart names", 12)? {
        payload.name("kind of smart names")?;
        for _ in 0..payload.r.count("smart names", 21)? {
            payload.name("smart name")?;
            payload.r.bool32("curve moves materials")?;
            payload.r.bool32("curve moves morph targets")?;
            for _ in 0..payload.r.count("bones of a curve", 8)? {
                payload.name("bone of a curve")?;
            }
            payload.r.u8("levels of detail of a curve")?;
        }
    }
    Ok(())
}

/// A skeleton in a number.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SkeletonSummary {
    /// Number of bones.
    pub bones: usize,
}

impl Skeleton {
    pub(crate) fn summary(&self, _: &Scope<'_>, _: &Object) -> SkeletonSummary {
        SkeletonSummary { bones: self.bones.0.len() }
    }
}

impl fmt::Display for SkeletonSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skeleton: {}", counted(self.bones as u64, "bone", "bones"))
    }
}
