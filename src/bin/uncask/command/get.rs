//! `uncask get`: writes one chunk.

use crate::args::GetArgs;
use crate::exit::{Exit, UsageError};
use crate::output_file;
use crate::printer;
use crate::selection;
use crate::session::Session;
use crate::text;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use uncask::error::Error;
use uncask::game::{Check, Chunk, Game, Lend};

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    id: String,
    path: String,
    output: String,
    bytes: u64,
    /// Result of the hash check: `matches`, `differs`, `not_recorded` or `not_compared`.
    hash: &'static str,
}

pub(crate) fn run(args: &GetArgs, session: &Session) -> anyhow::Result<Exit> {
    // Stdout can have either the chunk or the report.
    if session.printer.json && args.output.is_none() {
        let problem = "--json needs -o: the chunk itself cannot go to stdout, too";
        return Err(UsageError(problem.to_owned()).into());
    }
    let name = args.chunk()?;
    let game = session.open(&args.store, Lend::ForPaths)?;
    let Some(chunk) = game.find(name)? else {
        return Ok(selection::no_such(session, &game, "chunk", name));
    };
    let check = match &args.output {
        Some(path) => to_file(session, &game, chunk, path)?,
        None => to_stdout(session, &game, chunk)?,
    };
    if let Some(error) = check.error(Path::new(&chunk.display_path())) {
        session.printer.failure(&error);
        return Ok(Exit::Failed);
    }
    Ok(Exit::Ok)
}

fn to_stdout(session: &Session, game: &Game, chunk: Chunk<'_>) -> anyhow::Result<Check> {
    let mut out = printer::bytes();
    let mut write_error = None;
    // Binary data could change settings of a terminal, so only text is shown in one.
    let mut for_eyes = printer::is_terminal().then(TextCheck::default);
    let mut binary = false;
    // An error in the callback ends the read; the real reason is kept aside.
    let copy = |bytes: &[u8]| {
        binary = for_eyes.as_mut().is_some_and(|check| !check.takes(bytes));
        if binary {
            return Err(Error::Cancelled);
        }
        out.write_all(bytes).map_err(|error| {
            write_error = Some(error);
            Error::Cancelled
        })
    };
    let result = session.interruptible(|| game.copy_chunk(chunk.entry(), copy));
    if let Some(error) = write_error {
        return Err(error.into());
    }
    if binary {
        let path = chunk.display_path();
        let problem = "binary data is not written to a terminal; use -o FILE or a pipe";
        return Err(UsageError(format!("{problem}: {path}")).into());
    }
    out.flush()?;
    Ok(result?)
}

fn to_file(session: &Session, game: &Game, chunk: Chunk<'_>, path: &Path) -> anyhow::Result<Check> {
    // The file gets its name only after the whole chunk is written.
    let mut file = output_file::create(path, 0)?;
    let check = session.interruptible(|| game.copy_chunk(chunk.entry(), |bytes| file.append(bytes)))?;
    let bytes = file.commit()?;
    if session.printer.json {
        printer::print_json(&Report {
            schema: "uncask.get/1",
            id: chunk.id().to_string(),
            path: chunk.display_path(),
            output: path.display().to_string(),
            bytes,
            hash: match check {
                Check::Mismatch { .. } => "differs",
                Check::NotRecorded => "not_recorded",
                Check::NotCompared | Check::Skipped => "not_compared",
                Check::Match => "matches",
            },
        })?;
    }
    Ok(check)
}

/// Check that bytes, in pieces, are text without characters that control a terminal.
#[derive(Default)]
struct TextCheck {
    /// Start of a character that is cut in two.
    cut: Vec<u8>,
}

impl TextCheck {
    fn takes(&mut self, bytes: &[u8]) -> bool {
        let mut whole = std::mem::take(&mut self.cut);
        whole.extend_from_slice(bytes);
        let (valid, rest) = match std::str::from_utf8(&whole) {
            Ok(text) => (text, &[][..]),
            // Only the end of the piece is incomplete; the rest of the character is in the next one.
            Err(error) if error.error_len().is_none() => {
                let (valid, rest) = whole.split_at(error.valid_up_to());
                (std::str::from_utf8(valid).unwrap_or_default(), rest)
            }
            Err(_) => return false,
        };
        // A byte order mark at the start of a text file is harmless.
        let plain = |c: char| !text::is_unprintable(c) || matches!(c, '\n' | '\r' | '\t' | '\u{feff}');
        let is_text = valid.chars().all(plain);
        rest.clone_into(&mut self.cut);
        is_text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_can_show() {
        let takes = |pieces: &[&[u8]]| {
            let mut check = TextCheck::default();
            pieces.iter().all(|piece| check.takes(piece))
        };
        assert!(takes(&[b"[Core]\r\nname=1\t2\n"]));
        assert!(takes(&["ä".as_bytes().split_at(1).0, "ä".as_bytes().split_at(1).1]));
        assert!(takes(&["\u{feff}text".as_bytes()]));
        for binary in [&b"\0"[..], b"a\x1b[2J", b"\xff\xfe", "\u{9b}".as_bytes(), "\u{202e}".as_bytes()] {
            assert!(!takes(&[b"text", binary]), "{binary:?}");
        }
    }
}
