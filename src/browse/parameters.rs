//! Query parameters of an address.

use super::refusal::Refusal;
use std::str::FromStr;

/// Query parameters of an address.
#[derive(Debug, Default)]
pub(super) struct Parameters(Vec<(String, String)>);

impl Parameters {
    pub(super) fn parse(query: &str) -> Self {
        // Parameters without a value have no meaning here and are ignored.
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        Self(pairs.map(|(name, value)| (decode(name, true), decode(value, true))).collect())
    }

    /// The value of a parameter; empty if it is missing.
    pub(super) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(other, _)| other == name).map_or("", |(_, value)| value)
    }

    /// The number in a parameter; `None` if it is missing.
    pub(super) fn number<T: FromStr>(&self, name: &str) -> Result<Option<T>, Refusal> {
        match self.text(name) {
            "" => Ok(None),
            text => text
                .parse()
                .map(Some)
                .map_err(|_| Refusal::bad_request(format!("expected a number for {name}, found {text:?}"))),
        }
    }

    /// The number in a required parameter.
    pub(super) fn needed<T: FromStr>(&self, name: &str) -> Result<T, Refusal> {
        self.number(name)?.ok_or_else(|| Refusal::bad_request(format!("{name} is missing")))
    }
}

/// Decodes `%2F` to `/`, and in a query `+` to a space. Invalid UTF-8 becomes U+FFFD.
pub(super) fn decode(text: &str, is_query: bool) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| *first == b'%').and_then(|digits| hex::decode(digits).ok());
        match digits.as_deref() {
            Some([byte]) => {
                bytes.push(*byte);
                rest = after.get(2..).unwrap_or_default();
            }
            // A `%` without two hex digits stands for itself.
            _ => {
                bytes.push(if is_query && *first == b'+' { b' ' } else { *first });
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Encodes a byte for a URL or header.
pub(super) fn percent(byte: u8) -> String {
    if byte.is_ascii_alphanumeric() || b"._-".contains(&byte) {
        char::from(byte).to_string()
    } else {
        format!("%{byte:02X}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded() {
        let given = Parameters::parse("q=a+b%26c&n=12&path=%2FGame%2f%C3%A9&odd=%zz%4&empty=");
        assert_eq!((given.text("q"), given.text("path")), ("a b&c", "/Game/é"));
        assert_eq!((given.text("odd"), given.text("empty"), given.text("none")), ("%zz%4", "", ""));
        assert_eq!(given.needed::<u32>("n").unwrap(), 12);
        assert!(given.needed::<u32>("empty").unwrap_err().error.contains("missing"));
        assert!(given.needed::<u8>("q").unwrap_err().error.contains("expected a number"));
        assert_eq!(decode("%ff+", false), "\u{fffd}+");
    }
}
