//! `uncask find`: finds packages by their values, and functions by their code.

mod code;
mod printed;

use crate::args::FindArgs;
use crate::exit::{self, Exit};
use crate::printer::{count, counted};
use crate::session::Session;
use crate::shared::summary;
use crate::shared::values::{self, Chosen};
use printed::Printed;
use std::path::Path;
use uncask::error::Error;
use uncask::game::{Hit, Hits, MAX_HITS, Query, QuerySpec};

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
    let Chosen { game, mut inputs, .. } = chosen;
    inputs.sort_by_path();
    let (watched, progress) = session.watched(&game, "packages");
    let total = inputs.len() as u64;
    let (mut printed, mut packages, mut cut) = (Printed::new(args, session, "uncask.find/1"), 0, 0);
    let found = |hits: Hits| {
        packages += 1;
        cut += u64::from(hits.cut);
        let line = |hit: &Hit| format!("{}  {}.{} = {}", hit.package, hit.export, hit.property, hit.value);
        let printed = hits.hits.iter().try_for_each(|hit| printed.hit(hit, line));
        printed.map_err(Error::io("write", Path::new("stdout")))
    };
    let outcome = session.interruptible(|| watched.find_values(inputs, query, options, found))?;
    progress.finish();
    let hits = printed.finish(|values| vec![("packages", packages), ("values", values)])?;
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
