//! The extension `ENVP`: the real numbers of enum values, in files that count them by place.
//!
//! ```text
//! ENVP   u8 0 │ for each enum, in the order of the file: i32 n, n × { name, i64 value }
//! ```

use super::{Mappings, names::Names};
use crate::wire::{Fault, Reader};
use std::borrow::Cow;

/// The values of an enum: numbers and names.
type Values<'a> = Vec<(i64, Cow<'a, str>)>;

impl Mappings {
    /// The real values of enums, if the file tells them beside those that it counts; up to where they are damaged.
    #[must_use]
    pub(crate) fn explicit_values(&self) -> Vec<(Cow<'_, str>, Values<'_>)> {
        let Some(found) = self.extensions().find(|extension| extension.id == *b"ENVP") else {
            return Vec::new();
        };
        let names = Names { data: Some(&self.data), ..self.tables.unread_names() };
        let mut r = Reader::new(found.bytes);
        if r.u8("version of enum values") != Ok(0) {
            return Vec::new();
        }
        let count = r.count("enums with values", 4).unwrap_or(0);
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
