//! What is in the objects of packages, wherever these are.
//!
//! ```text
//! zen package of a container ──► to legacy, in memory ─┐
//! .uasset and .uexp of a pak ──────────────────────────┼──► Scope ──► JSON
//! .uasset, or with .uexp; loose zen package ───────────┘      └ asks World: mappings, other packages
//! ```

pub mod edit;
mod inputs;
pub mod json;
mod library;
mod load;
mod world;

pub use inputs::{PackageInput, PackageInputs};
