use super::Animation;
use crate::property::{Object, Scope};
use crate::wire::counted;
use std::fmt;

/// Summary of an animation.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct AnimationSummary {
    /// Length in seconds; `None` without properties.
    pub seconds: Option<f32>,
    /// Number of frames.
    pub frames: u32,
    /// Number of tracks, one per moved bone.
    pub tracks: usize,
    /// Name of its codec; empty for an uncooked animation.
    pub codec: String,
}

impl Animation<'_> {
    pub(crate) fn summary(&self, _: &Scope<'_>, _: &Object) -> AnimationSummary {
        let (seconds, frames, tracks) = (self.seconds, self.frames, self.tracks());
        AnimationSummary { seconds, frames, tracks, codec: self.codec.clone() }
    }
}

impl fmt::Display for AnimationSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.seconds.map(|seconds| format!("{seconds:.2} s, ")).unwrap_or_default();
        let frames = counted(self.frames.into(), "frame", "frames");
        let tracks = counted(self.tracks as u64, "track", "tracks");
        let codec = if self.codec.is_empty() { "not compressed" } else { &self.codec };
        write!(f, "animation: {seconds}{frames}, {tracks}, {codec}")
    }
}
