//! CSV that is safe to open in spreadsheets: control characters are escaped, and text that looks like a formula is
//! quoted.

use crate::text::Lines;
use serde::Serialize;

/// Rows to be printed as CSV.
pub(crate) struct Spreadsheet {
    records: csv::Writer<Vec<u8>>,
}

impl Spreadsheet {
    /// An empty table; with a header line, if its rows have field names.
    pub(crate) fn new(with_header: bool) -> Self {
        Self { records: csv::WriterBuilder::new().has_headers(with_header).from_writer(Vec::new()) }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, row: &impl Serialize) -> anyhow::Result<()> {
        Ok(self.records.serialize(row)?)
    }

    /// Appends all rows as lines.
    pub(crate) fn finish(self, out: &mut Lines) -> anyhow::Result<()> {
        let bytes = self.records.into_inner()?;
        // Read back what the CSV writer made, since only then are the fields known one by one.
        let mut records = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes.as_slice());
        let mut record = csv::StringRecord::new();
        while records.read_record(&mut record)? {
            for (at, field) in record.iter().enumerate() {
                if at > 0 {
                    out.push(",");
                }
                cell(field, out);
            }
            out.end_line();
        }
        Ok(())
    }
}

fn cell(field: &str, out: &mut Lines) {
    // Quoting as in RFC 4180: only where it is needed.
    let quote = if field.contains(['"', ',', '\n', '\r']) { "\"" } else { "" };
    out.push(quote);
    // A leading apostrophe makes a spreadsheet take the cell as text: file names must not run as formulas.
    if field.starts_with(['=', '+', '-', '@']) {
        out.push("'");
    }
    // A quote inside quotes is doubled. `push` escapes control characters.
    out.push(&field.replace('"', "\"\""));
    out.push(quote);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Row {
        path: &'static str,
        size: u32,
    }

    #[test]
    fn cells_are_text() {
        let mut sheet = Spreadsheet::new(true);
        for path in ["a,\"b\"", "=1+1", "@x,y", "-2\n\x1b[2J", "plain"] {
            sheet.row(&Row { path, size: 1 }).unwrap();
        }
        let mut out = Lines::default();
        sheet.finish(&mut out).unwrap();
        let expected = [
            "path,size",
            "\"a,\"\"b\"\"\",1",
            "'=1+1,1",
            "\"'@x,y\",1",
            r#""'-2\n\u{1b}[2J",1"#,
            "plain,1",
            "",
        ];
        assert_eq!(out.as_str(), expected.join("\n"));
    }
}
