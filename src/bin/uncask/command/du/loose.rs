//! Disk usage of packages that are files.

use super::print::show;
use crate::args::DuArgs;
use crate::exit::{self, Exit, UsageError};
use crate::printer::counted;
use crate::session::Session;
use crate::shared::summary;
use crate::shared::values::Chosen;
use uncask::game::By;

pub(super) fn run(args: &DuArgs, by: By, session: &Session) -> anyhow::Result<Exit> {
    if matches!(by, By::Container | By::Method) {
        let message = "packages that are files have no containers and no methods";
        return Err(UsageError(message.to_owned()).into());
    }
    let chosen = Chosen::new(&args.store, &args.select, session)?;
    if chosen.inputs.is_empty() {
        return Ok(chosen.none(&args.store, &args.select, session));
    }
    let all = Chosen::all(&args.store, session)?.inputs;
    let Chosen { game, inputs, .. } = chosen;
    let (watched, progress) = session.watched(&game, "packages");
    let outcome = session.interruptible(|| watched.package_sizes(all, inputs, args.with_deps))?;
    progress.finish();
    let done = &outcome.done;
    show(args, session, &done.usage(by, args.depth), "PACKAGES")?;
    if !done.missing.is_empty() {
        let missing = counted(done.missing.len() as u64, "dependency is", "dependencies are");
        let first = done.missing.first().map_or("", String::as_str);
        session.printer.warning(&format!("{missing} not there, such as {first}"));
    }
    summary::failures(session, &outcome);
    Ok(exit::of_outcome(&outcome, &game))
}
