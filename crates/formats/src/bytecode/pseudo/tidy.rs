//! Shortening of statements without a change of meaning.

use super::code::{Code, Sought, VariableKey};
use super::lines::{Block, CodeLine, Label};
use super::loops;
use super::prepared::Prepared;
use foldhash::{HashSet, HashSetExt};
use std::collections::VecDeque;

/// Limit on the expressions of a statement into which values are moved. A statement with everything before it
/// would be hard to read, and nested as deep as the function is long.
const MAX_WEIGHT: usize = 128;

/// Limit on the statements over which a value is moved to its use.
const MAX_OVER: usize = 8;

/// Limit on the statements ahead in which another use of a variable is searched.
const MAX_AHEAD: usize = 64;

/// Tidies the statements of a function; returns the targets of jumps.
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
    // Unused labels would separate statements that belong together.
    drop_labels(block, &labels);
    tidy_block(block, prepared);
    // A `return` at the end of a function says nothing.
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
    // From the inside out: outer forms are recognised by tidied inner ones.
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

/// Moves values to their use if a variable only carries them to the next statement, or over others that only compute.
fn fold(block: &mut Block, prepared: &Prepared<'_>) {
    let mut out = Block::with_capacity(block.len());
    let mut rest: VecDeque<CodeLine> = std::mem::take(block).into();
    while let Some(mut line) = rest.pop_front() {
        // The call fills the array anyway, so emptying it before says nothing.
        if out.last().is_some_and(|last| empties(last, &line)) {
            out.pop();
        }
        // Repeated, since the statement now ends with the one before.
        while let Some((place, key)) = carried(&out, &line, prepared, &rest)
            .map(|key| (out.len() - 1, key))
            .or_else(|| carried_over(&out, &line, prepared))
        {
            let CodeLine::Assign(_, value) = out.remove(place) else { break };
            replace(&mut line, key, value);
        }
        out.push(line);
    }
    *block = out;
}

/// Returns true if a statement only empties a variable that the next one fills.
fn empties(last: &CodeLine, line: &CodeLine) -> bool {
    match (last, line) {
        (CodeLine::Assign(Code::Variable(key, _), Code::Group(open, items, "]")), line) => {
            open == "[" && items.is_empty() && codes(line).into_iter().any(|code| code.fills(*key))
        }
        _ => false,
    }
}

/// Returns the expressions of a statement, without those of nested statements.
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

/// Returns true if the value of a variable is never read again, as far as the following statements show.
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
    // With more statements ahead than were searched, nothing is known.
    rest.len() <= MAX_AHEAD
}

/// Returns the variable that the last statement sets for the next one alone.
fn carried(
    out: &Block,
    line: &CodeLine,
    prepared: &Prepared<'_>,
    rest: &VecDeque<CodeLine>,
) -> Option<VariableKey> {
    let Some(CodeLine::Assign(Code::Variable(key, _), value)) = out.last() else { return None };
    let is_single = prepared.is_single(*key);
    // A loop over elements is recognised by these assignments, so they stay.
    if loops::is_element(out) || !(is_single || prepared.is_fresh(*key)) {
        return None;
    }
    let parts = codes(line).into_iter().chain([value]);
    if parts.fold(0, |weight, code| weight + code.weight(MAX_WEIGHT)) > MAX_WEIGHT {
        return None;
    }
    // A pure node is evaluated again for each node that uses it.
    let uses: usize = codes(line).into_iter().map(|code| code.uses(*key)).sum();
    if !is_single && (uses != 1 || !is_dead(*key, rest)) {
        return None;
    }
    // Calls must stay in the same order and number.
    let fits = match seek(line, *key) {
        Sought::Found { always } => always || value.is_pure(),
        // A literal may move past a call, since no call changes it.
        Sought::Late => matches!(value, Code::Word(_)),
        Sought::Missing { .. } => false,
    };
    fits.then_some(*key)
}

/// Returns an earlier statement, and the variable that it sets for this one alone, if all between them only compute
/// values for other variables.
fn carried_over(out: &Block, line: &CodeLine, prepared: &Prepared<'_>) -> Option<(usize, VariableKey)> {
    let mut assigned = Vec::new();
    let first = out.len().saturating_sub(MAX_OVER + 1);
    for (place, last) in out.iter().enumerate().skip(first).rev() {
        let CodeLine::Assign(Code::Variable(key, shown), value) = last else { return None };
        // What is set in an object may be what a value is computed from.
        if !value.is_pure() || !(prepared.is_temporary(*key) || prepared.is_local(shown)) {
            return None;
        }
        let is_next = place + 1 == out.len();
        let is_element = out.get(..=place).is_some_and(loops::is_element);
        if !is_next
            && !is_element
            && prepared.is_single(*key)
            && assigned.iter().all(|other| value.uses(*other) == 0)
            && matches!(seek(line, *key), Sought::Found { .. })
            && codes(line).into_iter().chain([value]).map(|code| code.weight(MAX_WEIGHT)).sum::<usize>()
                <= MAX_WEIGHT
        {
            return Some((place, *key));
        }
        assigned.push(*key);
    }
    None
}

fn seek(line: &CodeLine, key: VariableKey) -> Sought {
    match line {
        CodeLine::Assign(to, value) => match value.seek(key) {
            Sought::Missing { is_pure } if !matches!(to, Code::Variable(..)) => match to.seek(key) {
                // The value comes first, and its calls before the destination.
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
            // The value may be a test for an object, which reads shorter as a condition.
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
        // The result of the node is never read.
        CodeLine::Assign(Code::Variable(key, _), value) if prepared.is_unused(key) => {
            if !value.is_pure() {
                out.push(CodeLine::Do(value));
            }
        }
        // An operator on the variable itself.
        CodeLine::Assign(to, Code::Binary(op @ ("+" | "-" | "*" | "/"), a, b)) if *a == to => {
            let op = match op {
                "+" => "+=",
                "-" => "-=",
                "*" => "*=",
                _ => "/=",
            };
            out.push(CodeLine::Update(to, op, *b));
        }
        // An assignment to itself, without a call.
        CodeLine::Assign(to, value) if to == value && to.is_pure() => {}
        // Statements after a jump are only reached through a label.
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
    // The compiler's own pattern for a node that runs once.
    if let Some((flag, rest)) = once(&condition, &then).filter(|_| otherwise.is_empty()) {
        return out.push(CodeLine::DoOnce(flag, rest));
    }
    // Without branches, only the effect of the condition counts.
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

/// Finds statements that run only once, by the compiler's own flag variable.
fn once(condition: &Code, then: &Block) -> Option<(Code, Block)> {
    let Code::Prefix("!", flag) = condition else { return None };
    let Code::Variable(_, name) = &**flag else { return None };
    let (CodeLine::Assign(to, value), rest) = then.split_first()? else { return None };
    let is_flag = name.contains("bool_IsClosed_Variable") || name.contains("bool_Has_Been_Initd_Variable");
    let fits = is_flag && *to == **flag && *value == Code::word("true");
    fits.then(|| ((**flag).clone(), rest.to_vec()))
}

/// Returns true if branches compare one value with several literals in turn.
fn is_choice(condition: &Code, then: &Block, otherwise: &Block) -> bool {
    let Some((on, _, is_equal)) = test(condition) else { return false };
    match if is_equal { otherwise } else { then }.as_slice() {
        [CodeLine::Switch { on: other, .. }] => other == on,
        [CodeLine::If { condition, .. }] => test(condition).is_some_and(|(other, ..)| other == on),
        _ => false,
    }
}

/// Joins such branches into one `switch`.
fn switch(condition: &Code, then: Block, otherwise: Block) -> Option<CodeLine> {
    let (on, value, is_equal) = test(condition)?;
    let (block, mut rest) = if is_equal { (then, otherwise) } else { (otherwise, then) };
    let first = (vec![value.clone()], block);
    match rest.pop()? {
        // The first case is found last.
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

/// Returns the parts of a comparison with a literal: value, literal, and true for equality.
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
