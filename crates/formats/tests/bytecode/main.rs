//! Functions of real blueprints: read, listed, written back, and compared with what an independent reader found.
//!
//! The corpus is not part of the repository: `UNCASK_CORPUS`, or `../shared/corpus` beside it. Without one these tests say that
//! they were skipped; with `CI=true` that is a failure.

#[cfg(test)]
mod edits;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod pseudo;
#[cfg(test)]
mod set;
#[cfg(test)]
mod tree_json;
