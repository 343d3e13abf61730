//! Text for people. Text from files cannot move the cursor, hide, reverse or forge a line: every text printed to a
//! terminal goes through here.

use std::borrow::Cow;
use std::fmt::{self, Display, Write as _};
use std::io;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Replaces characters that control a terminal, move other text or are invisible by escapes such as `\n` and
/// `\u{202e}`.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    // Plain ASCII, the usual case, is checked bytewise and needs no copy.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) || !text.contains(is_unprintable) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => shown.extend(c.escape_default()),
            _ if is_unprintable(c) => shown.extend(c.escape_unicode()),
            _ => shown.push(c),
        }
    }
    shown.into()
}

/// True for a character that controls a terminal (C0, DEL, C1), ends a line, changes the direction of text, or has no
/// width.
pub(crate) const fn is_unprintable(c: char) -> bool {
    matches!(c,
        '\0'..='\x1f'
        | '\x7f'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

/// Width of a text in terminal columns.
pub(crate) fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

/// Shortens a text to at most `columns` columns by cutting out its middle, so that both ends stay distinguishable.
pub(crate) fn shorten(text: &str, columns: usize) -> Cow<'_, str> {
    if width(text) <= columns {
        return text.into();
    }
    // One column is for the ellipsis.
    let Some(room) = columns.checked_sub(1) else { return Cow::default() };
    // The end gets the larger half: it has file names and numbers.
    let back = room.div_ceil(2);
    let mut used = 0;
    let fits = |limit: usize, used: &mut usize, c: char| {
        *used += c.width().unwrap_or(0);
        *used <= limit
    };
    let start = text.char_indices().rev().take_while(|(_, c)| fits(back, &mut used, *c)).last();
    let start = start.map_or(text.len(), |(at, _)| at);
    used = 0;
    let end = text.char_indices().take_while(|(_, c)| fits(room - back, &mut used, *c)).last();
    let end = end.map_or(0, |(at, c)| at + c.len_utf8());
    format!("{}…{}", text.get(..end).unwrap_or_default(), text.get(start..).unwrap_or_default()).into()
}

/// Breaks a text into lines of at most `columns` columns, at spaces if possible.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<&str> {
    let (mut lines, mut rest) = (Vec::new(), text);
    while let Some(at) = line_end(rest, columns) {
        let (line, after) = rest.split_at(at);
        lines.push(line);
        rest = after.trim_start_matches(' ');
    }
    if !rest.is_empty() || lines.is_empty() {
        lines.push(rest);
    }
    lines
}

/// Position at which to break a text; `None` if it fits. Scans no further than one line.
fn line_end(text: &str, columns: usize) -> Option<usize> {
    let (mut used, mut space) = (0, None);
    for (at, c) in text.char_indices().skip_while(|(at, c)| *at == 0 && *c == ' ') {
        // A space may follow a line that is exactly full.
        space = if c == ' ' { Some(at) } else { space };
        used += c.width().unwrap_or(0);
        if used > columns.max(1) && at > 0 {
            return Some(space.unwrap_or(at));
        }
    }
    None
}

/// Colour of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colour {
    Green,
    Red,
    Yellow,
    Cyan,
}

impl Colour {
    const fn code(self) -> &'static str {
        match self {
            Self::Green => "\x1b[32m",
            Self::Red => "\x1b[31m",
            Self::Yellow => "\x1b[33m",
            Self::Cyan => "\x1b[36m",
        }
    }
}

/// Lines of text. Each call writes a whole line, so that only the writer ends lines: `writeln!(lines, …)` is one line,
/// whatever its values contain.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    text: String,
    /// Buffer for the text of a cell.
    cell: String,
}

impl Lines {
    /// Appends a line; called by `writeln!`.
    #[expect(clippy::unnecessary_wraps, reason = "`writeln!` is used as it is with other writers")]
    pub(crate) fn write_fmt(&mut self, line: fmt::Arguments<'_>) -> io::Result<()> {
        let start = self.text.len();
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(line);
        // Only the line feed of `writeln!` itself is at the end; any other one is escaped below.
        if self.text.len() > start && self.text.ends_with('\n') {
            self.text.pop();
        }
        // The line is formatted in place, and replaced only if something had to be escaped.
        if let Cow::Owned(escaped) = printable(self.text.get(start..).unwrap_or_default()) {
            self.text.truncate(start);
            self.text.push_str(&escaped);
        }
        self.text.push('\n');
        Ok(())
    }

    /// Appends a line in a colour.
    pub(crate) fn coloured(&mut self, colour: Option<Colour>, line: &str) {
        // The codes are ours; the text between them must not have any.
        self.text.push_str(colour.map_or("", Colour::code));
        self.push(line);
        self.text.push_str(if colour.is_some() { "\x1b[0m" } else { "" });
        self.end_line();
    }

    /// Appends a part of a line.
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(&printable(text));
    }

    /// Appends a cell and a space, aligned left or right in `columns` columns. Text that is too long is shortened, or
    /// sticks out.
    pub(crate) fn cell(&mut self, value: impl Display, columns: usize, right: bool, shortened: bool) {
        // Taken out and put back, so that its allocation serves all cells.
        let mut cell = std::mem::take(&mut self.cell);
        cell.clear();
        // Writing to a string cannot fail.
        let _ = write!(cell, "{value}");
        let shown = printable(&cell);
        let shown = if shortened { shorten(&shown, columns) } else { shown };
        // Padding counts columns, not bytes or characters: wide characters take two.
        let pad = columns.saturating_sub(width(&shown));
        self.spaces(if right { pad } else { 0 });
        self.text.push_str(&shown);
        self.spaces(if right { 1 } else { pad + 1 });
        drop(shown);
        self.cell = cell;
    }

    fn spaces(&mut self, count: usize) {
        self.text.extend(std::iter::repeat_n(' ', count));
    }

    /// Appends a text, and ends the line.
    pub(crate) fn end_with(&mut self, text: &str) {
        self.push(text);
        self.end_line();
    }

    /// Ends a line made of parts.
    pub(crate) fn end_line(&mut self) {
        self.text.push('\n');
    }

    /// Removes all lines.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
    }

    /// Length of all lines, in bytes.
    pub(crate) const fn len(&self) -> usize {
        self.text.len()
    }

    /// All lines.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Appends lines.
    pub(crate) fn append(&mut self, lines: &Self) {
        self.text.push_str(&lines.text);
    }
}

/// Escapes a text for HTML.
pub(crate) fn html_escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_controls_a_terminal_becomes_an_escape() {
        for (text, shown) in [
            ("Game/Maps/L.umap", "Game/Maps/L.umap"),
            ("Größe/名前.uasset", "Größe/名前.uasset"),
            ("a\x1b[2J\x07\x7f", r"a\u{1b}[2J\u{7}\u{7f}"),
            ("a\nerror: b\r\tc", r"a\nerror: b\r\tc"),
            ("\u{9b}31m\u{85}", r"\u{9b}31m\u{85}"),
            (
                "gpj.\u{202e}exe\u{2066}\u{200f}\u{61c}\u{2028}",
                r"gpj.\u{202e}exe\u{2066}\u{200f}\u{61c}\u{2028}",
            ),
            ("a\u{200b}b\u{feff}\u{e0041}", r"a\u{200b}b\u{feff}\u{e0041}"),
        ] {
            assert_eq!(printable(text), shown);
            assert!(!printable(text).contains(is_unprintable));
        }
    }

    #[test]
    fn only_the_writer_ends_a_line() {
        let mut lines = Lines::default();
        let name = "x\nerror: forged\n";
        writeln!(lines, "{name}").unwrap();
        writeln!(lines).unwrap();
        lines.push(name);
        lines.end_line();
        assert_eq!(lines.as_str(), "x\\nerror: forged\\n\n\nx\\nerror: forged\\n\n");
    }

    #[test]
    fn long_texts_lose_their_middle() {
        assert_eq!(shorten("pakchunk0", 9), "pakchunk0");
        assert_eq!(shorten("pakchunk0-Windows_P", 10), "pakc…ows_P");
        assert_eq!(shorten("名前名前名前", 6), "名…前");
        assert_eq!(shorten("abc", 1), "…");
        assert_eq!(shorten("abc", 0), "");
        for columns in 0..30 {
            assert!(width(&shorten("名a前b/名前名-前名前.ums", columns)) <= columns);
        }
    }

    #[test]
    fn lines_are_broken_at_spaces() {
        assert_eq!(wrap("one two three", 20), ["one two three"]);
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("onetwothree four", 5), ["onetw", "othre", "e", "four"]);
        assert_eq!(wrap("", 5), [""]);
        assert_eq!(wrap("名前名前", 5), ["名前", "名前"]);
    }
}
