//! Checks of a script beyond its form: what would make a game stop while it runs.

use crate::bytecode::function::Function;
use crate::bytecode::token::Token;
use crate::bytecode::tree::{Expression, Operand, Script};
use crate::package::legacy::PackageIndex;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// Limit on the states that are tried; a flow with more is taken as it is.
const MAX_STATES: usize = 50_000;

/// Checks of one script.
pub(super) struct Soundness<'e> {
    statements: &'e [Expression],
    /// Statements by offset.
    places: HashMap<u32, usize>,
    entries: &'e [u32],
}

impl<'e> Soundness<'e> {
    /// Checks a script of a function; `entries` are the offsets at which events enter it.
    pub(super) fn of(
        script: &'e Script,
        function: &Function,
        entries: &'e [u32],
    ) -> Result<(), &'static str> {
        let statements = &script.statements;
        let places = statements.iter().enumerate().map(|(at, statement)| (statement.at, at)).collect();
        let this = Self { statements, places, entries };
        if !entries.iter().all(|entry| this.places.contains_key(entry)) {
            return Err("an event enters it where no statement starts");
        }
        this.flow()?;
        let own = PackageIndex::export(function.export);
        let mut is_own = true;
        let mut see = |e: &Expression| {
            let is_local = matches!(e.token, Token::LocalVariable | Token::LocalOutVariable);
            for operand in e.operands.iter().filter(|_| is_local) {
                if let Operand::Field(path) = operand {
                    is_own &= path.owner.is_none() || path.owner == own || path.path.is_empty();
                }
            }
        };
        for statement in statements {
            statement.visit(&mut see);
        }
        if is_own { Ok(()) } else { Err("a local variable belongs to another function") }
    }

    /// Follows every path: each has to end with a return, and none may pop an empty flow stack.
    fn flow(&self) -> Result<(), &'static str> {
        // Stacks as linked lists: the offset on top, and the id of the stack below. The first one is empty.
        let (mut stacks, mut ids) = (vec![(0_u32, 0_usize)], HashMap::new());
        let mut seen = HashSet::new();
        let mut left: Vec<(usize, usize)> = vec![(0, 0)];
        left.extend(self.resumes().map(|at| (at, 0)));
        while let Some((at, stack)) = left.pop() {
            if seen.len() == MAX_STATES {
                return Ok(());
            }
            if !seen.insert((at, stack)) {
                continue;
            }
            let statement = self.statements.get(at).ok_or("it does not end with a return")?;
            let target = || statement.target().and_then(|target| self.places.get(&target).copied());
            let lost = "a jump leads to no statement";
            let pop = |stacks: &[(u32, usize)]| {
                let (at, below) = stacks.get(stack).copied().filter(|_| stack != 0)?;
                Some((self.places.get(&at).copied()?, below))
            };
            match statement.token {
                Token::Return | Token::EndOfScript => {}
                Token::Jump => left.push((target().ok_or(lost)?, stack)),
                Token::JumpIfNot => left.extend([(at + 1, stack), (target().ok_or(lost)?, stack)]),
                Token::ComputedJump => {
                    left.extend(
                        self.entries.iter().filter_map(|entry| Some((*self.places.get(entry)?, stack))),
                    );
                }
                Token::PushExecutionFlow => {
                    target().ok_or(lost)?;
                    let key = (statement.target().unwrap_or_default(), stack);
                    let id = *ids.entry(key).or_insert_with(|| {
                        stacks.push(key);
                        stacks.len() - 1
                    });
                    left.push((at + 1, id));
                }
                Token::PopExecutionFlow => left.push(pop(&stacks).ok_or("a path pops an empty flow stack")?),
                Token::PopExecutionFlowIfNot => {
                    left.extend([(at + 1, stack), pop(&stacks).ok_or("a path pops an empty flow stack")?]);
                }
                _ => left.push((at + 1, stack)),
            }
        }
        Ok(())
    }

    /// Statements at which latent calls resume, each with an empty stack.
    fn resumes(&self) -> impl Iterator<Item = usize> {
        let mut found = Vec::new();
        let mut see = |e: &Expression| {
            if e.token == Token::SkipOffsetConst {
                found.extend(e.target().and_then(|target| self.places.get(&target)));
            }
        };
        for statement in self.statements {
            statement.visit(&mut see);
        }
        found.into_iter()
    }
}
