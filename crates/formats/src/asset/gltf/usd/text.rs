//! Words of the text form.

use std::collections::HashMap;
use std::fmt::{self, Display, Write};

/// A name as an identifier: letters, digits and `_`, and no digit first.
pub(super) fn identifier(name: &str) -> String {
    let mut made: String =
        name.chars().map(|of| if of.is_ascii_alphanumeric() || of == '_' { of } else { '_' }).collect();
    if made.is_empty() || made.starts_with(|first: char| first.is_ascii_digit()) {
        made.insert(0, '_');
    }
    made
}

/// Identifiers that are taken.
#[derive(Default)]
pub(super) struct Identifiers(HashMap<String, u32>);

impl Identifiers {
    /// Makes an identifier of a name that no other has.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let wanted = identifier(name);
        let mut made = wanted.clone();
        loop {
            let count = self.0.entry(made.clone()).or_default();
            *count += 1;
            if *count == 1 {
                return made;
            }
            let number = self.0.get(&wanted).copied().unwrap_or_default();
            made = format!("{wanted}_{number}");
        }
    }
}

/// A text in quotation marks.
pub(super) fn quoted(text: &str) -> String {
    let mut made = String::with_capacity(text.len() + 2);
    made.push('"');
    for of in text.chars() {
        match of {
            '"' | '\\' => made.extend(['\\', of]),
            '\n' => made.push_str("\\n"),
            '\t' => made.push_str("\\t"),
            // Other control characters have no meaning in names.
            _ if of.is_control() => made.push(' '),
            _ => made.push(of),
        }
    }
    made.push('"');
    made
}

/// The path of a file.
pub(super) fn asset(path: &str) -> String {
    // Within three signs, one may stand in the path.
    let path: String = path.chars().filter(|of| !of.is_control()).collect();
    if path.contains('@') { format!("@@@{}@@@", path.replace("@@@", "@@")) } else { format!("@{path}@") }
}

/// Numbers in parentheses.
pub(super) fn tuple<T: Display>(parts: impl IntoIterator<Item = T>) -> String {
    let mut made = String::from("(");
    for (at, part) in parts.into_iter().enumerate() {
        let _ = write!(made, "{}{part}", if at == 0 { "" } else { ", " });
    }
    made.push(')');
    made
}

/// Writes a list of tuples: `TYPE NAME = [(…), (…)]`, with what comes after it.
pub(super) fn tuples<const N: usize>(
    out: &mut dyn Write,
    (name, after): (&str, &str),
    values: impl Iterator<Item = [f32; N]>,
) -> fmt::Result {
    write!(out, "{name} = [")?;
    for (at, value) in values.enumerate() {
        write!(out, "{}{}", if at == 0 { "" } else { ", " }, tuple(value))?;
    }
    writeln!(out, "]{after}")
}

/// Writes a list of numbers.
pub(super) fn numbers<T: Display>(
    out: &mut dyn Write,
    name: &str,
    values: impl Iterator<Item = T>,
) -> fmt::Result {
    write!(out, "{name} = [")?;
    for (at, value) in values.enumerate() {
        write!(out, "{}{value}", if at == 0 { "" } else { ", " })?;
    }
    writeln!(out, "]")
}

/// The head of a file with one prim at its root.
pub(super) fn head(root: &str) -> String {
    let generator = quoted(concat!("uncask ", env!("CARGO_PKG_VERSION")));
    format!(
        "#usda 1.0\n(\n    defaultPrim = \"{root}\"\n    doc = {generator}\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_and_differ() {
        let mut taken = Identifiers::default();
        let names = ["SM_Rock", "SM Rock", "7th", "", "SM_Rock", "SM_Rock_2"];
        let made = names.map(|name| taken.unique(name));
        assert_eq!(made, ["SM_Rock", "SM_Rock_2", "_7th", "_", "SM_Rock_3", "SM_Rock_2_2"]);
    }

    #[test]
    fn texts_cannot_end_early() {
        assert_eq!(quoted("a\"b\\c\nd\u{1}é"), r#""a\"b\\c\nd é""#);
        assert_eq!(
            (asset("../T.png"), asset("a@b.png")),
            ("@../T.png@".to_owned(), "@@@a@b.png@@@".to_owned())
        );
    }
}
