//! `uncask check`: would a game take this mod?

use crate::args::{CheckArgs, StoreArgs};
use crate::exit::{self, Exit};
use crate::printer::{self, counted};
use crate::session::Session;
use serde::Serialize;
use uncask::pack::{BaseGame, Checked, check};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    packages: u64,
    problems: &'a [String],
    warnings: &'a [String],
}

pub(crate) fn run(args: &CheckArgs, session: &Session) -> anyhow::Result<Exit> {
    let store = session.open_named(&args.store)?;
    session.warn_of_locks(&store);
    let game = args.game.as_ref().map(|path| {
        let of_game = StoreArgs {
            input: path.clone(),
            more_inputs: Vec::new(),
            base: Vec::new(),
            aes_key: args.store.aes_key.clone(),
            toc_version: None,
            only: None,
        };
        super::to_zen::open_game(&of_game, session)
    });
    let game: Option<BaseGame> = game.transpose()?;
    let checked = check(&session.packages(&store), game.as_ref(), session.context(false).cpu());
    let Checked { packages, problems, warnings } = &checked;
    if session.printer.json {
        printer::print_json(&Report { schema: "uncask.check/1", packages: *packages, problems, warnings })?;
    }
    for warning in warnings {
        session.printer.warning(warning);
    }
    for problem in problems {
        session.printer.error(problem);
    }
    let found = counted(problems.len() as u64, "problem", "problems");
    session.printer.note(&format!("checked {}: {found}", counted(*packages, "package", "packages")));
    Ok(if problems.is_empty() { exit::of_store(&store) } else { Exit::Failed })
}
