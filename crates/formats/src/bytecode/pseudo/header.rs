//! First line of a function, and its local variables.

use super::words;
use crate::bytecode::function::Function;
use crate::bytecode::symbols::Symbols;
use crate::bytecode::variable::Variable;
use std::fmt::Write as _;

/// Formats `function Name(type a, out type b) -> type`.
pub(super) fn signature(function: &Function, word: &str, symbols: &Symbols<'_>) -> String {
    let mut text = format!("{word} {}(", words::identifier(&symbols.text(function.name)));
    // The return value is a parameter too, and comes after the arrow.
    let parameters = function.parameters().filter(|variable| !variable.is_return_value());
    for (place, parameter) in parameters.enumerate() {
        if place > 0 {
            text.push_str(", ");
        }
        if parameter.is_output() {
            text.push_str("out ");
        }
        text.push_str(&typed(parameter, symbols));
    }
    text.push(')');
    if let Some(value) = function.parameters().find(|variable| variable.is_return_value()) {
        let _ = write!(text, " -> {}", kind(value));
    }
    text
}

/// Formats a variable, preceded by its type.
pub(super) fn typed(variable: &Variable, symbols: &Symbols<'_>) -> String {
    format!("{} {}", kind(variable), words::identifier(&symbols.text(variable.name)))
}

/// Formats a type on one line, whatever characters its names contain.
fn kind(variable: &Variable) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "<>, ?".contains(c) { c } else { '_' };
    variable.kind.chars().map(plain).collect()
}

/// Formats facts about a function as a comment.
pub(super) fn remarks(function: &Function, entry: Option<(&str, u32)>) -> String {
    let mut remarks: Vec<String> = function.flag_words().map(str::to_owned).collect();
    if let Some((graph, at)) = entry {
        remarks.insert(0, format!("{graph} @{at:04X}"));
    }
    if remarks.is_empty() { String::new() } else { format!("  // {}", remarks.join(", ")) }
}
