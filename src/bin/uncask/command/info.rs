//! `uncask info`: describes containers.

mod overview;

use crate::args::InfoArgs;
use crate::exit::{self, Exit};
use crate::printer::{self};
use crate::program::Program;
use crate::session::Session;
use crate::shared::description::{Description, print};
use serde::Serialize;
use uncask::game::{Lend, Role};

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    containers: Vec<Description>,
    failed: Vec<String>,
    program: Program,
}

pub(crate) fn run(args: &InfoArgs, session: &Session) -> anyhow::Result<Exit> {
    // Only facts of tables are shown, so no names are needed.
    let game = session.open(&args.store, Lend::Never)?;
    session.warn_of_locks(&game);
    let content = game.containers().iter().filter(|container| container.role() == Role::Content);
    let containers: Vec<Description> = content.map(|container| Description::new(container)).collect();
    if session.printer.json {
        let failed = game.failed().iter().map(ToString::to_string).collect();
        let program = Program::this();
        printer::print_json(&Report { schema: "uncask.info/1", containers, failed, program })?;
        return Ok(exit::of_store(&game));
    }
    let mut out = printer::out();
    // A table for many, all details for one.
    if containers.len() > 1 && !session.printer.is_verbose() {
        overview::print(&containers, &mut out)?;
    } else {
        for (at, container) in containers.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            print(container, &mut out)?;
        }
    }
    out.flush()?;
    Ok(exit::of_store(&game))
}
