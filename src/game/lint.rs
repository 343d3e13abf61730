//! Rules for the assets of a project, and their sizes.

use super::Game;
use crate::error;
use crate::job::Outcome;
use crate::lint::{self, LintFinding, LintRead, LintSettings};
use crate::project::{self, SizesRead};
use crate::values::{PackageInputs, ValueOptions};
use std::sync::Arc;

impl Game {
    /// Calls a function with everything in which packages break the rules, in their order.
    pub fn each_lint_finding(
        &self,
        inputs: PackageInputs,
        settings: LintSettings,
        found: impl FnMut(LintFinding) -> error::Result<()>,
    ) -> error::Result<Outcome<LintRead>> {
        let packages = Arc::clone(&self.packages);
        self.run(false, async |context| lint::each_finding(packages, inputs, context, settings, found).await)?
    }

    /// Measures the packages of `chosen` and, if asked, those of `all` that they need, directly or not.
    pub fn package_sizes(
        &self,
        all: PackageInputs,
        chosen: PackageInputs,
        with_needed: bool,
    ) -> error::Result<Outcome<SizesRead>> {
        let packages = Arc::clone(&self.packages);
        let values = ValueOptions::default();
        let job = async |context: &_| {
            project::package_sizes(packages, all, chosen, with_needed, context, values).await
        };
        self.run(false, job)?
    }
}
