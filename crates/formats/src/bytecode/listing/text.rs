//! Listings of trees.

use crate::bytecode::symbols::Symbols;
use crate::bytecode::tree::{Case, Expression, Operand, Script};
use crate::package::legacy::{Name, PackageIndex};
use crate::property::FieldPath;
use std::fmt::{self, Display, Formatter};

/// A script as a listing.
#[derive(Debug, Clone, Copy)]
pub struct Listing<'s> {
    /// Script; the rest after damage is not listed.
    pub script: &'s Script,
    /// Names and objects of its package.
    pub symbols: &'s Symbols<'s>,
}

impl Display for Listing<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let lines = Lines { symbols: self.symbols };
        self.script.statements.iter().try_for_each(|statement| lines.expression(f, statement, 0))
    }
}

struct Lines<'s> {
    symbols: &'s Symbols<'s>,
}

impl Lines<'_> {
    fn expression(&self, f: &mut Formatter<'_>, e: &Expression, depth: usize) -> fmt::Result {
        write!(f, "{:04X} {:width$}{}", e.at, "", e.token.name(), width = 2 * depth)?;
        for operand in &e.operands {
            self.operand(f, operand)?;
        }
        f.write_str("\n")?;
        // Nested expressions are lines below, one level deeper, in file order.
        for operand in &e.operands {
            match operand {
                Operand::Expression(inner) => self.expression(f, inner, depth + 1)?,
                Operand::List(list) => {
                    list.iter().try_for_each(|item| self.expression(f, item, depth + 1))?;
                }
                Operand::Cases(cases) => cases.iter().try_for_each(|case| self.case(f, case, depth + 1))?,
                _ => {}
            }
        }
        Ok(())
    }

    fn case(&self, f: &mut Formatter<'_>, case: &Case, depth: usize) -> fmt::Result {
        self.expression(f, &case.value, depth)?;
        writeln!(f, "---- {:width$}case ->{:04X}", "", case.next, width = 2 * depth)?;
        self.expression(f, &case.result, depth)
    }

    fn operand(&self, f: &mut Formatter<'_>, operand: &Operand) -> fmt::Result {
        match operand {
            Operand::U8(number) => write!(f, " {number}"),
            Operand::U16(number) => write!(f, " {number}"),
            Operand::I32(number) => write!(f, " {number}"),
            Operand::I64(number) => write!(f, " {number}"),
            Operand::U64(number) => write!(f, " {number}"),
            Operand::F32(bits) => write!(f, " f{bits:08X}"),
            Operand::F64(bits) => write!(f, " d{bits:016X}"),
            Operand::Ansi(bytes) => {
                f.write_str(" ")?;
                quoted(f, bytes.iter().map(|byte| u16::from(*byte)))
            }
            Operand::Wide(units) => {
                f.write_str(" ")?;
                quoted(f, units.iter().copied())
            }
            Operand::Name(name) => {
                f.write_str(" ")?;
                self.name(f, *name)
            }
            Operand::Object(index) => {
                f.write_str(" ")?;
                self.object(f, *index)
            }
            Operand::Field(path) => {
                f.write_str(" ")?;
                self.field(f, path)
            }
            Operand::Target(target) => write!(f, " ->{target:04X}"),
            Operand::Length(len) => write!(f, " +{len:X}"),
            Operand::Expression(_) | Operand::List(_) | Operand::Cases(_) => Ok(()),
        }
    }

    fn name(&self, f: &mut Formatter<'_>, name: Name) -> fmt::Result {
        let text = self.symbols.text(name);
        quoted(f, text.encode_utf16())?;
        // The name is looked up as the assembler does it; only if that finds another is the index added.
        if self.symbols.name(&text) == Some(name) {
            return Ok(());
        }
        write!(f, "#{},{}", name.index, name.number)
    }

    fn object(&self, f: &mut Formatter<'_>, index: PackageIndex) -> fmt::Result {
        if index == PackageIndex::NONE {
            return f.write_str("null");
        }
        let path = self.symbols.path(index);
        quoted(f, path.as_deref().unwrap_or_default().encode_utf16())?;
        // As for names: the index is only added to a path that leads elsewhere.
        if path.is_some_and(|path| self.symbols.object(&path) == Some(index)) {
            return Ok(());
        }
        write!(f, "#{}", index.0)
    }

    fn field(&self, f: &mut Formatter<'_>, field: &FieldPath) -> fmt::Result {
        // Innermost first in the file, outermost first for people.
        for (place, name) in field.path.iter().rev().enumerate() {
            if place > 0 {
                f.write_str(".")?;
            }
            self.name(f, *name)?;
        }
        match field.owner {
            owner if field.path.is_empty() => {
                f.write_str("null")?;
                match owner {
                    // `null` alone is a null path with a null owner, which is the usual form.
                    Some(PackageIndex::NONE) => Ok(()),
                    Some(owner) => {
                        f.write_str("@")?;
                        self.object(f, owner)
                    }
                    None => f.write_str("@-"),
                }
            }
            Some(owner) => {
                f.write_str("@")?;
                self.object(f, owner)
            }
            None => f.write_str("@-"),
        }
    }
}

/// Writes a JSON string in ASCII.
pub(super) fn quoted(f: &mut impl fmt::Write, units: impl IntoIterator<Item = u16>) -> fmt::Result {
    f.write_char('"')?;
    for unit in units {
        match unit {
            0x22 => f.write_str("\\\"")?,
            0x5C => f.write_str("\\\\")?,
            0x08 => f.write_str("\\b")?,
            0x09 => f.write_str("\\t")?,
            0x0A => f.write_str("\\n")?,
            0x0C => f.write_str("\\f")?,
            0x0D => f.write_str("\\r")?,
            0x20..=0x7F => f.write_char(char::from(unit.to_le_bytes()[0]))?,
            // Surrogates are escaped one by one, so that unpaired ones survive.
            _ => write!(f, "\\u{unit:04x}")?,
        }
    }
    f.write_char('"')
}
