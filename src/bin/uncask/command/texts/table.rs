//! Texts as CSV.
//!
//! ```text
//! file,namespace,key,source_hash,de,en
//! Game/Content/Localization/Game/{culture}/Game.locres,Menu,play,0x1a2b3c4d,Spielen,Play
//! ```
//!
//! Cells are exact: line ends, quotes and spaces are preserved. Text that a spreadsheet would take for a formula gets a
//! leading apostrophe, and so does text that begins with one. Hashes have a prefix, or spreadsheets would turn them
//! into numbers.

use crate::exit::UsageError;
use std::io::Write;
use std::sync::Arc;
use uncask::game::{Sheet, SheetRow};
use uncask::wire::decode_text;

/// Names of the first columns.
const NAMED: [&str; 4] = ["file", "namespace", "key", "source_hash"];
/// Name of the column for files without a culture.
const NO_CULTURE: &str = "text";
/// Byte order mark; without it, some spreadsheets assume an old code page.
const MARK: &[u8] = b"\xEF\xBB\xBF";
/// Possible separators of cells: spreadsheets choose one by the user's region.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];
/// Characters that may begin a formula, and the one that guards against it.
const GUARDED: [char; 5] = ['=', '+', '-', '@', '\''];

pub(super) fn write(sheet: &Sheet, out: &mut dyn Write) -> anyhow::Result<()> {
    out.write_all(MARK)?;
    let mut records = csv::Writer::from_writer(out);
    let cultures =
        sheet.cultures().iter().map(|name| if name.is_empty() { NO_CULTURE } else { name.as_str() });
    records.write_record(NAMED.into_iter().chain(cultures))?;
    for row in sheet.rows() {
        let hash = format!("{:#010x}", row.source_hash);
        let named = [guarded(&row.file), guarded(&row.namespace), guarded(&row.key), hash];
        named.iter().try_for_each(|cell| records.write_field(cell))?;
        for culture in 0..sheet.cultures().len() {
            records.write_field(guarded(row.text(culture).unwrap_or_default()))?;
        }
        records.write_record(None::<&[u8]>)?;
    }
    Ok(records.flush()?)
}

pub(super) fn read(bytes: &[u8]) -> anyhow::Result<Sheet> {
    let text = decode_text(bytes)
        .map_err(|error| UsageError(format!("the table is {error}; save it as CSV UTF-8")))?;
    let bytes = text.as_bytes();
    // The header has no quoted separators, so counting them is reliable.
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let separator = SEPARATORS.into_iter().max_by_key(|separator| {
        // On a tie the first separator wins.
        (first.split(|byte| byte == separator).count(), std::cmp::Reverse(*separator))
    });
    let mut records = csv::ReaderBuilder::new().delimiter(separator.unwrap_or(b',')).from_reader(bytes);
    let columns = Columns::of(records.headers()?)?;
    let mut sheet = Sheet::new(columns.cultures.iter().map(|(_, name)| name.clone()).collect());
    for record in records.records() {
        let record = record?;
        sheet.push(columns.row(&record)?);
    }
    Ok(sheet)
}

/// Positions of the columns.
struct Columns {
    named: [usize; 4],
    cultures: Vec<(usize, String)>,
}

impl Columns {
    fn of(header: &csv::StringRecord) -> Result<Self, UsageError> {
        let find = |name: &str| {
            let at = header.iter().position(|cell| cell.trim().eq_ignore_ascii_case(name));
            at.ok_or_else(|| {
                UsageError(format!("the table has no column {name:?}, expected {}", NAMED.join(", ")))
            })
        };
        let [file, namespace, key, hash] = NAMED;
        let named = [find(file)?, find(namespace)?, find(key)?, find(hash)?];
        let others = header.iter().enumerate().filter(|(at, _)| !named.contains(at));
        let name =
            |name: &str| if name.trim() == NO_CULTURE { String::new() } else { name.trim().to_owned() };
        let cultures: Vec<(usize, String)> = others.map(|(at, cell)| (at, name(cell))).collect();
        // Two columns of one language would overwrite each other.
        for (at, (_, name)) in cultures.iter().enumerate() {
            if cultures.iter().skip(at + 1).any(|(_, other)| other.eq_ignore_ascii_case(name)) {
                return Err(UsageError(format!("the table has two columns {name:?}")));
            }
        }
        Ok(Self { named, cultures })
    }

    fn row(&self, record: &csv::StringRecord) -> Result<SheetRow, UsageError> {
        let [file, namespace, key, hash] = self.named.map(|at| plain(record.get(at).unwrap_or_default()));
        // Spreadsheets may remove the prefix.
        let digits = hash.trim().trim_start_matches("0x");
        let hash = u32::from_str_radix(digits, 16).map_err(|_| {
            let line = record.position().map_or(0, csv::Position::line);
            UsageError(format!("the source hash is {hash:?}, expected 0x and 8 hex digits: line {line}"))
        })?;
        let text = |(culture, (at, _)): (usize, &(usize, String))| {
            (culture, Arc::from(plain(record.get(*at).unwrap_or_default())))
        };
        let texts = self.cultures.iter().enumerate().map(text).collect();
        Ok(SheetRow::new(file.into(), namespace.into(), key.to_owned(), hash, texts))
    }
}

/// Guards a text against being taken for a formula.
fn guarded(text: &str) -> String {
    let guard = if text.starts_with(GUARDED) { "'" } else { "" };
    format!("{guard}{text}")
}

/// Reverses [`guarded`]. An apostrophe that guards nothing belongs to the text.
fn plain(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| text.starts_with(GUARDED)).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_back_exactly() {
        let texts = [
            "=1+1",
            "'=1",
            "''",
            "'tis",
            "-",
            "@x",
            "a\r\nb",
            "a\nb",
            "\r",
            "\"q\"",
            " x ",
            "a,b;c\td",
            "日本語",
            "",
        ];
        let mut sheet = Sheet::new(vec![String::new(), "de".to_owned()]);
        for (at, text) in texts.into_iter().enumerate() {
            let cells = vec![(0, Arc::from(text)), (1, Arc::from("+"))];
            sheet.push(SheetRow::new("a.locres".into(), text.into(), at.to_string(), 7, cells));
        }
        let mut bytes = Vec::new();
        write(&sheet, &mut bytes).unwrap();
        assert_eq!(read(&bytes).unwrap(), sheet);
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.starts_with("\u{FEFF}file,namespace,key,source_hash,text,de\n"), "{text}");
        assert!(text.contains("a.locres,'=1+1,0,0x00000007,'=1+1,'+\n"), "{text}");
    }

    #[test]
    fn tables_of_other_countries_are_read() {
        for separator in [",", ";", "\t"] {
            let table = ["key", "file", "de", "namespace", "source_hash"].join(separator)
                + "\r\n"
                + &["k", "f", "\"x,y;z\"", "n", "0000000A"].join(separator)
                + "\r\n";
            let sheet = read(table.as_bytes()).unwrap();
            let row = &sheet.rows()[0];
            assert_eq!((&*row.file, &*row.namespace, &*row.key, row.source_hash), ("f", "n", "k", 10));
            assert_eq!((sheet.cultures(), row.text(0)), (&["de".to_owned()][..], Some("x,y;z")));
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let problem = |table: &[u8]| read(table).unwrap_err().to_string();
        assert_eq!(
            problem(b"file,key\n"),
            "the table has no column \"namespace\", expected file, namespace, key, source_hash"
        );
        assert_eq!(problem(b"file,namespace,key,source_hash,de,DE\n"), "the table has two columns \"de\"");
        assert_eq!(
            problem(b"file,namespace,key,source_hash\nf,n,k,1.2E+05\n"),
            "the source hash is \"1.2E+05\", expected 0x and 8 hex digits: line 2"
        );
        assert_eq!(problem(b"file\xFF"), "the table is not UTF-8 at offset 0x4; save it as CSV UTF-8");
    }
}
