//! Files that games and tools keep beside containers, or in them: texts and type mappings.

#[cfg(feature = "cli")]
mod inspect;
#[cfg(feature = "cli")]
mod real;
mod texts;
mod types;
