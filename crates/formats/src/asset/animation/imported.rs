//! Tracks of uncooked animations: keys as they were imported, before the engine compresses them.
//!
//! ```text
//! before 5.0   i32 n │ n × { bulk array of 3 × f32 translation │ 4 × f32 rotation │ 3 × f32 scale } │ …
//!              properties: AnimationTrackNames, the bone of each track │ NumFrames
//! 5.0 and 5.1  export AnimDataModel: BoneAnimationTracks, each Name │ InternalTrackData: PosKeys, RotKeys, ScaleKeys
//! since 5.2    export MovieSceneControlRigParameterSection: TransformParameterNamesAndCurves, each
//!              ParameterName, a bone and _CONTROL │ 3 channels Translation │ 3 Rotation, in degrees │ 3 Scale
//! ```
//!
//! A part of a track has one key, or one for each frame. Channels have keys of their own; what they do between keys
//! is taken for linear.
//!
//! Spelled-out bytes only: no real file was at hand. Source: the sheet of uncooked packages.

use super::super::Payload;
use super::super::skeleton::Bones;
use super::super::socket::{field, number};
use super::super::transform::Transform;
use super::motion::Motion;
use super::tracks::{Keys, Track};
use crate::package::legacy::{Export, Name};
use crate::property::{Body, FromValue, Object, Scope, Struct, Value};
use crate::wire::{Fault, FaultKind};
use std::collections::HashMap;
use std::sync::Arc;
use zerocopy::FromBytes;
use zerocopy::little_endian::F32;

/// `FBoneAnimationTrack`: motion of a bone as it was imported.
#[doc(alias = "FBoneAnimationTrack")]
#[doc(alias = "FRawAnimSequenceTrack")]
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedTrack {
    /// Name of the bone.
    pub bone: Arc<str>,
    /// Motion relative to the parent.
    pub motion: Motion,
}

/// All tracks of an animation.
#[derive(Debug, Default)]
pub(super) struct Imported {
    pub(super) tracks: Vec<ImportedTrack>,
    /// Number of frames.
    pub(super) frames: u32,
    /// Length in seconds, where the tracks record it.
    pub(super) seconds: Option<f32>,
}

/// Bytes of the shortest track: three empty arrays.
const MIN_TRACK: usize = 24;
/// Class of the objects with the curves of a control rig.
const SECTION: &str = "MovieSceneControlRigParameterSection";
/// End of the names of controls that move a bone.
const CONTROL: &str = "_CONTROL";
const VECTOR: &[&str] = &["X", "Y", "Z"];
const QUATERNION: &[&str] = &["X", "Y", "Z", "W"];

/// Motions with the numbers of their bones; a number that no skeleton has stands for a bone that these lack.
pub(super) fn among(tracks: &[ImportedTrack], bones: &Bones) -> Vec<(u32, Motion)> {
    // Both may be many: one search for each track would take their product.
    let mut numbers = HashMap::new();
    for (number, bone) in (0..).zip(&bones.0) {
        numbers.entry(bone.name.to_ascii_lowercase()).or_insert(number);
    }
    let number = |track: &ImportedTrack| numbers.get(&track.bone.to_ascii_lowercase()).copied();
    tracks.iter().map(|track| (number(track).unwrap_or(u32::MAX), track.motion.clone())).collect()
}

impl Imported {
    /// Reads the tracks: of the payload, or if it has none, of the objects that belong to the animation.
    pub(super) fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        let own = Self::of_payload(payload)?;
        if !own.tracks.is_empty() {
            return Ok(own);
        }
        let found = Self::of_model(payload).or_else(|| Self::of_sections(payload.scope));
        Ok(found.unwrap_or_default())
    }

    fn of_payload(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        let at = payload.r.clone();
        let count = payload.r.count("imported tracks", MIN_TRACK)?;
        let names: &[Value] = payload.property("AnimationTrackNames").unwrap_or_default();
        let frames = payload.property("NumFrames").unwrap_or(0);
        if count != 0 && count != names.len() {
            let kind = FaultKind::Unexpected { found: count as u64, expected: names.len() as u64 };
            return Err(at.fault("imported tracks", kind));
        }
        let mut tracks = Vec::new();
        for name in names.iter().take(count) {
            let track = Track {
                translation: keys(payload, "imported translations", frames)?,
                rotation: keys(payload, "imported rotations", frames)?,
                scale: keys(payload, "imported scales", frames)?,
            };
            let bone = Name::from_value(name).map(|name| payload.scope.shared(name)).unwrap_or_default();
            tracks.push(ImportedTrack { bone, motion: Motion::new(&track, frames) });
        }
        payload.r.bytes("data for the editor", payload.r.remaining())?;
        Ok(Self { tracks, frames, seconds: None })
    }

    /// Reads the tracks of a data model.
    fn of_model(payload: &Payload<'_, '_>) -> Option<Self> {
        let scope = payload.scope;
        let object = Object::read(scope, payload.inside("AnimDataModel").next()?);
        let frames = object.get(scope, "NumberOfKeys").unwrap_or(0);
        let tracks: &[Value] = object.get(scope, "BoneAnimationTracks")?;
        let track = |track: &Value| {
            let track = <&Struct>::from_value(track)?;
            let own = <&Struct>::from_value(field(scope, track, "InternalTrackData")?)?;
            let keys = Track {
                translation: vectors(scope, own, ("PosKeys", VECTOR))?,
                rotation: vectors(scope, own, ("RotKeys", QUATERNION))?,
                scale: vectors(scope, own, ("ScaleKeys", VECTOR))?,
            };
            let bone = scope.shared(Name::from_value(field(scope, track, "Name")?)?);
            Some(ImportedTrack { bone, motion: Motion::new(&keys, frames) })
        };
        let tracks = tracks.iter().map(track).collect::<Option<Vec<_>>>()?;
        Some(Self { tracks, frames, seconds: object.get(scope, "PlayLength") })
    }

    /// Reads the curves of a control rig, which has a control for each bone.
    fn of_sections(scope: &Scope<'_>) -> Option<Self> {
        let mut controls = Vec::new();
        let is_section =
            |export: &&Export| scope.classes(export.class).first().is_some_and(|class| **class == *SECTION);
        for section in scope.package.exports.iter().filter(is_section) {
            let object = Object::read(scope, section);
            let curves: &[Value] = object.get(scope, "TransformParameterNamesAndCurves").unwrap_or_default();
            let curves = curves.iter().filter_map(<&Struct>::from_value);
            controls.extend(curves.filter_map(|curves| Control::of_curves(scope, curves)));
        }
        let last = controls.iter().flat_map(Control::times).max()?;
        let frames = controls.iter().map(Control::frames).max().unwrap_or_default();
        let tracks = controls.iter().map(|control| control.track(last)).collect();
        Some(Self { tracks, frames: u32::try_from(frames).unwrap_or(u32::MAX), seconds: None })
    }
}

/// Reads one key, or as many as there are frames.
fn keys<const N: usize>(
    payload: &mut Payload<'_, '_>,
    field: &'static str,
    frames: u32,
) -> Result<Keys<N>, Fault> {
    let at = payload.r.clone();
    let bytes = payload.bulk_array(field, size_of::<[F32; N]>())?;
    let keys = <[[F32; N]]>::ref_from_bytes(bytes).unwrap_or_default();
    if keys.len() > 1 && keys.len() != frames as usize {
        let kind = FaultKind::Unexpected { found: keys.len() as u64, expected: frames.into() };
        return Err(at.fault(field, kind));
    }
    Ok(Keys { frames: None, values: keys.iter().map(|key| key.map(F32::get)).collect() })
}

/// Keys that are an array of structs; `None` if one is no struct.
fn vectors<const N: usize>(
    scope: &Scope<'_>,
    of: &Struct,
    (name, parts): (&str, &[&str]),
) -> Option<Keys<N>> {
    let items = field(scope, of, name).and_then(<&[Value]>::from_value).unwrap_or_default();
    let key = |item: &Value| {
        let item = <&Struct>::from_value(item)?;
        Some(std::array::from_fn(|at| parts.get(at).map_or(0.0, |part| single(number(scope, item, part)))))
    };
    Some(Keys { frames: None, values: items.iter().map(key).collect::<Option<Vec<_>>>()? })
}

#[expect(clippy::cast_possible_truncation, reason = "keys are kept as floats")]
const fn single(number: f64) -> f32 {
    number as f32
}

/// `FTransformParameterNameAndCurves`: curves of the control of a bone.
struct Control {
    bone: Arc<str>,
    translation: [Channel; 3],
    /// Roll, pitch and yaw, in degrees.
    rotation: [Channel; 3],
    scale: [Channel; 3],
}

impl Control {
    fn of_curves(scope: &Scope<'_>, curves: &Struct) -> Option<Self> {
        let name = scope.shared(Name::from_value(field(scope, curves, "ParameterName")?)?);
        let Body::List(list) = &curves.body else { return None };
        let channel = |of: &str, axis: u32, default: f64| {
            let mut members = list.members(scope.package);
            let found = members.find(|member| member.element == axis && member.name.eq_ignore_ascii_case(of));
            found.and_then(|member| Channel::of(scope, member.get()?)).unwrap_or(Channel::still(default))
        };
        let channels = |of: &str, default| [0, 1, 2].map(|axis| channel(of, axis, default));
        Some(Self {
            bone: name.strip_suffix(CONTROL)?.into(),
            translation: channels("Translation", 0.0),
            rotation: channels("Rotation", 0.0),
            scale: channels("Scale", 1.0),
        })
    }

    fn channels(&self) -> impl Iterator<Item = &Channel> {
        self.translation.iter().chain(&self.rotation).chain(&self.scale)
    }

    fn times(&self) -> impl Iterator<Item = i32> {
        self.channels().filter_map(|channel| channel.keys.last()).map(|(time, _)| *time)
    }

    fn frames(&self) -> usize {
        self.channels().map(|channel| channel.keys.len()).max().unwrap_or_default()
    }

    /// Its motion in a clip that ends with this time.
    fn track(&self, last: i32) -> ImportedTrack {
        let rotation = sampled(&self.rotation, last, |[roll, pitch, yaw]| {
            Transform::rotation_of(pitch, yaw, roll).map(single)
        });
        let motion = Motion {
            translation: sampled(&self.translation, last, |parts| parts.map(single)),
            rotation,
            scale: sampled(&self.scale, last, |parts| parts.map(single)),
        };
        ImportedTrack { bone: Arc::clone(&self.bone), motion }
    }
}

/// Values of three channels, wherever one of them has a key.
fn sampled<const N: usize>(
    channels: &[Channel; 3],
    last: i32,
    value: impl Fn([f64; 3]) -> [f32; N],
) -> Vec<(f64, [f32; N])> {
    let mut times: Vec<i32> =
        channels.iter().flat_map(|channel| &channel.keys).map(|(time, _)| *time).collect();
    times.sort_unstable();
    times.dedup();
    if times.is_empty() {
        times.push(0);
    }
    let at = |time: i32| value(std::array::from_fn(|axis| channels.get(axis).map_or(0.0, |of| of.at(time))));
    // A clip of a single frame has no length.
    let share = |time: i32| (f64::from(time) / f64::from(last.max(1))).clamp(0.0, 1.0);
    times.into_iter().map(|time| (share(time), at(time))).collect()
}

/// `FMovieSceneFloatChannel`: keys of a number, by ascending time in ticks.
struct Channel {
    keys: Vec<(i32, f64)>,
    /// Value without keys.
    default: f64,
}

impl Channel {
    const fn still(default: f64) -> Self {
        Self { keys: Vec::new(), default }
    }

    fn of(scope: &Scope<'_>, channel: &Struct) -> Option<Self> {
        let items = |name| field(scope, channel, name).and_then(<&[Value]>::from_value);
        let values = items("Values")?.iter().filter_map(<&Struct>::from_value);
        let times = items("Times")?.iter().filter_map(i32::from_value);
        let mut keys: Vec<(i32, f64)> =
            times.zip(values.map(|value| number(scope, value, "Value"))).collect();
        keys.sort_by_key(|(time, _)| *time);
        let has_default = field(scope, channel, "bHasDefaultValue").and_then(bool::from_value) == Some(true);
        if keys.is_empty() && !has_default {
            return None;
        }
        Some(Self { keys, default: number(scope, channel, "DefaultValue") })
    }

    /// Value at a time, on a straight line between keys.
    fn at(&self, time: i32) -> f64 {
        let next = self.keys.partition_point(|(key, _)| *key < time);
        match (next.checked_sub(1).and_then(|last| self.keys.get(last)), self.keys.get(next)) {
            (Some((from, low)), Some((to, high))) => {
                let share = (f64::from(time) - f64::from(*from)) / (f64::from(*to) - f64::from(*from));
                (high - low).mul_add(share, *low)
            }
            (Some((_, value)), None) | (None, Some((_, value))) => *value,
            (None, None) => self.default,
        }
    }
}
