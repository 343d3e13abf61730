//! Texts of literals and names.

use crate::bytecode::tree::Operand;

/// Turns a name into one word, as pseudo-code shows it: user-defined names may contain spaces and brackets.
#[must_use]
pub fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

/// Returns the original name of a struct member: the editor adds a number and a GUID.
pub(super) fn member(name: &str) -> String {
    // The form is `Name_number_GUID`, and the name itself may have underscores.
    let parts = name.rsplit_once('_').and_then(|(head, guid)| Some((head.rsplit_once('_')?, guid)));
    let given = parts.and_then(|((given, number), guid)| {
        let is_guid = guid.len() == 32 && guid.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_guid && !given.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(given)
    });
    identifier(given.unwrap_or(name))
}

/// Writes a string in double quotes.
pub(super) fn string(text: &str) -> String {
    quoted(text, '"')
}

/// Writes a name in single quotes.
pub(super) fn name(text: &str) -> String {
    quoted(text, '\'')
}

fn quoted(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            c if c.is_control() => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// Returns the text of a string operand.
pub(super) fn text(operand: &Operand) -> Option<String> {
    match operand {
        Operand::Ansi(bytes) => Some(bytes.iter().map(|byte| char::from(*byte)).collect()),
        Operand::Wide(units) => Some(String::from_utf16_lossy(units)),
        _ => None,
    }
}

/// Returns the text of a number operand.
pub(super) fn number(operand: &Operand) -> Option<String> {
    Some(match operand {
        Operand::U8(number) => number.to_string(),
        Operand::U16(number) => number.to_string(),
        Operand::I32(number) => number.to_string(),
        Operand::I64(number) => number.to_string(),
        Operand::U64(number) => number.to_string(),
        // `Debug` writes the shortest text that reads back as the same number, always with a point.
        Operand::F32(bits) => format!("{:?}", f32::from_bits(*bits)),
        Operand::F64(bits) => format!("{:?}", f64::from_bits(*bits)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_user_defined_structs_have_the_names_that_people_gave_them() {
        assert_eq!(member("Max Health_12_0123456789ABCDEF0123456789ABCDEF"), "Max_Health");
        assert_eq!(member("Max_12_0123"), "Max_12_0123");
        assert_eq!(member("_1_0123456789ABCDEF0123456789ABCDEF"), "_1_0123456789ABCDEF0123456789ABCDEF");
    }

    #[test]
    fn literals_escape_what_would_break_a_line() {
        assert_eq!(string("a\n\"b\"\u{7}"), r#""a\n\"b\"\u{7}""#);
        assert_eq!(name("it's"), r"'it\'s'");
        assert_eq!(number(&Operand::F32(1.0_f32.to_bits())).unwrap(), "1.0");
    }
}
