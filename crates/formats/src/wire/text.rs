use super::{Fault, Reader, Writer};
use std::fmt;

/// An `FString` that is written back exactly as it was read.
///
/// Nearly every string in a file equals what the engine would write for its text. The others (Latin-1 bytes,
/// UTF-16 for plain ASCII, an empty string with a terminator, lone surrogates) keep their bytes beside the
/// text.
#[doc(alias = "FString")]
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct WireString {
    text: String,
    /// The whole record, length included, if the writer would produce another one.
    odd: Option<Box<[u8]>>,
}

impl WireString {
    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the record in the file if the engine would write another one.
    #[must_use]
    pub fn record(&self) -> Option<&[u8]> {
        self.odd.as_deref()
    }

    /// Reads a string and keeps its exact form.
    pub fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self, Fault> {
        // The record is whatever the reader consumes.
        let before = r.rest();
        let text = r.string(field)?;
        let record = before.get(..before.len() - r.remaining()).unwrap_or_default();
        // The top bit of the length: negative lengths mean UTF-16.
        let wide = record.get(3).is_some_and(|top| top & 0x80 != 0);
        let usual = match record.len() {
            // A length of 0 and no bytes.
            4 => true,
            // A replacement character may stand for a lone surrogate, which the writer would not restore.
            _ if wide && text.contains(char::REPLACEMENT_CHARACTER) => {
                let mut w = Writer::new();
                w.string(&text);
                w.as_bytes() == record
            }
            // The engine writes UTF-16 only for text that is not ASCII.
            _ if wide => !text.is_ascii(),
            // ASCII in single bytes is the usual form; an empty string with a terminator is not.
            _ => text.is_ascii() && !text.is_empty(),
        };
        Ok(Self { text, odd: (!usual).then(|| record.into()) })
    }

    /// Writes the string as it was read or, if it is new, as the engine would.
    pub fn write(&self, w: &mut Writer) {
        match &self.odd {
            Some(record) => w.bytes(record),
            None => w.string(&self.text),
        };
    }
}

impl<T: Into<String>> From<T> for WireString {
    fn from(text: T) -> Self {
        Self { text: text.into(), odd: None }
    }
}

impl fmt::Display for WireString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl serde::Serialize for WireString {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_comes_back_as_it_was() {
        for record in [
            &b"\0\0\0\0"[..],
            b"\x01\0\0\0\0",
            b"\x03\0\0\0ab\0",
            b"\x02\0\0\0\xE9\0",
            b"\x03\0\0\0\xC3\xA9\0",
            b"\xFE\xFF\xFF\xFFa\0\0\0",
            b"\xFE\xFF\xFF\xFF\xE9\0\0\0",
            b"\xFE\xFF\xFF\xFF\x3D\xD8\0\0",
        ] {
            let mut r = Reader::new(record);
            let text = WireString::read(&mut r, "text").unwrap();
            r.finish("text").unwrap();
            let mut w = Writer::new();
            text.write(&mut w);
            assert_eq!(w.into_bytes(), record, "{text:?}");
        }
    }

    #[test]
    fn what_the_writer_makes_of_a_text_is_not_kept_beside_it() {
        for text in ["", "a", "é", "a\u{FFFD}", "😀"] {
            let mut w = Writer::new();
            w.string(text);
            let bytes = w.into_bytes();
            assert_eq!(WireString::read(&mut Reader::new(&bytes), "text").unwrap(), text.into());
        }
        let lone = WireString::read(&mut Reader::new(b"\xFE\xFF\xFF\xFF\x3D\xD8\0\0"), "text").unwrap();
        assert_eq!((lone.as_str(), lone.record().is_some()), ("\u{FFFD}", true));
    }
}
