//! `--like`: the container that a new one imitates.

use crate::args::{OnlyKind, StoreArgs};
use crate::exit::UsageError;
use crate::session::Session;
use std::path::Path;
use std::sync::Arc;
use uncask::game::{Lend, Original, PackOptions};
use uncask::version::Release;

/// Opens the original; `None` if that fails, after reporting why.
pub(crate) fn open(
    path: &Path,
    aes_key: &[String],
    session: &Session,
) -> anyhow::Result<Option<Arc<Original>>> {
    let game = session.open(
        &StoreArgs { only: Some(OnlyKind::Iostore), ..StoreArgs::single(path, aes_key) },
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

/// Options for a mod that is made from another one, in its layout, compression and encryption.
pub(crate) fn packing_like(
    path: &Path,
    aes_key: &[String],
    engine: Option<&'static Release>,
    session: &Session,
) -> anyhow::Result<PackOptions> {
    let is_container = path.extension().is_some_and(|extension| extension == "utoc");
    let original = if is_container { open(path, aes_key, session)? } else { None };
    let like = original.as_ref().map_or_else(PackOptions::default, PackOptions::like);
    // Without a `.pak` beside it, no game finds it.
    Ok(PackOptions { engine, companion: true, original: None, ..like })
}
