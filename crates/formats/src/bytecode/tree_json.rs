//! JSON of scripts without loss: a document has all that the bytes of a function are made of.
//!
//! ```text
//! { "function": "BP_Test_C.ReceiveBeginPlay", "export": 2, "flags": 134744064, "memory": 18,
//!   "code": [ { "at": 0, "op": "LocalFinalFunction", "operands": [ { "object": 3, "path": "BP_Test_C.ExecuteUbergraph_BP_Test" },
//!                                                                [ { "at": 9, "op": "IntConst", "operands": [ 105 ] }, … ] ] }, … ] }
//! ```
//!
//! Operands stand in file order: numbers as they are, expressions and lists of them in their place. Floats, names and strings
//! that JSON or a look-up by text would change have their bits, index or units beside them.

use super::function::Function;
use super::symbols::Symbols;
use super::tree::{Case, Expression, Operand};
use crate::package::legacy::{Name, PackageIndex};
use crate::property::FieldPath;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A function with its script, as lossless JSON.
#[derive(Debug, Clone, Copy)]
pub struct FunctionJson<'s> {
    function: &'s Function,
    symbols: &'s Symbols<'s>,
}

impl<'s> FunctionJson<'s> {
    /// Creates the JSON form of a function of a package.
    #[must_use]
    pub const fn new(function: &'s Function, symbols: &'s Symbols<'s>) -> Self {
        Self { function, symbols }
    }
}

impl Serialize for FunctionJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (function, script) = (self.function, &self.function.script);
        let path = PackageIndex::export(function.export).and_then(|index| self.symbols.path(index));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("function", &path.as_deref().unwrap_or_default())?;
        map.serialize_entry("export", &function.export)?;
        map.serialize_entry("flags", &function.flags)?;
        map.serialize_entry("memory", &script.memory_len)?;
        map.serialize_entry("code", &self.part(&*script.statements))?;
        if let Some(damage) = &script.damage {
            map.serialize_entry("damage", &damage.to_string())?;
            map.serialize_entry("rest", &*script.rest)?;
        }
        map.end()
    }
}

/// Part of a function.
struct TreePart<'s, T: ?Sized> {
    of: &'s T,
    symbols: &'s Symbols<'s>,
}

impl<'s> FunctionJson<'s> {
    const fn part<T: ?Sized>(self, of: &'s T) -> TreePart<'s, T> {
        TreePart { of, symbols: self.symbols }
    }
}

impl<'s, T: ?Sized> TreePart<'s, T> {
    const fn part<U: ?Sized>(&self, of: &'s U) -> TreePart<'s, U> {
        TreePart { of, symbols: self.symbols }
    }
}

impl<T> Serialize for TreePart<'_, [T]>
where
    for<'p> TreePart<'p, T>: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.of.iter().map(|of| self.part(of)))
    }
}

impl Serialize for TreePart<'_, Expression> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("at", &self.of.at)?;
        map.serialize_entry("op", self.of.token.name())?;
        if !self.of.operands.is_empty() {
            map.serialize_entry("operands", &self.part(&*self.of.operands))?;
        }
        map.end()
    }
}

impl Serialize for TreePart<'_, Case> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("value", &self.part(&self.of.value))?;
        map.serialize_entry("next", &self.of.next)?;
        map.serialize_entry("result", &self.part(&self.of.result))?;
        map.end()
    }
}

impl Serialize for TreePart<'_, Operand> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.of {
            Operand::U8(number) => serializer.serialize_u8(*number),
            Operand::U16(number) => serializer.serialize_u16(*number),
            Operand::I32(number) => serializer.serialize_i32(*number),
            Operand::I64(number) => serializer.serialize_i64(*number),
            Operand::U64(number) => serializer.serialize_u64(*number),
            Operand::F32(bits) => pair(serializer, ("float", &f32::from_bits(*bits)), ("bits", bits)),
            Operand::F64(bits) => pair(serializer, ("double", &f64::from_bits(*bits)), ("bits", bits)),
            // Bytes above 7F are Latin-1, so each is one character.
            Operand::Ansi(bytes) => {
                let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
                serializer.collect_map([("ansi", text)])
            }
            Operand::Wide(units) => match String::from_utf16(units) {
                Ok(text) => serializer.collect_map([("wide", text)]),
                // Unpaired surrogates have no text.
                Err(_) => serializer.collect_map([("wide", units)]),
            },
            Operand::Name(name) => self.part(name).serialize(serializer),
            Operand::Object(index) => self.part(index).serialize(serializer),
            Operand::Field(path) => self.part(&**path).serialize(serializer),
            Operand::Target(target) => serializer.collect_map([("target", target)]),
            Operand::Length(len) => serializer.collect_map([("length", len)]),
            Operand::Expression(inner) => self.part(inner).serialize(serializer),
            Operand::List(list) => self.part(&**list).serialize(serializer),
            Operand::Cases(cases) => self.part(&**cases).serialize(serializer),
        }
    }
}

fn pair<S: Serializer>(
    serializer: S,
    (key, value): (&str, &impl Serialize),
    (other, bits): (&str, &impl Serialize),
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(2))?;
    // NaN and infinities are null in JSON; the bits have them.
    map.serialize_entry(key, value)?;
    map.serialize_entry(other, bits)?;
    map.end()
}

impl Serialize for TreePart<'_, Name> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.symbols.text(*self.of);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &text)?;
        // Another entry of the table has the same text.
        if self.symbols.name(&text) != Some(*self.of) {
            map.serialize_entry("index", &self.of.index)?;
            map.serialize_entry("number", &self.of.number)?;
        }
        map.end()
    }
}

impl Serialize for TreePart<'_, PackageIndex> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        pair(serializer, ("object", &self.of.0), ("path", &self.symbols.path(*self.of).as_deref()))
    }
}

impl Serialize for TreePart<'_, FieldPath> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        // Innermost first, as in the file.
        map.serialize_entry("field", &self.part(&*self.of.path))?;
        if let Some(owner) = &self.of.owner {
            map.serialize_entry("owner", &self.part(owner))?;
        }
        map.end()
    }
}
