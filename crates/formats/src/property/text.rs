//! Localized texts, with their history (how they were composed).
//!
//! ```text
//! text      u32 flags │ i8 history │ what the history needs
//! argument  i8 type: 0 i64, 1 u64, 2 f32, 3 f64, 4 text, 5 u8 gender │ value
//! options   bool32 always sign (4.19) │ bool32 grouping │ i8 rounding │ i32 × 4 digits
//! ```

use super::decode::Decoder;
use super::from_value::FromValue;
use super::value::{Record, Text, Value};
use crate::wire::{Fault, FaultKind};

/// Names of the histories, from −1.
pub(super) const HISTORIES: [&str; 14] = [
    "None",
    "Base",
    "NamedFormat",
    "OrderedFormat",
    "ArgumentFormat",
    "AsNumber",
    "AsPercent",
    "AsCurrency",
    "AsDate",
    "AsTime",
    "AsDateTime",
    "Transform",
    "StringTableEntry",
    "TextGenerator",
];

impl Text {
    /// The name of the history.
    #[must_use]
    pub(crate) fn history_name(&self) -> &'static str {
        let place = usize::try_from(i16::from(self.history) + 1).unwrap_or(usize::MAX);
        HISTORIES.get(place).copied().unwrap_or("Unknown")
    }

    /// The text as its author wrote it, for histories that hold it.
    #[must_use]
    pub fn source(&self) -> Option<&str> {
        let fields = ["SourceString", "CultureInvariantString"];
        fields.into_iter().find_map(|field| <&str>::from_value(self.fields.get(field)?))
    }
}

impl Decoder<'_, '_> {
    /// `FText`.
    pub(super) fn text(&mut self) -> Result<Value, Fault> {
        self.enter(|d| {
            let flags = d.r.u32("flags of a text")?;
            let at = d.r.clone();
            let history = i8::from_le_bytes(d.r.array("history of a text")?);
            let mut fields = Record::default();
            if !read_history(d, history, &mut fields)? {
                let kind = FaultKind::Unsupported { found: history.into() };
                return Err(at.fault("history of a text", kind));
            }
            Ok(Value::Text(Box::new(Text { flags, history, fields })))
        })
    }
}

/// Reads the fields of a history; false if it is unknown.
fn read_history(d: &mut Decoder<'_, '_>, history: i8, f: &mut Record) -> Result<bool, Fault> {
    match history {
        -1 => {
            // Since 4.23. Older packages write nothing here.
            if d.scope.versions.has_culture_invariant_text() {
                f.push("CultureInvariantString", d.optional("culture-invariant string", Decoder::string)?);
            }
        }
        0 => {
            f.push("Namespace", d.string()?);
            f.push("Key", d.string()?);
            f.push("SourceString", d.string()?);
            // Uncooked packages, since 5.8.
            if d.scope.versions.has_text_notes() && !d.scope.package.form.cooked {
                f.push("DevNotes", d.string()?);
            }
        }
        1 | 3 => {
            f.push("SourceFmt", d.text()?);
            // Data-form arguments (history 3) had 32-bit integers before 5.0.
            let wide = history == 1 || d.scope.versions.has_long_text_numbers();
            f.push("Arguments", d.list("arguments of a text", 6, |d| named_argument(d, wide))?);
        }
        2 => {
            f.push("SourceFmt", d.text()?);
            f.push("Arguments", d.list("arguments of a text", 2, |d| argument(d, true))?);
        }
        4..=6 => {
            if history == 6 {
                f.push("CurrencyCode", d.string()?);
            }
            f.push("SourceValue", argument(d, true)?);
            f.push("FormatOptions", d.optional("number format", options)?);
            f.push("TargetCulture", d.string()?);
        }
        // Date, time, or both.
        7..=9 => {
            f.push("SourceDateTime", d.int64()?);
            if history != 8 {
                f.push("DateStyle", d.int8()?);
            }
            if history != 7 {
                f.push("TimeStyle", d.int8()?);
            }
            f.push("TimeZone", d.string()?);
            f.push("CultureName", d.string()?);
        }
        10 => {
            f.push("SourceText", d.text()?);
            f.push("TransformType", d.byte()?);
        }
        11 => {
            f.push("TableId", d.name("string table")?);
            f.push("Key", d.string()?);
        }
        // The contents are known only to the generator's class.
        12 => generator(d, f)?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn named_argument(d: &mut Decoder<'_, '_>, wide: bool) -> Result<Value, Fault> {
    let mut f = Record::default();
    f.push("Name", d.string()?);
    f.push("Argument", argument(d, wide)?);
    Ok(Value::of_record(f))
}

/// Reads an argument of a text; `wide` if its integers have 64 bits.
fn argument(d: &mut Decoder<'_, '_>, wide: bool) -> Result<Value, Fault> {
    let mut f = Record::default();
    let at = d.r.clone();
    let kind = d.r.u8("type of an argument")?;
    f.push("Type", Value::Byte(kind));
    let value = match kind {
        0 if wide => d.int64()?,
        0 => d.int()?,
        1 => d.uint64()?,
        2 => d.float()?,
        3 => d.double()?,
        4 => d.text()?,
        5 => d.byte()?,
        found => {
            return Err(at.fault("type of an argument", FaultKind::Unsupported { found: found.into() }));
        }
    };
    f.push("Value", value);
    Ok(Value::of_record(f))
}

fn options(d: &mut Decoder<'_, '_>) -> Result<Value, Fault> {
    let mut f = Record::default();
    // 4.19 and later.
    if d.scope.versions.has_always_sign() {
        f.push("AlwaysSign", d.bool32()?);
    }
    f.push("UseGrouping", d.bool32()?);
    f.push("RoundingMode", d.int8()?);
    for name in [
        "MinimumIntegralDigits",
        "MaximumIntegralDigits",
        "MinimumFractionalDigits",
        "MaximumFractionalDigits",
    ] {
        f.push(name, d.int()?);
    }
    Ok(Value::of_record(f))
}

fn generator(d: &mut Decoder<'_, '_>, f: &mut Record) -> Result<(), Fault> {
    let kind = d.name("text generator")?;
    let is_none = matches!(kind, Value::Name(name) if d.scope.is_none(name));
    f.push("GeneratorTypeID", kind);
    if !is_none {
        f.push("GeneratorContents", d.bytes("contents of a text generator")?);
    }
    Ok(())
}
