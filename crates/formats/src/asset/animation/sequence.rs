use super::super::{Bulk, Payload};
use super::acl::{AclClip, AclCurves};
use super::clips;
use super::curves::{self, Curve};
use super::tracks::Tracks;
use crate::id::Guid;
use crate::package::legacy::PackageIndex;
use crate::wire::{Fault, FaultKind, WireString};

/// `UAnimSequence`: how the bones of a skeleton move.
#[doc(alias = "UAnimSequence")]
#[derive(Debug, Clone, PartialEq)]
pub struct Animation<'a> {
    /// The skeleton for which it was made.
    pub skeleton_guid: Guid,
    /// The bone of the skeleton that each track moves.
    pub bones: Vec<u32>,
    /// Frames, the first and the last one included.
    pub frames: u32,
    /// How long it takes, in seconds; known where properties are.
    pub seconds: Option<f32>,
    /// How fast it is played; known where properties are.
    pub rate_scale: Option<f32>,
    /// Values stay until the next key, rather than change on the way there; known where properties are.
    pub is_stepped: bool,
    /// What tracks are differences to, if they are; known where properties are.
    pub additive: Option<Additive>,
    /// Bytes that it had before it was compressed.
    pub raw_size: u32,
    /// The engine's name for what compressed the tracks.
    pub codec: String,
    /// Compressed tracks.
    pub compression: Compression<'a>,
    /// Values that change, by name.
    pub curves: Vec<Curve>,
}

/// What the tracks of an additive animation are differences to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Additive {
    /// Rotations are those in the space of the mesh, not relative to the parent.
    pub is_in_mesh_space: bool,
    /// The pose.
    pub base: AdditiveBase,
    /// `RefPoseSeq`: the animation that has the pose, unless the skeleton has it.
    pub sequence: PackageIndex,
}

/// `EAdditiveBasePoseType`: where the pose is to which an additive animation is added.
#[doc(alias = "EAdditiveBasePoseType")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdditiveBase {
    /// In the skeleton.
    Skeleton,
    /// In another animation, which is stretched to the same length.
    Whole,
    /// In a frame of another animation.
    Frame(u32),
    /// In a frame of the animation itself, before it was made additive.
    OwnFrame(u32),
}

/// How tracks are compressed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Compression<'a> {
    /// There are none.
    None,
    /// By the engine itself.
    Engine(Tracks<'a>),
    /// By the Animation Compression Library: an [`AclClip`].
    Acl(&'a [u8]),
    /// By the Animation Compression Library, with a database in another asset.
    AclDatabase(&'a [u8]),
    /// In a file beside the package.
    Streamed(Bulk<'a>),
}

/// Bytes that codecs leave for themselves.
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
        if !payload.strip_flags()?.is_editor_data_stripped() {
            return Err(at.fault("strip flags", FaultKind::Unsupported { found: 0 }));
        }
        let mut animation = Self {
            skeleton_guid,
            bones: Vec::new(),
            frames: 0,
            seconds: payload.property("SequenceLength"),
            rate_scale: payload.property("RateScale"),
            is_stepped: payload.enum_property("Interpolation").is_some_and(|kind| &*kind == STEP),
            additive: Additive::new(payload),
            raw_size: 0,
            codec: String::new(),
            compression: Compression::None,
            curves: Vec::new(),
        };
        if payload.r.bool32("compressed data")? {
            animation.compressed(payload)?;
        }
        Ok(animation)
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
        // Curves of other codecs are left as they are: nothing but morph targets needs them.
        let read = if AclCurves::are_at(curves) { clips::curves } else { curves::read };
        self.curves = read(&names, curves).unwrap_or_default();
        let last = if versions.has_raw_only_flag() { 4 } else { 0 };
        let left = payload.r.remaining();
        self.compression = match left.checked_sub(last) {
            // No codec had anything to do.
            Some(0) if size == 0 => Compression::None,
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
        payload.r.when(versions.has_raw_only_flag(), |r| r.bool32("raw data only"))?;
        if let Some(bulk) = bulk {
            self.compression = Compression::Streamed(bulk);
        }
        Ok(())
    }

    /// Name of what the tracks are compressed with, if they cannot be decoded.
    #[must_use]
    pub fn obstacle(&self) -> Option<&'static str> {
        match &self.compression {
            Compression::Engine(tracks) => tracks.obstacle(),
            Compression::None => Some("it has no compressed tracks"),
            Compression::Acl(_) => None,
            Compression::AclDatabase(_) => Some("its tracks are in an ACL database, which is another asset"),
            Compression::Streamed(_) => Some("its tracks are in bulk data that is streamed"),
        }
    }

    /// True if there is nothing that moves bones.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bones.is_empty() || self.compression == Compression::None
    }

    /// Seconds from the first key to the last one: as the keys have it, if they say so, and as properties do, if not.
    #[must_use]
    pub fn length(&self) -> Option<f64> {
        let of_keys = match &self.compression {
            Compression::Acl(stream) => AclClip::parse(stream).ok().and_then(|clip| clip.seconds()),
            _ => None,
        };
        of_keys.or(self.seconds.map(f64::from)).filter(|seconds| seconds.is_finite() && *seconds >= 0.0)
    }

    /// Frames a second.
    #[must_use]
    pub fn rate(&self) -> Option<f32> {
        let frames = f32::from(u16::try_from(self.frames.checked_sub(1)?).ok()?);
        self.seconds.filter(|seconds| *seconds > 0.0).map(|seconds| frames / seconds)
    }
}
