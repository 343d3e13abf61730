//! Skeletons: named bones, each with a transform relative to its parent.
//!
//! ```text
//! reference skeleton  i32 n │ n × { Name bone, i32 parent, (uncooked) string: name in the imported file }
//!                     │ i32 n │ n × transform │ i32 n │ n × { Name, i32 }
//! transform           4 reals rotation (x y z w) │ 3 translation │ 3 scale
//! Skeleton            reference skeleton │ poses for retargeting │ GUID │ smart names (before 5.8)
//!                     │ strip flags (4.24) │ …
//! ```
//!
//! Verified on skeletons of 5.6 to 6.0; uncooked ones on spelled-out bytes only. Source: the payload sheet, and for
//! the names in imported files CUE4Parse.

use super::Payload;
use super::transform::Transform;
use crate::id::Guid;
use crate::property::{Object, Scope};
use crate::wire::{Fault, FaultKind, counted};
use std::fmt;
use std::sync::Arc;

/// `USkeleton`: bones shared by several meshes and animations.
#[doc(alias = "USkeleton")]
#[derive(Debug, Clone, PartialEq)]
pub struct Skeleton {
    /// Bones in their reference pose.
    pub bones: Bones,
    /// GUID that changes with the bones; zero for an uncooked skeleton, of which only the bones are read.
    pub guid: Guid,
}

/// `FReferenceSkeleton`: bones, parents before children.
#[doc(alias = "FReferenceSkeleton")]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bones(
    /// The bones.
    pub Vec<Bone>,
);

/// `FMeshBoneInfo` with its reference pose.
#[doc(alias = "FMeshBoneInfo")]
#[derive(Debug, Clone, PartialEq)]
pub struct Bone {
    /// Its name.
    pub name: Arc<str>,
    /// Index of the parent; `None` for a root.
    pub parent: Option<usize>,
    /// Transform relative to the parent.
    pub pose: Transform,
}

/// Bytes of a transform in single precision.
const MIN_TRANSFORM: usize = 40;
/// Bytes of a name and a number.
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
                    // Parents precede their children, which excludes cycles and lets one pass calculate
                    // global transforms.
                    Some(usize::try_from(parent).ok().filter(|parent| *parent < index).ok_or_else(|| {
                        at.fault("parent of a bone", FaultKind::Unsupported { found: parent.into() })
                    })?)
                }
            };
            if !payload.scope.package.form.cooked {
                payload.r.string("name of a bone in the imported file")?;
            }
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
        // A map from names to indices, which the list of bones implies.
        let count = payload.r.count("names of bones", BONE)?;
        payload.r.bytes("names of bones", BONE * count)?;
        Ok(Self(bones))
    }

    /// Returns the index of a bone, by its name in any letter case.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|bone| bone.name.eq_ignore_ascii_case(name))
    }
}

impl Skeleton {
    pub(super) fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        let versions = payload.versions;
        let bones = Bones::read(payload)?;
        if !payload.scope.package.form.cooked {
            payload.r.bytes("data for the editor", payload.r.remaining())?;
            return Ok(Self { bones, guid: Guid::ZERO });
        }
        // Poses of retarget sources have no use here.
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
        // Markers are editor data: cooked skeletons have only the flags.
        if versions.has_marker_names() && !payload.strip_flags()?.is_editor_data_stripped() {
            let count = payload.r.count("names of markers", 8)?;
            payload.r.bytes("names of markers", 8 * count)?;
        }
        Ok(Self { bones, guid })
    }
}

/// Skips `FSmartNameContainer`: names of curves, and the bones that belong to them.
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

/// Summary of a skeleton.
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
