//! The Oodle decoder and encoder: published vectors, real streams, streams made for rare features.

mod compress;
mod corpus;
mod differences;
pub(crate) mod support;
mod synthetic;
mod vectors;
