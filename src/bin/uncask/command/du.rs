//! `uncask du`: shows disk usage.

mod loose;
mod print;

use crate::args::DuArgs;
use crate::exit::{self, Exit};
use crate::selection;
use crate::session::Session;
use crate::shared::{classes, dependencies, values};
use std::collections::HashMap;
use uncask::game::{By, Lend};

pub(crate) fn run(args: &DuArgs, session: &Session) -> anyhow::Result<Exit> {
    let by = By::from(args.by);
    if values::is_loose(&args.store.input) {
        return loose::run(args, by, session);
    }
    // Classes are native objects, and their names are usually in another container.
    let game = if by == By::Class {
        session.open(&args.store, Lend::Always)?
    } else {
        session.open(&args.store, Lend::ForPaths)?
    };
    session.warn_of_locks(&game);
    let mut entries = selection::select(session, &game, &args.select)?;
    if entries.is_empty() {
        return Ok(selection::nothing_matched(session, &game, &args.select));
    }
    if args.with_deps {
        entries = dependencies::with_dependencies(session, &game, &entries)?;
    }
    let classes =
        if by == By::Class { classes::classes(session, &game, &entries, true) } else { HashMap::new() };
    let rows =
        game.usage(&entries, by, args.depth, |entry| classes.get(&game.at(entry).package_id()?).cloned());
    print::show(args, session, &rows, if by == By::Method { "BLOCKS" } else { "CHUNKS" })?;
    Ok(exit::of_listing(&game))
}
