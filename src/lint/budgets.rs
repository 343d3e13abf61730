//! Limits of sizes.

use super::check::LintFault;
use super::rules::{Globs, LintRules, LintRulesError, SizeBudget};

/// The budgets, with what was counted.
#[derive(Debug)]
pub(super) struct Budgets(Vec<Budget>);

#[derive(Debug)]
struct Budget {
    rule: SizeBudget,
    /// `None` for all packages.
    globs: Option<Globs>,
    assets: u64,
    len: u64,
}

impl Budgets {
    pub(super) fn new(rules: &LintRules) -> Result<Self, LintRulesError> {
        let budget = |rule: &SizeBudget| {
            let globs = rule.path.as_ref().map(|path| Globs::of_packages([path])).transpose()?;
            Ok(Budget { rule: rule.clone(), globs, assets: 0, len: 0 })
        };
        rules.budget.iter().map(budget).collect::<Result<_, LintRulesError>>().map(Self)
    }

    /// Counts an asset, and returns the limits that it exceeds by itself.
    pub(super) fn count(&mut self, package: &str, len: u64) -> Vec<LintFault> {
        let mut faults = Vec::new();
        for budget in &mut self.0 {
            if budget.globs.as_ref().is_some_and(|globs| !globs.has(package)) {
                continue;
            }
            budget.assets += 1;
            budget.len = budget.len.saturating_add(len);
            let limit = budget.rule.file.filter(|limit| len > *limit);
            faults.extend(limit.map(|limit| LintFault::FileSize { len, limit }));
        }
        faults
    }

    /// The limits that all together exceed, each with its pattern.
    pub(super) fn totals(&self) -> impl Iterator<Item = (String, LintFault)> {
        self.0.iter().filter_map(|budget| {
            let limit = budget.rule.total.filter(|limit| budget.len > *limit)?;
            let path = budget.rule.path.clone().unwrap_or_else(|| "**".to_owned());
            Some((path, LintFault::TotalSize { assets: budget.assets, len: budget.len, limit }))
        })
    }
}
