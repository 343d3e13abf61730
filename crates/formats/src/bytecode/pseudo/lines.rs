//! Statements of pseudo-code, and their text.

use super::code::Code;
use std::fmt::Write as _;

/// A sequence of statements.
pub(super) type Block = Vec<CodeLine>;

/// Target of a jump: the offset of a statement, and the number of earlier copies of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Label(pub(super) u32, pub(super) u32);

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.1 {
            0 => write!(f, "L_{:04X}", self.0),
            copy => write!(f, "L_{:04X}_{copy}", self.0),
        }
    }
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum CodeLine {
    /// Assignment: `a = b`.
    Assign(Code, Code),
    /// Update: `a += b`.
    Update(Code, &'static str, Code),
    /// Call.
    Do(Code),
    If {
        condition: Code,
        then: Block,
        otherwise: Block,
    },
    Loop {
        head: Label,
        body: Block,
    },
    While {
        head: Label,
        condition: Code,
        body: Block,
    },
    For {
        head: Label,
        variable: Code,
        from: Code,
        condition: Code,
        step: Box<Self>,
        body: Block,
    },
    /// Loop over the elements of an array, each with its index.
    ForEach {
        head: Label,
        item: Code,
        place: Code,
        array: Code,
        body: Block,
    },
    /// Cases in reverse order, since they are found from the last to the first.
    Switch {
        on: Code,
        cases: Vec<(Vec<Code>, Block)>,
        default: Block,
    },
    /// Statements executed only the first time, and the variable that records it.
    DoOnce(Code, Block),
    /// Statements that run in parallel to the following ones, after a latent call is done.
    Async(Block),
    /// Leaves the innermost loop, or the named one.
    Break(Option<Label>),
    /// Starts the next round of the innermost loop, or of the named one.
    Continue(Option<Label>),
    Return(Option<Code>),
    Goto(Label),
    /// Target of jumps; not written if there are none.
    Label(Label),
    Comment(String),
}

impl CodeLine {
    /// Returns true if the flow never continues after it.
    pub(super) const fn is_end(&self) -> bool {
        matches!(self, Self::Break(_) | Self::Continue(_) | Self::Return(_) | Self::Goto(_))
    }

    /// Returns the nested blocks.
    pub(super) fn blocks(&self) -> Vec<&Block> {
        match self {
            Self::If { then, otherwise, .. } => vec![then, otherwise],
            Self::Loop { body, .. }
            | Self::While { body, .. }
            | Self::For { body, .. }
            | Self::ForEach { body, .. }
            | Self::DoOnce(_, body)
            | Self::Async(body) => vec![body],
            Self::Switch { cases, default, .. } => {
                cases.iter().map(|(_, block)| block).chain([default]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the nested blocks, to be changed.
    pub(super) fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Self::If { then, otherwise, .. } => vec![then, otherwise],
            Self::Loop { body, .. }
            | Self::While { body, .. }
            | Self::For { body, .. }
            | Self::ForEach { body, .. }
            | Self::DoOnce(_, body)
            | Self::Async(body) => vec![body],
            Self::Switch { cases, default, .. } => {
                cases.iter_mut().map(|(_, block)| block).chain([default]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Calls a function for the statement and all nested ones.
    pub(super) fn visit(&self, see: &mut impl FnMut(&Self)) {
        see(self);
        self.blocks().into_iter().flatten().for_each(|line| line.visit(see));
    }
}

/// Writer of statements.
pub(super) struct Printer<'l> {
    pub(super) text: String,
    /// Targets of jumps.
    pub(super) labels: &'l foldhash::HashSet<Label>,
}

impl Printer<'_> {
    pub(super) fn block(&mut self, block: &Block, depth: usize) {
        for line in block {
            self.line(line, depth);
        }
    }

    fn start(&mut self, depth: usize) {
        self.text.extend(std::iter::repeat_n("  ", depth));
    }

    /// Writes a line; writing to a string cannot fail.
    fn put(&mut self, depth: usize, text: std::fmt::Arguments<'_>) {
        self.start(depth);
        let _ = self.text.write_fmt(text);
        self.text.push('\n');
    }

    fn line(&mut self, line: &CodeLine, depth: usize) {
        match line {
            CodeLine::Assign(to, value) => self.put(depth, format_args!("{to} = {value}")),
            CodeLine::Update(to, op, value) => self.put(depth, format_args!("{to} {op} {value}")),
            CodeLine::Do(code) => self.put(depth, format_args!("{code}")),
            CodeLine::If { condition, then, otherwise } => {
                self.start(depth);
                self.condition(condition, then, otherwise, depth);
            }
            CodeLine::Loop { head, body } => self.body(depth, *head, format_args!("loop"), body),
            CodeLine::While { head, condition, body } => {
                self.body(depth, *head, format_args!("while ({condition})"), body);
            }
            CodeLine::For { head, variable, from, condition, step, body } => {
                // The step is a statement of its own, written on the line of the loop.
                let mut step_text = Printer { text: String::new(), labels: self.labels };
                step_text.line(step, 0);
                let step = step_text.text.trim_end();
                let clause = format_args!("for ({variable} = {from}; {condition}; {step})");
                self.body(depth, *head, clause, body);
            }
            CodeLine::ForEach { head, item, place, array, body } => {
                self.body(depth, *head, format_args!("foreach ({item}, {place} in {array})"), body);
            }
            CodeLine::Switch { on, cases, default } => {
                self.put(depth, format_args!("switch ({on}) {{"));
                for (values, block) in cases.iter().rev() {
                    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                    self.put(depth, format_args!("case {}:", values.join(", ")));
                    self.block(block, depth + 1);
                }
                if !default.is_empty() {
                    self.put(depth, format_args!("default:"));
                    self.block(default, depth + 1);
                }
                self.put(depth, format_args!("}}"));
            }
            CodeLine::DoOnce(flag, body) if body.is_empty() => {
                self.put(depth, format_args!("do_once ({flag})"));
            }
            CodeLine::DoOnce(flag, body) => {
                self.put(depth, format_args!("do_once ({flag}) {{"));
                self.block(body, depth + 1);
                self.put(depth, format_args!("}}"));
            }
            CodeLine::Async(body) => {
                self.put(depth, format_args!("parallel {{"));
                self.block(body, depth + 1);
                self.put(depth, format_args!("}}"));
            }
            CodeLine::Break(None) => self.put(depth, format_args!("break")),
            CodeLine::Break(Some(label)) => self.put(depth, format_args!("break {label}")),
            CodeLine::Continue(None) => self.put(depth, format_args!("continue")),
            CodeLine::Continue(Some(label)) => self.put(depth, format_args!("continue {label}")),
            CodeLine::Return(None) => self.put(depth, format_args!("return")),
            CodeLine::Return(Some(value)) => self.put(depth, format_args!("return {value}")),
            CodeLine::Goto(label) => self.put(depth, format_args!("goto {label}")),
            CodeLine::Label(label) if self.labels.contains(label) => {
                // One level out, so that a label stands out from the code.
                self.put(depth.saturating_sub(1), format_args!("{label}:"));
            }
            CodeLine::Label(_) => {}
            CodeLine::Comment(text) => self.put(depth, format_args!("// {text}")),
        }
    }

    fn body(&mut self, depth: usize, head: Label, clause: std::fmt::Arguments<'_>, body: &Block) {
        // A loop is only labelled if a jump names it.
        if self.labels.contains(&head) {
            self.put(depth, format_args!("{head}: {clause} {{"));
        } else {
            self.put(depth, format_args!("{clause} {{"));
        }
        self.block(body, depth + 1);
        self.put(depth, format_args!("}}"));
    }

    /// Writes `if`, with `else if` on the line of the closing bracket.
    fn condition(&mut self, condition: &Code, then: &Block, otherwise: &Block, depth: usize) {
        // A loop, since chains of `else if` may be long.
        let (mut condition, mut then, mut otherwise) = (condition, then, otherwise);
        loop {
            let _ = writeln!(self.text, "if ({condition}) {{");
            self.block(then, depth + 1);
            if otherwise.is_empty() {
                return self.put(depth, format_args!("}}"));
            }
            self.start(depth);
            self.text.push_str("} else ");
            match otherwise.as_slice() {
                [CodeLine::If { condition: c, then: t, otherwise: o }] => {
                    (condition, then, otherwise) = (c, t, o);
                }
                _ => {
                    self.text.push_str("{\n");
                    self.block(otherwise, depth + 1);
                    return self.put(depth, format_args!("}}"));
                }
            }
        }
    }
}
