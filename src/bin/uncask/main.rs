//! The `uncask` command.

mod args;
mod bench;
mod cli;
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

use cli::Cli;
use exit::Exit;
use session::Session;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::read();
    // From here on all output goes through the session's printer.
    let session = Session::new(&cli.global);
    let exit = cli.command.run(&session).unwrap_or_else(|error| {
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
