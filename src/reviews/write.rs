//! Reviews of packages, into a sink or to a function.

use super::make::review_of;
use crate::error::Result;
use crate::job::{Context, Kind, Outcome, Tally, Worked};
use crate::sink::{Overwrite, Sink, put};
use crate::store::packages::Packages;
use crate::values::{PackageInput, PackageInputs, PackageJob, ValueOptions, ValuesRead};
use std::sync::Arc;
use uncask_formats::review::{Review, ReviewOptions};

/// Options for reviews.
#[derive(Debug, Clone, Default)]
pub struct ReviewSettings {
    /// Options for their contents.
    pub review: ReviewOptions,
    /// Options for reading packages.
    pub values: ValueOptions,
}

/// Findings of a job about reviews.
#[derive(Debug, Default)]
pub struct ReviewRead {
    /// Number of packages.
    pub packages: u64,
    /// Number of lines in their texts, without the empty ones between sections.
    pub lines: u64,
    /// Findings from reading the packages.
    pub values: ValuesRead,
}

/// The review of a package.
#[derive(Debug, Clone)]
pub struct PackageReview {
    /// The package, such as `/Game/Blueprints/BP_Door`.
    pub package: String,
    /// Its sections and graphs.
    pub review: Review,
}

/// Calls a function with the review of each package, in their order.
pub async fn each_review(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    context: &Context,
    settings: ReviewSettings,
    found: impl FnMut(PackageReview) -> Result<()>,
) -> Result<Outcome<ReviewRead>> {
    let options = settings.review;
    let work = move |job: &PackageJob, _: usize, item: &PackageInput| read(job, item, options);
    run(packages, inputs, context, settings.values, work, found).await
}

/// Writes the review of each package as a file, with the extension `txt` after the package's path.
pub async fn write_reviews(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    sink: Arc<dyn Sink>,
    context: &Context,
    settings: ReviewSettings,
) -> Result<Outcome<ReviewRead>> {
    let options = settings.review;
    let work = move |job: &PackageJob, _: usize, item: &PackageInput| {
        let (made, mismatch) = read(job, item, options)?;
        let text = made.review.to_string();
        put(&*sink, &item.output_as("review.txt"), text.as_bytes(), Overwrite::Always)?;
        Ok((made, mismatch))
    };
    run(packages, inputs, context, settings.values, work, |_| Ok(())).await
}

async fn run(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    context: &Context,
    values: ValueOptions,
    work: impl Fn(&PackageJob, usize, &PackageInput) -> Worked<PackageReview> + Send + Sync + 'static,
    mut found: impl FnMut(PackageReview) -> Result<()>,
) -> Result<Outcome<ReviewRead>> {
    let job = Arc::new(PackageJob::new(packages, inputs, values));
    let mut outcome: Outcome<ReviewRead> = Outcome::of(Kind::Package);
    let mut counted = ReviewRead::default();
    let done = |_: &mut Tally<'_, _>, _: &PackageInput, made: PackageReview| {
        counted.packages += 1;
        counted.lines +=
            made.review.sections.iter().map(|section| 1 + section.lines.len() as u64).sum::<u64>();
        found(made)
    };
    job.each(context, &mut outcome, work, done).await?;
    counted.values = job.finish(&mut outcome);
    outcome.done = counted;
    Ok(outcome)
}

fn read(job: &PackageJob, item: &PackageInput, options: ReviewOptions) -> Worked<PackageReview> {
    let mut loaded = job.load(item)?;
    let mismatch = loaded.take_mismatch();
    let unread = job.unread(&loaded);
    let scope = job.scope(&loaded);
    let review = review_of(&scope, Some(&unread), options, None);
    job.note_unread(item, unread);
    Ok((PackageReview { package: scope.name().to_owned(), review }, mismatch))
}
