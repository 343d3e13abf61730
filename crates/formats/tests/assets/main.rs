//! Payloads of real assets: where they start, what is in them, with and without mappings, whole and damaged.
//!
//! The corpus is not part of the repository: `UNCASK_CORPUS`, or `../shared/corpus` beside it. Without one these tests say that
//! they were skipped; with `CI=true` that is a failure.

#[cfg(test)]
mod baked;
#[cfg(test)]
mod support;
#[cfg(test)]
mod textures;
#[cfg(test)]
mod written;
