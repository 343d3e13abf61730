//! Makes statements shorter without changing what they say.

use super::code::{Code, Sought, VariableKey};
use super::lines::{Block, CodeLine, Label};
use super::loops;
use super::prepared::Prepared;
use foldhash::{HashSet, HashSetExt};
use std::collections::VecDeque;

/// Expressions in a statement up to which values are put into it: one that carries all before it would read badly, and be as
/// deep as the function is long.
const MAX_WEIGHT: usize = 128;

/// Statements ahead among which another use of a variable is looked for.
const MAX_AHEAD: usize = 64;

/// Tidies the statements of a function; gives the labels that jumps lead to.
pub(super) fn tidy(block: &mut Block, prepared: &Prepared<'_>) -> HashSet<Label> {
    let mut labels = HashSet::new();
    for line in block.iter() {
        line.visit(&mut |line| {
            if let CodeLine::Goto(label) | CodeLine::Break(Some(label)) | CodeLine::Continue(Some(label)) =
                line
            {
                labels.insert(*label);
            }
        });
    }
    drop_labels(block, &labels);
    tidy_block(block, prepared);
    while matches!(block.last(), Some(CodeLine::Return(None))) {
        block.pop();
    }
    labels
}

fn drop_labels(block: &mut Block, labels: &HashSet<Label>) {
    block.retain(|line| !matches!(line, CodeLine::Label(label) if !labels.contains(label)));
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
        simplify(line, &mut out, prepared);
    }
    *block = out;
    loops::find(block, prepared);
}

/// Puts values where they are used that a variable only carries to the next statement.
fn fold(block: &mut Block, prepared: &Prepared<'_>) {
    let mut out = Block::with_capacity(block.len());
    let mut rest: VecDeque<CodeLine> = std::mem::take(block).into();
    while let Some(mut line) = rest.pop_front() {
        if out.last().is_some_and(|last| empties(last, &line)) {
            out.pop();
        }
        while let Some(key) = carried(&out, &line, prepared, &rest) {
            let Some(CodeLine::Assign(_, value)) = out.pop() else { break };
            replace(&mut line, key, value);
        }
        out.push(line);
    }
    *block = out;
}

/// True if a statement only empties what the next one fills.
fn empties(last: &CodeLine, line: &CodeLine) -> bool {
    match (last, line) {
        (CodeLine::Assign(Code::Variable(key, _), Code::Group(open, items, "]")), line) => {
            open == "[" && items.is_empty() && codes(line).into_iter().any(|code| code.fills(*key))
        }
        _ => false,
    }
}

/// The expressions of a statement, without those of statements in it.
fn codes(line: &CodeLine) -> Vec<&Code> {
    match line {
        CodeLine::Assign(a, b) | CodeLine::Update(a, _, b) => vec![a, b],
        CodeLine::Do(code)
        | CodeLine::If { condition: code, .. }
        | CodeLine::Switch { on: code, .. }
        | CodeLine::While { condition: code, .. }
        | CodeLine::Return(Some(code)) => vec![code],
        CodeLine::Async(body) => body.first().map(codes).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// True if a value that a variable has is not looked at any more, as far as the statements after it show.
fn is_dead(key: VariableKey, rest: &VecDeque<CodeLine>) -> bool {
    for line in rest.iter().take(MAX_AHEAD) {
        let (to, read) = match line {
            CodeLine::Assign(to @ Code::Variable(..), value) => (Some(to), vec![value]),
            line => (None, codes(line)),
        };
        if read.into_iter().any(|code| code.uses(key) > 0) {
            return false;
        }
        if matches!(to, Some(Code::Variable(found, _)) if *found == key) {
            return true;
        }
    }
    rest.len() <= MAX_AHEAD
}

/// The variable that the last statement sets for the next one alone.
fn carried(
    out: &Block,
    line: &CodeLine,
    prepared: &Prepared<'_>,
    rest: &VecDeque<CodeLine>,
) -> Option<VariableKey> {
    let Some(CodeLine::Assign(Code::Variable(key, _), value)) = out.last() else { return None };
    let is_single = prepared.is_single(*key);
    if loops::is_element(out) || !(is_single || prepared.is_fresh(*key)) {
        return None;
    }
    let parts = codes(line).into_iter().chain([value]);
    if parts.fold(0, |weight, code| weight + code.weight(MAX_WEIGHT)) > MAX_WEIGHT {
        return None;
    }
    // A pure node is evaluated anew for each node that uses it.
    let uses: usize = codes(line).into_iter().map(|code| code.uses(*key)).sum();
    if !is_single && (uses != 1 || !is_dead(*key, rest)) {
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

fn seek(line: &CodeLine, key: VariableKey) -> Sought {
    match line {
        CodeLine::Assign(to, value) => match value.seek(key) {
            Sought::Missing { is_pure } if !matches!(to, Code::Variable(..)) => match to.seek(key) {
                Sought::Found { .. } if !is_pure => Sought::Late,
                other => other,
            },
            other => other,
        },
        CodeLine::Update(to, _, value) => match to.seek(key) {
            Sought::Missing { is_pure: true } => value.seek(key),
            other => other,
        },
        CodeLine::Do(code)
        | CodeLine::If { condition: code, .. }
        | CodeLine::Switch { on: code, .. }
        | CodeLine::Return(Some(code)) => code.seek(key),
        CodeLine::Async(body) => {
            body.first().map_or(Sought::Missing { is_pure: true }, |line| seek(line, key))
        }
        _ => Sought::Missing { is_pure: true },
    }
}

fn replace(line: &mut CodeLine, key: VariableKey, value: Code) {
    match line {
        CodeLine::Assign(to, old) | CodeLine::Update(to, _, old) => {
            if let Some(value) = old.replace(key, value) {
                to.replace(key, value);
            }
        }
        CodeLine::If { condition, .. } => {
            condition.replace(key, value);
            let found = std::mem::replace(condition, Code::Word(String::new()));
            *condition = found.into_condition();
        }
        CodeLine::Do(code) | CodeLine::Switch { on: code, .. } | CodeLine::Return(Some(code)) => {
            code.replace(key, value);
        }
        CodeLine::Async(body) => {
            if let Some(line) = body.first_mut() {
                replace(line, key, value);
            }
        }
        _ => {}
    }
}

/// Appends a statement in its shortest form.
fn simplify(line: CodeLine, out: &mut Block, prepared: &Prepared<'_>) {
    match line {
        // Nobody looks at what the node gives.
        CodeLine::Assign(Code::Variable(key, _), value) if prepared.is_unused(key) => {
            if !value.is_pure() {
                out.push(CodeLine::Do(value));
            }
        }
        CodeLine::Assign(to, Code::Binary(op @ ("+" | "-" | "*" | "/"), a, b)) if *a == to => {
            let op = match op {
                "+" => "+=",
                "-" => "-=",
                "*" => "*=",
                _ => "/=",
            };
            out.push(CodeLine::Update(to, op, *b));
        }
        CodeLine::Assign(to, value) if to == value && to.is_pure() => {}
        // Nothing follows what leaves.
        line if out.last().is_some_and(CodeLine::is_end) && !matches!(line, CodeLine::Label(_)) => drop(line),
        CodeLine::If { condition, then, otherwise } => branch(condition, then, otherwise, out),
        line => out.push(line),
    }
}

fn branch(condition: Code, then: Block, otherwise: Block, out: &mut Block) {
    let leaves = |block: &Block| block.last().is_some_and(CodeLine::is_end);
    match &condition {
        Code::Word(word) if word == "true" => return out.extend(then),
        Code::Word(word) if word == "false" => return out.extend(otherwise),
        _ => {}
    }
    if let Some((flag, rest)) = once(&condition, &then).filter(|_| otherwise.is_empty()) {
        return out.push(CodeLine::DoOnce(flag, rest));
    }
    if then.is_empty() && otherwise.is_empty() {
        if !condition.is_pure() {
            out.push(CodeLine::Do(condition));
        }
    } else if then.is_empty() {
        branch(condition.negated(), otherwise, then, out);
    } else if otherwise.is_empty() {
        out.push(CodeLine::If { condition, then, otherwise });
    } else if is_choice(&condition, &then, &otherwise) {
        out.extend(switch(&condition, then, otherwise));
    } else if matches!(otherwise.as_slice(), [line] if line.is_end()) && !leaves(&then) {
        branch(condition.negated(), otherwise, then, out);
    } else if leaves(&then) {
        out.push(CodeLine::If { condition, then, otherwise: Block::new() });
        out.extend(otherwise);
    } else {
        out.push(CodeLine::If { condition, then, otherwise });
    }
}

/// Finds statements of the first time only, by the compiler's own variable for it.
fn once(condition: &Code, then: &Block) -> Option<(Code, Block)> {
    let Code::Prefix("!", flag) = condition else { return None };
    let Code::Variable(_, name) = &**flag else { return None };
    let (CodeLine::Assign(to, value), rest) = then.split_first()? else { return None };
    let is_flag = name.contains("bool_IsClosed_Variable") || name.contains("bool_Has_Been_Initd_Variable");
    let fits = is_flag && *to == **flag && *value == Code::word("true");
    fits.then(|| ((**flag).clone(), rest.to_vec()))
}

/// True if branches compare one value after the other with literals.
fn is_choice(condition: &Code, then: &Block, otherwise: &Block) -> bool {
    let Some((on, _, is_equal)) = test(condition) else { return false };
    match if is_equal { otherwise } else { then }.as_slice() {
        [CodeLine::Switch { on: other, .. }] => other == on,
        [CodeLine::If { condition, .. }] => test(condition).is_some_and(|(other, ..)| other == on),
        _ => false,
    }
}

/// Makes one choice of them.
fn switch(condition: &Code, then: Block, otherwise: Block) -> Option<CodeLine> {
    let (on, value, is_equal) = test(condition)?;
    let (block, mut rest) = if is_equal { (then, otherwise) } else { (otherwise, then) };
    let first = (vec![value.clone()], block);
    match rest.pop()? {
        // The first case is the last one to be found.
        CodeLine::Switch { on, mut cases, default } => {
            cases.push(first);
            Some(CodeLine::Switch { on, cases, default })
        }
        CodeLine::If { condition, then, otherwise } => {
            let (_, value, is_equal) = test(&condition)?;
            let (block, default) = if is_equal { (then, otherwise) } else { (otherwise, then) };
            let cases = vec![(vec![value.clone()], block), first];
            Some(CodeLine::Switch { on: on.clone(), cases, default })
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
