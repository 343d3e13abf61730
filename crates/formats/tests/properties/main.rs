//! Property data of real packages, read and written back, and compared with what an independent reader found.
//!
//! The corpus is not part of the repository: `UNCASK_CORPUS`, or `../shared/corpus` beside it. Without one these tests say that
//! they were skipped; with `CI=true` that is a failure.

#[cfg(test)]
mod accepted;
#[cfg(test)]
mod addresses;
#[cfg(test)]
mod back;
#[cfg(test)]
mod cooks;
#[cfg(test)]
mod expected;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod graphs;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod merges;
#[cfg(test)]
mod reviews;
#[cfg(test)]
mod sets;
#[cfg(test)]
mod zeros;
