//! Texts as portable objects of gettext (`.po`), as the Unreal Editor writes and reads them.
//!
//! ```text
//! msgid ""                     header: language, and path in the game
//! msgstr "Language: de\n" …
//!
//! #. Key: play                 a tab, not a space, after the colon
//! msgctxt "Menu,play"          namespace and key, which identify the text
//! msgid "Play"                 source text; the key, if no language of the game has the source
//! msgstr "Spielen"
//! ```
//!
//! Source: the description of the format by xabk, `unreal-po-spec`.

use crate::exit::UsageError;
use std::collections::{HashMap, VecDeque};
use std::io::{self, Write};
use std::sync::Arc;
use uncask::game::{Sheet, SheetRow};
use uncask::wire::decode_text;

/// Header field with the path of the `.locres`.
const FILE: &str = "X-Locres";
/// Header field with the culture.
const LANGUAGE: &str = "Language";

/// Path for the portable object of a file and culture, beside the file.
pub(super) fn path(sheet: &Sheet, file: &str, culture: usize) -> String {
    let culture = sheet.cultures().get(culture).map_or("", String::as_str);
    let path = file.replace("{culture}", culture);
    let stem = path.strip_suffix(".locres").unwrap_or(&path);
    format!("{stem}.po")
}

pub(super) fn write(sheet: &Sheet, file: &str, culture: usize, out: &mut dyn Write) -> io::Result<()> {
    let language = sheet.cultures().get(culture).map_or("", String::as_str);
    writeln!(out, "msgid \"\"\nmsgstr \"\"")?;
    for (name, value) in [
        ("Project-Id-Version", "Game"),
        (LANGUAGE, language),
        ("MIME-Version", "1.0"),
        ("Content-Type", "text/plain; charset=UTF-8"),
        ("Content-Transfer-Encoding", "8bit"),
        (FILE, file),
    ] {
        writeln!(out, "{}", quoted(&format!("{name}: {value}\n")))?;
    }
    for row in sheet.rows().iter().filter(|row| &*row.file == file) {
        // A text that the culture lacks is left to the fallback of the game.
        let Some(text) = row.text(culture) else { continue };
        // A comment ends with its line, so the key must not contain line ends.
        let key = row.key.replace(['\n', '\r'], " ");
        writeln!(out, "\n#. Key:\t{key}\n#. SourceHash:\t{:#010x}", row.source_hash)?;
        field("msgctxt", &context(row), out)?;
        field("msgid", row.source().filter(|source| !source.is_empty()).unwrap_or(&row.key), out)?;
        field("msgstr", text, out)?;
    }
    Ok(())
}

/// Reads a portable object, and completes its texts from `base`, the table of the game. Untranslated texts are left
/// out.
pub(super) fn read(bytes: &[u8], base: &Sheet) -> anyhow::Result<Sheet> {
    let text = decode_text(bytes).map_err(|error| UsageError(format!("the file is {error}")))?;
    let mut messages = parse(&text).map_err(UsageError)?.into_iter();
    // The header is the entry with an empty source and no context.
    let header = messages.next().filter(|message| message.source.is_empty() && message.context.is_none());
    let header =
        header.ok_or_else(|| UsageError("the first entry is not a header: msgid \"\"".to_owned()))?;
    let value = |name: &str| {
        let line = header.text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.map(str::trim).filter(|value| !value.is_empty())
    };
    let file = value(FILE).map_or_else(|| only_file(base), |file| Ok(file.to_owned()))?;
    let culture = value(LANGUAGE).unwrap_or_default().to_owned();
    let mut rows = rows_by_context(base, &file, &culture);
    let mut sheet = Sheet::new(vec![culture]);
    for message in messages {
        let context = message.context.unwrap_or_default();
        // Texts with the same context come in the order in which they were written.
        let Some(row) = rows.get_mut(&context).and_then(VecDeque::pop_front) else {
            return Err(
                UsageError(format!("no text has the context {context:?}: line {}", message.line)).into()
            );
        };
        if !message.text.is_empty() {
            let (file, namespace) = (Arc::clone(&row.file), Arc::clone(&row.namespace));
            let texts = vec![(0, message.text.into())];
            sheet.push(SheetRow::new(file, namespace, row.key.clone(), row.source_hash, texts));
        }
    }
    Ok(sheet)
}

/// The only file of a game; portable objects of the editor do not name theirs.
fn only_file(base: &Sheet) -> Result<String, UsageError> {
    let mut files: Vec<&str> = base.rows().iter().map(|row| &*row.file).collect();
    files.dedup();
    match files.as_slice() {
        [file] => Ok((*file).to_owned()),
        _ => Err(UsageError(format!(
            "the header does not say which file of the game it is for; add a line \"{FILE}: PATH\\n\", one of: {}",
            files.join(", ")
        ))),
    }
}

/// Rows of a file by context; those that the culture has come first.
fn rows_by_context<'a>(
    base: &'a Sheet,
    file: &str,
    culture: &str,
) -> HashMap<String, VecDeque<&'a SheetRow>> {
    let culture = base.culture(culture);
    let has = |row: &&SheetRow| culture.is_some_and(|culture| row.text(culture).is_some());
    let rows = || base.rows().iter().filter(|row| &*row.file == file);
    let mut by_context: HashMap<String, VecDeque<&SheetRow>> = HashMap::new();
    for row in rows().filter(has).chain(rows().filter(|row| !has(row))) {
        by_context.entry(context(row)).or_default().push_back(row);
    }
    by_context
}

fn context(row: &SheetRow) -> String {
    format!("{},{}", row.namespace, row.key)
}

/// Writes a keyword with a text; a text of several lines gets one line each.
fn field(keyword: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.len() < 2 {
        return writeln!(out, "{keyword} {}", quoted(text));
    }
    writeln!(out, "{keyword} \"\"")?;
    lines.into_iter().try_for_each(|line| writeln!(out, "{}", quoted(line)))
}

fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            // gettext knows octal escapes for all other control characters.
            c if c.is_ascii_control() => quoted.extend(["\\", &format!("{:03o}", u32::from(c))]),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// An entry of a portable object.
#[derive(Debug, Default, PartialEq, Eq)]
struct Message {
    context: Option<String>,
    source: String,
    text: String,
    /// Number of its first line.
    line: usize,
}

/// Part of an entry that the next quoted line continues.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Start,
    Context,
    Source,
    Text,
}

fn parse(text: &str) -> Result<Vec<Message>, String> {
    let (mut messages, mut message, mut part) = (Vec::new(), Message::default(), Part::Start);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        // Comments are for translators; what identifies a text is in the context.
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let keyword = line.split(['"', ' ', '\t']).next().unwrap_or_default();
        let rest = line.get(keyword.len()..).unwrap_or_default().trim_start();
        // A line that begins with a quote has no keyword, and continues the current part.
        let next = match keyword {
            "" => part,
            "msgctxt" => Part::Context,
            "msgid" => Part::Source,
            "msgstr" => Part::Text,
            found => {
                return Err(format!("found {found:?}, expected msgctxt, msgid or msgstr: line {number}"));
            }
        };
        // `msgctxt` starts an entry, and so does a `msgid` without one before it.
        let starts = next == Part::Context || (next == Part::Source && part != Part::Context);
        if !keyword.is_empty() && starts {
            if part != Part::Start {
                messages.push(std::mem::take(&mut message));
            }
            message.line = number;
        }
        part = next;
        let text = unquoted(rest).ok_or_else(|| format!("not a quoted text: line {number}"))?;
        match part {
            Part::Start => return Err(format!("a text without msgid before it: line {number}")),
            Part::Context => message.context.get_or_insert_default().push_str(&text),
            Part::Source => message.source.push_str(&text),
            Part::Text => message.text.push_str(&text),
        }
    }
    if part != Part::Start {
        messages.push(message);
    }
    Ok(messages)
}

fn unquoted(text: &str) -> Option<String> {
    let inside = text.strip_prefix('"')?.strip_suffix('"')?;
    let (mut plain, mut chars) = (String::with_capacity(inside.len()), inside.chars().peekable());
    while let Some(c) = chars.next() {
        match c {
            // A quote inside a text must be escaped.
            '"' => return None,
            '\\' => match chars.next()? {
                'n' => plain.push('\n'),
                'r' => plain.push('\r'),
                't' => plain.push('\t'),
                // Octal escapes have one to three digits.
                digit @ '0'..='7' => {
                    let mut number = digit.to_digit(8)?;
                    for _ in 0..2 {
                        if let Some(digit) = chars.next_if(|c| c.is_digit(8)).and_then(|c| c.to_digit(8)) {
                            number = number * 8 + digit;
                        }
                    }
                    plain.push(char::from_u32(number)?);
                }
                escaped @ ('"' | '\\') => plain.push(escaped),
                _ => return None,
            },
            c => plain.push(c),
        }
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE_PATH: &str = "A/{culture}/G.locres";

    fn row(namespace: &str, key: &str, texts: &[(usize, &str)]) -> SheetRow {
        let hash = uncask::localization::source_hash("Play\n");
        let texts = texts.iter().map(|(culture, text)| (*culture, Arc::from(*text))).collect();
        SheetRow::new(FILE_PATH.into(), namespace.into(), key.to_owned(), hash, texts)
    }

    fn base() -> Sheet {
        let mut sheet = Sheet::new(vec!["de".to_owned(), "en".to_owned()]);
        sheet.push(row("Menu", "a,b", &[(0, "Spielen \"jetzt\"\r\n\\o/\t\u{1}7"), (1, "Play\n")]));
        sheet.push(row("", "k", &[(0, "")]));
        sheet.push(row("", "k", &[(1, "again")]));
        sheet
    }

    #[test]
    fn entries_come_back_exactly() {
        let base = base();
        let mut bytes = Vec::new();
        write(&base, FILE_PATH, 0, &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let entry = "\n#. Key:\ta,b\n#. SourceHash:\t0x2551c4ee\nmsgctxt \"Menu,a,b\"\nmsgid \"Play\\n\"\nmsgstr \"\"\n\
                     \"Spielen \\\"jetzt\\\"\\r\\n\"\n\"\\\\o/\\t\\0017\"\n";
        let (_, after_header) = text.split_once("X-Locres: A/{culture}/G.locres\\n\"\n").unwrap();
        assert_eq!(after_header.split("#. SourceHash").next(), entry.split("#. SourceHash").next());
        assert_eq!(
            after_header.split_once("msgctxt").unwrap().1.split_once("\n\n").unwrap().0,
            entry.split_once("msgctxt").unwrap().1.trim_end()
        );
        let read = read(text.as_bytes(), &base).unwrap();
        assert_eq!(read.cultures(), ["de"]);
        // An empty text counts as untranslated.
        assert_eq!(read.rows(), [row("Menu", "a,b", &[(0, "Spielen \"jetzt\"\r\n\\o/\t\u{1}7")])]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let problem = |text: &str| read(text.as_bytes(), &base()).unwrap_err().to_string();
        let header = "msgid \"\"\nmsgstr \"Language: de\\n\"\n";
        for (text, expected) in [
            ("msgid \"x\"\n", "the first entry is not a header: msgid \"\""),
            ("\"x\"\n", "a text without msgid before it: line 1"),
            ("msgid x\n", "not a quoted text: line 1"),
            ("msgid \"a\"b\"\n", "not a quoted text: line 1"),
            ("msgid \"\\q\"\n", "not a quoted text: line 1"),
            ("msgid_plural \"x\"\n", "found \"msgid_plural\", expected msgctxt, msgid or msgstr: line 1"),
        ] {
            assert_eq!(problem(text), expected, "{text}");
        }
        assert_eq!(
            problem(&format!("{header}\nmsgctxt \"Menu,c\"\nmsgid \"x\"\nmsgstr \"y\"\n")),
            "no text has the context \"Menu,c\": line 4"
        );
    }
}
