//! Packages as text for review.

use super::Game;
use crate::error;
use crate::job::Outcome;
use crate::reviews::{self, PackageReview, ReviewChange, ReviewComparison, ReviewRead, ReviewSettings};
use crate::sink::Sink;
use crate::values::{PackageInputs, ValueOptions, ValuesRead};
use std::sync::Arc;

impl Game {
    /// Calls a function with the review of each package, in their order.
    pub fn each_review(
        &self,
        inputs: PackageInputs,
        settings: ReviewSettings,
        found: impl FnMut(PackageReview) -> error::Result<()>,
    ) -> error::Result<Outcome<ReviewRead>> {
        let packages = Arc::clone(&self.packages);
        self.run(false, async |context| {
            reviews::each_review(packages, inputs, context, settings, found).await
        })?
    }

    /// Writes the review of each package as a file.
    pub fn write_reviews(
        &self,
        inputs: PackageInputs,
        sink: Arc<dyn Sink>,
        settings: ReviewSettings,
    ) -> error::Result<Outcome<ReviewRead>> {
        let packages = Arc::clone(&self.packages);
        self.run(false, async |context| {
            reviews::write_reviews(packages, inputs, sink, context, settings).await
        })?
    }
}

/// Calls a function with every package whose review differs between two builds, in the order of the new one; nodes of graphs are
/// matched by their ids.
pub fn review_differences(
    [old, new]: [&Game; 2],
    inputs: [PackageInputs; 2],
    options: [ValueOptions; 2],
    comparison: ReviewComparison,
    found: impl FnMut(ReviewChange) -> error::Result<()>,
) -> error::Result<Outcome<ValuesRead>> {
    let packages = [old, new].map(|game| Arc::clone(&game.packages));
    let job = async |context: &_| {
        reviews::review_differences(packages, inputs, options, comparison, context, found).await
    };
    new.run(false, job)?
}
