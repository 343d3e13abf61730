//! Rules for the assets of a project.

use super::Game;
use crate::error;
use crate::job::Outcome;
use crate::lint::{self, LintFinding, LintRead, LintSettings};
use crate::values::PackageInputs;
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
}
