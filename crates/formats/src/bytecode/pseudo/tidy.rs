//! Makes statements shorter without changing what they say.

use super::code::{Code, Key, Sought};
use super::lines::{Block, Label, Line};
use super::loops;
use super::prepared::Prepared;
use foldhash::{HashSet, HashSetExt};

/// Tidies the statements of a function; gives the labels that jumps lead to.
pub(super) fn tidy(block: &mut Block, prepared: &Prepared<'_>) -> HashSet<Label> {
    let mut labels = HashSet::new();
    for line in block.iter() {
        line.visit(&mut |line| {
            if let Line::Goto(label) | Line::Break(Some(label)) | Line::Continue(Some(label)) = line {
                labels.insert(*label);
            }
        });
    }
    drop_labels(block, &labels);
    tidy_block(block, prepared);
    while matches!(block.last(), Some(Line::Return(None))) {
        block.pop();
    }
    labels
}

fn drop_labels(block: &mut Block, labels: &HashSet<Label>) {
    block.retain(|line| !matches!(line, Line::Label(label) if !labels.contains(label)));
    for line in block {
        line.blocks_mut().into_iter().for_each(|block| drop_labels(block, labels));
    }
}

fn tidy_block(block: &mut Block, prepared: &Prepared<'_>) {
    fold(block, prepared);
    for line in block.iter_mut() {
        line.blocks_mut().into_iter().for_each(|block| tidy_block(block, prepared));
    }
    let mut out = Block::with_capacity(block.len());
    for line in block.drain(..) {
        simplify(line, &mut out);
    }
    *block = out;
    loops::find(block, prepared);
}

/// Puts values where they are used that a variable only carries to the next statement.
fn fold(block: &mut Block, prepared: &Prepared<'_>) {
    let mut out = Block::with_capacity(block.len());
    for mut line in block.drain(..) {
        while let Some(key) = carried(&out, &line, prepared) {
            let Some(Line::Assign(_, value)) = out.pop() else { break };
            replace(&mut line, key, value);
        }
        out.push(line);
    }
    *block = out;
}

/// The variable that the last statement sets for the next one alone.
fn carried(out: &Block, line: &Line, prepared: &Prepared<'_>) -> Option<Key> {
    let Some(Line::Assign(Code::Variable(key, _), value)) = out.last() else { return None };
    if !prepared.is_single(*key) || loops::is_element(out) {
        return None;
    }
    // What is called has to be called in the same order, and as often.
    let fits = match seek(line, *key) {
        Sought::Found { always } => always || value.is_pure(),
        Sought::Late => matches!(value, Code::Word(_)),
        Sought::Missing { .. } => false,
    };
    fits.then_some(*key)
}

fn seek(line: &Line, key: Key) -> Sought {
    match line {
        Line::Assign(to, value) => match value.seek(key) {
            Sought::Missing { is_pure } if !matches!(to, Code::Variable(..)) => match to.seek(key) {
                Sought::Found { .. } if !is_pure => Sought::Late,
                other => other,
            },
            other => other,
        },
        Line::Update(to, _, value) => match to.seek(key) {
            Sought::Missing { is_pure: true } => value.seek(key),
            other => other,
        },
        Line::Do(code)
        | Line::If { condition: code, .. }
        | Line::Switch { on: code, .. }
        | Line::Return(Some(code)) => code.seek(key),
        Line::Async(body) => body.first().map_or(Sought::Missing { is_pure: true }, |line| seek(line, key)),
        _ => Sought::Missing { is_pure: true },
    }
}

fn replace(line: &mut Line, key: Key, value: Code) {
    match line {
        Line::Assign(to, old) | Line::Update(to, _, old) => {
            if let Some(value) = old.replace(key, value) {
                to.replace(key, value);
            }
        }
        Line::If { condition, .. } => {
            condition.replace(key, value);
            let found = std::mem::replace(condition, Code::Word(String::new()));
            *condition = found.as_condition();
        }
        Line::Do(code) | Line::Switch { on: code, .. } | Line::Return(Some(code)) => {
            code.replace(key, value);
        }
        Line::Async(body) => {
            if let Some(line) = body.first_mut() {
                replace(line, key, value);
            }
        }
        _ => {}
    }
}

/// Appends a statement in its shortest form.
fn simplify(line: Line, out: &mut Block) {
    match line {
        Line::Assign(to, Code::Binary(op @ ("+" | "-" | "*" | "/"), a, b)) if *a == to => {
            let op = match op {
                "+" => "+=",
                "-" => "-=",
                "*" => "*=",
                _ => "/=",
            };
            out.push(Line::Update(to, op, *b));
        }
        // Nothing follows what leaves.
        line if out.last().is_some_and(Line::is_end) && !matches!(line, Line::Label(_)) => drop(line),
        Line::If { condition, then, otherwise } => branch(condition, then, otherwise, out),
        line => out.push(line),
    }
}

fn branch(condition: Code, then: Block, otherwise: Block, out: &mut Block) {
    let leaves = |block: &Block| block.last().is_some_and(Line::is_end);
    if then.is_empty() && otherwise.is_empty() {
        if !condition.is_pure() {
            out.push(Line::Do(condition));
        }
    } else if then.is_empty() {
        branch(condition.negated(), otherwise, then, out);
    } else if otherwise.is_empty() {
        out.push(Line::If { condition, then, otherwise });
    } else if let Some(line) = switch(&condition, &then, &otherwise) {
        out.push(line);
    } else if matches!(otherwise.as_slice(), [line] if line.is_end()) && !leaves(&then) {
        branch(condition.negated(), otherwise, then, out);
    } else if leaves(&then) {
        out.push(Line::If { condition, then, otherwise: Block::new() });
        out.extend(otherwise);
    } else {
        out.push(Line::If { condition, then, otherwise });
    }
}

/// Branches on one value after the other are one choice.
fn switch(condition: &Code, then: &Block, otherwise: &Block) -> Option<Line> {
    let (on, value, is_equal) = test(condition)?;
    let (block, rest) = if is_equal { (then, otherwise) } else { (otherwise, then) };
    let first = (vec![value.clone()], block.clone());
    match rest.as_slice() {
        [Line::Switch { on: other, cases, default }] if other == on => {
            let cases = std::iter::once(first).chain(cases.iter().cloned()).collect();
            Some(Line::Switch { on: on.clone(), cases, default: default.clone() })
        }
        [Line::If { condition, then, otherwise }] => {
            let (other, value, is_equal) = test(condition)?;
            let (block, default) = if is_equal { (then, otherwise) } else { (otherwise, then) };
            let cases = vec![first, (vec![value.clone()], block.clone())];
            (other == on).then(|| Line::Switch { on: on.clone(), cases, default: default.clone() })
        }
        _ => None,
    }
}

/// A comparison of something with a literal: what, with which, and whether for equality.
fn test(condition: &Code) -> Option<(&Code, &Code, bool)> {
    match condition {
        Code::Binary(op @ ("==" | "!="), on, value)
            if matches!(**value, Code::Word(_)) && !matches!(**on, Code::Word(_)) && on.is_pure() =>
        {
            Some((on, value, *op == "=="))
        }
        _ => None,
    }
}
