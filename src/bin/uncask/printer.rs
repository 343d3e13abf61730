//! The only writer of stdout and stderr.

use std::fmt::{self, Display, Formatter};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

/// Prints what the user asked for to stdout, and everything else to stderr.
#[derive(Debug)]
pub(crate) struct Printer {
    pub(crate) json: bool,
    quiet: bool,
    verbose: bool,
    colour: bool,
    /// The progress bar, while there is one: messages are printed above it.
    bar: Mutex<Option<indicatif::ProgressBar>>,
}

impl Printer {
    pub(crate) fn new(json: bool, quiet: bool, verbose: bool) -> Self {
        let colour =
            io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self { json, quiet, verbose, colour, bar: Mutex::default() }
    }

    pub(crate) const fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Something the user asked to be told, such as a summary. Not with `--quiet`.
    pub(crate) fn note(&self, message: &str) {
        if !self.quiet {
            self.line(message);
        }
    }

    /// Something that is only interesting with `--verbose`.
    pub(crate) fn detail(&self, message: &str) {
        if self.verbose {
            self.line(message);
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

    /// Puts a progress bar below all messages, if somebody is there to see it.
    pub(crate) fn show_bar(&self, bar: Option<&indicatif::ProgressBar>) {
        let visible = bar.filter(|_| !self.quiet && io::stderr().is_terminal()).cloned();
        *self.bar.lock().unwrap_or_else(PoisonError::into_inner) = visible;
    }

    /// Whether progress is worth showing.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    fn labelled(&self, label: &str, colour: &str, message: &str) {
        if self.colour {
            self.line(&format!("\x1b[1;{colour}m{label}\x1b[0m: {message}"));
        } else {
            self.line(&format!("{label}: {message}"));
        }
    }

    fn line(&self, text: &str) {
        let write = || {
            // With stderr gone there is nobody left to tell.
            let _ = writeln!(io::stderr().lock(), "{text}");
        };
        match &*self.bar.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

/// Prints a value as JSON, in one piece.
pub(crate) fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut out = out();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

/// A buffered stdout.
pub(crate) fn out() -> impl Write {
    BufWriter::with_capacity(64 << 10, io::stdout().lock())
}

/// Whether an error only means that the reader of our output has seen enough.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        io.or(json) == Some(io::ErrorKind::BrokenPipe)
    })
}

/// An error and its causes, without those that a message has told already.
pub(crate) fn describe(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |told, cause| {
        let separator = if told.is_empty() { "" } else { ": " };
        if told.contains(&cause) { told } else { told + separator + &cause }
    })
}

/// Bytes for people: `1.5 MiB`.
pub(crate) fn size(bytes: u64) -> String {
    Size(bytes).to_string()
}

/// [`size`], to be written where it belongs.
pub(crate) struct Size(pub u64);

impl Display for Size {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        let Some(power) = self.0.max(1).ilog2().checked_div(10).filter(|power| *power > 0) else {
            return write!(f, "{} B", self.0);
        };
        // Hundredths of the unit; a half goes to the even neighbour, as it does where numbers are formatted.
        let (scaled, shift) = (u128::from(self.0) * 100, power * 10);
        let (whole, rest, half) = (scaled >> shift, scaled & ((1 << shift) - 1), 1 << (shift - 1));
        let rounded = whole + u128::from(rest > half || (rest == half && whole % 2 == 1));
        let unit = UNITS.get(power as usize - 1).copied().unwrap_or_default();
        write!(f, "{}.{:02} {unit}", rounded / 100, rounded % 100)
    }
}

/// A number for people: `1,234,567`.
pub(crate) fn count(value: u64) -> String {
    indicatif::HumanCount(value).to_string()
}

/// A text that does not move the cursor or end the line, whatever a file holds.
pub(crate) fn printable(text: &str) -> std::borrow::Cow<'_, str> {
    let plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if !plain && text.chars().any(char::is_control) {
        text.escape_debug().to_string().into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        }
    }
}
