//! Packages of the corpus, rebuilt with and without changes.
//!
//! The corpus is not part of the repository: `UNCASK_CORPUS`, or `../shared/corpus` beside it. Without one these tests say that
//! they were skipped; with `CI=true` that is a failure.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "places in packages of the corpus, which are small"
)]

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod legacy;
#[cfg(test)]
mod worked;
#[cfg(test)]
mod zen;
