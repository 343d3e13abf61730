use super::super::tracks::Track;
use super::database::AclDatabase;
use super::header::{ClipHeader, OLD_TAG, tag_of};
use super::keys;
use super::old::OldClip;
use super::transforms::Transforms;
use crate::wire::Fault;

/// `compressed_tracks`: the motion of bones, written by the Animation Compression Library.
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
    /// Version 2 of the library.
    Transforms(Box<Transforms<'a>>),
    /// Version 1 of the library.
    Old(Box<OldClip<'a>>),
}

/// Pose of a bone for which a track stores nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultPose {
    /// No rotation, no translation, and a scale of 1.
    Identity,
    /// Additive identity: as [`Identity`](Self::Identity), with a scale of 0.
    Additive,
    /// Rotation and translation of the skeleton's reference pose; the scale is 1.
    Skeleton,
}

const SCALE_IS_ONE: u32 = 1 << 1;
const TRIVIAL_DEFAULTS: u32 = 1 << 9;

impl<'a> AclClip<'a> {
    /// Parses a clip and checks its whole structure. Offsets of faults count from its start.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Fault> {
        // Both versions of the library are told apart by the tag alone: all of them start with length, hash
        // and tag.
        if tag_of(bytes) == Some(OLD_TAG) {
            return OldClip::parse(bytes).map(|clip| Self(AclLayout::Old(Box::new(clip))));
        }
        let (header, whole) = ClipHeader::parse(bytes)?;
        let clip = Transforms::parse(header, whole)?;
        // A constant track costs nothing however many keys the header claims, so only animated parts count
        // here.
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

    /// Keys of each track, including the last one of a loop, which is not stored.
    #[must_use]
    pub fn keys(&self) -> u64 {
        match &self.0 {
            AclLayout::Transforms(clip) => u64::from(clip.header.keys) + u64::from(clip.header.is_loop()),
            AclLayout::Old(clip) => clip.keys().into(),
        }
    }

    /// Keys per second.
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

    /// Pose of bones for which nothing is stored.
    #[must_use]
    pub fn default_pose(&self) -> DefaultPose {
        let header = match &self.0 {
            AclLayout::Transforms(clip) => &clip.header,
            AclLayout::Old(clip) if clip.scale_is_one => return DefaultPose::Identity,
            AclLayout::Old(_) => return DefaultPose::Additive,
        };
        // The scale comes first: additive clips with scale leave the other bit clear though their defaults
        // are trivial.
        if !header.has(SCALE_IS_ONE) {
            DefaultPose::Additive
        // From version 8 on, defaults are in the skeleton unless a bit says that they are trivial. Version 7
        // has no such bit.
        } else if header.version.has_loops() && !header.has(TRIVIAL_DEFAULTS) {
            DefaultPose::Skeleton
        } else {
            DefaultPose::Identity
        }
    }

    /// Adds the keys that were moved into a database. Without them, the remaining keys decode at the lowest
    /// quality.
    pub fn join(&mut self, database: &AclDatabase<'a>) -> Result<(), Fault> {
        match &mut self.0 {
            AclLayout::Transforms(clip) => database.join(clip),
            // Databases came with version 2 of the library.
            AclLayout::Old(_) => Ok(()),
        }
    }

    /// True if some of its keys are in a database.
    #[must_use]
    pub fn is_split(&self) -> bool {
        matches!(&self.0, AclLayout::Transforms(clip) if clip.database_key.is_some())
    }

    /// True if a key is stored; one that is not lies on the line between its stored neighbours.
    #[must_use]
    pub fn is_stored(&self, key: u32) -> bool {
        match &self.0 {
            AclLayout::Transforms(clip) => clip.is_stored(key),
            AclLayout::Old(clip) => key < clip.keys(),
        }
    }

    /// Decodes all tracks, one value per key, evenly spread from the first key to the last. A part that does
    /// not move has one value; one in its [`DefaultPose`] has none.
    #[must_use]
    pub fn decode(&self) -> Vec<Track> {
        match &self.0 {
            AclLayout::Transforms(clip) => keys::decode(clip),
            AclLayout::Old(clip) => clip.decode(),
        }
    }
}
