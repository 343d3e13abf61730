//! Messages about packing.

use crate::exit::Exit;
use crate::objections::sentence;
use crate::printer::counted;
use crate::session::Session;
use serde::Serialize;
use std::path::Path;
use uncask::game::{Verdict, mod_files};
use uncask::objection::{Finding, ObjectionKind};

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
    let exists = |reason: &&Finding| reason.objection.kind() == ObjectionKind::Exists;
    let existing = reasons.iter().filter(exists).count();
    let advice = match (existing > 0, existing < reasons.len()) {
        (true, false) => "--overwrite replaces it",
        (true, true) => "--overwrite --force replaces it, and packs the rest anyway",
        (false, _) => "--force packs it anyway",
    };
    session.printer.note(&format!("nothing was written; {advice}"));
    Exit::Failed
}

/// Prints objections to a container that was written nevertheless, without `left_out` packages.
pub(crate) fn warn(findings: &[Finding], left_out: u64, session: &Session) -> Exit {
    for finding in findings {
        // A package that is missing from a mod is no warning: --quiet must not hide its name.
        if left_out > 0 && !finding.objection.is_warning() {
            session.printer.error(&sentence(finding));
        } else {
            session.printer.warning(&sentence(finding));
        }
    }
    if left_out == 0 {
        return Exit::Ok;
    }
    let packages = counted(left_out, "package was", "packages were");
    session.printer.error(&format!("{packages} left out"));
    Exit::Failed
}

/// Says where the files of a mod go.
pub(crate) fn note_place(output: &Path, session: &Session) {
    // A container without the suffix is one of the game itself, and a folder of packages is no mod yet.
    let is_mod = output.file_stem().is_some_and(|stem| stem.to_string_lossy().to_lowercase().ends_with("_p"));
    let files = mod_files(output).ok().filter(|_| is_mod).unwrap_or_default();
    let names: Vec<_> =
        files.iter().filter_map(|path| path.file_name()).map(|name| name.to_string_lossy()).collect();
    if let Some((last, others)) = names.split_last() {
        let names =
            if others.is_empty() { last.to_string() } else { format!("{} and {last}", others.join(", ")) };
        let verb = if others.is_empty() { "goes" } else { "go" };
        session.printer.note(&format!(
            "{names} {verb} into Content/Paks/~mods of the game: `uncask install {} GAME`",
            output.display()
        ));
    }
}

/// Reports the assumed release, if it was deduced.
pub(crate) fn note_release(verdict: Option<&Verdict>, session: &Session) {
    // No verdict: the release was given.
    let Some(verdict) = verdict else { return };
    let text = format!("taken for {}: {verdict}; choose another with --engine", verdict.release);
    session.printer.note(&text);
}
