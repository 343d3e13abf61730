//! Animations: motion of bones over time, and curves.
//!
//! ```text
//! payload  GUID of the skeleton │ strip flags │ bool32 compressed │ i32 raw size │ i32 n │ n × i32 bone
//!          │ i32 n │ n × Name curve
//!          │ i32 size │ bool32 in bulk data │ stream │ FString codec of bones │ FString codec of curves
//!          │ i32 n │ n bytes curves
//!          │ what the codec says │ bool32 (before 5.6)
//! ```
//!
//! Uncooked animations have imported tracks in place of compressed ones.
//!
//! The stream tells whether the codec is [`acl`]. If not, the number of bytes left tells: 24 for the engine's
//! codecs, 4 for ACL, 8 for ACL with a database.
//!
//! Verified on 5.8 and 6.0 for tracks with separate forms, and on 5.4 for ACL; the other two encodings follow
//! CUE4Parse. Source: the payload sheet.

pub mod acl;

mod additive;
mod clips;
mod curves;
mod decoded;
mod imported;
mod keys;
mod motion;
mod sequence;
mod summary;
mod tracks;

pub use curves::{Curve, CurveKey, CurveMode};
pub use decoded::MotionError;
pub use imported::ImportedTrack;
pub use motion::Motion;
pub use sequence::{Additive, AdditiveBase, Animation, Compression};
pub use summary::AnimationSummary;
pub use tracks::{Keys, Track, Tracks};
