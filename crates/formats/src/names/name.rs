use crate::wire::{Fault, Reader};
use std::fmt;

/// A name (`FMappedName`): an index into a table, and a number shown as a suffix.
///
/// ```text
/// u32: bits 0–29 index, bits 30–31 table │ u32 number: 0 none, k shown as "_{k-1}"
/// ```
#[doc(alias = "FMappedName")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
pub struct MappedName {
    #[serde(rename = "index")]
    raw: u32,
    /// 0, or one more than the number shown.
    pub number: u32,
}

/// The table that a [`MappedName`] belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum NameTable {
    /// Names of one package.
    Package,
    /// Names of one container.
    Container,
    /// Names of the global container.
    Global,
    /// No such table.
    Unknown,
}

impl MappedName {
    /// Creates a name from the two stored numbers.
    #[must_use]
    pub const fn new(raw: u32, number: u32) -> Self {
        Self { raw, number }
    }

    /// Reads the two numbers.
    pub fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self, Fault> {
        Ok(Self { raw: r.u32(field)?, number: r.u32(field)? })
    }

    /// Returns the index into the table.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.raw & (u32::MAX >> 2)
    }

    /// Returns the first stored number.
    #[must_use]
    pub const fn raw(self) -> u32 {
        self.raw
    }

    /// Returns the table that the index refers to.
    #[must_use]
    pub const fn table(self) -> NameTable {
        // The two top bits name the table.
        match self.raw >> 30 {
            0 => NameTable::Package,
            1 => NameTable::Container,
            2 => NameTable::Global,
            _ => NameTable::Unknown,
        }
    }
}

/// Text form of a name and its number: `Rock`, or `Rock_4` for number 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameText<'a> {
    /// Text in the table.
    pub base: &'a str,
    /// 0, or one more than the number shown.
    pub number: u32,
}

impl NameText<'_> {
    /// Appends the text.
    pub(crate) fn push_to(self, text: &mut String) {
        text.push_str(self.base);
        if let Some(shown) = self.number.checked_sub(1) {
            text.push('_');
            // The stored number is one more than the one shown, so that 0 can mean none.
            text.push_str(&shown.to_string());
        }
    }
}

impl fmt::Display for NameText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number.checked_sub(1) {
            None => f.write_str(self.base),
            Some(shown) => write!(f, "{}_{shown}", self.base),
        }
    }
}

/// Splits off a number as the engine does for every name: `Rock_4` is `Rock` and number 5, `Rock_04` stays
/// whole.
///
/// ```
/// # use uncask_formats as uncask;
/// use uncask::names::split_number;
///
/// assert_eq!(split_number("Rock_4"), ("Rock", 5));
/// assert_eq!(split_number("Rock_04"), ("Rock_04", 0));
/// assert_eq!(split_number("_0"), ("_0", 0));
/// ```
#[must_use]
pub fn split_number(text: &str) -> (&str, u32) {
    let whole = (text, 0);
    let Some((base, digits)) = text.rsplit_once('_') else { return whole };
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // Leading zeros would be lost, and the engine has no names without a base.
    if base.is_empty() || !plain || (digits.len() > 1 && digits.starts_with('0')) {
        return whole;
    }
    match digits.parse::<i32>().ok().and_then(|number| u32::try_from(number).ok()) {
        // The stored number is one higher, and must still fit in 31 bits.
        Some(number) if number < i32::MAX.unsigned_abs() => (base, number + 1),
        _ => whole,
    }
}
