//! Packages of the corpus, rebuilt with and without changes.
//!
//! The corpus is not part of the repository: `UNCASK_CORPUS`, or `../shared/corpus` beside it. Without one these tests say that
//! they were skipped; with `CI=true` that is a failure.

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod legacy;
#[cfg(test)]
mod worked;
#[cfg(test)]
mod zen;
