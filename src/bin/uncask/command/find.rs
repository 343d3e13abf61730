//! `uncask find`: finds packages by their values, and functions by their code.

mod code;

use crate::args::FindArgs;
use crate::exit::{self, Exit};
use crate::printer::{self, count, counted};
use crate::session::Session;
use crate::shared::summary;
use crate::shared::values::{self, Chosen};
use std::io::Write;
use std::path::Path;
use uncask::error::Error;
use uncask::game::{Hits, MAX_HITS, Query, QuerySpec};

pub(crate) fn run(args: &FindArgs, session: &Session) -> anyhow::Result<Exit> {
    if args.calls.is_some() || args.code.is_some() {
        return code::run(args, session);
    }
    let query = Query::new(&QuerySpec {
        property: args.property.clone(),
        property_regex: args.property_regex.clone(),
        value: args.value.clone(),
        value_regex: args.value_regex.clone(),
    })?;
    let chosen = Chosen::new(&args.store, &args.select, session)?;
    if chosen.inputs.is_empty() {
        return Ok(chosen.none(&args.store, &args.select, session));
    }
    let options = values::options(&args.properties, &args.store.input, session)?;
    let Chosen { game, inputs, .. } = chosen;
    let (watched, progress) = session.watched(&game, "packages");
    let total = inputs.len() as u64;
    let (mut printed, mut packages, mut cut) = (Printed::new(session), 0, 0);
    let found = |hits: Hits| {
        packages += 1;
        cut += u64::from(hits.cut);
        printed.hits(&hits).map_err(Error::io("write", Path::new("stdout")))
    };
    let outcome = session.interruptible(|| watched.find_values(inputs, query, options, found))?;
    progress.finish();
    let hits = printed.finish(packages)?;
    let missing = values::report_missing(session, &outcome.done, (&args.properties, &args.store.input));
    if cut > 0 {
        let packages = counted(cut, "package has", "packages have");
        session.printer.warning(&format!(
            "{packages} more values than these: only {} are shown",
            count(MAX_HITS as u64)
        ));
    }
    summary::failures(session, &outcome);
    let (hits_text, packages) = (counted(hits, "value", "values"), counted(packages, "package", "packages"));
    session.printer.note(&format!("found {hits_text} in {packages} of {}", count(total)));
    Ok(match exit::of_outcome(&outcome, &game) {
        // Without mappings an empty result proves nothing.
        Exit::Ok if missing => Exit::Failed,
        Exit::Ok if hits == 0 => Exit::NothingMatched,
        exit => exit,
    })
}

/// Output of hits, printed as they are found.
enum Printed {
    Lines(printer::Out, u64),
    Json(Box<dyn Write>, u64),
}

impl Printed {
    fn new(session: &Session) -> Self {
        if session.printer.json {
            Self::Json(Box::new(printer::json()), 0)
        } else {
            Self::Lines(printer::out(), 0)
        }
    }

    fn hits(&mut self, found: &Hits) -> std::io::Result<()> {
        for hit in &found.hits {
            match self {
                Self::Lines(out, number) => {
                    *number += 1;
                    writeln!(out, "{}  {}.{} = {}", hit.package, hit.export, hit.property, hit.value)?;
                }
                Self::Json(out, number) => {
                    // The document is written by hand: hits are printed as they come, and never all in memory.
                    let before =
                        if *number == 0 { "{\n  \"schema\": \"uncask.find/1\",\n  \"hits\": [" } else { "," };
                    *number += 1;
                    write!(out, "{before}\n    ")?;
                    serde_json::to_writer(&mut *out, hit)?;
                }
            }
        }
        Ok(())
    }

    /// Ends the output, and returns the number of hits.
    fn finish(self, packages: u64) -> std::io::Result<u64> {
        match self {
            Self::Lines(mut out, number) => out.flush().map(|()| number),
            Self::Json(mut out, number) => {
                if number == 0 {
                    write!(out, "{{\n  \"schema\": \"uncask.find/1\",\n  \"hits\": [")?;
                }
                writeln!(out, "\n  ],\n  \"packages\": {packages},\n  \"values\": {number}\n}}")?;
                out.flush().map(|()| number)
            }
        }
    }
}
