//! Calls of functions in pseudo-code.

use super::code::Code;
use super::frame::Frame;
use super::operators;
use super::prepared::{is_pin, key, raw_name};
use super::words;
use crate::bytecode::token::Token;
use crate::bytecode::tree::Expression;
use crate::package::legacy::PackageIndex;

/// Translator of a nested expression.
type Inner<'i> = &'i dyn Fn(&Expression) -> Code;

/// Target of a call.
pub(super) enum On {
    /// Default object of a class: the function is static.
    Class(String),
    Object(Code),
}

/// Translates an expression in the context of another object.
pub(super) fn context(l: &Frame<'_>, e: &Expression, code: Inner<'_>) -> Code {
    let (Some(object), Some(inner)) = (e.child(0), e.children().last()) else { return Code::word("?") };
    // In a class default object it is a static call, as written before CallMath, or for an impure function.
    let default = object.object().filter(|_| object.token == Token::ObjectConst);
    let class = default.and_then(|default| {
        l.facts.symbols.own_name(default)?.strip_prefix("Default__").map(words::identifier)
    });
    let on = match class {
        Some(class) => On::Class(class),
        // This context fails silently without an object, hence the `?`.
        None if e.token == Token::ContextFailSilent => On::Object(Code::Maybe(Box::new(code(object)))),
        None => On::Object(code(object)),
    };
    if is_call(inner.token) {
        return call(l, inner, Some(on), code);
    }
    let object = match on {
        On::Class(class) => Code::Word(class),
        On::Object(object) => object,
    };
    match inner.token {
        Token::InstanceVariable
        | Token::DefaultVariable
        | Token::LocalVariable
        | Token::LocalOutVariable
        | Token::ClassSparseDataVariable => {
            object.member(words::identifier(&raw_name(inner, l.facts.symbols)))
        }
        // Any other expression has no usual form.
        _ => Code::group("in(", vec![object, code(inner)], ")"),
    }
}

const fn is_call(token: Token) -> bool {
    matches!(
        token,
        Token::VirtualFunction
            | Token::FinalFunction
            | Token::LocalVirtualFunction
            | Token::LocalFinalFunction
            | Token::CallMath
    )
}

/// Translates a call: on the object itself, on another one, or on a class.
pub(super) fn call(l: &Frame<'_>, e: &Expression, on: Option<On>, code: Inner<'_>) -> Code {
    let symbols = l.facts.symbols;
    let function = e.object();
    // A final function is a reference; a virtual one only a name, looked up when called.
    let raw = match function {
        Some(function) => symbols.own_name(function),
        None => e.name().map(|name| symbols.text(name)),
    };
    let raw = raw.unwrap_or_default();
    let outputs = function.and_then(|function| l.facts.outputs.get(&function.0));
    let mut takes_time = false;
    let mut arguments = Vec::with_capacity(e.items().len());
    for (place, item) in e.items().iter().enumerate() {
        // The engine fills this argument; for people `await` says it.
        if is_latent(l, item) {
            takes_time = true;
            continue;
        }
        let argument = code(item);
        let is_output = outputs.and_then(|outputs| outputs.get(place)).copied();
        // Outputs of functions of other packages are unknown; a variable named after a pin of the function
        // must be one.
        let is_output = is_output.unwrap_or_else(|| is_pin_of(l, item, &raw));
        arguments.push(match argument {
            // A value that is never read.
            Code::Variable(key, _) if is_output && l.prepared.is_unread(key) => Code::word("_"),
            variable @ Code::Variable(..) if is_output => Code::Prefix("out ", Box::new(variable)),
            other => other,
        });
    }
    // CallMath calls static functions, so the class is the outer of the function.
    let on = on.or_else(|| {
        let class =
            function.filter(|_| e.token == Token::CallMath).and_then(|function| symbols.entry(function));
        class.map(|(_, class)| On::Class(l.facts.name(class)))
    });
    let name = words::identifier(&raw);
    let call = match on {
        Some(On::Class(class)) => operators::call(&class, &name, arguments),
        Some(On::Object(object)) => Code::call(object.member(name), arguments, false),
        None => {
            // A call of the function that is overridden here can only mean the parent's.
            let is_super = function.is_some_and(|function| {
                function != PackageIndex::NONE && l.facts.overridden.contains(&function.0)
            });
            let callee = if is_super { Code::word("super").member(name) } else { Code::Word(name) };
            Code::call(callee, arguments, false)
        }
    };
    if takes_time { Code::Prefix("await ", Box::new(call)) } else { call }
}

/// Returns true for an argument that records where to resume after the call.
fn is_latent(l: &Frame<'_>, item: &Expression) -> bool {
    let of = item.object().filter(|_| item.token == Token::StructConst);
    of.is_some_and(|of| l.facts.symbols.own_name(of).is_some_and(|name| name == "LatentActionInfo"))
}

/// Returns true for a variable that the compiler made for an output of the function.
fn is_pin_of(l: &Frame<'_>, item: &Expression, function: &str) -> bool {
    let is_temporary = key(item).is_some_and(|key| l.prepared.is_temporary(key));
    is_temporary && is_pin(&raw_name(item, l.facts.symbols), function) && !l.prepared.is_assigned(item)
}
