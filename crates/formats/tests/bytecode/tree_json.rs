//! JSON of trees, compared with the trees part by part: whatever the bytes have, the JSON has.

use crate::set::{files, say};
use serde_json::{Value, json};
use uncask_formats::bytecode::{Expression, Function, FunctionJson, Operand, Symbols};
use uncask_formats::package::legacy::{Name, PackageIndex};

#[test]
fn json_of_trees_has_all_that_the_bytes_have() {
    let Some(files) = files() else { return };
    let mut all = 0;
    for file in &files {
        let scope = file.scope();
        let symbols = Symbols::new(scope.package);
        for function in Function::all(&scope).iter().filter(|function| function.script.is_complete()) {
            let json = serde_json::to_value(FunctionJson::new(function, &symbols)).unwrap();
            let (code, statements) = (json["code"].as_array().unwrap(), &function.script.statements);
            assert_eq!(code.len(), statements.len());
            for (statement, json) in statements.iter().zip(code) {
                assert!(
                    is_expression(statement, json, &symbols),
                    "{}: {statement:?} is not {json}",
                    file.path
                );
            }
            all += 1;
        }
    }
    say(&format!("{all} functions have all their parts in JSON"));
    assert!(all >= 2_186, "{all}");
}

fn is_expression(e: &Expression, json: &Value, symbols: &Symbols<'_>) -> bool {
    let operands = json["operands"].as_array().map(Vec::as_slice).unwrap_or_default();
    json["at"] == e.at
        && json["op"] == e.token.name()
        && operands.len() == e.operands.len()
        && e.operands.iter().zip(operands).all(|(operand, json)| is_operand(operand, json, symbols))
}

fn is_list(list: &[Expression], json: &Value, symbols: &Symbols<'_>) -> bool {
    let items = json.as_array().unwrap();
    items.len() == list.len() && list.iter().zip(items).all(|(e, json)| is_expression(e, json, symbols))
}

fn is_operand(operand: &Operand, json: &Value, symbols: &Symbols<'_>) -> bool {
    match operand {
        Operand::U8(number) => json == *number,
        Operand::U16(number) => json == *number,
        Operand::I32(number) => json == *number,
        Operand::I64(number) => json == *number,
        Operand::U64(number) => json == *number,
        Operand::F32(bits) => json["bits"] == *bits,
        Operand::F64(bits) => json["bits"] == *bits,
        Operand::Ansi(bytes) => {
            json["ansi"].as_str().unwrap().chars().map(u32::from).eq(bytes.iter().map(|b| u32::from(*b)))
        }
        Operand::Wide(units) => match json["wide"].as_str() {
            Some(text) => text.encode_utf16().eq(units.iter().copied()),
            None => json["wide"] == json!(units),
        },
        Operand::Name(name) => is_name(*name, json, symbols),
        Operand::Object(index) => is_object(*index, json),
        Operand::Field(path) => {
            let names = json["field"].as_array().unwrap();
            names.len() == path.path.len()
                && path.path.iter().zip(names).all(|(name, json)| is_name(*name, json, symbols))
                && match path.owner {
                    Some(owner) => is_object(owner, &json["owner"]),
                    None => json.get("owner").is_none(),
                }
        }
        Operand::Target(target) => json["target"] == *target,
        Operand::Length(len) => json["length"] == *len,
        Operand::Expression(inner) => is_expression(inner, json, symbols),
        Operand::List(list) => is_list(list, json, symbols),
        Operand::Cases(cases) => {
            let items = json.as_array().unwrap();
            items.len() == cases.len()
                && cases.iter().zip(items).all(|(case, json)| {
                    json["next"] == case.next
                        && is_expression(&case.value, &json["value"], symbols)
                        && is_expression(&case.result, &json["result"], symbols)
                })
        }
    }
}

/// A name is its text; where that stands for another entry, its index and number are there.
fn is_name(name: Name, json: &Value, symbols: &Symbols<'_>) -> bool {
    let text = json["name"].as_str().unwrap();
    match json.get("index") {
        Some(index) => index == name.index && json["number"] == name.number,
        None => symbols.name(text) == Some(name),
    }
}

fn is_object(index: PackageIndex, json: &Value) -> bool {
    json["object"] == index.0
}
