//! The Oodle decoder and encoder: published vectors, real streams, streams made for rare features.

#[cfg(test)]
mod compress;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod differences;
#[cfg(test)]
mod layering;
#[cfg(test)]
mod scratch;
#[cfg(test)]
mod support;
#[cfg(test)]
mod synthetic;
#[cfg(test)]
mod vectors;
