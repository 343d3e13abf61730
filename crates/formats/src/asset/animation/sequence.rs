use super::super::{Bulk, Payload};
use super::acl::{AclClip, AclCurves};
use super::clips;
use super::curves::{self, Curve};
use super::imported::{Imported, ImportedTrack};
use super::tracks::Tracks;
use crate::id::Guid;
use crate::package::legacy::PackageIndex;
use crate::wire::{Fault, FaultKind, WireString};

/// `UAnimSequence`: motion of the bones of a skeleton.
#[doc(alias = "UAnimSequence")]
#[derive(Debug, Clone, PartialEq)]
pub struct Animation<'a> {
    /// GUID of the skeleton for which it was made.
    pub skeleton_guid: Guid,
    /// Skeleton's bone index that each track moves; empty for imported tracks, which have names.
    pub bones: Vec<u32>,
    /// Number of frames, the first and the last one included.
    pub frames: u32,
    /// Length in seconds; `None` without properties.
    pub seconds: Option<f32>,
    /// Playback speed, 1 being normal; `None` without properties.
    pub rate_scale: Option<f32>,
    /// True if values stay until the next key instead of changing on the way; false without properties.
    pub is_stepped: bool,
    /// Base of an additive animation; `None` if it is not additive, or without properties.
    pub additive: Option<Additive>,
    /// Size before compression, in bytes.
    pub raw_size: u32,
    /// Engine's name of the codec that compressed the tracks; empty if none did.
    pub codec: String,
    /// Compressed tracks.
    pub compression: Compression<'a>,
    /// Values that change over time, by name.
    pub curves: Vec<Curve>,
}

/// Base to which the tracks of an additive animation are differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Additive {
    /// True if rotations are in mesh space, not relative to the parent.
    pub is_in_mesh_space: bool,
    /// Source of the base pose.
    pub base: AdditiveBase,
    /// `RefPoseSeq`: the animation that holds the base pose, unless the skeleton does.
    pub sequence: PackageIndex,
}

/// `EAdditiveBasePoseType`: source of the pose to which an additive animation is added.
#[doc(alias = "EAdditiveBasePoseType")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdditiveBase {
    /// The skeleton's reference pose.
    Skeleton,
    /// Another animation, stretched to the same length.
    Whole,
    /// One frame of another animation.
    Frame(u32),
    /// A frame of the animation itself, before it was made additive.
    OwnFrame(u32),
}

/// Compression of tracks.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Compression<'a> {
    /// No tracks.
    None,
    /// Not compressed, in an uncooked package.
    Imported(Vec<ImportedTrack>),
    /// The engine's own codecs.
    Engine(Tracks<'a>),
    /// The Animation Compression Library: an [`AclClip`].
    Acl(&'a [u8]),
    /// The Animation Compression Library, with a database in another asset.
    AclDatabase(&'a [u8]),
    /// Bulk data in a file next to the package.
    Streamed(Bulk<'a>),
}

/// Bytes of codec data that each codec leaves at the end.
const ENGINE: usize = 24;
const ACL: usize = 4;
const ACL_DATABASE: usize = 8;
/// Values of `EAdditiveAnimationType`.
const NOT_ADDITIVE: &str = "AAT_None";
const IN_MESH_SPACE: &str = "AAT_RotationOffsetMeshSpace";
/// A value of `EAnimInterpolationType`.
const STEP: &str = "Step";

impl Additive {
    fn new(payload: &Payload<'_, '_>) -> Option<Self> {
        let kind = payload.enum_property("AdditiveAnimType").filter(|kind| &**kind != NOT_ADDITIVE)?;
        let frame = payload.property::<u32>("RefFrameIndex").unwrap_or_default();
        // Names without the prefix of their enum; one that is missing or new means the default, the
        // skeleton's pose.
        let base = match payload.enum_property("RefPoseType").as_deref() {
            Some("ABPT_AnimScaled") => AdditiveBase::Whole,
            Some("ABPT_AnimFrame") => AdditiveBase::Frame(frame),
            Some("ABPT_LocalAnimFrame") => AdditiveBase::OwnFrame(frame),
            _ => AdditiveBase::Skeleton,
        };
        let sequence = payload.property("RefPoseSeq").unwrap_or(PackageIndex::NONE);
        Some(Self { is_in_mesh_space: &*kind == IN_MESH_SPACE, base, sequence })
    }
}

impl<'a> Animation<'a> {
    pub(crate) fn read(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        let skeleton_guid = payload.r.array("GUID of the skeleton").map(Guid)?;
        let at = payload.r.clone();
        let is_stripped = payload.strip_flags()?.is_editor_data_stripped();
        // Only packages of the editor have its data.
        if !is_stripped && payload.scope.package.form.cooked {
            return Err(at.fault("strip flags", FaultKind::Unsupported { found: 0 }));
        }
        let mut animation = Self {
            skeleton_guid,
            bones: Vec::new(),
            frames: 0,
            // Only properties hold length, speed and base.
            seconds: payload.property("SequenceLength"),
            rate_scale: payload.property("RateScale"),
            is_stepped: payload.enum_property("Interpolation").is_some_and(|kind| &*kind == STEP),
            additive: Additive::new(payload),
            raw_size: 0,
            codec: String::new(),
            compression: Compression::None,
            curves: Vec::new(),
        };
        if !is_stripped {
            animation.imported(payload)?;
        } else if payload.r.bool32("compressed data")? {
            animation.compressed(payload)?;
        }
        Ok(animation)
    }

    fn imported(&mut self, payload: &mut Payload<'_, 'a>) -> Result<(), Fault> {
        let Imported { tracks, frames, seconds } = Imported::read(payload)?;
        self.frames = frames;
        self.seconds = seconds.or(self.seconds);
        if !tracks.is_empty() {
            self.compression = Compression::Imported(tracks);
        }
        // Imported keys are whole poses: differences are made of them when they are compressed.
        self.additive = None;
        Ok(())
    }

    fn compressed(&mut self, payload: &mut Payload<'_, 'a>) -> Result<(), Fault> {
        let versions = payload.versions;
        self.raw_size = payload.r.size("raw size")?;
        self.bones = payload.r.list("bones of tracks", 4, |r| r.size("bone of a track"))?;
        let names = payload.r.count("names of curves", 8)?;
        let names =
            (0..names).map(|_| payload.name_text("name of a curve")).collect::<Result<Vec<_>, _>>()?;
        let size = payload.r.size("size of the stream")?;
        let (stream, bulk) = if payload.r.bool32("stream is bulk data")? {
            let bulk = payload.bulk()?;
            (bulk.inline.unwrap_or_default(), Some(bulk).filter(|bulk| bulk.inline.is_none()))
        } else {
            (payload.r.bytes("stream", size as usize)?, None)
        };
        WireString::read(&mut payload.r, "codec of bones")?.as_str().clone_into(&mut self.codec);
        WireString::read(&mut payload.r, "codec of curves")?;
        let curves = payload.byte_array("curves")?;
        // Curves of other codecs are left out: only morph targets need curves.
        let read = if AclCurves::are_at(curves) { clips::curves } else { curves::read };
        self.curves = read(&names, curves).unwrap_or_default();
        // The codec data end the payload, followed by one flag before 5.6. Their length tells codecs apart.
        let last = if versions.has_raw_only_flag() { 4 } else { 0 };
        let left = payload.r.remaining();
        self.compression = match left.checked_sub(last) {
            // Nothing was compressed, so no codec left any data.
            Some(0) if size == 0 => Compression::None,
            // The stream's own tag is stronger evidence than a length, which another codec may have by
            // chance.
            Some(ENGINE) if !AclClip::is_at(stream) => {
                let tracks = Tracks::read(&mut payload.r, stream, self.bones.len(), bulk.is_some())?;
                self.frames = tracks.frames;
                Compression::Engine(tracks)
            }
            Some(ACL) => {
                self.frames = payload.r.size("frames")?;
                Compression::Acl(stream)
            }
            Some(ACL_DATABASE) if !AclClip::is_at(stream) => {
                self.frames = payload.r.size("frames")?;
                payload.r.u32("hash of the name")?;
                Compression::AclDatabase(stream)
            }
            _ => {
                let kind = FaultKind::Unsupported { found: i64::try_from(left).unwrap_or(i64::MAX) };
                return Err(payload.r.fault("bytes of the codec", kind));
            }
        };
        // Until 5.5 a flag follows the codec data; its value does not matter.
        payload.r.when(versions.has_raw_only_flag(), |r| r.bool32("raw data only"))?;
        if let Some(bulk) = bulk {
            // Set last, so that a streamed animation still knows its number of frames.
            self.compression = Compression::Streamed(bulk);
        }
        Ok(())
    }

    /// Reason that the tracks cannot be decoded, if they cannot.
    #[must_use]
    pub fn obstacle(&self) -> Option<&'static str> {
        match &self.compression {
            Compression::Engine(tracks) => tracks.obstacle(),
            Compression::None => Some("it has no compressed tracks"),
            Compression::Acl(_) | Compression::Imported(_) => None,
            Compression::AclDatabase(_) => Some("its tracks are in an ACL database, which is another asset"),
            Compression::Streamed(_) => Some("its tracks are in bulk data that is streamed"),
        }
    }

    /// True if no bones are moved.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tracks() == 0
    }

    /// Number of tracks, one per moved bone.
    #[must_use]
    pub fn tracks(&self) -> usize {
        match &self.compression {
            Compression::None => 0,
            Compression::Imported(tracks) => tracks.len(),
            _ => self.bones.len(),
        }
    }

    /// Length in seconds from the first key to the last: from the keys if they record it, else from the
    /// properties.
    #[must_use]
    pub fn length(&self) -> Option<f64> {
        let of_keys = match &self.compression {
            Compression::Acl(stream) => AclClip::parse(stream).ok().and_then(|clip| clip.seconds()),
            _ => None,
        };
        of_keys.or(self.seconds.map(f64::from)).filter(|seconds| seconds.is_finite() && *seconds >= 0.0)
    }

    /// Frames per second.
    #[must_use]
    pub fn rate(&self) -> Option<f32> {
        // One frame less than their number lies between the first and the last.
        let frames = f32::from(u16::try_from(self.frames.checked_sub(1)?).ok()?);
        self.seconds.filter(|seconds| *seconds > 0.0).map(|seconds| frames / seconds)
    }
}
