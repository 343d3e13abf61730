//! Constants by their text.

use super::error::CodeError;
use super::place::CodePlace;
use crate::bytecode::listing::Listing;
use crate::bytecode::symbols::Symbols;
use crate::bytecode::token::Token;
use crate::bytecode::tree::{Expression, Operand, Script};
use crate::package::legacy::PackageIndex;

/// Returns the condition of a conditional jump.
pub(super) fn condition<'e>(
    jump: &'e mut Expression,
    place: &CodePlace,
) -> Result<&'e mut Expression, CodeError> {
    let token = jump.token;
    let condition = jump.operands.iter_mut().find_map(|operand| match operand {
        Operand::Expression(condition) => Some(condition),
        _ => None,
    });
    condition.ok_or_else(|| CodeError::NotConstant { place: place.clone(), token })
}

/// Returns a constant as text, as [`set`] reads it; anything else as the first line of its listing.
pub(super) fn shown(e: &Expression, symbols: &Symbols<'_>) -> String {
    match (e.token, e.operands.as_slice()) {
        (Token::True, _) => "true".to_owned(),
        (Token::False, _) => "false".to_owned(),
        (Token::IntZero, _) => "0".to_owned(),
        (Token::IntOne, _) => "1".to_owned(),
        (_, [Operand::U8(number)]) => number.to_string(),
        (_, [Operand::I32(number)]) => number.to_string(),
        (_, [Operand::I64(number)]) => number.to_string(),
        (_, [Operand::U64(number)]) => number.to_string(),
        (_, [Operand::F32(bits)]) => format!("{:?}", f32::from_bits(*bits)),
        (_, [Operand::F64(bits)]) => format!("{:?}", f64::from_bits(*bits)),
        (_, [Operand::Ansi(bytes)]) => bytes.iter().map(|byte| char::from(*byte)).collect(),
        (_, [Operand::Wide(units)]) => String::from_utf16_lossy(units),
        (Token::NameConst, [Operand::Name(name)]) => symbols.text(*name),
        (Token::ObjectConst, [Operand::Object(index)]) => {
            symbols.path(*index).as_deref().unwrap_or("null").to_owned()
        }
        _ => {
            let script = Script { statements: vec![e.clone()], ..Script::default() };
            let listing = Listing { script: &script, symbols }.to_string();
            let line = listing.lines().next().unwrap_or_default();
            line.split_once(' ').map_or("", |(_, rest)| rest).trim().to_owned()
        }
    }
}

/// Replaces a constant by the one that a text describes. A condition of any kind can be made a constant.
pub(super) fn set(
    e: &mut Expression,
    text: &str,
    symbols: &Symbols<'_>,
    place: &CodePlace,
) -> Result<(), CodeError> {
    let wrong = |expected| CodeError::Value { place: place.clone(), text: text.to_owned(), expected };
    let (token, operand) = match e.token {
        Token::IntConst | Token::IntZero | Token::IntOne => {
            let number = text.parse().map_err(|_| wrong("a whole number of 32 bits"))?;
            (Token::IntConst, Operand::I32(number))
        }
        Token::Int64Const => {
            (e.token, Operand::I64(text.parse().map_err(|_| wrong("a whole number of 64 bits"))?))
        }
        Token::UInt64Const => {
            (e.token, Operand::U64(text.parse().map_err(|_| wrong("a whole number from 0 of 64 bits"))?))
        }
        Token::ByteConst | Token::IntConstByte => {
            (e.token, Operand::U8(text.parse().map_err(|_| wrong("a whole number from 0 to 255"))?))
        }
        Token::FloatConst => {
            let number: f32 = text.parse().map_err(|_| wrong("a number"))?;
            (e.token, Operand::F32(number.to_bits()))
        }
        Token::DoubleConst => {
            let number: f64 = text.parse().map_err(|_| wrong("a number"))?;
            (e.token, Operand::F64(number.to_bits()))
        }
        Token::StringConst | Token::UnicodeStringConst => {
            string(text).ok_or_else(|| wrong("a text without NUL"))?
        }
        Token::NameConst => {
            let name = symbols.name(text).ok_or_else(|| wrong("a name that the package has"))?;
            (e.token, Operand::Name(name))
        }
        Token::ObjectConst => {
            let index = if text == "null" { Some(PackageIndex::NONE) } else { symbols.object(text) };
            (
                e.token,
                Operand::Object(index.ok_or_else(|| {
                    wrong("null, or the path of an object that the package has or imports")
                })?),
            )
        }
        found => {
            let is_condition = found != Token::True && found != Token::False && e.at != place.at;
            let token = match (text, is_condition || matches!(found, Token::True | Token::False)) {
                ("true", true) => Token::True,
                ("false", true) => Token::False,
                (_, true) => return Err(wrong("true or false")),
                (_, false) => return Err(CodeError::NotConstant { place: place.clone(), token: found }),
            };
            *e = Expression { at: e.at, ..Expression::bare(token) };
            return Ok(());
        }
    };
    (e.token, e.operands) = (token, vec![operand]);
    Ok(())
}

/// A text in the form that takes less space: bytes where it is ASCII.
fn string(text: &str) -> Option<(Token, Operand)> {
    // NUL would end it early when it is read back.
    if text.contains('\0') {
        return None;
    }
    Some(if text.is_ascii() {
        (Token::StringConst, Operand::Ansi(text.as_bytes().into()))
    } else {
        (Token::UnicodeStringConst, Operand::Wide(text.encode_utf16().collect()))
    })
}
