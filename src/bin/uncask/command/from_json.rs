//! `uncask from-json`: takes the values of packages from JSON documents.

use crate::args::FromJsonArgs;
use crate::exit::{Exit, UsageError};
use crate::inputs::expand_folders;
use crate::selection;
use crate::session::Session;
use crate::shared::values::Chosen;
use crate::shared::{document, edit};
use std::collections::HashSet;
use std::path::Path;
use uncask::error::{Bound, Error};
use uncask::game::Wanted;
use uncask::wire::decode_text;

pub(crate) fn run(args: &FromJsonArgs, session: &Session) -> anyhow::Result<Exit> {
    let output = edit::output(&args.edit)?;
    let documents = expand_folders(&args.documents, "json")?;
    // All documents are read first: a bad one must not be found after half of the work.
    let mut paid = 0;
    let documents =
        documents.iter().map(|path| read(path, &mut paid, session)).collect::<Result<Vec<_>, _>>()?;
    let Chosen { game, inputs, is_loose, .. } = Chosen::all(&args.edit.store(&args.onto), session)?;
    // A single loose file is the target, whatever name its document has.
    let only = (args.onto.is_file() && inputs.len() == 1 && is_loose).then_some(0);
    let job = edit::EditJob { args: &args.edit, schema: "uncask.from-json/1", game: &game, output };
    let editing = job.editing(session, inputs, &args.onto)?;
    let (mut wanted, mut places) = (Vec::new(), HashSet::new());
    for document in documents {
        if let Some(at) = only {
            let name = editing.name(at)?;
            if !name.eq_ignore_ascii_case(&document.package) {
                let warning = format!("the document is of {}, the file of {name}", document.package);
                session.printer.warning(&format!("{warning}: {}", args.onto.display()));
            }
        }
        let Some(place) = only.or_else(|| editing.find(&document.package)) else {
            return Ok(selection::no_such(session, &game, "package", &document.package));
        };
        // Two documents of one package would overwrite each other.
        if !places.insert(place) {
            return Err(UsageError(format!("two documents are of {}, expected one", document.package)).into());
        }
        wanted.push((place, document.wanted));
    }
    job.run(session, &editing, &wanted)
}

/// A document with its package name.
struct Document {
    package: String,
    wanted: Wanted,
}

/// Reads a document. All of them are in memory at the same time, so each is paid for before it is parsed.
fn read(path: &Path, paid: &mut u64, session: &Session) -> anyhow::Result<Document> {
    let bytes = session.read_file(path)?;
    let bad = |problem: &dyn std::fmt::Display| UsageError(format!("{problem}: {}", path.display()));
    // Editors on Windows may save UTF-16 or a byte order mark.
    let text = decode_text(&bytes).map_err(|error| bad(&format!("not JSON: {error}")))?;
    *paid += document::price(&text).map_err(|error| bad(&document::fault(&error)))?;
    if *paid > session.memory() {
        let (what, path) = ("memory for the documents", path.to_owned());
        return Err(
            Error::Limit { what, found: *paid, limit: session.memory(), bound: Bound::Memory, path }.into()
        );
    }
    let json = document::parse(&text).map_err(|error| bad(&document::fault(&error)))?;
    let hint = "the document names no package, expected one that `uncask json` or FModel has written";
    let (package, wanted) = Wanted::of_document(json, path).ok_or_else(|| bad(&hint))?;
    Ok(Document { package, wanted })
}
