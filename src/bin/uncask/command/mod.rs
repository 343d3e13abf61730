//! One file per command, each with a function `run`.

mod asm;
mod bench;
mod browse;
mod build;
mod catalog;
mod check;
mod check_mappings;
mod code;
mod completions;
mod conflicts;
mod deps;
mod diff;
mod du;
mod export;
mod find;
mod from_json;
mod get;
mod git;
mod history;
mod info;
mod inspect;
mod install;
mod json;
mod lint;
mod list;
mod merge;
mod mods;
mod pack;
mod port;
mod recipe;
mod replace;
mod report;
mod review;
mod scripts;
mod set;
mod text;
mod texts;
mod thumbnails;
mod to_legacy;
mod to_zen;
mod unpack;
mod verify;

use crate::args::Command;
use crate::exit::Exit;
use crate::session::Session;

/// Runs a command.
pub(crate) fn run(mut command: Command, session: &Session) -> anyhow::Result<Exit> {
    // Arguments are sorted before the command sees them, so that no command has to care about their order.
    for note in command.sort()? {
        session.printer.note(&note);
    }
    match command {
        Command::Info(args) => info::run(&args, session),
        Command::List(args) => list::run(&args, session),
        Command::Verify(args) => verify::run(&args, session),
        Command::Unpack(args) => unpack::run(&args, session),
        Command::ToLegacy(args) => to_legacy::run(&args, session),
        Command::Get(args) => get::run(&args, session),
        Command::Inspect(args) => inspect::run(&args, session),
        Command::Json(args) => json::run(&args, session),
        Command::Code(args) => code::run(&args, session),
        Command::Text(args) => text::run(&args, session),
        Command::Export(args) => export::run(&args, session),
        Command::Find(args) => find::run(&args, session),
        Command::Set(args) => set::run(&args, session),
        Command::FromJson(args) => from_json::run(&args, session),
        Command::Asm(args) => asm::run(&args, session),
        Command::Replace(args) => replace::run(&args, session),
        Command::Texts(args) => texts::run(&args, session),
        Command::Browse(args) => browse::run(&args, session),
        Command::Deps(args) => deps::run(&args, session),
        Command::Scripts(args) => scripts::run(&args, session),
        Command::Thumbnails(args) => thumbnails::run(&args, session),
        Command::Diff(args) => diff::run(&args, session),
        Command::Review(args) => review::run(&args, session),
        Command::Lint(args) => lint::run(&args, session),
        Command::Git(args) => git::run(&args, session),
        Command::Du(args) => du::run(&args, session),
        Command::Report(args) => report::run(&args, session),
        Command::History(args) => history::run(&args, session),
        Command::Catalog(args) => catalog::run(&args, session),
        Command::Completions(args) => completions::run(&args, session),
        Command::Man(args) => completions::man(&args, session),
        Command::Pack(args) => pack::run(&args, session),
        Command::ToZen(args) => to_zen::run(&args, session),
        Command::Check(args) => check::run(&args, session),
        Command::Mods(args) => mods::run(&args, session),
        Command::Conflicts(args) => conflicts::run(&args, session),
        Command::Merge(args) => merge::run(&args, session),
        Command::Port(args) => port::run(&args, session),
        Command::Recipe(args) => recipe::run(&args, session),
        Command::Build(args) => build::run(&args, session),
        Command::CheckMappings(args) => check_mappings::run(&args, session),
        Command::Install(args) => install::run(&args, session),
        Command::Uninstall(args) => install::remove(&args, session),
        Command::Bench(args) => bench::run(&args, session),
    }
}
