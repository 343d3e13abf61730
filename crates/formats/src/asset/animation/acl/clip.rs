use super::super::tracks::Track;
use super::database::AclDatabase;
use super::header::{ClipHeader, OLD_TAG, tag_of};
use super::keys;
use super::old::OldClip;
use super::transforms::Transforms;
use crate::wire::Fault;

/// `compressed_tracks`: how bones move, as the Animation Compression Library wrote it.
///
/// ```no_run
/// use uncask_formats::asset::animation::acl::AclClip;
///
/// let bytes = std::fs::read("Walk.acl")?;
/// let clip = AclClip::parse(&bytes)?;
/// println!("{} keys, {:?} seconds", clip.keys(), clip.seconds());
/// for track in clip.decode() {
///     println!("{:?}", track.rotation.values.first());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "compressed_tracks")]
#[derive(Debug, Clone, PartialEq)]
pub struct AclClip<'a>(AclLayout<'a>);

#[derive(Debug, Clone, PartialEq)]
enum AclLayout<'a> {
    /// Of version 2 of the library.
    Transforms(Box<Transforms<'a>>),
    /// Of version 1.
    Old(Box<OldClip<'a>>),
}

/// Where a bone is if a track stores nothing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultPose {
    /// Nothing is moved.
    Identity,
    /// Nothing is added: a scale is zero.
    Additive,
    /// The skeleton has rotations and translations; a scale is 1.
    Skeleton,
}

const SCALE_IS_ONE: u32 = 1 << 1;
const TRIVIAL_DEFAULTS: u32 = 1 << 9;

impl<'a> AclClip<'a> {
    /// Reads a clip, and checks all of its structure. Offsets of faults count from its start.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Fault> {
        if tag_of(bytes) == Some(OLD_TAG) {
            return OldClip::parse(bytes).map(|clip| Self(AclLayout::Old(Box::new(clip))));
        }
        let (header, whole) = ClipHeader::parse(bytes)?;
        let clip = Transforms::parse(header, whole)?;
        let animated = clip.parts.iter().map(|part| part.animated).sum();
        let keys = u64::from(header.keys) + u64::from(header.is_loop());
        keys::check_size(animated, keys, whole.len())?;
        Ok(Self(AclLayout::Transforms(Box::new(clip))))
    }

    /// True if bytes start with a clip, by its length and tag.
    #[must_use]
    pub fn is_at(bytes: &[u8]) -> bool {
        tag_of(bytes).is_some()
    }

    /// Number of tracks.
    #[must_use]
    pub fn tracks(&self) -> u32 {
        match &self.0 {
            AclLayout::Transforms(clip) => clip.header.tracks,
            AclLayout::Old(clip) => clip.tracks(),
        }
    }

    /// Keys of each track. The last one of a loop counts, though it is not stored.
    #[must_use]
    pub fn keys(&self) -> u64 {
        match &self.0 {
            AclLayout::Transforms(clip) => u64::from(clip.header.keys) + u64::from(clip.header.is_loop()),
            AclLayout::Old(clip) => clip.keys().into(),
        }
    }

    /// Keys a second.
    #[must_use]
    pub fn rate(&self) -> f32 {
        match &self.0 {
            AclLayout::Transforms(clip) => clip.header.rate,
            AclLayout::Old(clip) => clip.rate(),
        }
    }

    /// Time from the first key to the last one; `None` if there is only one.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        let steps = u32::try_from(self.keys().checked_sub(1)?).ok().filter(|steps| *steps > 0)?;
        Some(f64::from(steps) / f64::from(self.rate()))
    }

    /// Where bones are of which nothing is stored.
    #[must_use]
    pub fn default_pose(&self) -> DefaultPose {
        let header = match &self.0 {
            AclLayout::Transforms(clip) => &clip.header,
            AclLayout::Old(clip) if clip.scale_is_one => return DefaultPose::Identity,
            AclLayout::Old(_) => return DefaultPose::Additive,
        };
        if !header.has(SCALE_IS_ONE) {
            DefaultPose::Additive
        } else if header.version.has_loops() && !header.has(TRIVIAL_DEFAULTS) {
            DefaultPose::Skeleton
        } else {
            DefaultPose::Identity
        }
    }

    /// Takes the keys, too, that were moved into a database. Without them, those that are left decode at the lowest quality.
    pub fn join(&mut self, database: &AclDatabase<'a>) -> Result<(), Fault> {
        match &mut self.0 {
            AclLayout::Transforms(clip) => database.join(clip),
            AclLayout::Old(_) => Ok(()),
        }
    }

    /// True if some of its keys are in a database.
    #[must_use]
    pub fn is_split(&self) -> bool {
        matches!(&self.0, AclLayout::Transforms(clip) if clip.database_key.is_some())
    }

    /// True if a key is stored; one that is not lies between its neighbours that are.
    #[must_use]
    pub fn is_stored(&self, key: u32) -> bool {
        match &self.0 {
            AclLayout::Transforms(clip) => clip.is_stored(key),
            AclLayout::Old(clip) => key < clip.keys(),
        }
    }

    /// Decodes all tracks, by key: value after value, evenly spread from the first key to the last one. What does not move has one
    /// value, and what is in its [`DefaultPose`] has none.
    #[must_use]
    pub fn decode(&self) -> Vec<Track> {
        match &self.0 {
            AclLayout::Transforms(clip) => keys::decode(clip),
            AclLayout::Old(clip) => clip.decode(),
        }
    }
}
