//! `uncask completions` and `uncask man`: files for shells and manual readers.

use crate::args::{CompletionsArgs, ManArgs};
use crate::exit::{Exit, UsageError};
use crate::printer;
use crate::session::Session;
use clap::Command;
use std::io::Write;
use uncask::error::Error;

/// Prints the script for a command line.
pub(crate) fn run(args: &CompletionsArgs, line: &mut Command, session: &Session) -> anyhow::Result<Exit> {
    no_json(session)?;
    // Generated in memory, because the generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, line, "uncask", &mut script);
    print(&script)
}

/// Prints the page for a command line, or writes those of all its commands.
pub(crate) fn man(args: &ManArgs, line: Command, session: &Session) -> anyhow::Result<Exit> {
    no_json(session)?;
    let Some(folder) = &args.output else {
        let mut page = Vec::new();
        clap_mangen::Man::new(line).render(&mut page)?;
        return print(&page);
    };
    std::fs::create_dir_all(folder).map_err(Error::io("create folder", folder))?;
    clap_mangen::generate_to(line, folder).map_err(Error::io("write manual pages to", folder))?;
    session.printer.note(&format!("wrote manual pages to {}", folder.display()));
    Ok(Exit::Ok)
}

/// Refuses `--json`: scripts and manual pages have their own format.
fn no_json(session: &Session) -> Result<(), UsageError> {
    if session.printer.json { Err(UsageError("this command has no JSON output".to_owned())) } else { Ok(()) }
}

fn print(bytes: &[u8]) -> anyhow::Result<Exit> {
    let mut out = printer::bytes();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(Exit::Ok)
}
