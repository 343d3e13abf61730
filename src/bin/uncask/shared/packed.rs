//! Words about what was packed, or was not.

use crate::exit::Exit;
use crate::objections::sentence;
use crate::session::Session;
use serde::Serialize;
use uncask::game::Verdict;
use uncask::objection::Finding;

/// Evidence for the release that something was written for.
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

/// Says why nothing was packed.
pub(crate) fn refused(reasons: &[Finding], session: &Session) -> Exit {
    for reason in reasons {
        session.printer.error(&sentence(reason));
    }
    session.printer.note("nothing was written; --force packs it anyway");
    Exit::Failed
}

/// Prints the objections to something that was written all the same.
pub(crate) fn warn(findings: &[Finding], session: &Session) {
    for finding in findings {
        session.printer.warning(&sentence(finding));
    }
}

/// Says for which release a container was made, where that was found out.
pub(crate) fn note_release(verdict: Option<&Verdict>, session: &Session) {
    let Some(verdict) = verdict else { return };
    let text = format!("taken for {}: {verdict}; choose another with --engine", verdict.release);
    session.printer.note(&text);
}
