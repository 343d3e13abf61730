//! Conversions between the package forms.
//!
//! | module | from | to |
//! |---|---|---|
//! | [`to_legacy`] | a zen package, as stored in containers | the cooker's `.uasset` and `.uexp` |
//! | [`to_zen`] | the cooker's `.uasset` and `.uexp` | a zen package, as written by the engine's packager |
//!
//! Each direction is a series of passes over its own data. Shared code is in `common`, which depends on
//! neither. A [`Remainder`] carries facts that legacy packages cannot express from one direction to the
//! other, in a [`sidecar`] or in a [`note`] in the package.

mod common;
pub mod note;
mod remainder;
pub mod sidecar;
pub mod to_legacy;
pub mod to_zen;

pub use remainder::{Bytes, Ids, Remainder};
pub use to_legacy::{
    Asset, CheckFault, Clue, ConvertError, Converted, Evidence, How, Input, Loss, Target, check, convert,
    is_settled,
};
