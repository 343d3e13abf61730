//! The `uncask` command.

mod args;
mod command;
mod exit;
mod keys;
mod output_file;
mod printer;
mod progress;
mod session;

use args::{Cli, Command};
use clap::Parser;
use exit::Exit;
use session::Session;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let session = Session::new(&cli.global);
    let result = match cli.command {
        Command::Info(args) => command::info::run(&args, &session),
        Command::List(args) => command::list::run(&args, &session),
        Command::Verify(args) => command::verify::run(&args, &session),
        Command::Unpack(args) => command::unpack::run(&args, &session),
        Command::ToLegacy(args) => command::to_legacy::run(&args, &session),
        Command::Get(args) => command::get::run(&args, &session),
        Command::Inspect(args) => command::inspect::run(&args, &session),
        Command::Deps(args) => command::deps::run(&args, &session),
        Command::Scripts(args) => command::scripts::run(&args, &session),
        Command::Thumbnails(args) => command::thumbnails::run(&args, &session),
        Command::Diff(args) => command::diff::run(&args, &session),
        Command::Du(args) => command::du::run(&args, &session),
        Command::Report(args) => command::report::run(&args, &session),
        Command::Catalog(args) => command::catalog::run(&args, &session),
        Command::Completions(args) => command::completions::run(&args),
        Command::Man(args) => command::completions::man(&args, &session),
        Command::Pack(args) => command::pack::run(&args, &session),
        Command::Bench(args) => command::bench::run(&args, &session),
    };
    let exit = result.unwrap_or_else(|error| {
        if printer::is_broken_pipe(&error) {
            return Exit::Ok;
        }
        session.printer.error(&printer::describe(&error));
        exit::of_error(&error)
    });
    exit.into()
}
