//! `uncask find --calls` and `--code`: finds functions of blueprints by their code.

use crate::args::FindArgs;
use crate::exit::{self, Exit};
use crate::printer::{self, count, counted};
use crate::session::Session;
use crate::shared::summary;
use crate::shared::values::{self, Chosen};
use serde::Serialize;
use uncask::game::{CodeHit, CodeQuery, MAX_HITS};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    hits: &'a [CodeHit],
    packages: u64,
}

pub(super) fn run(args: &FindArgs, session: &Session) -> anyhow::Result<Exit> {
    let query = CodeQuery::new(args.calls.as_deref(), args.code.as_deref())?;
    let chosen = Chosen::new(&args.store, &args.select, session)?;
    if chosen.inputs.is_empty() {
        return Ok(chosen.none(&args.store, &args.select, session));
    }
    let options = values::options(&args.properties, &args.store.input, session)?;
    let Chosen { game, inputs, .. } = chosen;
    let (watched, progress) = session.watched(&game, "packages");
    let total = inputs.len() as u64;
    let (mut hits, mut packages, mut cut) = (Vec::new(), 0, 0);
    let found = |of_package: uncask::game::CodeHits| {
        packages += 1;
        cut += u64::from(of_package.cut);
        hits.extend(of_package.hits);
        Ok(())
    };
    let outcome = session.interruptible(|| watched.find_code(inputs, query, options, found))?;
    progress.finish();
    if session.printer.json {
        printer::print_json(&Report { schema: "uncask.find-code/1", hits: &hits, packages })?;
    } else {
        print(&hits)?;
    }
    values::report_engine(session, &outcome.done);
    if cut > 0 {
        let packages = counted(cut, "package has", "packages have");
        let most = count(MAX_HITS as u64);
        session.printer.warning(&format!("{packages} more places than these: only {most} are shown"));
    }
    summary::failures(session, &outcome);
    let places = counted(hits.len() as u64, "place", "places");
    let packages = counted(packages, "package", "packages");
    session.printer.note(&format!("found {places} in {packages} of {}", count(total)));
    Ok(match exit::of_outcome(&outcome, &game) {
        Exit::Ok if hits.is_empty() => Exit::NothingMatched,
        exit => exit,
    })
}

/// Lines such as `/Game/BP_Door  BP_Door_C.Open@0x01F3  OpenLevel`, or with the number of a line of pseudo-code.
fn print(hits: &[CodeHit]) -> anyhow::Result<()> {
    let mut out = printer::out();
    for CodeHit { package, function, at, line, text } in hits {
        match (at, line) {
            (Some(at), _) => writeln!(out, "{package}  {function}@0x{at:04X}  {text}")?,
            (None, Some(line)) => writeln!(out, "{package}  {function}:{line}  {text}")?,
            (None, None) => writeln!(out, "{package}  {function}  {text}")?,
        }
    }
    Ok(out.flush()?)
}
