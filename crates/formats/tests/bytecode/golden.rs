//! Every function of the corpus.

use crate::set::{files, say};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use uncask_formats::bytecode::{
    Dialect, Expression, Function, Listing, Operand, Script, Symbols, TableSizes, Token, assemble,
};
use uncask_formats::property::{Object, Value};

/// Functions that the expectations name.
const FUNCTIONS: usize = 2_186;

#[test]
fn every_function_is_listed_as_an_independent_reader_lists_it_and_comes_back_byte_for_byte() {
    let Some(files) = files() else { return };
    let (mut same, mut wrong) = (0, BTreeMap::new());
    for file in &files {
        let scope = file.scope();
        let symbols = Symbols::new(scope.package);
        let dialect = Dialect::of(&scope);
        for row in &file.rows {
            let name = format!("{} {}", file.path, row.path);
            let Some(function) = Function::read(&scope, row.export) else {
                wrong.insert(name, "no function".to_owned());
                continue;
            };
            let script = &function.script;
            let listing = Listing { script, symbols: &symbols }.to_string();
            let why = check(&listing, row, &function);
            let stored = stored(&scope, row.export);
            let assembled = assemble(&listing, &symbols, &dialect);
            let why = why
                .or_else(|| (script.to_bytes() != stored).then(|| "other bytes".to_owned()))
                .or_else(|| match assembled {
                    Ok(assembled) if assembled == *script => None,
                    Ok(_) => Some("assembled to another script".to_owned()),
                    Err(error) => Some(error.to_string()),
                });
            match why {
                None => same += 1,
                Some(why) => drop(wrong.insert(name, why)),
            }
        }
    }
    say(&format!("{same} functions of {} files", files.len()));
    for (name, why) in wrong.iter().take(20) {
        say(&format!("{name}: {why}"));
    }
    assert_eq!((same, wrong.len()), (FUNCTIONS, 0));
}

fn check(listing: &str, row: &crate::set::Row, function: &Function) -> Option<String> {
    let script = &function.script;
    if let Some(damage) = &script.damage {
        return Some(damage.to_string());
    }
    if script.memory_len != row.memory_len || script.token_count() != row.tokens {
        return Some(format!("{} bytes in memory, {} tokens", script.memory_len, script.token_count()));
    }
    let len = script.to_bytes().len();
    if len != row.stored_len {
        return Some(format!("{len} bytes"));
    }
    let digest = hex::encode(Sha256::digest(listing));
    (digest != row.digest).then(|| format!("another listing:\n{listing}"))
}

/// The script as it lies in the export.
fn stored(scope: &uncask_formats::property::Scope<'_>, export: u32) -> Vec<u8> {
    let object = Object::read(scope, &scope.package.exports[export as usize]);
    match object.tail.get("ScriptBytecode") {
        Some(Value::Bytes(bytes)) => bytes.to_vec(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_statement_put_in_moves_everything_after_it_and_nothing_else() {
    let Some(files) = files() else { return };
    let mut count = 0;
    for file in &files {
        let scope = file.scope();
        let (dialect, sizes) = (Dialect::of(&scope), TableSizes::of(scope.package));
        for row in &file.rows {
            let script = Function::read(&scope, row.export).unwrap().script;
            let mut unchanged = script.clone();
            assert!(unchanged.relocate().unwrap().is_identity());
            assert_eq!(unchanged, script, "{} {}", file.path, row.path);
            let at = row.memory_len as usize * 7 % script.statements.len();
            insert(&script, at, dialect, &sizes);
            count += 1;
        }
    }
    assert_eq!(count, FUNCTIONS);
}

#[test]
fn events_follow_their_graph_when_it_moves() {
    let Some(files) = files() else { return };
    let mut entries = 0;
    for file in &files {
        let scope = file.scope();
        let symbols = Symbols::new(scope.package);
        let mut functions = Function::all(&scope);
        let name_of = |function: &Function| symbols.text(function.name);
        let is_graph = |function: &Function| name_of(function).starts_with("ExecuteUbergraph_");
        let Some(graph) = functions.iter().position(is_graph) else { continue };
        let (index, name) = (functions[graph].export, functions[graph].name);
        let calls_graph = |call: &Expression| {
            call.name() == Some(name)
                || call.object().is_some_and(|object| object.0 == index.cast_signed() + 1)
        };
        let nothing = Expression { at: u32::MAX, ..Expression::bare(Token::Nothing) };
        functions[graph].script.statements.insert(1, nothing);
        let relocation = functions[graph].script.relocate().unwrap();
        let statements: Vec<u32> = functions[graph].script.statements.iter().map(|e| e.at).collect();
        for function in functions.iter_mut().filter(|function| function.export != index) {
            let before = function.script.clone();
            let count = function.script.follow(|call| calls_graph(call).then_some(&relocation)).unwrap();
            let entry = |script: &Script| {
                let call = script.statements.iter().find(|call| calls_graph(call))?;
                match call.items() {
                    [item] if item.token == Token::IntConst => match item.operands.as_slice() {
                        [Operand::I32(entry)] => u32::try_from(*entry).ok(),
                        _ => None,
                    },
                    _ => None,
                }
            };
            if let (Some(old), Some(new)) = (entry(&before), entry(&function.script)) {
                assert_eq!((count, new), (1, old + 1), "{} {}", file.path, name_of(function));
                assert!(statements.contains(&new));
                entries += 1;
            }
        }
    }
    say(&format!("{entries} entries"));
    assert!(entries > 1_000, "{entries}");
}

/// Puts a statement in that does nothing, and reads the outcome.
fn insert(script: &Script, place: usize, dialect: Dialect, sizes: &TableSizes) {
    let mut changed = script.clone();
    let nothing = Expression { at: u32::MAX, ..Expression::bare(Token::Nothing) };
    changed.statements.insert(place, nothing);
    let relocation = changed.relocate().unwrap();
    let again = Script::parse(&changed.to_bytes(), script.memory_len + 1, &dialect, sizes);
    assert!(again.is_complete(), "{:?}", again.damage);
    assert_eq!(again, changed);
    let at = script.statements[place].at;
    let moved = |old: u32| old + u32::from(old >= at);
    for statement in &script.statements {
        assert_eq!(relocation.place(statement.at), Some(moved(statement.at)));
    }
    let others = again.statements.iter().enumerate().filter(|(index, _)| *index != place).map(|(_, s)| s);
    for (old, new) in script.statements.iter().zip(others) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        old.visit(&mut |e| before.push((e.token, e.target().map(moved), moved(e.at))));
        new.visit(&mut |e| after.push((e.token, e.target(), e.at)));
        // The place after a choice that ends where the new statement is stays before it.
        let is_choice = |token: Token| token == Token::SwitchValue;
        for (before, after) in before.iter().zip(&after) {
            assert_eq!((before.0, before.2), (after.0, after.2));
            assert!(before.1 == after.1 || is_choice(before.0), "{before:?} {after:?}");
        }
        assert_eq!(before.len(), after.len());
    }
}
