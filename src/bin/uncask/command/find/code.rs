//! `uncask find --calls` and `--code`: finds functions of blueprints by their code.

use super::printed::Printed;
use crate::args::FindArgs;
use crate::exit::{self, Exit};
use crate::printer::{count, counted};
use crate::session::Session;
use crate::shared::summary;
use crate::shared::values::{self, Chosen};
use std::path::Path;
use uncask::error::Error;
use uncask::game::{CodeHit, CodeHits, CodeQuery, MAX_HITS};

pub(super) fn run(args: &FindArgs, session: &Session) -> anyhow::Result<Exit> {
    let query = CodeQuery::new(args.calls.as_deref(), args.code.as_deref())?;
    let chosen = Chosen::new(&args.store, &args.select, session)?;
    if chosen.inputs.is_empty() {
        return Ok(chosen.none(&args.store, &args.select, session));
    }
    let options = values::options(&args.properties, &args.store.input, session)?;
    let Chosen { game, mut inputs, .. } = chosen;
    inputs.sort_by_path();
    let (watched, progress) = session.watched(&game, "packages");
    let total = inputs.len() as u64;
    let (mut printed, mut packages, mut cut) = (Printed::new(args, session, "uncask.find-code/1"), 0, 0);
    let found = |hits: CodeHits| {
        packages += 1;
        cut += u64::from(hits.cut);
        let printed = hits.hits.iter().try_for_each(|hit| printed.hit(hit, line));
        printed.map_err(Error::io("write", Path::new("stdout")))
    };
    let outcome = session.interruptible(|| watched.find_code(inputs, query, options, found))?;
    progress.finish();
    let hits = printed.finish(|_| vec![("packages", packages)])?;
    values::report_engine(session, &outcome.done);
    if cut > 0 {
        let packages = counted(cut, "package has", "packages have");
        let most = count(MAX_HITS as u64);
        session.printer.warning(&format!("{packages} more places than these: only {most} are shown"));
    }
    summary::failures(session, &outcome);
    let places = counted(hits, "place", "places");
    let packages = counted(packages, "package", "packages");
    session.printer.note(&format!("found {places} in {packages} of {}", count(total)));
    Ok(match exit::of_outcome(&outcome, &game) {
        Exit::Ok if hits == 0 => Exit::NothingMatched,
        exit => exit,
    })
}

/// Line such as `/Game/BP_Door  BP_Door_C.Open@0x01F3  OpenLevel`, or with the number of a line of pseudo-code.
fn line(CodeHit { package, function, at, line, text }: &CodeHit) -> String {
    match (at, line) {
        (Some(at), _) => format!("{package}  {function}@0x{at:04X}  {text}"),
        (None, Some(line)) => format!("{package}  {function}:{line}  {text}"),
        (None, None) => format!("{package}  {function}  {text}"),
    }
}
