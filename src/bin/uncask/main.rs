//! The `uncask` command.

mod args;
mod bench;
mod columns;
mod command;
mod double_click;
mod exit;
mod held;
mod hint;
mod inputs;
mod keys;
mod objections;
mod output_file;
mod parts;
mod printer;
mod program;
mod progress;
mod selection;
mod session;
mod shared;
mod spreadsheet;
mod suggest;
mod target;
mod text;

use args::{Cli, Command};
use exit::Exit;
use session::Session;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::read();
    // From here on all output goes through the session's printer.
    let session = Session::new(&cli.global);
    let exit = run(cli.command, &session).unwrap_or_else(|error| {
        // `uncask list … | head` ends early on purpose; that is no error.
        if printer::is_broken_pipe(&error) {
            return Exit::Ok;
        }
        session.printer.error(&printer::describe(&error));
        session.printer.hint(hint::of_chain(&error));
        exit::of_error(&error)
    });
    exit.into()
}

fn run(mut command: Command, session: &Session) -> anyhow::Result<Exit> {
    // Arguments are sorted before the command sees them, so that no command has to care about their order.
    for note in command.sort()? {
        session.printer.note(&note);
    }
    match command {
        Command::Info(args) => command::info::run(&args, session),
        Command::List(args) => command::list::run(&args, session),
        Command::Verify(args) => command::verify::run(&args, session),
        Command::Unpack(args) => command::unpack::run(&args, session),
        Command::ToLegacy(args) => command::to_legacy::run(&args, session),
        Command::Get(args) => command::get::run(&args, session),
        Command::Inspect(args) => command::inspect::run(&args, session),
        Command::Json(args) => command::json::run(&args, session),
        Command::Export(args) => command::export::run(&args, session),
        Command::Find(args) => command::find::run(&args, session),
        Command::Set(args) => command::set::run(&args, session),
        Command::FromJson(args) => command::from_json::run(&args, session),
        Command::Replace(args) => command::replace::run(&args, session),
        Command::Texts(args) => command::texts::run(&args, session),
        Command::Browse(args) => command::browse::run(&args, session),
        Command::Deps(args) => command::deps::run(&args, session),
        Command::Scripts(args) => command::scripts::run(&args, session),
        Command::Thumbnails(args) => command::thumbnails::run(&args, session),
        Command::Diff(args) => command::diff::run(&args, session),
        Command::Du(args) => command::du::run(&args, session),
        Command::Report(args) => command::report::run(&args, session),
        Command::Catalog(args) => command::catalog::run(&args, session),
        Command::Completions(args) => command::completions::run(&args, session),
        Command::Man(args) => command::completions::man(&args, session),
        Command::Pack(args) => command::pack::run(&args, session),
        Command::ToZen(args) => command::to_zen::run(&args, session),
        Command::Check(args) => command::check::run(&args, session),
        Command::Bench(args) => command::bench::run(&args, session),
    }
}
