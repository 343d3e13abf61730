//! Messages about packing.

use crate::exit::Exit;
use crate::objections::sentence;
use crate::session::Session;
use serde::Serialize;
use uncask::game::Verdict;
use uncask::objection::Finding;

/// Evidence for the assumed release.
#[derive(Serialize)]
pub(crate) struct Evidence {
    engine_by: String,
    /// All releases that fit.
    engines_that_fit: Vec<&'static str>,
}

impl From<&Verdict> for Evidence {
    fn from(verdict: &Verdict) -> Self {
        let engines_that_fit = verdict.left.iter().map(|release| release.name).collect();
        Self { engine_by: verdict.to_string(), engines_that_fit }
    }
}

/// Reports why nothing was packed.
pub(crate) fn refused(reasons: &[Finding], session: &Session) -> Exit {
    for reason in reasons {
        session.printer.error(&sentence(reason));
    }
    session.printer.note("nothing was written; --force packs it anyway");
    Exit::Failed
}

/// Prints objections to a container that was written nevertheless.
pub(crate) fn warn(findings: &[Finding], session: &Session) {
    for finding in findings {
        session.printer.warning(&sentence(finding));
    }
}

/// Reports the assumed release, if it was deduced.
pub(crate) fn note_release(verdict: Option<&Verdict>, session: &Session) {
    // No verdict: the release was given.
    let Some(verdict) = verdict else { return };
    let text = format!("taken for {}: {verdict}; choose another with --engine", verdict.release);
    session.printer.note(&text);
}
