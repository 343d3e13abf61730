//! Rules for the assets of a project, and what breaks them.
//!
//! ```text
//! rules  names by class, sizes of textures, budgets ─┐
//! assets class, name, pixels, bytes, imports ────────┴─► findings: an asset, the rule that it breaks, found and expected
//! ```

mod budgets;
mod check;
mod job;
mod rules;

pub use check::LintFault;
pub use job::{LintFinding, LintPlan, LintRead, LintSettings, each_finding};
pub use rules::{LintRules, LintRulesError, Patterns, SizeBudget, TextureRules};
