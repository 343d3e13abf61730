//! `uncask scripts`: lists the native objects that packages refer to.

use crate::args::ScriptsArgs;
use crate::exit::{self, Exit};
use crate::printer;
use crate::session::Session;
use serde::Serialize;
use uncask::game::Lend;
use uncask::identify::ScriptRow;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    generation: String,
    objects: Vec<ScriptRow>,
}

pub(crate) fn run(args: &ScriptsArgs, session: &Session) -> anyhow::Result<Exit> {
    let game = session.open(&args.store, Lend::Never)?;
    session.warn_of_locks(&game);
    let Some(scripts) = game.script_objects()? else {
        session.printer.error("no container has script objects: they are in global.utoc");
        return Ok(exit::nothing_found(&game));
    };
    // All rows are made before printing, to count the broken ones.
    let objects: Vec<ScriptRow> = scripts.iter().map(|object| ScriptRow::new(&scripts, object)).collect();
    let broken = objects.iter().filter(|row| row.problem.is_some()).count();
    if session.printer.json {
        let generation = format!("{:?}", scripts.generation);
        printer::print_json(&Report { schema: "uncask.scripts/1", generation, objects })?;
    } else {
        let mut out = printer::out();
        for row in &objects {
            writeln!(out, "{}", row.path.as_ref().unwrap_or(&row.index))?;
        }
        out.flush()?;
    }
    if broken > 0 {
        let number = printer::counted(broken as u64, "object has", "objects have");
        session.printer.error(&format!("{number} no path: an outer object is damaged"));
        return Ok(Exit::Failed);
    }
    Ok(exit::of_store(&game))
}
