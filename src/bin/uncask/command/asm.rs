//! `uncask asm`: puts edited listings of functions into packages.

use crate::args::AsmArgs;
use crate::exit::{Exit, UsageError};
use crate::inputs::expand;
use crate::selection;
use crate::session::Session;
use crate::shared::edit;
use crate::shared::values::Chosen;
use std::collections::HashSet;
use std::path::Path;
use uncask::game::{CodeEdit, ListingDocument, Wanted};
use uncask::wire::decode_text;

pub(crate) fn run(args: &AsmArgs, session: &Session) -> anyhow::Result<Exit> {
    let output = edit::output(&args.edit)?;
    let listings = expand(&args.listings);
    // All are read first: a bad one must not be found after half of the work.
    let listings = listings.iter().map(|path| read(path, session)).collect::<Result<Vec<_>, _>>()?;
    let Chosen { game, inputs, is_loose, .. } = Chosen::all(&args.edit.store(&args.onto), session)?;
    let only = (args.onto.is_file() && inputs.len() == 1 && is_loose).then_some(0);
    let job = edit::EditJob { args: &args.edit, schema: "uncask.asm/1", game: &game, output };
    let editing = job.editing(session, inputs, &args.onto)?;
    let (mut wanted, mut places) = (Vec::new(), HashSet::new());
    for listing in listings {
        let Some(place) = only.or_else(|| editing.find(&listing.package)) else {
            return Ok(selection::no_such(session, &game, "package", &listing.package));
        };
        if !places.insert(place) {
            return Err(UsageError(format!("two listings are of {}, expected one", listing.package)).into());
        }
        let edit = |(function, listing)| CodeEdit::Assemble { function, listing };
        wanted.push((place, Wanted::Code(listing.functions.into_iter().map(edit).collect())));
    }
    job.run(session, &editing, &wanted)
}

fn read(path: &Path, session: &Session) -> anyhow::Result<ListingDocument> {
    let bytes = session.read_file(path)?;
    let bad = |problem: &dyn std::fmt::Display| UsageError(format!("{problem}: {}", path.display()));
    // Editors on Windows may save UTF-16 or a byte order mark.
    let text = decode_text(&bytes).map_err(|error| bad(&format!("not a listing: {error}")))?;
    Ok(ListingDocument::parse(&text).map_err(|error| bad(&format!("not a listing: {error}")))?)
}
