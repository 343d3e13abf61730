//! Shader libraries: read, laid out and rebuilt.

#[cfg(feature = "cli")]
mod inspect;
mod made;
mod real;
mod rebuild;
mod robustness;
