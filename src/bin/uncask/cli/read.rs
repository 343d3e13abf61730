//! The command line as a whole: a path instead of a command means `info`.

use super::{Cli, Command, command_line};
use crate::args::{GlobalArgs, is_input};
use crate::double_click;
use crate::text::printable;
use clap::FromArgMatches as _;
use clap::error::{ContextKind, ContextValue};
use std::error::Error as _;
use std::ffi::OsString;
use std::path::Path;

impl Cli {
    /// Reads the command line. Invalid arguments end the program, with help.
    pub(crate) fn read() -> Self {
        let mut args = double_click::arguments(std::env::args_os().collect());
        // Parse as usual first: a command's name has precedence over a file of that name.
        let parsed = parse(&args).or_else(|error| match place_of_path(&error, &args) {
            Some(at) => {
                args.insert(at, "info".into());
                parse(&args)
            }
            None => Err(error),
        });
        parsed.unwrap_or_else(|error| in_plain_words(in_plain_text(&args).unwrap_or(error)).exit())
    }
}

/// Reads arguments, the first of which is the program's name.
pub(super) fn parse(args: &[OsString]) -> Result<Cli, clap::Error> {
    // The arguments of other commands are not made: to make them takes longer than many a command.
    let line = command_line(Some(""));
    let is_word = |arg: &&OsString| !arg.to_string_lossy().starts_with('-');
    let Some(word) = args.iter().skip(1).find(is_word) else { return matched(line, args) };
    let one = line.find_subcommand(word).map(|one| one.get_name().to_owned());
    let found = one.and_then(|one| matched(command_line(Some(&one)), args).ok());
    // The first word may be the value of an option.
    found.map_or_else(|| matched(command_line(None), args), Ok)
}

fn matched(mut line: clap::Command, args: &[OsString]) -> Result<Cli, clap::Error> {
    let mut matches = line.try_get_matches_from_mut(args)?;
    let global = GlobalArgs::from_arg_matches_mut(&mut matches);
    let read = global.and_then(|global| Ok(Cli { global, command: Command::read(&mut matches)? }));
    read.map_err(|error| error.format(&mut line))
}

/// The error in words for people: without those of number parsers, and without advice that never helps.
fn in_plain_words(mut error: clap::Error) -> clap::Error {
    // "To pass '--csv' as a value, use '-- --csv'": no command takes such values.
    error.remove(ContextKind::TrailingArg);
    error.remove(ContextKind::Suggested);
    let is_number = error.source().is_some_and(<dyn std::error::Error>::is::<std::num::ParseIntError>);
    match (error.get(ContextKind::InvalidArg), error.get(ContextKind::InvalidValue)) {
        (Some(ContextValue::String(arg)), Some(ContextValue::String(value))) if is_number => {
            let message = format!("invalid value '{value}' for '{arg}': expected a whole number\n");
            clap::Error::raw(error.kind(), message)
        }
        _ => error,
    }
}

/// The error in the arguments, with terminal controls escaped, since errors repeat the arguments.
fn in_plain_text(args: &[OsString]) -> Option<clap::Error> {
    let plain: Vec<OsString> =
        args.iter().map(|arg| printable(&arg.to_string_lossy()).into_owned().into()).collect();
    parse(&plain).err()
}

/// Position of a path that stands in place of a command.
fn place_of_path(error: &clap::Error, args: &[OsString]) -> Option<usize> {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    // clap reports only the text, so find its position; the program's name does not count.
    let at = args.iter().skip(1).position(|arg| arg.to_string_lossy() == *name)? + 1;
    // What does not follow a command is one of its own subcommands.
    let line = command_line(Some(""));
    let has_command = |arg: &OsString| line.find_subcommand(arg).is_some();
    if args.get(1..at)?.iter().any(has_command) {
        return None;
    }
    let path = Path::new(args.get(at)?);
    (path.exists() || is_input(path)).then_some(at)
}
