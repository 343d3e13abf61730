//! Output to stdout and stderr. Nothing else writes to them.

use crate::args::{ColorWhen, GlobalArgs};
use crate::hint;
pub(crate) use crate::text::printable;
use crate::text::{self, Colour, Lines};
use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::sync::{Mutex, PoisonError};
use uncask::error::Error;
pub(crate) use uncask::wire::{Size, count, counted, size};

/// Prints results to stdout, and everything else to stderr.
#[derive(Debug)]
pub(crate) struct Printer {
    pub(crate) json: bool,
    quiet: bool,
    verbose: bool,
    /// Colours in messages, and in results.
    colour: bool,
    colours_results: bool,
    /// The progress bar, if shown: messages are printed above it.
    bar: Mutex<Option<indicatif::ProgressBar>>,
    /// Hints given so far, each of which is printed once.
    hinted: Mutex<BTreeSet<&'static str>>,
}

impl Printer {
    pub(crate) fn new(global: &GlobalArgs) -> Self {
        let GlobalArgs { json, quiet, verbose, color, .. } = *global;
        // The convention of no-color.org: any value but an empty one switches colours off.
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let [colour, colours_results] =
            [io::stderr().is_terminal(), io::stdout().is_terminal()].map(|is_terminal| match color {
                ColorWhen::Always => true,
                ColorWhen::Never => false,
                ColorWhen::Auto => wanted && is_terminal && takes_colours(),
            });
        Self {
            json,
            quiet,
            verbose,
            colour,
            colours_results,
            bar: Mutex::default(),
            hinted: Mutex::default(),
        }
    }

    /// Colour of a line of a comparison on stdout, by the sign at its start; `None` for no colour.
    pub(crate) fn colour_of(&self, line: &str) -> Option<Colour> {
        let colour = match line.as_bytes().first()? {
            b'+' => Colour::Green,
            b'-' => Colour::Red,
            b'~' => Colour::Yellow,
            b'>' | b'@' => Colour::Cyan,
            _ => return None,
        };
        self.colours_results.then_some(colour)
    }

    pub(crate) const fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Prints information such as a summary. Not with `--quiet`.
    pub(crate) fn note(&self, message: &str) {
        if !self.quiet {
            self.line("", message);
        }
    }

    /// Prints information of interest only with `--verbose`.
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

    /// Prints an error that does not end the run, with a hint.
    pub(crate) fn failure(&self, error: &Error) {
        self.error(&error.to_string());
        self.hint(hint::of(error));
    }

    /// Prints a lesser error as a warning, with a hint.
    pub(crate) fn problem(&self, error: &Error) {
        self.warning(&error.to_string());
        self.hint(hint::of(error));
    }

    /// Prints a hint on the previous error, once per run.
    pub(crate) fn hint(&self, hint: Option<&'static str>) {
        let is_new =
            |hint: &&'static str| self.hinted.lock().unwrap_or_else(PoisonError::into_inner).insert(hint);
        if let Some(hint) = hint.filter(|_| !self.quiet).filter(is_new) {
            self.labelled("hint", "36", hint);
        }
    }

    /// Shows a progress bar below all messages, if stderr is a terminal.
    pub(crate) fn show_bar(&self, bar: Option<&indicatif::ProgressBar>) {
        let visible = bar.filter(|_| self.shows_progress()).cloned();
        *self.bar.lock().unwrap_or_else(PoisonError::into_inner) = visible;
    }

    /// True if progress should be shown.
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

    /// Prints a line. The message may contain names from files, the label does not.
    fn line(&self, label: &str, message: &str) {
        // The label has escape codes of ours; the message must not have any.
        let message = text::printable(message);
        let write = || {
            // If stderr is closed, nobody would read an error message either.
            let _ = writeln!(io::stderr().lock(), "{label}{message}");
        };
        match &*self.bar.lock().unwrap_or_else(PoisonError::into_inner) {
            // The bar is erased, the message printed, and the bar drawn again below it.
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

/// True if the terminal supports colours. Windows consoles have to be asked; before Windows 10 they would print the
/// codes.
fn takes_colours() -> bool {
    anstyle_query::windows::enable_ansi_colors().unwrap_or(true)
}

/// Size of the output buffer, in bytes.
const BUFFER: usize = 64 << 10;

/// Line-based text on stdout. It does not implement [`Write`], so all text goes through [`Lines`].
#[derive(Debug)]
pub(crate) struct Out {
    lines: Lines,
    stdout: StdoutLock<'static>,
    width: Option<usize>,
}

/// Locks stdout for text.
pub(crate) fn out() -> Out {
    Out { lines: Lines::default(), stdout: io::stdout().lock(), width: terminal_width() }
}

/// Width of the terminal on stdout, in columns; `None` if it is no terminal.
fn terminal_width() -> Option<usize> {
    columns(terminal_size::terminal_size_of(io::stdout()))
}

/// Width of the terminal on stderr, in columns.
pub(crate) fn message_width() -> Option<usize> {
    columns(terminal_size::terminal_size_of(io::stderr()))
}

fn columns(size: Option<(terminal_size::Width, terminal_size::Height)>) -> Option<usize> {
    size.map(|(width, _)| usize::from(width.0)).filter(|width| *width > 0)
}

impl Out {
    /// Prints a line; called by `writeln!`.
    pub(crate) fn write_fmt(&mut self, line: fmt::Arguments<'_>) -> io::Result<()> {
        self.lines.write_fmt(line)?;
        self.drain(BUFFER)
    }

    /// Prints a line in a colour.
    pub(crate) fn coloured(&mut self, colour: Option<Colour>, line: &str) -> io::Result<()> {
        self.lines.coloured(colour, line);
        self.drain(BUFFER)
    }

    /// Appends formatted lines.
    pub(crate) fn append(&mut self, lines: &Lines) -> io::Result<()> {
        self.lines.append(lines);
        self.drain(BUFFER)
    }

    /// Width of the terminal in columns; `None` if there is none, so that lines may have any length.
    pub(crate) const fn width(&self) -> Option<usize> {
        self.width
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.drain(0)?;
        self.stdout.flush()
    }

    fn drain(&mut self, limit: usize) -> io::Result<()> {
        // One large write instead of many small ones.
        if self.lines.len() > limit {
            let written = self.stdout.write_all(self.lines.as_str().as_bytes());
            // Clear even after an error, or `drop` would write the same text once more.
            self.lines.clear();
            written?;
        }
        Ok(())
    }
}

impl Drop for Out {
    fn drop(&mut self) {
        // Errors here cannot be reported; callers that need to know flush themselves.
        let _ = self.flush();
    }
}

/// Writer for JSON on stdout. Its strings are exact, with characters that control terminals escaped.
pub(crate) fn json() -> impl Write {
    // PowerShell 5.1 decodes what it redirects to a file by an old code page, whatever the program writes.
    let ascii = cfg!(windows) && !is_terminal();
    Json { ascii, ..Json::new(BufWriter::with_capacity(BUFFER, io::stdout().lock())) }
}

/// Prints a value as JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut out = json();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

/// JSON writer that also escapes characters which serde_json leaves as they are. Outside of strings JSON has none of
/// them.
pub(crate) struct Json<W> {
    out: W,
    /// True if all characters beyond ASCII are escaped.
    ascii: bool,
}

impl<W> Json<W> {
    /// A writer that keeps characters that can be shown.
    pub(crate) const fn new(out: W) -> Self {
        Self { out, ascii: false }
    }
}

impl<W: Write> Write for Json<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Nearly all text is plain ASCII, which needs no further look.
        let plain = bytes.iter().all(|byte| matches!(byte, b'\n' | b' '..=b'~'));
        // serde_json writes strings in pieces of whole characters, so each piece is valid UTF-8.
        let text = Some(bytes).filter(|_| !plain).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let Self { out, ascii } = self;
        let is_escaped = |c: char| text::is_unprintable(c) || *ascii && !c.is_ascii();
        let Some(text) = text.filter(|text| text.contains(is_escaped)) else {
            out.write_all(bytes)?;
            return Ok(bytes.len());
        };
        let mut units = [0; 2];
        for c in text.chars() {
            if c == '\n' || !is_escaped(c) {
                write!(out, "{c}")?;
                continue;
            }
            // JSON escapes characters beyond U+FFFF as surrogate pairs.
            c.encode_utf16(&mut units).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}"))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writer for raw bytes on stdout.
pub(crate) fn bytes() -> impl Write {
    BufWriter::with_capacity(BUFFER, io::stdout().lock())
}

/// True if stdout is a terminal.
pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// True if an error only means that the reader of our output has closed the pipe.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        // The error may be wrapped in one of serde_json.
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        io.or(json) == Some(io::ErrorKind::BrokenPipe)
    })
}

/// An error and its causes, without those that the message already contains.
pub(crate) fn describe(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |message, cause| {
        let separator = if message.is_empty() { "" } else { ": " };
        // Many errors of the library already include their cause.
        if message.contains(&cause) { message } else { message + separator + &cause }
    })
}

/// Formats a number of chunks: `1 chunk`, `1,234 chunks`.
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
        serde_json::to_writer_pretty(Json::new(&mut out), &[&hostile]).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.chars().all(|c| c == '\n' || !text::is_unprintable(c)), "{text:?}");
        assert!(text.contains("ä名"), "{text}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).unwrap(), [&*hostile]);

        let mut out = Vec::new();
        serde_json::to_writer_pretty(Json { ascii: true, ..Json::new(&mut out) }, &[&hostile]).unwrap();
        assert!(out.is_ascii(), "{out:?}");
        assert_eq!(serde_json::from_slice::<Vec<String>>(&out).unwrap(), [hostile]);
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
