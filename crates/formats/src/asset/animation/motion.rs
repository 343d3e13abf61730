//! Motion of bones, independent of how keys were packed.

use super::super::transform::Transform;
use super::tracks::{Keys, Track};

/// Motion of a bone, relative to its parent: values at shares of the whole time, in ascending order. A part
/// without values is not moved.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Motion {
    /// Translations, in centimetres.
    pub translation: Vec<(f64, [f32; 3])>,
    /// Rotations, as quaternions: x, y, z, w.
    pub rotation: Vec<(f64, [f32; 4])>,
    /// Scales.
    pub scale: Vec<(f64, [f32; 3])>,
}

impl Motion {
    pub(super) fn new(track: &Track, frames: u32) -> Self {
        Self {
            translation: timed(&track.translation, frames),
            rotation: timed(&track.rotation, frames),
            scale: timed(&track.scale, frames),
        }
    }

    /// Motion that stays at one pose.
    #[expect(clippy::cast_possible_truncation, reason = "poses are kept as floats in keys, too")]
    pub(super) fn still(pose: &Transform) -> Self {
        Self {
            translation: vec![(0.0, pose.translation.map(|part| part as f32))],
            rotation: vec![(0.0, pose.rotation.map(|part| part as f32))],
            scale: vec![(0.0, pose.scale.map(|part| part as f32))],
        }
    }

    /// Applies differences to another motion.
    pub(super) fn added_to(&self, base: &Self) -> Self {
        // Translations are added and rotations multiplied; a scale's difference counts from 1.
        let sum = |delta: Option<[f32; 3]>, base: [f32; 3]| {
            let delta = delta.unwrap_or_default();
            std::array::from_fn(|axis| part(&base, axis) + part(&delta, axis))
        };
        let scaled = |delta: Option<[f32; 3]>, base: [f32; 3]| {
            let delta = delta.unwrap_or_default();
            std::array::from_fn(|axis| part(&base, axis) * (1.0 + part(&delta, axis)))
        };
        let turned = |delta: Option<[f32; 4]>, base| delta.map_or(base, |delta| product(delta, base));
        Self {
            translation: added(&self.translation, &base.translation, [0.0; 3], blend, sum),
            rotation: added(&self.rotation, &base.rotation, IDENTITY, turn, turned),
            scale: added(&self.scale, &base.scale, [1.0; 3], blend, scaled),
        }
    }

    /// Freezes the motion at a share of the time.
    pub(super) fn stopped(&self, share: f64) -> Self {
        let still = |value: Option<[f32; 3]>| value.map(|value| (0.0, value)).into_iter().collect();
        Self {
            translation: still(at(&self.translation, share, blend)),
            rotation: at(&self.rotation, share, turn).map(|value| (0.0, value)).into_iter().collect(),
            scale: still(at(&self.scale, share, blend)),
        }
    }
}

/// No rotation.
pub(super) const IDENTITY: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// Pairs values with their times.
fn timed<const N: usize>(keys: &Keys<N>, frames: u32) -> Vec<(f64, [f32; N])> {
    let mut timed: Vec<(f64, [f32; N])> = Vec::with_capacity(keys.values.len());
    for (share, value) in keys.times(frames).zip(&keys.values) {
        // glTF wants times that rise and finite values: keys that break either are dropped.
        let is_later = timed.last().is_none_or(|(last, _)| share > *last);
        if is_later && value.iter().all(|part| part.is_finite()) {
            timed.push((share, *value));
        }
    }
    timed
}

/// Adds differences to values, at the times of both. Without values, everything is added to `still`.
fn added<const N: usize>(
    deltas: &[(f64, [f32; N])],
    base: &[(f64, [f32; N])],
    still: [f32; N],
    blend: fn([f32; N], [f32; N], f32) -> [f32; N],
    add: impl Fn(Option<[f32; N]>, [f32; N]) -> [f32; N],
) -> Vec<(f64, [f32; N])> {
    // A base with one value stands still, and adds no times.
    let others = if base.len() > 1 { base } else { &[] };
    let mut times: Vec<f64> = deltas.iter().chain(others).map(|(time, _)| *time).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    // Neither moves: one key still has to say where the bone is.
    if times.is_empty() {
        times.push(0.0);
    }
    let sum = |time: f64| add(at(deltas, time, blend), at(base, time, blend).unwrap_or(still));
    times.into_iter().map(|time| (time, sum(time))).collect()
}

/// Interpolates the value at a time from the keys before and after.
pub(super) fn at<const N: usize>(
    keys: &[(f64, [f32; N])],
    time: f64,
    blend: fn([f32; N], [f32; N], f32) -> [f32; N],
) -> Option<[f32; N]> {
    let next = keys.partition_point(|(other, _)| *other <= time);
    // Before the first key and after the last one, the value stays.
    let Some((start, before)) = next.checked_sub(1).and_then(|at| keys.get(at)) else {
        return keys.first().map(|(_, value)| *value);
    };
    let Some((end, after)) = keys.get(next) else { return Some(*before) };
    #[expect(clippy::cast_possible_truncation, reason = "a share from 0 to 1")]
    let share = ((time - start) / (end - start)) as f32;
    Some(blend(*before, *after, share))
}

fn blend(a: [f32; 3], b: [f32; 3], share: f32) -> [f32; 3] {
    std::array::from_fn(|axis| part(&a, axis) + (part(&b, axis) - part(&a, axis)) * share)
}

/// Interpolates between two rotations the short way round.
pub(super) fn turn(a: [f32; 4], b: [f32; 4], share: f32) -> [f32; 4] {
    // q and -q are the same rotation: the sign is chosen so that both are less than half a turn apart.
    let dot: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let sum: [f32; 4] =
        std::array::from_fn(|axis| part(&a, axis) * (1.0 - share) + part(&b, axis) * share * sign);
    let length = sum.iter().map(|part| part * part).sum::<f32>().sqrt();
    // Opposite rotations may cancel out halfway; any value is as good as another there.
    if length > 0.0 { sum.map(|part| part / length) } else { a }
}

/// Multiplies rotations: `b` first, then `a`.
pub(super) fn product([ax, ay, az, aw]: [f32; 4], [bx, by, bz, bw]: [f32; 4]) -> [f32; 4] {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn part<const N: usize>(of: &[f32; N], axis: usize) -> f32 {
    of.get(axis).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_added_at_the_times_of_both() {
        let delta =
            Motion { translation: vec![(0.0, [1.0, 0.0, 0.0]), (1.0, [3.0, 0.0, 0.0])], ..Motion::default() };
        let base = Motion {
            translation: vec![(0.0, [0.0; 3]), (0.5, [0.0, 4.0, 0.0])],
            scale: vec![(0.0, [2.0; 3])],
            ..Motion::default()
        };
        let sum = delta.added_to(&base);
        let expected = vec![(0.0, [1.0, 0.0, 0.0]), (0.5, [2.0, 4.0, 0.0]), (1.0, [3.0, 4.0, 0.0])];
        assert_eq!(sum.translation, expected);
        assert_eq!((sum.rotation, sum.scale), (vec![(0.0, IDENTITY)], vec![(0.0, [2.0; 3])]));
        let half = Motion { scale: vec![(0.0, [-0.5; 3])], ..Motion::default() };
        assert_eq!(half.added_to(&base).scale, vec![(0.0, [1.0; 3])]);
    }

    #[test]
    fn rotations_follow_each_other() {
        // A quarter about X, then one about Z.
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let (x, z) = ([half, 0.0, 0.0, half], [0.0, 0.0, half, half]);
        let both = product(z, x);
        assert!(
            both.iter().zip([0.5, 0.5, 0.5, 0.5]).all(|(a, b): (&f32, f32)| (a - b).abs() < 1e-6),
            "{both:?}"
        );
        let between = turn(IDENTITY, [-x[0], 0.0, 0.0, -x[3]], 0.5);
        assert!((between[0] - (std::f32::consts::PI / 8.0).sin()).abs() < 1e-6, "the short way: {between:?}");
        assert_eq!(at(&[(0.5, [1.0; 3])], 0.0, blend), Some([1.0; 3]), "before the first key");
    }
}
