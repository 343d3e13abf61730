//! `uncask git textconv`: the text of a version of an asset. It never fails, as git would then show nothing at all.

use crate::args::{GitTextconvArgs, StoreArgs};
use crate::exit::Exit;
use crate::printer;
use crate::session::Session;
use std::path::Path;
use uncask::error::Error;
use uncask::game::{Lend, PackageInputs, PackageReview, ReviewSettings, refuse_lfs_pointer};

pub(super) fn run(args: &GitTextconvArgs, session: &Session) -> anyhow::Result<Exit> {
    let text = match text_of(&args.file, session) {
        Ok(text) => text,
        Err(error) => format!("(not read as an asset: {})\n", reason(&args.file, &error)),
    };
    let mut out = printer::out();
    for line in text.lines() {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(Exit::Ok)
}

/// The error, without the name of git's temporary file, so that the text is the same each time.
fn reason(file: &Path, error: &anyhow::Error) -> String {
    let text = printer::describe(error);
    text.replace(&format!(": {}", file.display()), "")
}

fn text_of(file: &Path, session: &Session) -> anyhow::Result<String> {
    if refuse_lfs_pointer(file, std::fs::metadata(file)?.len()).is_err() {
        let pointer = std::fs::read_to_string(file)?;
        return Ok(format!("(a Git LFS pointer; `git lfs pull` fetches the file)\n{pointer}"));
    }
    let store = StoreArgs::single(file, &[]);
    let game = session.open_inputs(&store.more_inputs, &store, Lend::Always)?;
    let inputs = PackageInputs::of_files(file, |_| true);
    let mut text = String::new();
    let each = |found: PackageReview| -> Result<(), Error> {
        text = found.review.to_string();
        Ok(())
    };
    let mut outcome = game.each_review(inputs, ReviewSettings::default(), each)?;
    match outcome.failures.pop() {
        Some(failure) => Err(failure.error.into()),
        None => Ok(text),
    }
}
