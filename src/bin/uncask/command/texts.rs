//! `uncask texts`: exports and imports the texts of a game in all its languages.

mod export;
mod find;
mod import;
mod portable;
mod table;
mod tables;

use crate::args::{TextsArgs, TextsCommand};
use crate::exit::Exit;
use crate::session::Session;

pub(crate) fn run(args: &TextsArgs, session: &Session) -> anyhow::Result<Exit> {
    match &args.command {
        TextsCommand::Export(args) => export::run(args, session),
        TextsCommand::Import(args) => import::run(args, session),
    }
}
