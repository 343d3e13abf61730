//! ACL clips as tracks of bones, and as curves with names.

use super::super::skeleton::{Bone, Bones};
use super::acl::{AclClip, AclCurves, DefaultPose};
use super::curves::{Curve, CurveKey, CurveMode};
use super::tracks::Track;
use crate::wire::{Fault, FaultKind};
use std::sync::Arc;

/// Decodes the tracks of some bones. Unless the animation is additive, parts that are not stored take the
/// skeleton's pose.
pub(super) fn tracks(
    stream: &[u8],
    of: &[u32],
    is_additive: bool,
    bones: &Bones,
) -> Result<Vec<Track>, Fault> {
    let clip = AclClip::parse(stream)?;
    // Tracks have no names: the list of bones is the only thing that says which is which.
    if clip.tracks() as usize != of.len() {
        let kind = FaultKind::Unexpected { found: clip.tracks().into(), expected: of.len() as u64 };
        return Err(Fault { offset: 16, field: "tracks", kind });
    }
    let mut tracks = clip.decode();
    // Additive clips may have the bit of a skeleton pose all the same; their defaults are trivial.
    if clip.default_pose() == DefaultPose::Skeleton && !is_additive {
        for (track, bone) in tracks.iter_mut().zip(of) {
            if let Some(bone) = bones.0.get(*bone as usize) {
                stand(track, bone);
            }
        }
    }
    Ok(tracks)
}

/// Fills in the skeleton's rotation and translation where nothing is stored. Scales default to 1, whatever
/// the skeleton has.
#[expect(clippy::cast_possible_truncation, reason = "poses are kept as floats in keys, too")]
fn stand(track: &mut Track, bone: &Bone) {
    if track.rotation.values.is_empty() {
        track.rotation.values.push(bone.pose.rotation.map(|part| part as f32));
    }
    if track.translation.values.is_empty() {
        track.translation.values.push(bone.pose.translation.map(|part| part as f32));
    }
}

/// Decodes curves and gives them their names.
pub(super) fn curves(names: &[Arc<str>], bytes: &[u8]) -> Result<Vec<Curve>, Fault> {
    let curves = AclCurves::parse(bytes)?;
    // Curves of the engine are single floats, one per name.
    let (found, expected) = ((curves.len(), curves.components()), (names.len(), 1));
    if found != expected {
        let kind = FaultKind::Unexpected { found: found.0 as u64, expected: expected.0 as u64 };
        return Err(Fault { offset: 16, field: "curves", kind });
    }
    let rate = f64::from(curves.rate());
    let curve = |(name, values): (&Arc<str>, Vec<f32>)| {
        let mode = if values.len() > 1 { CurveMode::Linear } else { CurveMode::Constant };
        #[expect(clippy::cast_possible_truncation, reason = "times of keys are floats")]
        // The rate of a curve with one key may be 0.
        let time = |at: u32| if at == 0 { 0.0 } else { (f64::from(at) / rate) as f32 };
        let key = |(at, value)| CurveKey { time: time(at), value, arrive: 0.0, leave: 0.0, mode };
        Curve { name: Arc::clone(name), keys: (0..).zip(values).map(key).collect() }
    };
    Ok(names.iter().zip(curves.decode()).map(curve).collect())
}
