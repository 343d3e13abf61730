//! Loops in familiar forms.

use super::code::{Code, Sought};
use super::lines::{Block, CodeLine, Label};
use super::prepared::Prepared;

/// Limit on the statements before a loop to search for the one that sets its variable.
const MAX_BEFORE: usize = 4;

/// Rewrites loops as `while`, `for` and `foreach` if possible.
pub(super) fn find(block: &mut Block, prepared: &Prepared<'_>) {
    let mut out = Block::with_capacity(block.len());
    for line in block.drain(..) {
        // Each form is a special case of the one before, so they are tried in this order.
        let line = match line {
            CodeLine::Loop { head, body } => plain(head, body),
            other => other,
        };
        let (line, leave) = left(line);
        let line = match line {
            CodeLine::While { head, condition, body } => counted(head, condition, body, &mut out),
            other => other,
        };
        let line = match line {
            CodeLine::For { .. } => elements(line, &mut out, prepared),
            other => other,
        };
        out.push(line);
        out.extend(leave);
    }
    *block = out;
}

/// Turns a loop that is only left by a `return` at its start into `while`, followed by the `return`.
fn left(line: CodeLine) -> (CodeLine, Option<CodeLine>) {
    let CodeLine::Loop { head, mut body } = line else { return (line, None) };
    let leaves = match body.first() {
        Some(CodeLine::If { then, otherwise, .. }) if otherwise.is_empty() => {
            matches!(then.as_slice(), [CodeLine::Return(_)])
        }
        _ => false,
    };
    if leaves
        // After the change a `break` would run into the `return` as well.
        && !breaks(&body, head)
        && let CodeLine::If { condition, mut then, .. } = body.remove(0)
    {
        return (CodeLine::While { head, condition: condition.negated(), body }, then.pop());
    }
    (CodeLine::Loop { head, body }, None)
}

/// Returns true if a statement leaves the loop for the code after it.
fn breaks(body: &Block, head: Label) -> bool {
    body.iter().any(|line| match line {
        CodeLine::Break(label) => label.is_none_or(|label| label == head),
        // Inside of another loop, only a break with a name can mean this one.
        line if is_loop(line) => names(line, head),
        line => line.blocks().into_iter().any(|block| breaks(block, head)),
    })
}

/// Turns a loop that is left at its start into `while`.
fn plain(head: Label, mut body: Block) -> CodeLine {
    // A `continue` at the end does nothing.
    while matches!(body.last(), Some(CodeLine::Continue(None))) {
        body.pop();
    }
    let is_left = matches!(
        body.first(),
        Some(CodeLine::If { then, otherwise, .. }) if otherwise.is_empty() && matches!(then.as_slice(), [CodeLine::Break(None)])
    );
    if is_left && let CodeLine::If { condition, .. } = body.remove(0) {
        return CodeLine::While { head, condition: condition.negated(), body };
    }
    CodeLine::Loop { head, body }
}

/// Turns a loop that counts into `for`, removing the statement before it that sets its variable.
fn counted(head: Label, condition: Code, mut body: Block, out: &mut Block) -> CodeLine {
    let variable = match body.last() {
        // The step is the last statement, and the condition tests the same variable.
        Some(CodeLine::Update(variable @ Code::Variable(key, _), "+=" | "-=", by)) if by.is_pure() => {
            let is_tested = matches!(condition.seek(*key), Sought::Found { .. });
            is_tested.then(|| variable.clone())
        }
        _ => None,
    };
    let place = variable.as_ref().and_then(|variable| {
        // Only plain assignments may stand between: other statements might use the variable.
        let mut set = out.iter().rev().take(MAX_BEFORE).take_while(|line| is_assignment(line));
        let back = set.position(|line| matches!(line, CodeLine::Assign(to, _) if to == variable))?;
        out.len().checked_sub(back + 1)
    });
    let (Some(variable), Some(place)) = (variable, place) else {
        return CodeLine::While { head, condition, body };
    };
    let Some(step) = body.pop() else { return CodeLine::While { head, condition, body } };
    // A `continue` that skips the step would repeat it in a `for`, so all rounds must take it.
    if !repeats(&body, head, &step) {
        body.push(step);
        return CodeLine::While { head, condition, body };
    }
    drop_steps(&mut body, &step);
    match out.remove(place) {
        CodeLine::Assign(_, from) => {
            CodeLine::For { head, variable, from, condition, step: Box::new(step), body }
        }
        other => other,
    }
}

/// Returns true if a statement only sets a variable.
fn is_assignment(line: &CodeLine) -> bool {
    matches!(line, CodeLine::Assign(Code::Variable(..), value) if value.is_pure())
}

/// Returns true if every earlier start of the next round takes the step first.
fn repeats(body: &Block, head: Label, step: &CodeLine) -> bool {
    body.iter().enumerate().all(|(place, line)| match line {
        CodeLine::Continue(None) => place.checked_sub(1).and_then(|before| body.get(before)) == Some(step),
        CodeLine::Continue(Some(label)) | CodeLine::Goto(label) => *label != head,
        line if is_loop(line) => !names(line, head),
        line => line.blocks().into_iter().all(|block| repeats(block, head, step)),
    })
}

/// Removes the steps found by [`repeats`], since the loop takes them itself.
fn drop_steps(body: &mut Block, step: &CodeLine) {
    // Collected first, as `retain` sees one line at a time.
    let next: Vec<bool> = body.iter().skip(1).map(|line| matches!(line, CodeLine::Continue(None))).collect();
    let mut next = next.into_iter().chain([false]);
    body.retain(|line| !(next.next().unwrap_or(false) && line == step));
    for line in body.iter_mut().filter(|line| !is_loop(line)) {
        line.blocks_mut().into_iter().for_each(|block| drop_steps(block, step));
    }
}

const fn is_loop(line: &CodeLine) -> bool {
    matches!(
        line,
        CodeLine::Loop { .. } | CodeLine::While { .. } | CodeLine::For { .. } | CodeLine::ForEach { .. }
    )
}

/// Returns true if a nested statement names a loop.
fn names(line: &CodeLine, head: Label) -> bool {
    let mut found = false;
    line.visit(&mut |line| {
        found |= matches!(line, CodeLine::Continue(Some(label)) | CodeLine::Break(Some(label)) | CodeLine::Goto(label) if *label == head);
    });
    found
}

/// Returns true if the last two statements start a loop over elements: index, then element.
pub(super) fn is_element(block: &[CodeLine]) -> bool {
    match block {
        [
            CodeLine::Assign(place @ Code::Variable(..), Code::Variable(..)),
            CodeLine::Assign(Code::Variable(..), Code::Index(_, index)),
        ] => **index == *place,
        _ => false,
    }
}

/// Turns a loop over the elements of an array into `foreach`.
fn elements(line: CodeLine, out: &mut Block, prepared: &Prepared<'_>) -> CodeLine {
    let CodeLine::For { head, variable, from, condition, step, mut body } = line else { return line };
    let found = match (&condition, body.get(..2)) {
        (
            Code::Binary("<", counter, len),
            Some([CodeLine::Assign(place, from), CodeLine::Assign(item, element)]),
        ) => match (&**len, element) {
            (Code::Member(array, word), Code::Index(of, index)) => {
                // The counter, the index and the array must be the same in head and body.
                let fits = **counter == variable && *from == variable && **index == *place;
                let fits = fits && word == "Length" && of == array;
                fits.then(|| (item.clone(), place.clone(), (**of).clone()))
            }
            _ => None,
        },
        _ => None,
    };
    // All elements: from 0, one by one.
    let starts = from == Code::word("0")
        && matches!(&*step, CodeLine::Update(_, "+=", one) if *one == Code::word("1"));
    let Some((item, place, array)) = found.filter(|_| starts) else {
        return CodeLine::For { head, variable, from, condition, step, body };
    };
    body.drain(..2);
    // The index is set to 0 before the loop as well.
    let is_temporary = matches!(&place, Code::Variable(key, _) if prepared.is_temporary(*key));
    if is_temporary && matches!(out.last(), Some(CodeLine::Assign(to, _)) if *to == place) {
        out.pop();
    }
    CodeLine::ForEach { head, item, place, array, body }
}
