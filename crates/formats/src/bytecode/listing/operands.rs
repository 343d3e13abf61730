//! Operands of a line.

use crate::bytecode::symbols::Symbols;
use crate::bytecode::token::OperandShape;
use crate::bytecode::tree::Operand;
use crate::package::legacy::{Name, PackageIndex};
use crate::property::FieldPath;

/// Rest of a line; each operand begins with a space.
pub(super) struct Operands<'t, 's> {
    pub(super) rest: &'t str,
    pub(super) symbols: &'s Symbols<'s>,
    /// True if properties are paths.
    pub(super) fields: bool,
}

/// Result with a message about the line.
type Read<T> = Result<T, String>;

impl<'t> Operands<'t, '_> {
    /// Reads an operand without nested expressions.
    pub(super) fn operand(&mut self, shape: OperandShape) -> Read<Operand> {
        Ok(match shape {
            OperandShape::U8 => Operand::U8(self.number()?),
            OperandShape::U16 => Operand::U16(self.number()?),
            OperandShape::I32 => Operand::I32(self.number()?),
            OperandShape::I64 => Operand::I64(self.number()?),
            OperandShape::U64 => Operand::U64(self.number()?),
            // Floats are written as bits, so that NaN and −0 survive.
            OperandShape::F32 => Operand::F32(self.hex("f", u32::from_str_radix)?),
            OperandShape::F64 => Operand::F64(self.hex("d", u64::from_str_radix)?),
            OperandShape::Target => Operand::Target(self.hex("->", u32::from_str_radix)?),
            OperandShape::Length => Operand::Length(self.hex("+", u32::from_str_radix)?),
            OperandShape::Ansi => {
                let units = self.string()?.into_iter().map(u8::try_from).collect::<Result<Box<_>, _>>();
                let bytes = units.map_err(|_| "a string of bytes has a character above \\u00ff")?;
                // NUL would end the string early when it is read back.
                if bytes.contains(&0) {
                    return Err("a string has \\u0000 inside".to_owned());
                }
                Operand::Ansi(bytes)
            }
            OperandShape::Wide => {
                let units = self.string()?;
                if units.contains(&0) {
                    return Err("a string has \\u0000 inside".to_owned());
                }
                Operand::Wide(units.into())
            }
            OperandShape::Name => {
                self.space()?;
                Operand::Name(self.name()?)
            }
            OperandShape::Property if self.fields => {
                self.space()?;
                Operand::Field(Box::new(self.field()?))
            }
            _ => {
                self.space()?;
                Operand::Object(self.object()?)
            }
        })
    }

    /// Reads a decimal number.
    pub(super) fn number<N: std::str::FromStr>(&mut self) -> Read<N> {
        let word = self.word()?;
        word.parse().map_err(|_| format!("{word} is not a number of {} bits", size_of::<N>() * 8))
    }

    fn hex<N, E>(&mut self, prefix: &str, parse: fn(&str, u32) -> Result<N, E>) -> Read<N> {
        let word = self.word()?;
        let number = word.strip_prefix(prefix).and_then(|digits| parse(digits, 16).ok());
        number.ok_or_else(|| format!("found {word}, expected {prefix} and hexadecimal digits"))
    }

    fn space(&mut self) -> Read<()> {
        match self.rest.strip_prefix(' ') {
            Some(rest) if !rest.is_empty() => {
                self.rest = rest;
                Ok(())
            }
            _ => Err("an operand is missing".to_owned()),
        }
    }

    fn word(&mut self) -> Read<&'t str> {
        self.space()?;
        let (word, rest) = self.rest.split_at(self.rest.find(' ').unwrap_or(self.rest.len()));
        self.rest = rest;
        Ok(word)
    }

    fn string(&mut self) -> Read<Vec<u16>> {
        self.space()?;
        self.quoted()
    }

    /// Reads a JSON string.
    fn quoted(&mut self) -> Read<Vec<u16>> {
        let bad = || "expected a string in double quotes".to_owned();
        let mut chars = self.rest.strip_prefix('"').ok_or_else(bad)?.chars();
        let mut units = Vec::new();
        loop {
            match chars.next().ok_or_else(bad)? {
                // Quotes inside of the string are escaped, so the first plain one ends it.
                '"' => break,
                '\\' => units.push(escaped(&mut chars).ok_or("unknown escape in a string")?),
                // A character outside of the basic plane becomes two units.
                other => units.extend_from_slice(other.encode_utf16(&mut [0; 2])),
            }
        }
        self.rest = chars.as_str();
        Ok(units)
    }

    fn text(&mut self) -> Read<String> {
        String::from_utf16(&self.quoted()?).map_err(|_| "a name is not valid UTF-16".to_owned())
    }

    fn name(&mut self) -> Read<Name> {
        let text = self.text()?;
        // A text alone is enough unless another name has the same one.
        let Some(rest) = self.rest.strip_prefix('#') else {
            return self.symbols.name(&text).ok_or_else(|| format!("the package has no name {text}"));
        };
        let (index, rest) = leading_number(rest)?;
        let rest = rest.strip_prefix(',').ok_or("expected #index,number")?;
        let (number, rest) = leading_number(rest)?;
        self.rest = rest;
        let name = Name { index, number };
        // Both were written, so a difference means that the table has changed.
        if self.symbols.text(name) == text { Ok(name) } else { Err(format!("name {index} is not {text}")) }
    }

    fn object(&mut self) -> Read<PackageIndex> {
        if let Some(rest) = self.rest.strip_prefix("null") {
            self.rest = rest;
            return Ok(PackageIndex::NONE);
        }
        let path = self.text()?;
        let Some(rest) = self.rest.strip_prefix('#') else {
            return self.symbols.object(&path).ok_or_else(|| format!("the package has no object {path}"));
        };
        let (index, rest) = leading_number(rest)?;
        self.rest = rest;
        let index = PackageIndex(index);
        match self.symbols.entry(index) {
            Some(_) => Ok(index),
            None => Err(format!("the package has no object {}", index.0)),
        }
    }

    fn field(&mut self) -> Read<FieldPath> {
        let mut path = Vec::new();
        if let Some(rest) = self.rest.strip_prefix("null") {
            self.rest = rest;
            // A null path without an owner has none of the parts below.
            if !rest.starts_with('@') {
                return Ok(FieldPath { path, owner: Some(PackageIndex::NONE) });
            }
        } else {
            path.push(self.name()?);
            while let Some(rest) = self.rest.strip_prefix('.') {
                self.rest = rest;
                path.push(self.name()?);
            }
            // Written outermost first, stored innermost first.
            path.reverse();
        }
        self.rest = self.rest.strip_prefix('@').ok_or("expected @ and the owner of a property")?;
        // No owner in this form, as opposed to a null owner.
        if let Some(rest) = self.rest.strip_prefix('-') {
            self.rest = rest;
            return Ok(FieldPath { path, owner: None });
        }
        Ok(FieldPath { path, owner: Some(self.object()?) })
    }
}

fn escaped(chars: &mut std::str::Chars<'_>) -> Option<u16> {
    Some(match chars.next()? {
        'b' => 0x08,
        't' => 0x09,
        'n' => 0x0A,
        'f' => 0x0C,
        'r' => 0x0D,
        'u' => {
            // Exactly four digits, as in JSON.
            let digit = |chars: &mut std::str::Chars<'_>| u16::try_from(chars.next()?.to_digit(16)?).ok();
            let mut unit = 0;
            for _ in 0..4 {
                unit = unit << 4 | digit(chars)?;
            }
            unit
        }
        plain @ ('"' | '\\' | '/') => u16::try_from(u32::from(plain)).ok()?,
        _ => return None,
    })
}

/// Splits a text into its leading number and the rest.
fn leading_number<N: std::str::FromStr>(text: &str) -> Read<(N, &str)> {
    let is_part = |c: char| c.is_ascii_digit() || c == '-';
    let (digits, rest) = text.split_at(text.find(|c| !is_part(c)).unwrap_or(text.len()));
    let number = digits.parse().map_err(|_| format!("{digits} is not a place in a table"))?;
    Ok((number, rest))
}
