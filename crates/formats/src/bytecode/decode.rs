//! Decoder: bytes to trees.
//!
//! ```text
//! 46 03000000 1d 69000000 16 04 0b 53        LocalFinalFunction export 3 (IntConst 105), Return Nothing, EndOfScript
//! │  │        │  │        │  │  │  └ 0011    place in memory: an object has 8 bytes there, and 4 here
//! │  │        │  │        │  │  └ 0010
//! │  │        │  │        │  └ 000F
//! │  │        │  │        └ 000E
//! └ 0000      └ 0009
//! ```

use super::dialect::{Dialect, LOCALISED};
use super::token::{OperandShape, Token};
use super::tree::{Case, Damage, Expression, Operand, Script};
use crate::package::legacy::{Name, Package, PackageIndex, PackageRef};
use crate::property::FieldPath;
use crate::wire::{Fault, FaultKind, Reader};

/// Limit on nested expressions: real ones nest to 7.
pub(super) const MAX_DEPTH: usize = 200;

/// Limit on tokens: the largest real function has some ten thousand. Each takes more memory than its byte in
/// the file.
const MAX_TOKENS: usize = 1 << 18;

/// Sizes of the tables of a package that scripts refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableSizes {
    /// Number of names.
    pub names: usize,
    /// Number of imports.
    pub imports: usize,
    /// Number of exports.
    pub exports: usize,
}

impl TableSizes {
    /// Returns the sizes of a package's tables.
    #[must_use]
    pub fn of(package: &Package) -> Self {
        Self { names: package.names.len(), imports: package.imports.len(), exports: package.exports.len() }
    }
}

impl Script {
    /// Reads a script; `memory_len` is its size in memory as recorded by the package. Anything not understood
    /// stays as bytes.
    ///
    /// ```
    /// use uncask_formats::bytecode::{Dialect, Script, TableSizes, Token};
    /// use uncask_formats::version::{PropertyVersions, Release};
    ///
    /// let release = Release::from_name("5.5").ok_or("no such release")?;
    /// let dialect = Dialect::new(&PropertyVersions::of_release(release));
    /// let bytes = [0x46, 3, 0, 0, 0, 0x1D, 105, 0, 0, 0, 0x16, 0x04, 0x0B, 0x53];
    /// let sizes = TableSizes { names: 0, imports: 0, exports: 3 };
    /// let script = Script::parse(&bytes, 18, &dialect, &sizes);
    /// assert!(script.is_complete());
    /// assert_eq!(script.statements[0].token, Token::LocalFinalFunction);
    /// assert_eq!(script.statements[1].at, 15, "an object has 8 bytes in memory");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn parse(bytes: &[u8], memory_len: u32, dialect: &Dialect, sizes: &TableSizes) -> Self {
        let r = Reader::new(bytes);
        let mut d = ScriptDecoder { r, dialect, sizes, at: 0, depth: 0, tokens: 0 };
        let mut this = Self { memory_len, ..Self::default() };
        while d.r.remaining() > 0 {
            let (start, at) = (d.r.position(), d.at);
            match d.expression() {
                Ok(statement) => this.statements.push(statement),
                Err(fault) => {
                    // A fault inside of a statement makes all of it unreadable, as its length is unknown. So
                    // the rest begins with its first byte.
                    this.rest = bytes.get(start..).unwrap_or_default().into();
                    this.damage = Some(Damage { fault, at });
                    return this;
                }
            }
        }
        // Every byte was read; the end and the size still tell if the meaning was right.
        let fault = d.end(&this);
        this.damage = fault.map(|fault| Damage { fault, at: d.at });
        this
    }
}

struct ScriptDecoder<'a, 'd> {
    r: Reader<'a>,
    dialect: &'d Dialect,
    sizes: &'d TableSizes,
    /// Offset in memory.
    at: u32,
    depth: usize,
    tokens: usize,
}

impl ScriptDecoder<'_, '_> {
    /// Returns a fault of a script that was read to its last byte.
    fn end(&self, script: &Script) -> Option<Fault> {
        // Autosaves of the editor have functions without a script: 0 bytes, size 0.
        let Some(last) = script.statements.last() else {
            let kind = FaultKind::Unexpected { found: script.memory_len.into(), expected: 0 };
            return (script.memory_len != 0).then(|| self.r.fault("memory size of a script", kind));
        };
        // All compiled scripts end with this token; tools that hook functions put more statements after it.
        if !script.statements.iter().any(|statement| statement.token == Token::EndOfScript) {
            let expected = Token::EndOfScript.byte().into();
            let kind = FaultKind::Unexpected { found: last.token.byte().into(), expected };
            return Some(self.r.fault("last token of a script", kind));
        }
        // A wrong form of a release may read all bytes, but adds up to another size in memory.
        let kind = FaultKind::Unexpected { found: script.memory_len.into(), expected: self.at.into() };
        (script.memory_len != self.at).then(|| self.r.fault("memory size of a script", kind))
    }

    fn expression(&mut self) -> Result<Expression, Fault> {
        let start = self.r.clone();
        // Limited, so that a crafted script cannot overflow the stack.
        if self.depth == MAX_DEPTH {
            let kind = FaultKind::TooLarge { found: MAX_DEPTH as u64 + 1, limit: MAX_DEPTH as u64 };
            return Err(start.fault("depth of an expression", kind));
        }
        if self.tokens == MAX_TOKENS {
            let kind = FaultKind::TooLarge { found: MAX_TOKENS as u64 + 1, limit: MAX_TOKENS as u64 };
            return Err(start.fault("tokens of a script", kind));
        }
        let byte = self.r.u8("token")?;
        let unknown = || start.fault("token", FaultKind::Unsupported { found: byte.into() });
        let token = Token::from_byte(byte).ok_or_else(unknown)?;
        let at = self.at;
        // A token is one byte in both measures. Saturating: a wrong size is reported at the end.
        self.at = self.at.saturating_add(1);
        self.depth += 1;
        self.tokens += 1;
        let shapes = token.operands();
        let mut operands = Vec::with_capacity(shapes.len());
        for shape in shapes {
            self.operand(*shape, &mut operands)?;
        }
        self.depth -= 1;
        Ok(Expression { at, token, operands })
    }

    /// Reads an operand. Depending on the release, some shapes stand for none or for several.
    fn operand(&mut self, shape: OperandShape, into: &mut Vec<Operand>) -> Result<(), Fault> {
        let (count, shape) = self.dialect.plain(shape, into.last());
        if count > 1 {
            into.reserve_exact(count.into());
        }
        for _ in 0..count {
            let operand = match shape {
                // A text adds its own operands, so it does not fit the loop.
                OperandShape::Text => return self.text(into),
                OperandShape::Cases => self.cases(into)?,
                OperandShape::Expression => Operand::Expression(self.expression()?),
                OperandShape::Until(end) => Operand::List(self.until(end)?),
                plain => {
                    let operand = self.plain(plain)?;
                    self.at = self.at.saturating_add(operand.memory_len());
                    operand
                }
            };
            into.push(operand);
        }
        Ok(())
    }

    /// Reads an operand without nested expressions.
    fn plain(&mut self, shape: OperandShape) -> Result<Operand, Fault> {
        let r = &mut self.r;
        Ok(match shape {
            OperandShape::U8 => Operand::U8(r.u8("byte")?),
            OperandShape::U16 => Operand::U16(r.u16("number of 16 bits")?),
            OperandShape::I32 => Operand::I32(r.i32("number")?),
            OperandShape::I64 => Operand::I64(r.i64("number of 64 bits")?),
            OperandShape::U64 => Operand::U64(r.u64("number of 64 bits")?),
            // Floats stay bits, so that every NaN is written back as it was.
            OperandShape::F32 => Operand::F32(r.u32("float")?),
            OperandShape::F64 => Operand::F64(r.u64("double")?),
            OperandShape::Target => Operand::Target(r.u32("place in a script")?),
            OperandShape::Length => Operand::Length(r.u32("length of an expression")?),
            OperandShape::Ansi => Operand::Ansi(ansi(r)?),
            OperandShape::Wide => Operand::Wide(wide(r)?),
            OperandShape::Name => Operand::Name(self.name()?),
            // Since 4.25 properties are no objects, and have a path in place of an index.
            OperandShape::Property if self.dialect.field_paths => Operand::Field(self.field()?.into()),
            _ => Operand::Object(self.object()?),
        })
    }

    fn until(&mut self, end: Token) -> Result<Vec<Expression>, Fault> {
        let mut list = Vec::new();
        loop {
            let item = self.expression()?;
            let is_end = item.token == end;
            // The end token is kept, so that a listing shows it and the bytes come back.
            list.push(item);
            if is_end {
                return Ok(list);
            }
        }
    }

    fn text(&mut self, into: &mut Vec<Operand>) -> Result<(), Fault> {
        let at = self.r.clone();
        let mut kind = LOCALISED;
        // Before 4.12 all texts are of one kind, without a byte for it.
        if self.dialect.text_kinds {
            self.operand(OperandShape::U8, into)?;
            kind = match into.last() {
                Some(Operand::U8(kind)) => *kind,
                _ => LOCALISED,
            };
        }
        let unknown = || at.fault("kind of a text", FaultKind::Unsupported { found: kind.into() });
        let shapes = self.dialect.text(kind).ok_or_else(unknown)?;
        into.reserve_exact(shapes.len());
        shapes.iter().try_for_each(|shape| self.operand(*shape, into))
    }

    fn cases(&mut self, before: &[Operand]) -> Result<Operand, Fault> {
        // A case has at least two tokens and the offset of the next case.
        const LEAST: usize = 6;
        // The count is the first operand of the token; the index expression comes between.
        let count = before.iter().find_map(|operand| match operand {
            Operand::U16(count) => Some(*count),
            _ => None,
        });
        let count = count.unwrap_or_default();
        let needed = usize::from(count) * LEAST;
        // Checked before memory is taken.
        if needed > self.r.remaining() {
            let kind = FaultKind::Truncated { needed: needed as u64, left: self.r.remaining() as u64 };
            return Err(self.r.fault("cases of a choice", kind));
        }
        let mut cases = Vec::with_capacity(count.into());
        for _ in 0..count {
            let value = self.expression()?;
            let next = self.r.u32("place of the next case")?;
            self.at = self.at.saturating_add(4);
            cases.push(Case { value, next, result: self.expression()? });
        }
        Ok(Operand::Cases(cases))
    }

    fn name(&mut self) -> Result<Name, Fault> {
        let at = self.r.clone();
        let name = Name { index: self.r.u32("name")?, number: self.r.u32("number of a name")? };
        // The number of a name is signed in memory, so one that would be negative is damage.
        if (name.index as usize) < self.sizes.names && i32::try_from(name.number).is_ok() {
            return Ok(name);
        }
        Err(at.fault("name", FaultKind::out_of_range(name.index, self.sizes.names)))
    }

    fn object(&mut self) -> Result<PackageIndex, Fault> {
        let at = self.r.clone();
        let index = PackageIndex(self.r.i32("object")?);
        let (place, count) = match index.decode() {
            PackageRef::None => return Ok(index),
            PackageRef::Import(place) => (place, self.sizes.imports),
            PackageRef::Export(place) => (place, self.sizes.exports),
        };
        if (place as usize) < count {
            return Ok(index);
        }
        Err(at.fault("object", FaultKind::out_of_range(place, count)))
    }

    fn field(&mut self) -> Result<FieldPath, Fault> {
        let at = self.r.clone();
        // Usually one name; two for the element of an array or set.
        let count = self.r.i32("names of a field path")?;
        let negative = at.fault("names of a field path", FaultKind::Negative { found: count.into() });
        let count = usize::try_from(count).map_err(|_| negative)?;
        let needed = (count as u64).saturating_mul(8);
        if needed > self.r.remaining() as u64 {
            let kind = FaultKind::Truncated { needed, left: self.r.remaining() as u64 };
            return Err(at.fault("names of a field path", kind));
        }
        // The loop over names is bounded, since the length was checked.
        let path = (0..count).map(|_| self.name()).collect::<Result<_, _>>()?;
        let owner = self.dialect.field_owners.then(|| self.object()).transpose()?;
        Ok(FieldPath { path, owner })
    }
}

fn ansi(r: &mut Reader<'_>) -> Result<Box<[u8]>, Fault> {
    // The fault is made first, as it records the start of the string.
    let unterminated = r.fault("string", FaultKind::BadString);
    let len = r.rest().iter().position(|byte| *byte == 0).ok_or(unterminated)?;
    let bytes = r.bytes("string", len)?.into();
    r.u8("end of a string")?;
    Ok(bytes)
}

fn wide(r: &mut Reader<'_>) -> Result<Box<[u16]>, Fault> {
    let unterminated = r.fault("string", FaultKind::BadString);
    let (units, _) = r.rest().as_chunks::<2>();
    let len = units.iter().position(|unit| *unit == [0, 0]).ok_or(unterminated)?;
    let units = units.iter().take(len).map(|unit| u16::from_le_bytes(*unit)).collect();
    // The NUL is part of the file, but not of the string.
    r.bytes("string", (len + 1) * 2)?;
    Ok(units)
}
