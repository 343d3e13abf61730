//! Packages with edited values.
//!
//! ```text
//! package ──► objects ──► some values set, or all taken from a document ──► data of exports ──► package rebuilt ─┬─► .utoc
//!                                                                            └ read again, to be sure            ├─► .pak
//!                                                                                                                └─► files
//! ```

mod apply_rules;
mod change;
mod code;
mod conditions;
#[cfg(feature = "recipes")]
mod each;
mod edited;
mod fields;
mod fmodel;
mod importing;
mod kept;
mod mips;
mod new_objects;
mod pattern;
mod rebuilding;
mod rules;
mod save;
mod since;
mod texture;
mod through;
mod wanted;

pub use change::Editing;
pub use code::CodeEdit;
pub use conditions::{Condition, ConditionError};
pub use edited::{Changed, Edited};
pub use fields::{EditField, EditFields, FieldKind};
pub use mips::TextureMips;
pub use pattern::{AddressPattern, AddressPatternError};
pub use rules::{RuleChange, RuleOutcome, RuleSet, ValueRule};
pub use save::{EditOutput, SaveOptions, Saved};
pub use texture::TextureWish;
pub use wanted::Wanted;
