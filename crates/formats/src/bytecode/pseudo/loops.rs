//! Loops in their usual forms.

use super::code::Code;
use super::lines::{Block, Label, Line};
use super::prepared::Prepared;

/// Statements in front of a loop among which the one that sets its variable is looked for.
const MAX_BEFORE: usize = 4;

/// Gives loops the forms `while`, `for` and `foreach` where they have these.
pub(super) fn find(block: &mut Block, prepared: &Prepared<'_>) {
    let mut out = Block::with_capacity(block.len());
    for line in block.drain(..) {
        let line = match line {
            Line::Loop { head, body } => plain(head, body),
            other => other,
        };
        let line = match line {
            Line::While { head, condition, body } => counted(head, condition, body, &mut out),
            other => other,
        };
        let line = match line {
            Line::For { .. } => elements(line, &mut out, prepared),
            other => other,
        };
        out.push(line);
    }
    *block = out;
}

/// A loop that is left at its start, if it is.
fn plain(head: Label, mut body: Block) -> Line {
    while matches!(body.last(), Some(Line::Continue(None))) {
        body.pop();
    }
    let is_left = matches!(
        body.first(),
        Some(Line::If { then, otherwise, .. }) if otherwise.is_empty() && matches!(then.as_slice(), [Line::Break(None)])
    );
    if is_left && let Line::If { condition, .. } = body.remove(0) {
        return Line::While { head, condition: condition.negated(), body };
    }
    Line::Loop { head, body }
}

/// A loop that counts, if it does: what sets its variable is taken out of the statements before.
fn counted(head: Label, condition: Code, mut body: Block, out: &mut Block) -> Line {
    let whole = |condition, body| Line::While { head, condition, body };
    let step = match body.last() {
        Some(Line::Update(variable @ Code::Variable(key, _), "+=" | "-=", by)) if by.is_pure() => {
            let is_tested = matches!(condition.seek(*key), super::code::Sought::Found { .. });
            is_tested.then(|| variable.clone())
        }
        _ => None,
    };
    let Some(variable) = step.filter(|_| !continues(&body, head)) else { return whole(condition, body) };
    let set = out.iter().rev().take(MAX_BEFORE).take_while(|line| is_assignment(line));
    let place = set.into_iter().position(|line| matches!(line, Line::Assign(to, _) if *to == variable));
    let Some(place) = place.and_then(|back| out.len().checked_sub(back + 1)) else {
        return whole(condition, body);
    };
    let Line::Assign(_, from) = out.remove(place) else { return whole(condition, body) };
    match body.pop() {
        Some(step) => Line::For { head, variable, from, condition, step: Box::new(step), body },
        None => whole(condition, body),
    }
}

/// Whether a statement sets a variable, and does nothing else.
fn is_assignment(line: &Line) -> bool {
    matches!(line, Line::Assign(Code::Variable(..), value) if value.is_pure())
}

/// Whether something begins the next round of this loop before its end.
fn continues(body: &Block, head: Label) -> bool {
    body.iter().any(|line| match line {
        Line::Continue(None) => true,
        Line::Continue(Some(label)) | Line::Goto(label) => *label == head,
        // In another loop, only what names this one leads here.
        Line::Loop { body, .. }
        | Line::While { body, .. }
        | Line::For { body, .. }
        | Line::ForEach { body, .. } => names(body, head),
        other => other.blocks().into_iter().any(|block| continues(block, head)),
    })
}

fn names(body: &Block, head: Label) -> bool {
    let mut found = false;
    for line in body {
        line.visit(&mut |line| {
            found |= matches!(line, Line::Continue(Some(label)) | Line::Goto(label) if *label == head);
        });
    }
    found
}

/// Whether the last two statements are those at the start of a loop over elements: place, then element.
pub(super) fn is_element(block: &Block) -> bool {
    match block.as_slice() {
        [
            Line::Assign(place @ Code::Variable(..), Code::Variable(..)),
            Line::Assign(Code::Variable(..), Code::Index(_, index)),
        ] => **index == *place,
        _ => false,
    }
}

/// A loop over the elements of an array, if it is one.
fn elements(line: Line, out: &mut Block, prepared: &Prepared<'_>) -> Line {
    let Line::For { head, variable, from, condition, step, mut body } = line else { return line };
    let found = match (&condition, body.get(..2)) {
        (Code::Binary("<", counter, len), Some([Line::Assign(place, from), Line::Assign(item, element)])) => {
            match (&**len, element) {
                (Code::Member(array, word), Code::Index(of, index)) => {
                    let fits = **counter == variable && *from == variable && **index == *place;
                    let fits = fits && word == "Length" && of == array;
                    fits.then(|| (item.clone(), place.clone(), (**of).clone()))
                }
                _ => None,
            }
        }
        _ => None,
    };
    let starts = from == Code::word("0") && matches!(&*step, Line::Update(_, "+=", one) if *one == Code::word("1"));
    let Some((item, place, array)) = found.filter(|_| starts) else {
        return Line::For { head, variable, from, condition, step, body };
    };
    body.drain(..2);
    // The place is set to 0 in front of the loop as well.
    let is_temporary = matches!(&place, Code::Variable(key, _) if prepared.is_temporary(*key));
    if is_temporary && matches!(out.last(), Some(Line::Assign(to, _)) if *to == place) {
        out.pop();
    }
    Line::ForEach { head, item, place, array, body }
}
