//! The name table: strings, from 504 on each with two checksums that the engine ignores.

use super::form::Form;
use crate::{
    id::crc,
    wire::{Archive, Fault, FaultKind, MAX_NAME_LEN, WireString, Writer},
};

/// A name without its number (`FNameEntrySerialized`).
#[doc(alias = "FNameEntrySerialized")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct NameEntry {
    /// The text.
    pub text: WireString,
    /// Checksums without and with regard to letter case (504).
    pub hashes: Option<[u16; 2]>,
}

impl NameEntry {
    /// Creates a name with the checksums that the engine writes; versions without checksums omit them.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { text: text.into(), hashes: Some([crc::name_without_case(text), crc::name_with_case(text)]) }
    }

    /// Returns the length of the entry in the table, in bytes.
    pub(in crate::package) fn stored_len(&self, form: &Form) -> usize {
        let mut w = Writer::new();
        self.text.write(&mut w);
        w.len() + if form.versions.has_name_hashes() { size_of::<[u16; 2]>() } else { 0 }
    }

    /// Returns true if the checksums are absent or match the text; some tools write zeros.
    #[must_use]
    pub fn is_hashed_right(&self) -> bool {
        self.hashes.is_none() || self.hashes == Self::new(self.text.as_str()).hashes
    }
}

pub(super) fn name<A: Archive>(a: &mut A, form: &Form, name: &mut NameEntry) -> Result<(), Fault> {
    let at = a.offset();
    a.string("name", &mut name.text)?;
    let text = name.text.as_str();
    // A text has no more UTF-16 units than bytes, so only candidates are counted.
    if text.len() > MAX_NAME_LEN && text.encode_utf16().count() > MAX_NAME_LEN {
        let kind = FaultKind::TooLong { limit: MAX_NAME_LEN as u64 };
        return Err(Fault { offset: at, field: "name", kind });
    }
    a.optional(form.versions.has_name_hashes(), &mut name.hashes, |a, [without, with]| {
        a.u16("name: hash without case", without)?;
        a.u16("name: hash with case", with)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Reader;

    #[test]
    fn no_name_is_longer_than_the_engine_takes() {
        let read = |text: &str| {
            let mut w = Writer::new();
            w.string(text).u32(0);
            let bytes = w.into_bytes();
            let mut entry = NameEntry::default();
            name(&mut Reader::new(&bytes), &Form::default(), &mut entry).map(|()| entry.text.as_str().len())
        };
        assert_eq!(read(&"x".repeat(1023)), Ok(1023));
        assert_eq!(read(&"ü".repeat(1023)), Ok(2046), "characters count, not bytes");
        let fault = read(&"x".repeat(1024)).unwrap_err();
        assert_eq!(fault, Fault { offset: 0, field: "name", kind: FaultKind::TooLong { limit: 1023 } });
    }
}
