//! Additive animations, applied to their base.
//!
//! ```text
//! local        rotation = delta · base        translation = base + delta        scale = base · (1 + delta)
//! mesh space   rotations of the pose are in the space of the mesh: own = own of the parent · local;
//!              they are turned by the deltas, then made relative to the parents again.
//!              Translations and scales stay local
//! ```

use super::super::skeleton::Bones;
use super::decoded::MotionError;
use super::motion::{IDENTITY, Motion, at, product, turn};
use super::sequence::{Additive, AdditiveBase, Animation};

/// Limit of the rotations (bones × times) that are calculated for one animation.
const MAX_ROTATIONS: usize = 1 << 22;
/// Difference up to which components of rotations count as equal.
const NEAR: f32 = 1e-5;

impl Additive {
    /// Applies an additive animation to its base.
    pub(super) fn on_top(
        &self,
        own: Vec<(u32, Motion)>,
        bones: &Bones,
        animations: (&Animation<'_>, Option<&Animation<'_>>),
    ) -> Result<Vec<(u32, Motion)>, MotionError> {
        let pose = Pose::new(self, bones, animations)?;
        let mut deltas = vec![None; bones.0.len()];
        // A second track of a bone, or the track of a bone that the skeleton lacks: these come last,
        // unchanged.
        let mut others = Vec::new();
        for (bone, delta) in own {
            match deltas.get_mut(bone as usize) {
                Some(known @ None) => *known = Some(delta),
                _ => others.push((bone, delta)),
            }
        }
        let mut all = Vec::with_capacity(deltas.len());
        // In mesh space a delta of one bone changes the relative rotation of its children, so all bones are
        // calculated first.
        let rotations = if self.is_in_mesh_space { pose.turned_in_mesh_space(&deltas)? } else { Vec::new() };
        for (bone, delta) in (0..).zip(&deltas) {
            let base = pose.motions.get(bone as usize).and_then(Option::as_ref);
            let rotation = rotations.get(bone as usize).filter(|keys| !keys.is_empty());
            if delta.is_none() && base.is_none() && rotation.is_none() {
                continue;
            }
            let base = pose.of(bone);
            // A bone that only the base animation moves keeps that motion.
            let mut motion = delta.as_ref().map_or_else(|| base.clone(), |delta| delta.added_to(&base));
            if let Some(rotation) = rotation {
                motion.rotation.clone_from(rotation);
            }
            all.push((bone, motion));
        }
        all.extend(others);
        Ok(all)
    }
}

/// Base of an additive animation.
struct Pose<'b> {
    bones: &'b Bones,
    /// Motions of the base animation, by bone.
    motions: Vec<Option<Motion>>,
}

impl<'b> Pose<'b> {
    fn new(
        additive: &Additive,
        bones: &'b Bones,
        (own, other): (&Animation<'_>, Option<&Animation<'_>>),
    ) -> Result<Self, MotionError> {
        let missing = MotionError::Obstacle(
            "it is additive, and the animation that it is added to is not here, or cannot be read",
        );
        let (of, frame) = match additive.base {
            // The frame belonged to the animation before it was made additive, and is not stored any more.
            AdditiveBase::Skeleton | AdditiveBase::OwnFrame(_) => {
                return Ok(Self { bones, motions: Vec::new() });
            }
            AdditiveBase::Frame(frame) => (other.ok_or(missing)?, Some(frame)),
            AdditiveBase::Whole => (other.ok_or(missing)?, None),
        };
        // An additive base would need a base as well, and an animation that is its own base would never end.
        if of.additive.is_some() || std::ptr::eq(of, own) {
            return Err(MotionError::Obstacle("it is additive, and so is the animation that it is added to"));
        }
        let last = of.frames.saturating_sub(1);
        let mut motions = vec![None; bones.0.len()];
        for (bone, motion) in of.decoded(bones)? {
            let stopped = match frame {
                // Times are shares of the whole, so a frame becomes a share; frames beyond the end mean the
                // last one.
                Some(frame) => motion.stopped(f64::from(frame.min(last)) / f64::from(last.max(1))),
                None => motion,
            };
            // The first track of a bone wins, as for the deltas.
            if let Some(place) = motions.get_mut(bone as usize).filter(|place| place.is_none()) {
                *place = Some(stopped);
            }
        }
        Ok(Self { bones, motions })
    }

    /// Motion of a bone in the base.
    fn of(&self, bone: u32) -> Motion {
        let own = self.motions.get(bone as usize).cloned().flatten();
        own.unwrap_or_else(|| {
            self.bones.0.get(bone as usize).map(|bone| Motion::still(&bone.pose)).unwrap_or_default()
        })
    }

    /// Calculates the rotations of all bones, relative to their parents, after the deltas are applied in mesh
    /// space; empty for a bone that keeps the skeleton's rotation.
    fn turned_in_mesh_space(&self, deltas: &[Option<Motion>]) -> Result<Vec<Vec<Key>>, MotionError> {
        let motions: Vec<Motion> = (0..).zip(&self.bones.0).map(|(bone, _)| self.of(bone)).collect();
        // Every bone gets a key at the times of all bones: a parent's key in between would change the child
        // as well.
        let all = deltas.iter().flatten().chain(&motions).flat_map(|motion| &motion.rotation);
        let mut times: Vec<f64> = all.map(|(time, _)| *time).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        if times.len().saturating_mul(motions.len()) > MAX_ROTATIONS {
            return Err(MotionError::Obstacle(
                "it is additive in the space of the mesh, and has too many bones and keys for that",
            ));
        }
        let mut turned: Vec<Vec<Key>> = vec![Vec::new(); motions.len()];
        for time in times {
            // Rotation of each bone in mesh space: before and after its delta.
            let mut spaces: Vec<[[f32; 4]; 2]> = Vec::with_capacity(motions.len());
            for (((bone, motion), delta), keys) in
                self.bones.0.iter().zip(&motions).zip(deltas).zip(&mut turned)
            {
                // Parents come before their children, so the parent's rotations are known here; roots have
                // none.
                let [base, above] =
                    bone.parent.and_then(|parent| spaces.get(parent).copied()).unwrap_or([IDENTITY; 2]);
                let own = product(base, at(&motion.rotation, time, turn).unwrap_or(IDENTITY));
                let delta = delta.as_ref().and_then(|delta| at(&delta.rotation, time, turn));
                let now = delta.map_or(own, |delta| product(delta, own));
                spaces.push([own, now]);
                keys.push((time, product(inverse(above), now)));
            }
        }
        // Most bones do not move: one key is enough for them, and none if the skeleton has the same rotation.
        for (at, (keys, bone)) in turned.iter_mut().zip(&self.bones.0).enumerate() {
            let Some((_, first)) = keys.first().copied() else { continue };
            if keys.iter().all(|(_, key)| is_near(*key, first)) {
                keys.truncate(1);
                #[expect(clippy::cast_possible_truncation, reason = "keys are floats")]
                let still = bone.pose.rotation.map(|part| part as f32);
                if self.motions.get(at).is_none_or(Option::is_none) && is_near(first, still) {
                    keys.clear();
                }
            }
        }
        Ok(turned)
    }
}

/// A rotation at a share of the time.
type Key = (f64, [f32; 4]);

/// Inverts a rotation of length 1.
fn inverse([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    [-x, -y, -z, w]
}

/// True if two rotations are about the same. With all signs changed, a quaternion is the same rotation.
fn is_near(a: [f32; 4], b: [f32; 4]) -> bool {
    let near = |sign: f32| a.iter().zip(b).all(|(a, b)| (a - sign * b).abs() < NEAR);
    near(1.0) || near(-1.0)
}

#[cfg(test)]
mod tests {
    use super::super::super::skeleton::Bone;
    use super::super::super::transform::Transform;
    use super::super::sequence::Compression;
    use super::*;
    use crate::id::Guid;
    use crate::package::legacy::PackageIndex;

    fn about(axis: usize, degrees: f32) -> [f32; 4] {
        let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
        std::array::from_fn(|at| {
            if at == axis {
                sin
            } else if at == 3 {
                cos
            } else {
                0.0
            }
        })
    }

    fn additive(base: AdditiveBase) -> (Additive, Animation<'static>) {
        let additive = Additive { is_in_mesh_space: true, base, sequence: PackageIndex::NONE };
        let animation = Animation {
            skeleton_guid: Guid::default(),
            bones: Vec::new(),
            frames: 2,
            seconds: None,
            rate_scale: None,
            is_stepped: false,
            additive: Some(additive),
            raw_size: 0,
            codec: String::new(),
            compression: Compression::None,
            curves: Vec::new(),
        };
        (additive, animation)
    }

    /// Builds a chain of bones with these rotations.
    fn chain(rotations: &[[f32; 4]]) -> Bones {
        let bone = |(at, rotation): (usize, &[f32; 4])| Bone {
            name: format!("b{at}").into(),
            parent: at.checked_sub(1),
            pose: Transform { rotation: rotation.map(f64::from), ..Transform::IDENTITY },
        };
        Bones(rotations.iter().enumerate().map(bone).collect())
    }

    /// The parent turns about X, its child about Z as seen from the mesh; the grandchild has no delta.
    #[test]
    fn deltas_in_the_space_of_the_mesh_turn_the_mesh() {
        let bones = chain(&[about(1, 30.0), about(0, 40.0), about(2, 10.0)]);
        let (additive, animation) = additive(AdditiveBase::Skeleton);
        let delta =
            |rotation| Motion { rotation: vec![(0.0, IDENTITY), (1.0, rotation)], ..Motion::default() };
        let (x, z) = (about(0, 50.0), about(2, 60.0));
        let own = vec![(0, delta(x)), (1, delta(z))];
        let moved = additive.on_top(own, &bones, (&animation, None)).unwrap();
        // Rotations of the bones in mesh space.
        let in_mesh = |rotations: &[[f32; 4]]| {
            rotations.iter().fold(Vec::new(), |mut all: Vec<[f32; 4]>, own| {
                all.push(product(all.last().copied().unwrap_or(IDENTITY), *own));
                all
            })
        };
        let before = in_mesh(&[about(1, 30.0), about(0, 40.0), about(2, 10.0)]);
        let end: Vec<[f32; 4]> = moved.iter().map(|(_, motion)| motion.rotation.last().unwrap().1).collect();
        let after = in_mesh(&end);
        assert!(is_near(after[0], product(x, before[0])), "{after:?}");
        assert!(is_near(after[1], product(z, before[1])), "{after:?}");
        assert!(is_near(after[2], before[2]), "{after:?}");
        let start: Vec<[f32; 4]> = moved.iter().map(|(_, motion)| motion.rotation[0].1).collect();
        assert!(in_mesh(&start).iter().zip(&before).all(|(a, b)| is_near(*a, *b)));
    }

    #[test]
    fn what_stands_still_has_no_keys() {
        let bones = chain(&[about(1, 30.0), about(0, 40.0)]);
        let (additive, animation) = additive(AdditiveBase::OwnFrame(3));
        assert!(additive.on_top(Vec::new(), &bones, (&animation, None)).unwrap().is_empty());
        let delta = Motion { rotation: vec![(0.0, about(2, 5.0))], ..Motion::default() };
        let moved = additive.on_top(vec![(1, delta)], &bones, (&animation, None)).unwrap();
        assert_eq!(
            moved.iter().map(|(bone, motion)| (*bone, motion.rotation.len())).collect::<Vec<_>>(),
            [(1, 1)]
        );
    }
}
