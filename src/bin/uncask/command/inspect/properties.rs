//! `uncask inspect -p`: shows the values of objects in a package.

use super::shown::Shown;
use crate::args::InspectArgs;
use crate::exit::Exit;
use crate::printer::{self, Out};
use crate::session::Session;
use crate::shared::values::{self, Whose};
use serde_json::Value as Json;
use std::path::Path;
use uncask::game::{Game, JsonForm, ObjectRef, Objects, PackageInputs, UnreadCause, ValueOptions};
use uncask::property::Value;
use uncask::wire::start_of;

/// Shows the first package of some inputs. `None` if there is none.
pub(super) fn run(
    args: &InspectArgs,
    input: &Path,
    session: &Session,
    game: &Game,
    inputs: PackageInputs,
    shown: &mut Shown,
) -> anyhow::Result<Option<Exit>> {
    let options = ValueOptions { verify: true, ..values::options(&args.reading, input, session)? };
    let Some(mut objects) = game.objects_in(inputs, options)? else {
        return Ok(None);
    };
    if session.printer.json {
        // The document is parsed again to add to its objects, whose order is that of the exports.
        let mut document: Json = serde_json::from_slice(&objects.json(JsonForm::FModel)?)?;
        add_assets(&mut document, &objects)?;
        shown.json(&document)?;
    } else {
        let mut out = printer::out();
        print(&mut out, &objects)?;
        out.flush()?;
    }
    if let Some(mismatch) = objects.take_mismatch() {
        session.printer.failure(&mismatch);
        return Ok(Some(Exit::Failed));
    }
    let unread = objects.unread();
    if unread.iter().any(|unread| unread.cause == UnreadCause::NoMappings) {
        let whose = if objects.is_empty() { Whose::All } else { Whose::Game };
        values::need_mappings(session, (1, whose), (&args.reading, input));
    }
    values::report_unread(session, &unread, (&args.reading, input));
    if !unread.is_empty() {
        return Ok(Some(Exit::Failed));
    }
    Ok(Some(Exit::Ok))
}

/// Adds a summary to each object of a document that is an asset.
fn add_assets(document: &mut Json, objects: &Objects) -> anyhow::Result<()> {
    let of_document = document.as_array_mut().into_iter().flatten();
    for (found, object) in of_document.zip(objects.iter()) {
        if let (Some(fields), Some(asset)) = (found.as_object_mut(), object.asset()) {
            fields.insert("Asset".to_owned(), serde_json::to_value(asset)?);
        }
    }
    Ok(())
}

/// Width of a line with values.
const WIDTH: usize = 160;
/// The most values shown per object.
const SHOWN: usize = 2_000;

fn print(out: &mut Out, objects: &Objects) -> std::io::Result<()> {
    for object in objects.iter() {
        writeln!(out, "{} ({})", object.path(), object.class())?;
        if let Some(asset) = object.asset() {
            writeln!(out, "  {asset}")?;
        }
        values(out, object)?;
        if let Some(problem) = &object.object().problem {
            writeln!(out, "  not understood: {problem}")?;
        }
    }
    Ok(())
}

fn values(out: &mut Out, object: ObjectRef<'_>) -> std::io::Result<()> {
    let (mut result, mut shown) = (Ok(()), 0);
    object.walk(&mut |place, value, text| {
        // Entries at the top that only mark the end of a list, or an absent part, are layout, not values.
        let is_layout = matches!(value, Value::Optional(None)) && place.depth() == 1 && !place.is_property();
        // Returning false stops at this value, and so does every later call.
        if result.is_err() || shown == SHOWN || is_layout {
            return false;
        }
        shown += 1;
        let indent = "  ".repeat(place.depth());
        let last = place.last();
        result = match text {
            Some(text) => writeln!(out, "{indent}{last}: {}", cut(text)),
            // A value that fits on the line is not expanded.
            None => match Some(object.line(value, WIDTH)).filter(|line| line.len() < WIDTH) {
                Some(line) => {
                    result = writeln!(out, "{indent}{last}: {line}");
                    return false;
                }
                None => writeln!(out, "{indent}{last}"),
            },
        };
        true
    });
    if shown == SHOWN {
        writeln!(out, "  …")?;
    }
    result
}

fn cut(text: &str) -> &str {
    start_of(text, WIDTH * 4)
}
