//! Encoder: trees to bytes, with their offsets in memory.

use super::tree::{Expression, Operand, Script};
use crate::property::FieldPath;
use crate::wire::Writer;

impl Script {
    /// Returns the bytes of the script: the original ones if nothing was changed.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer::new();
        self.statements.iter().for_each(|statement| statement.write(&mut w));
        // After damage the rest follows unread, so that no byte is lost.
        w.bytes(&self.rest);
        w.into_bytes()
    }

    /// Assigns every expression its offset in memory, and returns the total size.
    pub(super) fn lay_out(&mut self) -> u32 {
        self.statements.iter_mut().fold(0, |at, statement| statement.lay_out(at))
    }
}

impl Expression {
    /// Appends the bytes.
    pub fn write(&self, w: &mut Writer) {
        w.u8(self.token.byte());
        self.operands.iter().for_each(|operand| operand.write(w));
    }

    /// Returns the size in memory, nested expressions included.
    #[must_use]
    pub fn memory_len(&self) -> u32 {
        let operands = self.operands.iter().map(Operand::memory_len);
        let inner = self.children().map(Self::memory_len);
        // The fold starts with 1 for the token.
        operands.chain(inner).fold(1, u32::saturating_add)
    }

    /// Assigns the expression and all nested ones their offsets in memory, starting at `at`; returns the
    /// offset after them.
    pub(super) fn lay_out(&mut self, at: u32) -> u32 {
        self.at = at;
        let mut at = at.saturating_add(1);
        for operand in &mut self.operands {
            match operand {
                Operand::Expression(inner) => at = inner.lay_out(at),
                Operand::List(list) => at = list.iter_mut().fold(at, |at, item| item.lay_out(at)),
                Operand::Cases(cases) => {
                    for case in cases {
                        // The 4 bytes are the offset of the next case, between value and result.
                        at = case.value.lay_out(at).saturating_add(4);
                        at = case.result.lay_out(at);
                    }
                }
                plain => at = at.saturating_add(plain.memory_len()),
            }
        }
        at
    }
}

impl Operand {
    fn write(&self, w: &mut Writer) {
        let _ = match self {
            Self::U8(byte) => w.u8(*byte),
            Self::U16(number) => w.u16(*number),
            Self::I32(number) => w.i32(*number),
            Self::I64(number) => w.i64(*number),
            Self::F32(number) | Self::Target(number) | Self::Length(number) => w.u32(*number),
            Self::U64(number) | Self::F64(number) => w.u64(*number),
            // The NUL was removed by the decoder.
            Self::Ansi(bytes) => w.bytes(bytes).u8(0),
            Self::Wide(units) => units.iter().fold(w, |w, unit| w.u16(*unit)).u16(0),
            Self::Name(name) => w.u32(name.index).u32(name.number),
            Self::Object(index) => w.i32(index.0),
            Self::Field(path) => field(path, w),
            Self::Expression(inner) => {
                inner.write(w);
                w
            }
            Self::List(list) => {
                for item in list {
                    // The end token is the last item of the list, so nothing is added.
                    item.write(w);
                }
                w
            }
            Self::Cases(cases) => {
                for case in cases {
                    case.value.write(w);
                    w.u32(case.next);
                    case.result.write(w);
                }
                w
            }
        };
    }
}

fn field<'w>(path: &FieldPath, w: &'w mut Writer) -> &'w mut Writer {
    w.i32(i32::try_from(path.path.len()).unwrap_or(i32::MAX));
    for name in &path.path {
        w.u32(name.index).u32(name.number);
    }
    // Without an owner in this release, there is no field for it either.
    if let Some(owner) = path.owner {
        w.i32(owner.0);
    }
    w
}
