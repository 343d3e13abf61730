//! `--like`: the container that a new one imitates.

use crate::args::{OnlyKind, StoreArgs};
use crate::exit::UsageError;
use crate::session::Session;
use std::path::Path;
use std::sync::Arc;
use uncask::game::{Lend, Original};

/// Opens the original; `None` if that fails, after reporting why.
pub(crate) fn open(
    path: &Path,
    aes_key: &[String],
    session: &Session,
) -> anyhow::Result<Option<Arc<Original>>> {
    let game = session.open(
        &StoreArgs {
            input: path.to_owned(),
            more_inputs: Vec::new(),
            base: Vec::new(),
            aes_key: aes_key.to_vec(),
            toc_version: None,
            only: Some(OnlyKind::Iostore),
        },
        Lend::Never,
    )?;
    let container = match game.containers() {
        [container] => Arc::clone(container),
        // The error was printed while opening.
        [] if !game.failed().is_empty() => return Ok(None),
        several => {
            let problem =
                format!("--like takes one .utoc, found {} containers: {}", several.len(), path.display());
            return Err(UsageError(problem).into());
        }
    };
    let original = Original::new(container)?;
    let printer = &session.printer;
    if original.is_signed() {
        printer.warning(&format!(
            "the original is signed, and only its maker can sign; the new container is not: {}",
            path.display()
        ));
    }
    // The layout is known from the table, but no block can be copied.
    if let Some(problem) = original.data_problem() {
        printer.warning(&format!(
            "the data of the original cannot be read, so that all blocks are compressed anew: {problem}"
        ));
    }
    Ok(Some(Arc::new(original)))
}
