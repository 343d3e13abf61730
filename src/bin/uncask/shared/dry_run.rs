//! `--dry-run`: prints the files that a job would write.

use crate::printer::{self, size};
use crate::session::Session;
use serde::{Serialize, Serializer};
use std::cell::Cell;
use std::fmt::Display;

/// A file that would be written.
#[derive(Debug, Serialize)]
pub(crate) struct Planned<P> {
    pub(crate) path: P,
    /// Uncompressed length of its chunk, in bytes.
    pub(crate) bytes: u64,
}

#[derive(Serialize)]
struct Report<F> {
    schema: &'static str,
    files: F,
}

/// Prints the files, then a note on their number and size, worded by `note`.
pub(crate) fn print<P: Display + Serialize>(
    session: &Session,
    schema: &'static str,
    files: impl Iterator<Item = Planned<P>>,
    note: impl FnOnce(u64, &str) -> String,
) -> anyhow::Result<()> {
    let (mut number, mut total) = (0_u64, 0_u64);
    // Counted on the way, since the list is consumed by printing.
    let files = files.inspect(|file| {
        number += 1;
        total = total.saturating_add(file.bytes);
    });
    if session.printer.json {
        printer::print_json(&Report { schema, files: OneByOne(Cell::new(Some(files))) })?;
    } else {
        let mut out = printer::out();
        for file in files {
            writeln!(out, "{}", file.path)?;
        }
        out.flush()?;
    }
    session.printer.note(&note(number, &size(total)));
    Ok(())
}

/// A list serialized from an iterator, once, so that it is never in memory as a whole.
struct OneByOne<I>(Cell<Option<I>>);

impl<I: Iterator<Item: Serialize>> Serialize for OneByOne<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.take().into_iter().flatten())
    }
}
