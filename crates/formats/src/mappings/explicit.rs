//! The extension `ENVP`: real enum values, in files that otherwise number them by position.
//!
//! ```text
//! ENVP   u8 0 │ for each enum, in the order of the file: i32 n, n × { name, i64 value }
//! ```

use super::{Mappings, names::Names};
use crate::wire::{Fault, Reader};
use std::borrow::Cow;

/// Values of an enum: numbers and names.
type Values<'a> = Vec<(i64, Cow<'a, str>)>;

impl Mappings {
    /// Returns the real enum values if the file records them in the extension; stops at the first damaged
    /// one.
    #[must_use]
    pub fn explicit_values(&self) -> Vec<(Cow<'_, str>, Values<'_>)> {
        let Some(found) = self.extensions().find(|extension| extension.id == *b"ENVP") else {
            return Vec::new();
        };
        let names = Names { data: Some(&self.data), ..self.tables.unread_names() };
        let mut r = Reader::new(found.bytes);
        // The only known version of the extension.
        if r.u8("version of enum values") != Ok(0) {
            return Vec::new();
        }
        let count = r.count("enums with values", 4).unwrap_or(0);
        // The extension has no keys: its enums are in the order of the file.
        let enums = self.enums().take(count);
        enums.map_while(|of| Some((of.name(), values(&mut r, names).ok()?))).collect()
    }
}

fn values<'a>(r: &mut Reader<'_>, names: Names<'a>) -> Result<Values<'a>, Fault> {
    let count = r.count("values of an enum", 12)?;
    r.repeat(count, |r| {
        let name = names.needed(r, "name of an enum value")?;
        Ok((r.i64("enum value")?, names.get(name)))
    })
}
