//! The job: every asset against the rules.

use super::budgets::Budgets;
use super::check::{Checks, LintFault};
use super::rules::{LintRules, LintRulesError};
use crate::error::Result;
use crate::job::{Context, Kind, Outcome, Tally, Worked};
use crate::project::ProjectPackages;
use crate::store::packages::Packages;
use crate::values::{PackageInput, PackageInputs, PackageJob, ValueOptions, ValuesRead};
use serde::Serialize;
use std::sync::Arc;

/// Rules that are ready to be checked.
#[derive(Debug)]
pub struct LintPlan {
    checks: Checks,
    budgets: Budgets,
}

impl LintPlan {
    /// Reads the patterns of the rules.
    pub fn new(rules: &LintRules) -> std::result::Result<Self, LintRulesError> {
        Ok(Self { checks: Checks::new(rules)?, budgets: Budgets::new(rules)? })
    }
}

/// Rules and what they are checked against.
#[derive(Debug)]
pub struct LintSettings {
    /// The rules.
    pub plan: LintPlan,
    /// The packages that references may lead to.
    pub project: ProjectPackages,
    /// Options for reading packages.
    pub values: ValueOptions,
}

/// An asset that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LintFinding {
    /// The package; for several together, the pattern of their names.
    pub package: String,
    /// Path of its file; empty for several.
    pub file: String,
    /// The fault.
    #[serde(flatten)]
    pub fault: LintFault,
}

/// Findings of a job.
#[derive(Debug, Default)]
pub struct LintRead {
    /// Number of packages that were checked.
    pub packages: u64,
    /// Number of findings.
    pub findings: u64,
    /// Findings from reading the packages.
    pub values: ValuesRead,
}

/// Calls a function with everything in which packages break the rules, in their order; with budgets of several at the end.
pub async fn each_finding(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    context: &Context,
    settings: LintSettings,
    mut found: impl FnMut(LintFinding) -> Result<()>,
) -> Result<Outcome<LintRead>> {
    let LintSettings { plan: LintPlan { checks, mut budgets }, project, values } = settings;
    let job = Arc::new(PackageJob::new(packages, inputs, values));
    let mut outcome: Outcome<LintRead> = Outcome::of(Kind::Package);
    let mut counted = LintRead::default();
    let work = move |job: &PackageJob, _: usize, item: &PackageInput| read(job, item, &checks, &project);
    let done = |_: &mut Tally<'_, _>, item: &PackageInput, faults: Option<Vec<LintFault>>| {
        // Left out by the rules.
        let Some(faults) = faults else { return Ok(()) };
        let package = item.package_name();
        counted.packages += 1;
        for fault in faults.into_iter().chain(budgets.count(&package, item.len)) {
            counted.findings += 1;
            found(LintFinding { package: package.clone(), file: item.name.clone(), fault })?;
        }
        Ok(())
    };
    job.each(context, &mut outcome, work, done).await?;
    for (package, fault) in budgets.totals() {
        counted.findings += 1;
        found(LintFinding { package, file: String::new(), fault })?;
    }
    counted.values = job.finish(&mut outcome);
    outcome.done = counted;
    Ok(outcome)
}

fn read(
    job: &PackageJob,
    item: &PackageInput,
    checks: &Checks,
    project: &ProjectPackages,
) -> Worked<Option<Vec<LintFault>>> {
    if checks.ignores(&item.package_name()) {
        return Ok((None, None));
    }
    let mut loaded = job.load(item)?;
    let mismatch = loaded.take_mismatch();
    let stem = item.stem().rsplit('/').next().unwrap_or_default();
    let faults = checks.faults(&job.scope(&loaded), project, stem);
    Ok((Some(faults), mismatch))
}
