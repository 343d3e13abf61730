//! Changes that the page collects, until they are saved as a mod or a recipe.
//!
//! ```text
//! edit ──► recipe with it ──► tried on its package ──► draft: the recipe as it is now, and those before it
//!                                    └ refused                        └► mod, recipe
//! ```

mod draft;
mod edit;
mod listing;
mod trying;

pub(in crate::browse) use draft::Draft;
pub(in crate::browse) use edit::{TextEdit, ValueEdit};
pub(in crate::browse) use listing::DraftListing;
pub(in crate::browse) use trying::{Fields, fields, preview, said, try_picture, try_value, value_json};
