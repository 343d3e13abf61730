use std::fmt;
use std::sync::Arc;

/// Longest component that common file systems take, in bytes.
const MAX_COMPONENT: usize = 255;

/// A relative path that is safe to create on any system.
///
/// It has no empty, `.` or `..` component, no drive, no separator of another system, no control character, no
/// component that ends in a dot or a space, and no name that Windows reserves for a device. Whatever would break
/// these rules is percent-encoded, so that nothing is dropped silently and different names stay different.
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
    /// A large container has a million: who hands them on does not copy them.
    text: Arc<str>,
}

impl OutputPath {
    /// Makes any text a safe path. `/` and `\` both separate components.
    #[must_use]
    pub fn sanitize(raw: &str) -> Self {
        let mut text = String::with_capacity(raw.len());
        for component in raw.split(['/', '\\']).filter(|component| !component.is_empty()) {
            if !text.is_empty() {
                text.push('/');
            }
            push_component(component, &mut text);
        }
        if text.is_empty() {
            text.push('_');
        }
        Self { text: text.into() }
    }

    /// The path with `/` between its components.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Directory part, without a trailing slash; empty for a file at the top.
    #[must_use]
    pub fn directory(&self) -> &str {
        self.text.rsplit_once('/').map_or("", |(directory, _)| directory)
    }

    /// Last component.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.text.rsplit_once('/').map_or(&self.text, |(_, name)| name)
    }

    /// The same path with `~tag` in front of the extension.
    #[must_use]
    pub fn tagged(&self, tag: &str) -> Self {
        let name_at = self.text.len() - self.file_name().len();
        let dot = self.file_name().find('.').map_or(self.text.len(), |at| name_at + at);
        let (stem, extension) = self.text.split_at(dot);
        Self { text: format!("{stem}~{tag}{extension}").into() }
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
    for (at, c) in component.char_indices() {
        let bad = match c {
            '<' | '>' | ':' | '"' | '|' | '?' | '*' => true,
            '.' => all_dots || at == last,
            ' ' => at == last,
            c => c.is_control(),
        };
        if bad || (at == 0 && is_reserved(component)) { push_encoded(c, out) } else { out.push(c) }
    }
    if out.len() - start > MAX_COMPONENT {
        shorten(component, start, out);
    }
}

fn push_encoded(c: char, out: &mut String) {
    let mut buffer = [0; 4];
    for byte in c.encode_utf8(&mut buffer).bytes() {
        out.push('%');
        out.push_str(&hex::encode_upper([byte]));
    }
}

/// Cuts a component down to what file systems take; a hash of the whole keeps it apart from others like it.
fn shorten(component: &str, start: usize, out: &mut String) {
    let tag = format!("~{}", &blake3::hash(component.as_bytes()).to_hex().as_str()[..16]);
    let mut end = start + MAX_COMPONENT - tag.len();
    while !out.is_char_boundary(end) {
        end -= 1;
    }
    out.truncate(end);
    out.push_str(&tag);
}

/// Names that Windows gives to devices, with any extension: `CON`, `aux.txt`, `LPT1`.
fn is_reserved(component: &str) -> bool {
    let stem = component.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    match stem.as_str() {
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" => true,
        _ => {
            let number = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
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
    }

    #[test]
    fn a_tag_goes_in_front_of_every_extension() {
        let tagged = |text: &str| OutputPath::sanitize(text).tagged("1").to_string();
        assert_eq!(tagged("a.b/c.m.ubulk"), "a.b/c~1.m.ubulk");
        assert_eq!(tagged("plain"), "plain~1");
    }
}
