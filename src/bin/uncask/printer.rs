//! The only writer of stdout and stderr.

use crate::hint;
pub(crate) use crate::text::printable;
use crate::text::{self, Lines};
use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::sync::{Mutex, PoisonError};
use uncask::error::Error;
pub(crate) use uncask::wire::{Size, count, counted, size};

/// Prints what the user asked for to stdout, and everything else to stderr.
#[derive(Debug)]
pub(crate) struct Printer {
    pub(crate) json: bool,
    quiet: bool,
    verbose: bool,
    colour: bool,
    /// The progress bar, while there is one: messages are printed above it.
    bar: Mutex<Option<indicatif::ProgressBar>>,
    /// Hints that were given: each is worth one line.
    hinted: Mutex<BTreeSet<&'static str>>,
}

impl Printer {
    pub(crate) fn new(json: bool, quiet: bool, verbose: bool) -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let colour = wanted && io::stderr().is_terminal() && takes_colours();
        Self { json, quiet, verbose, colour, bar: Mutex::default(), hinted: Mutex::default() }
    }

    pub(crate) const fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Something the user wants to know, such as a summary. Not with `--quiet`.
    pub(crate) fn note(&self, message: &str) {
        if !self.quiet {
            self.line("", message);
        }
    }

    /// Something that is only interesting with `--verbose`.
    pub(crate) fn detail(&self, message: &str) {
        if self.verbose {
            self.line("", message);
        }
    }

    pub(crate) fn warning(&self, message: &str) {
        if !self.quiet {
            self.labelled("warning", "33", message);
        }
    }

    pub(crate) fn error(&self, message: &str) {
        self.labelled("error", "31", message);
    }

    /// An error that does not end the run, and what to do about it.
    pub(crate) fn failure(&self, error: &Error) {
        self.error(&error.to_string());
        self.hint(hint::of(error));
    }

    /// An error that costs less than a failure, and what to do about it.
    pub(crate) fn problem(&self, error: &Error) {
        self.warning(&error.to_string());
        self.hint(hint::of(error));
    }

    /// What to do about the error before it. The same hint is given once in a run.
    pub(crate) fn hint(&self, hint: Option<&'static str>) {
        let is_new =
            |hint: &&'static str| self.hinted.lock().unwrap_or_else(PoisonError::into_inner).insert(hint);
        if let Some(hint) = hint.filter(|_| !self.quiet).filter(is_new) {
            self.labelled("hint", "36", hint);
        }
    }

    /// Puts a progress bar below all messages, if somebody is there to see it.
    pub(crate) fn show_bar(&self, bar: Option<&indicatif::ProgressBar>) {
        let visible = bar.filter(|_| self.shows_progress()).cloned();
        *self.bar.lock().unwrap_or_else(PoisonError::into_inner) = visible;
    }

    /// Whether progress is worth showing.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    fn labelled(&self, label: &str, colour: &str, message: &str) {
        if self.colour {
            self.line(&format!("\x1b[1;{colour}m{label}\x1b[0m: "), message);
        } else {
            self.line(&format!("{label}: "), message);
        }
    }

    /// Prints a line. A message may hold names from files, a label is ours.
    fn line(&self, label: &str, message: &str) {
        let message = text::printable(message);
        let write = || {
            // With stderr gone, nobody would read a message about it.
            let _ = writeln!(io::stderr().lock(), "{label}{message}");
        };
        match &*self.bar.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

/// Whether a terminal takes colours. Consoles of Windows do so when asked; those before Windows 10 show the codes instead.
fn takes_colours() -> bool {
    anstyle_query::windows::enable_ansi_colors().unwrap_or(true)
}

/// Bytes that are collected before they are written.
const BUFFER: usize = 64 << 10;

/// Text on stdout, line by line. It is no [`Write`], so that nothing gets past [`Lines`].
#[derive(Debug)]
pub(crate) struct Out {
    lines: Lines,
    stdout: StdoutLock<'static>,
    width: Option<usize>,
}

/// Text on stdout.
pub(crate) fn out() -> Out {
    Out { lines: Lines::default(), stdout: io::stdout().lock(), width: terminal_width() }
}

/// Columns of the terminal that stdout is; `None` if it is none.
fn terminal_width() -> Option<usize> {
    columns(terminal_size::terminal_size_of(io::stdout()))
}

/// Columns of the terminal that messages and progress go to.
pub(crate) fn message_width() -> Option<usize> {
    columns(terminal_size::terminal_size_of(io::stderr()))
}

fn columns(size: Option<(terminal_size::Width, terminal_size::Height)>) -> Option<usize> {
    size.map(|(width, _)| usize::from(width.0)).filter(|width| *width > 0)
}

impl Out {
    /// Prints a line: this is what `writeln!` calls.
    pub(crate) fn write_fmt(&mut self, line: fmt::Arguments<'_>) -> io::Result<()> {
        self.lines.write_fmt(line)?;
        self.drain(BUFFER)
    }

    /// Prints lines.
    pub(crate) fn append(&mut self, lines: &Lines) -> io::Result<()> {
        self.lines.append(lines);
        self.drain(BUFFER)
    }

    /// Columns of the terminal; `None` where nobody looks on, and lines may be as long as they like.
    pub(crate) const fn width(&self) -> Option<usize> {
        self.width
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.drain(0)?;
        self.stdout.flush()
    }

    fn drain(&mut self, limit: usize) -> io::Result<()> {
        if self.lines.len() > limit {
            let written = self.stdout.write_all(self.lines.as_str().as_bytes());
            self.lines.clear();
            written?;
        }
        Ok(())
    }
}

impl Drop for Out {
    fn drop(&mut self) {
        // Who wants to know flushes.
        let _ = self.flush();
    }
}

/// JSON on stdout. Its strings are exact; what could control a terminal is escaped in them.
pub(crate) fn json() -> impl Write {
    Json(BufWriter::with_capacity(BUFFER, io::stdout().lock()))
}

/// Prints a value as JSON, in one piece.
pub(crate) fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut out = json();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

/// A writer of JSON that escapes what serde_json leaves as it is. Outside of strings, JSON has no such characters.
pub(crate) struct Json<W>(pub(crate) W);

impl<W: Write> Write for Json<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let plain = bytes.iter().all(|byte| matches!(byte, b'\n' | b' '..=b'~'));
        // Strings come in whole characters.
        let text = Some(bytes).filter(|_| !plain).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let Some(text) = text.filter(|text| text.contains(text::is_unprintable)) else {
            self.0.write_all(bytes)?;
            return Ok(bytes.len());
        };
        let mut units = [0; 2];
        for c in text.chars() {
            if c == '\n' || !text::is_unprintable(c) {
                write!(self.0, "{c}")?;
                continue;
            }
            c.encode_utf16(&mut units).iter().try_for_each(|unit| write!(self.0, "\\u{unit:04x}"))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Bytes on stdout, as they are: for what is no text of ours.
pub(crate) fn bytes() -> impl Write {
    BufWriter::with_capacity(BUFFER, io::stdout().lock())
}

/// Whether a terminal shows what is printed.
pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Whether an error only means that the reader of our output has seen enough.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        io.or(json) == Some(io::ErrorKind::BrokenPipe)
    })
}

/// An error and its causes, without those that a message already includes.
pub(crate) fn describe(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |message, cause| {
        let separator = if message.is_empty() { "" } else { ": " };
        if message.contains(&cause) { message } else { message + separator + &cause }
    })
}

/// `1 chunk`, `1,234 chunks`.
pub(crate) fn chunks(value: u64) -> String {
    counted(value, "chunk", "chunks")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_stays_exact_and_controls_nothing() {
        let hostile = "a\x1b[2J\n\u{7f}\u{9b}\u{202e}\u{e0041}ä名".to_owned();
        let mut out = Vec::new();
        serde_json::to_writer_pretty(Json(&mut out), &[&hostile]).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.chars().all(|c| c == '\n' || !text::is_unprintable(c)), "{text:?}");
        assert!(text.contains("ä名"), "{text}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).unwrap(), [hostile]);
    }

    #[test]
    fn sizes_are_rounded_like_any_number() {
        for shift in 0..64 {
            for add in [0_u64, 1, 3, 1 << 7, 1 << 20, 1 << 38] {
                let bytes = (1_u64 << shift).saturating_add(add);
                assert_eq!(size(bytes), indicatif::BinaryBytes(bytes).to_string(), "{bytes}");
            }
        }
        for bytes in (0..5000).chain((0..3000).map(|n| n * 128)) {
            assert_eq!(size(bytes), indicatif::BinaryBytes(bytes).to_string(), "{bytes}");
            assert_eq!(count(bytes), indicatif::HumanCount(bytes).to_string());
        }
        assert_eq!(count(u64::MAX), indicatif::HumanCount(u64::MAX).to_string());
    }
}
