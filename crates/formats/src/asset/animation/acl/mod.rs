//! The Animation Compression Library (ACL): the engine's default since 5.3, a plugin before.
//!
//! ```text
//! clip     header │ how tracks are stored: not at all, one value, or keys │ constants │ ranges │ segments
//! segment  some 16 keys in a row: formats and ranges of all parts that move, then the bits of key after key
//! ```
//!
//! Every track is a rotation, a translation and a scale. Each number of a key has 1 to 23 bits: it is a share
//! of the range of its segment, which is itself a share of the range of the clip. Rotations leave out w,
//! which is not negative.
//!
//! | versions | where | read as |
//! |---|---|---|
//! | 7 to 10 | plugin 2.0 and later, 4.25 to 6.0 | [`AclClip`], [`AclCurves`] |
//! | 5 | plugins for 4.23 to 4.26 | the same; rotations of 48 and 32 bits are refused |
//!
//! Three traps: a part that is not stored takes the skeleton's pose ([`DefaultPose`]), a loop leaves out its
//! last key, and any key may be left out that its neighbours restore.
//!
//! Verified against samples from the library itself for versions 5 and 7 to 10, and on clips of 5.4. Source:
//! the fact sheet about ACL, drawn from the public library (MIT) and from real files.

mod bits;
mod clip;
mod database;
mod header;
mod keys;
mod old;
mod old_form;
mod parts;
mod scalars;
mod segments;
mod transforms;
mod values;

pub use clip::{AclClip, DefaultPose};
pub use database::AclDatabase;
pub use scalars::AclCurves;
