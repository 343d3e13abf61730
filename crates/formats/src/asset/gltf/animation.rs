use super::super::animation::{AdditiveBase, Animation, Motion, MotionError};
use super::super::skeleton::Bones;
use super::axes;
use super::builder::{Builder, Glb, GltfError, push};
use super::document::{self, Channel, Sampler, Target};
use super::matrix::single;
use super::nodes::add_bones;

/// Frames per second if the length of an animation is unknown.
const USUAL_RATE: f64 = 30.0;

/// Writes an animation as a file, with the bones of its skeleton. An additive animation is applied to `base`:
/// see [`Animation::motions`].
pub fn animation(
    name: &str,
    animation: &Animation<'_>,
    bones: &Bones,
    base: Option<&Animation<'_>>,
) -> Result<Glb, GltfError> {
    let motions = animation.motions(bones, base).map_err(|error| match error {
        MotionError::Obstacle(why) => GltfError::Obstacle(why),
        MotionError::Fault(fault) => GltfError::Fault(fault),
    })?;
    let mut builder = Builder::new();
    if animation.additive.is_some_and(|additive| matches!(additive.base, AdditiveBase::OwnFrame(_))) {
        builder.note(
            "it is additive to one of its own frames, which is not in it any more: it is added to the pose of its skeleton",
        );
    }
    let nodes = add_bones(&mut builder, name, bones, &[])?;
    let seconds = animation.length();
    if seconds.is_none() {
        builder.note("its length is not known: it has 30 frames a second");
    }
    let seconds = seconds.unwrap_or_else(|| f64::from(animation.frames.saturating_sub(1)) / USUAL_RATE);
    let mut made = document::Animation { name: name.to_owned(), channels: Vec::new(), samplers: Vec::new() };
    let interpolation = if animation.is_stepped { "STEP" } else { "LINEAR" };
    let mut is_moved = vec![false; nodes.len()];
    // glTF allows one channel per node and path, so a second track of the same bone has to go.
    for (bone, motion) in motions {
        if is_moved.get_mut(bone as usize).is_some_and(|is_moved| std::mem::replace(is_moved, true)) {
            builder.note("several tracks move one bone: the first one counts");
            continue;
        }
        let Some(node) = nodes.get(bone as usize).copied() else {
            builder.note("a track moves a bone that the skeleton does not have");
            continue;
        };
        made.motion(&mut builder, node, &motion, (seconds, interpolation));
    }
    // Validators reject an animation without channels.
    if made.channels.is_empty() {
        return Err(GltfError::Obstacle("it moves no bone"));
    }
    push(&mut builder.document.animations, made);
    builder.finish()
}

/// Returns values with ascending times in seconds. A part that is not moved keeps the value `still`.
fn timed<const N: usize>(keys: &[(f64, [f32; N])], seconds: f64, still: [f32; N]) -> Vec<(f32, [f32; N])> {
    let mut timed: Vec<(f32, [f32; N])> = Vec::with_capacity(keys.len());
    for (share, value) in keys {
        // Times that differ as doubles may be equal as floats: glTF wants them strictly ascending.
        let time = single(share * seconds);
        let is_later = timed.last().is_none_or(|(last, _)| time > *last);
        if is_later && value.iter().all(|part| part.is_finite()) {
            timed.push((time, *value));
        }
    }
    if timed.is_empty() { vec![(0.0, still)] } else { timed }
}

/// Flips the signs of quaternions so that each lies on the side of the one before: not every program takes
/// the short way by itself. A quaternion and its negative are the same rotation.
fn keep_sides(keys: &mut [(f32, [f32; 4])]) {
    let mut last: Option<[f32; 4]> = None;
    for (_, rotation) in keys {
        let dot = |last: [f32; 4]| last.iter().zip(&*rotation).map(|(a, b)| a * b).sum::<f32>();
        if last.is_some_and(|last| dot(last) < 0.0) {
            *rotation = rotation.map(|part| -part);
        }
        last = Some(*rotation);
    }
}

fn sampler<const N: usize>(
    builder: &mut Builder,
    keys: &[(f32, [f32; N])],
    interpolation: &'static str,
    convert: impl Fn([f32; N]) -> [f32; N],
) -> Sampler {
    // Validators require bounds of the times, and only of them.
    let input = builder.floats(keys.iter().map(|(time, _)| [*time]), None, true);
    let output = builder.floats(keys.iter().map(|(_, value)| convert(*value)), None, false);
    Sampler { input, output, interpolation }
}

impl document::Animation {
    /// Adds the channels of a node, over this many seconds.
    fn motion(
        &mut self,
        builder: &mut Builder,
        node: usize,
        motion: &Motion,
        (seconds, interpolation): (f64, &'static str),
    ) {
        // All three parts are always written: a node would otherwise keep the pose of the skeleton, not of
        // the animation.
        let keys = timed(&motion.translation, seconds, [0.0; 3]);
        self.add(sampler(builder, &keys, interpolation, axes::position), node, "translation");
        let mut keys = timed(&motion.rotation, seconds, [0.0, 0.0, 0.0, 1.0]);
        keep_sides(&mut keys);
        let rotation = |rotation: [f32; 4]| axes::rotation(rotation.map(f64::from)).map(single);
        self.add(sampler(builder, &keys, interpolation, rotation), node, "rotation");
        let keys = timed(&motion.scale, seconds, [1.0; 3]);
        self.add(sampler(builder, &keys, interpolation, axes::direction), node, "scale");
    }

    fn add(&mut self, sampler: Sampler, node: usize, path: &'static str) {
        let sampler = push(&mut self.samplers, sampler);
        self.channels.push(Channel { sampler, target: Target { node, path } });
    }
}
