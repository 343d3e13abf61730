use super::run;
use crate::wire::start_of;
use std::fmt;
use std::sync::Arc;

/// Longest component that common file systems allow: in bytes, or in UTF-16 units, which are never more.
const MAX_COMPONENT: usize = 255;

/// Longest end of a name that is kept as its extension when the name has to be cut.
const MAX_EXTENSION: usize = 32;

/// Length of the longest device name, in bytes.
const LONGEST_DEVICE: usize = "CONOUT$".len();

/// Length reserved for the number after a tag, as in `~tag-4294967295`.
const NUMBER_LEN: usize = 11;

/// Relative path that is safe to create on any system.
///
/// It has no empty, `.` or `..` component, no drive, no separator of another system, no control character, no
/// component that ends in a dot or a space, no name that Windows reserves for a device or may give to another
/// file (`PROGRA~1`), and no name of a [temporary file](super::DirectorySink::TEMPORARY_PREFIX). Characters
/// that would break these rules are percent-encoded, so that nothing is dropped silently and different names
/// stay different.
///
/// ```
/// use uncask::sink::OutputPath;
///
/// assert_eq!(OutputPath::sanitize("Game/Content/A.uasset").to_string(), "Game/Content/A.uasset");
/// assert_eq!(OutputPath::sanitize("../../etc/passwd").to_string(), "%2E%2E/%2E%2E/etc/passwd");
/// assert_eq!(OutputPath::sanitize(r"C:\con.txt").to_string(), "C%3A/%63on.txt");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OutputPath {
    /// The path. A large container has a million of them, so clones share the text.
    text: Arc<str>,
}

impl OutputPath {
    /// Turns any text into a safe path. `/` and `\` both separate components.
    #[must_use]
    pub fn sanitize(raw: &str) -> Self {
        let mut text = String::with_capacity(raw.len());
        for component in raw.split(['/', '\\']).filter(|component| !component.is_empty()) {
            if !text.is_empty() {
                text.push('/');
            }
            push_component(component, &mut text);
        }
        // Nothing but separators: a file still needs a name.
        if text.is_empty() {
            text.push('_');
        }
        Self { text: text.into() }
    }

    /// Returns the path with `/` between its components.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the path, sharing its text.
    pub(super) fn text(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    /// Path from a text that is known to be safe.
    pub(super) const fn known(text: Arc<str>) -> Self {
        Self { text }
    }

    /// Returns the directory part, without a trailing slash; empty for a file at the top.
    #[must_use]
    pub fn directory(&self) -> &str {
        self.text.rsplit_once('/').map_or("", |(directory, _)| directory)
    }

    /// Returns the last component.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.text.rsplit_once('/').map_or(&self.text, |(_, name)| name)
    }

    /// Returns this path with `~tag` before the extension. A name that gets too long is cut before the tag.
    #[must_use]
    pub fn tagged(&self, tag: &str) -> Self {
        self.tagged_again(tag, 1)
    }

    /// Returns this path with `~tag-2`, `~tag-3`, …, for use when the previous one is taken. All are cut at
    /// the same place, so paths that differ in their first tagged name differ in all of them.
    pub(super) fn tagged_again(&self, tag: &str, number: u32) -> Self {
        let (folder, name) = self.text.split_at(self.text.len() - self.file_name().len());
        // The first dot starts the extension, so that `a.m.ubulk` keeps all of it.
        let (mut stem, mut extension) = name.split_at(name.find('.').unwrap_or(name.len()));
        let added = 1 + tag.len() + NUMBER_LEN;
        if name.len() + added > MAX_COMPONENT {
            (stem, extension) = cut(name, added);
        }
        let number = if number == 1 { String::new() } else { format!("-{number}") };
        Self { text: format!("{folder}{stem}~{tag}{number}{extension}").into() }
    }
}

impl fmt::Display for OutputPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

fn push_component(component: &str, out: &mut String) {
    let start = out.len();
    let last = component.char_indices().next_back().map_or(0, |(at, _)| at);
    let all_dots = component.bytes().all(|byte| byte == b'.');
    // Reserved names are safe once their first character is encoded.
    let not_ours = is_device(component) || run::is_reserved(component);
    let alias = alias_mark(component);
    if !not_ours && alias.is_none() && is_plain(component) {
        out.push_str(component);
        return;
    }
    for (at, c) in component.char_indices() {
        // Only Windows forbids most of these, but the names have to be the same on every system.
        let bad = match c {
            '<' | '>' | ':' | '"' | '|' | '?' | '*' => true,
            // `.` and `..` lead to other folders, and Windows drops dots and spaces at the end of a name.
            '.' => all_dots || at == last,
            ' ' => at == last,
            '~' => alias == Some(at),
            c => c.is_control(),
        };
        if bad || (at == 0 && not_ours) { push_encoded(c, out) } else { out.push(c) }
    }
    if out.len() - start > MAX_COMPONENT {
        shorten(component, start, out);
    }
}

/// True if nothing in it can be wrong: nearly all components are short and consist of such letters, which
/// need no closer look.
fn is_plain(component: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'~');
    component.len() <= MAX_COMPONENT && !component.ends_with('.') && component.bytes().all(plain)
}

fn push_encoded(c: char, out: &mut String) {
    let mut buffer = [0; 4];
    for byte in c.encode_utf8(&mut buffer).bytes() {
        out.push('%');
        out.push_str(&hex::encode_upper([byte]));
    }
}

/// Cuts a component to the length that file systems allow; a hash of the whole keeps it distinct.
fn shorten(component: &str, start: usize, out: &mut String) {
    // 64 bits of the hash: two long names in one folder practically never share them.
    let tag = format!("~{}", &blake3::hash(component.as_bytes()).to_hex().as_str()[..16]);
    let name = out.split_off(start);
    let (stem, extension) = cut(&name, tag.len());
    out.extend([stem, &tag, extension]);
}

/// Splits a name into stem and extension, cut to leave room for `added` bytes between them.
fn cut(name: &str, added: usize) -> (&str, &str) {
    let short = |dot: &usize| name.len() - dot <= MAX_EXTENSION;
    // The longest extension that is short enough: from the first dot, else from the last.
    let dot = name.find('.').filter(short).or_else(|| name.rfind('.').filter(short));
    let (stem, extension) = name.split_at(dot.unwrap_or(name.len()));
    let room = MAX_COMPONENT.saturating_sub(added + extension.len());
    (start_of(stem, room), extension)
}

/// Returns the position of `~` in a name that Windows may give to another file as its short name, such as
/// `PROGRA~1` or `LONGNA~2.TXT`: writing to such a name could write to that file.
fn alias_mark(component: &str) -> Option<usize> {
    let (stem, extension) = component.split_once('.').unwrap_or((component, ""));
    let (front, number) = stem.rsplit_once('~')?;
    let numbered = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    // Short names have up to eight characters before the dot, and three after it.
    let short = |text: &str, most| text.chars().nth(most).is_none();
    (numbered && short(stem, 8) && short(extension, 3)).then_some(front.len())
}

/// True for names that Windows gives to devices, with any extension: `CON`, `aux.txt`, `LPT1`.
fn is_device(component: &str) -> bool {
    // Windows ignores the spaces in `con .txt`, too.
    let stem = component.split('.').next().unwrap_or_default().trim_end();
    if stem.len() > LONGEST_DEVICE {
        return false;
    }
    let stem = stem.to_ascii_uppercase();
    match stem.as_str() {
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" => true,
        _ => {
            let number = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
            // Windows treats the superscript digits in its code pages as digits.
            number.is_some_and(|number| {
                matches!(number, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_the_output_folder_in_any_spelling() {
        for (raw, safe) in [
            ("a/b.uasset", "a/b.uasset"),
            ("/etc/passwd", "etc/passwd"),
            ("//server/share", "server/share"),
            (r"..\..\x", "%2E%2E/%2E%2E/x"),
            ("a/./b/../c", "a/%2E/b/%2E%2E/c"),
            (".../x", "%2E%2E%2E/x"),
            ("C:/x", "C%3A/x"),
            ("x:stream", "x%3Astream"),
            ("a\0b", "a%00b"),
            ("trailing. /x ", "trailing.%20/x%20"),
            ("dot./x", "dot%2E/x"),
            ("NUL", "%4EUL"),
            ("aux.uasset", "%61ux.uasset"),
            ("COM1.txt/lpt¹", "%43OM1.txt/%6Cpt¹"),
            ("console.txt", "console.txt"),
            ("PROGRA~1/LONGNA~12.TXT", "PROGRA%7E1/LONGNA~12.TXT"),
            ("longna~2.txt/~1/a~b~3.", "longna%7E2.txt/%7E1/a~b%7E3%2E"),
            ("~mods/a~x.txt/x~1.json/toolong~1/x~.a", "~mods/a~x.txt/x~1.json/toolong~1/x~.a"),
            (".uncask-1-0.part/.Uncask-x", "%2Euncask-1-0.part/%2EUncask-x"),
            (".uncaſk-x/.uncask", "%2Euncaſk-x/.uncask"),
            ("", "_"),
            ("///", "_"),
        ] {
            assert_eq!(OutputPath::sanitize(raw).as_str(), safe, "{raw:?}");
        }
    }

    #[test]
    fn long_components_are_cut_and_stay_different() {
        let (a, b) = ("ü".repeat(300) + "a", "ü".repeat(300) + "b");
        let (a, b) = (OutputPath::sanitize(&a), OutputPath::sanitize(&b));
        assert!(a.as_str().len() <= MAX_COMPONENT);
        assert_ne!(a, b);
        let named = OutputPath::sanitize(&format!("{}.uasset", "n".repeat(300)));
        assert!(named.as_str().len() == MAX_COMPONENT && named.as_str().ends_with(".uasset"), "{named}");
    }

    #[test]
    fn a_tag_goes_in_front_of_every_extension() {
        let tagged = |text: &str| OutputPath::sanitize(text).tagged("1").to_string();
        assert_eq!(tagged("a.b/c.m.ubulk"), "a.b/c~1.m.ubulk");
        assert_eq!(tagged("plain"), "plain~1");
    }

    /// A path that was written once may be named by a manifest.
    #[test]
    fn a_safe_path_is_safe_as_it_is() {
        let long = "ü.".repeat(120);
        for raw in
            ["PROGRA~1", ".uncask-x", "a/nul.x", "..", "x ", &long, &"n".repeat(400), &".e".repeat(200)]
        {
            let safe = OutputPath::sanitize(raw);
            for path in [&safe, &safe.tagged("0123456789abcdef01234567"), &safe.tagged_again("01", 77)] {
                assert_eq!(OutputPath::sanitize(path.as_str()), *path);
                assert!(path.file_name().len() <= MAX_COMPONENT, "{path}");
            }
        }
    }
}
