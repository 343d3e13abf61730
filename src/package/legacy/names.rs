//! The name table: strings, and from 504 on two checksums of each that the engine ignores.

use super::form::Form;
use crate::{
    id::crc,
    wire::{Archive, Fault, WireString},
};

/// `FNameEntrySerialized`: a name without its number.
#[doc(alias = "FNameEntrySerialized")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct NameEntry {
    /// The text.
    pub text: WireString,
    /// Checksums without and with letter case (504).
    pub hashes: Option<[u16; 2]>,
}

impl NameEntry {
    /// A name with the checksums that the engine writes; versions without them leave them out.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { text: text.into(), hashes: Some([crc::name_without_case(text), crc::name_with_case(text)]) }
    }

    /// Whether the checksums are those of the text, where there are any: some tools write zeros.
    #[must_use]
    pub fn is_hashed_right(&self) -> bool {
        self.hashes.is_none() || self.hashes == Self::new(self.text.as_str()).hashes
    }
}

pub(super) fn name<A: Archive>(a: &mut A, form: &Form, name: &mut NameEntry) -> Result<(), Fault> {
    a.string("name", &mut name.text)?;
    a.optional(form.versions.has_name_hashes(), &mut name.hashes, |a, [without, with]| {
        a.u16("name: hash without case", without)?;
        a.u16("name: hash with case", with)
    })
}
