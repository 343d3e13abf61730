//! Landscapes: components with a square of heights and the weights of layers of their material.
//!
//! ```text
//! texture     n × n subsections of (S + 1)² texels: those at a border are there twice
//! texel       B, G, R, A: height = 256 R + G │ normal: B is X, A is Y, from −1 to 1
//! vertex      i, j from 0 to Q = n S     place in the component: (i, j, (height − 32768) / 128)
//! ```
//!
//! Verified on 5.3 and 5.8: all heights, and the box that each component records. Source: the geometry sheet.

mod grid;
mod heights;
mod weights;

pub use grid::Grid;
pub use heights::{HeightPixels, Heights};
pub use weights::{LayerMask, Weights};
