//! Motions of an animation, from any compression.

use super::super::skeleton::Bones;
use super::clips;
use super::imported;
use super::motion::Motion;
use super::sequence::{Animation, Compression};
use crate::wire::Fault;

/// Reason that an animation has no motions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MotionError {
    /// An unsupported or missing feature of the animation.
    #[error("{0}")]
    Obstacle(&'static str),
    /// The keys of a track are damaged.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Animation<'_> {
    /// Decodes the motion of each bone that the animation moves. An additive animation is applied to `base`,
    /// the animation that [`AdditiveBase`](super::AdditiveBase) names, if any.
    pub fn motions(
        &self,
        bones: &Bones,
        base: Option<&Animation<'_>>,
    ) -> Result<Vec<(u32, Motion)>, MotionError> {
        let own = self.decoded(bones)?;
        match &self.additive {
            Some(additive) => additive.on_top(own, bones, (self, base)),
            None => Ok(own),
        }
    }

    /// Decodes motions as stored, without applying a base.
    pub(super) fn decoded(&self, bones: &Bones) -> Result<Vec<(u32, Motion)>, MotionError> {
        let tracks = match &self.compression {
            Compression::Imported(tracks) => return Ok(imported::among(tracks, bones)),
            Compression::Engine(tracks) => tracks.decode()?,
            Compression::Acl(stream) => clips::tracks(stream, &self.bones, self.additive.is_some(), bones)?,
            _ => return Err(MotionError::Obstacle(self.obstacle().unwrap_or("it has no tracks"))),
        };
        Ok(self
            .bones
            .iter()
            .zip(tracks)
            .map(|(bone, track)| (*bone, Motion::new(&track, self.frames)))
            .collect())
    }
}
