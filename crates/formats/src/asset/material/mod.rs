//! Materials: their parameters, and what other programs may make of them.
//!
//! A material is a program; what its parameters do is said nowhere. Their names, and those of textures, follow conventions
//! from which [`Material::look`] guesses.
//!
//! ```text
//! instance   properties: Parent, TextureParameterValues, ScalarParameterValues, VectorParameterValues, BasePropertyOverrides
//! material   properties: BlendMode, TwoSided, …; after them (5.0) or in a property (4.25) CachedExpressionData: names and values
//! ```

mod look;
mod parameters;

pub use look::{Blend, Look, Packing};
pub use parameters::Material;
