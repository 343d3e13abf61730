//! Rows, printed as they are found and never all in memory.

use crate::args::FindArgs;
use crate::printer;
use crate::session::Session;
use crate::spreadsheet::Spreadsheet;
use crate::text::Lines;
use serde::Serialize;
use std::io::{self, Write};

/// Output of hits: lines, a table, or a JSON document that is written by hand.
pub(super) struct Printed {
    out: Form,
    number: u64,
    schema: &'static str,
}

enum Form {
    Lines(printer::Out),
    Table(printer::Out),
    Json(Box<dyn Write>),
}

impl Printed {
    pub(super) fn new(args: &FindArgs, session: &Session, schema: &'static str) -> Self {
        let out = if session.printer.json {
            Form::Json(Box::new(printer::json()))
        } else if args.csv {
            Form::Table(printer::out())
        } else {
            Form::Lines(printer::out())
        };
        Self { out, number: 0, schema }
    }

    /// Prints a hit: as it is, or as its line.
    pub(super) fn hit<T: Serialize>(&mut self, hit: &T, line: impl FnOnce(&T) -> String) -> io::Result<()> {
        match &mut self.out {
            Form::Lines(out) => writeln!(out, "{}", line(hit))?,
            Form::Table(out) => {
                let mut lines = Lines::default();
                let mut sheet = Spreadsheet::new(self.number == 0);
                sheet.row(hit).and_then(|()| sheet.finish(&mut lines)).map_err(io::Error::other)?;
                out.append(&lines)?;
            }
            Form::Json(out) => {
                if self.number == 0 {
                    begin(out, self.schema)?;
                } else {
                    write!(out, ",")?;
                }
                write!(out, "\n    ")?;
                serde_json::to_writer(&mut *out, hit)?;
            }
        }
        self.number += 1;
        Ok(())
    }

    /// Ends the output with some counts, and returns the number of hits.
    pub(super) fn finish(self, counts: impl FnOnce(u64) -> Vec<(&'static str, u64)>) -> io::Result<u64> {
        match self.out {
            Form::Lines(mut out) | Form::Table(mut out) => out.flush()?,
            Form::Json(mut out) => {
                if self.number == 0 {
                    begin(&mut out, self.schema)?;
                }
                write!(out, "\n  ]")?;
                for (name, count) in counts(self.number) {
                    write!(out, ",\n  \"{name}\": {count}")?;
                }
                writeln!(out, "\n}}")?;
                out.flush()?;
            }
        }
        Ok(self.number)
    }
}

fn begin(out: &mut impl Write, schema: &str) -> io::Result<()> {
    write!(out, "{{\n  \"schema\": \"{schema}\",\n  \"hits\": [")
}
