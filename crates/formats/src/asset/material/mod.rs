//! Materials: parameters, and an interpretation for other programs.
//!
//! A material is a program, and nothing records what its parameters do. Their names and those of textures
//! follow conventions from which [`Material::look`] guesses.
//!
//! ```text
//! instance   properties: Parent, TextureParameterValues, ScalarParameterValues, VectorParameterValues,
//!            BasePropertyOverrides
//! material   properties: BlendMode, TwoSided, …; after them (5.0) or in a property (4.25)
//!            CachedExpressionData: names and values
//! ```

mod look;
mod parameters;
mod summary;

pub use look::{Blend, Look, Packing};
pub use parameters::Material;
pub use summary::MaterialSummary;
