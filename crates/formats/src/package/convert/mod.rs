//! Packages from one form into the other.
//!
//! | module | from | to |
//! |---|---|---|
//! | [`to_legacy`] | a zen package, as containers hold it | the cooker's `.uasset` and `.uexp` |
//! | [`to_zen`] | the cooker's `.uasset` and `.uexp` | a zen package, as the engine's packager makes it |
//!
//! Each direction is a row of passes over data of its own. What both need stands in `common`, which knows neither. A [`Remainder`]
//! takes what legacy packages cannot say from the one to the other, in a [`sidecar`], or in a [`note`] in the package.

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
