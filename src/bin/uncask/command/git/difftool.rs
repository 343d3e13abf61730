//! `uncask git difftool`: a review as a page in the browser.

use crate::args::{GitDifftoolArgs, ReviewArgs};
use crate::exit::Exit;
use crate::printer;
use crate::session::Session;
use crate::shared::review;
use std::path::Path;

pub(super) fn run(args: &GitDifftoolArgs, session: &Session) -> anyhow::Result<Exit> {
    // A folder of its own, which no other user of this machine can have made before.
    let folder = tempfile::Builder::new().prefix("uncask-review-").tempdir()?.keep();
    let page = folder.join("review.html");
    let review = ReviewArgs {
        range: args.range.clone(),
        paths: args.paths.clone(),
        output: Some(page.clone()),
        all: args.all,
    };
    let exit = review::run(&review, session)?;
    if args.no_open || !opens(&page) {
        let mut out = printer::out();
        writeln!(out, "{}", page.display())?;
        out.flush()?;
    }
    Ok(exit)
}

/// Opens a page in the browser, if that is possible.
#[cfg(feature = "browse")]
fn opens(page: &Path) -> bool {
    open::that_detached(page).is_ok()
}

#[cfg(not(feature = "browse"))]
const fn opens(_: &Path) -> bool {
    false
}
