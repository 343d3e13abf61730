//! The cost of a shape in sizes that double.

use super::Cost;
use std::time::Duration;

/// Times that two sizes are measured again while what is asked about them seems to be so.
const ROUNDS: usize = 8;

/// Times that a size is measured again before it is taken for what others are compared with.
const CONFIRMATIONS: usize = 2;

/// A run that takes this long is repeated once.
const LONG: Duration = Duration::from_secs(2);

/// The cost of a shape in a first size, twice that, four times, …, each measured on demand.
pub(super) struct Ladder<F> {
    size: usize,
    run: F,
    steps: Vec<Cost>,
}

impl<F: FnMut(usize) -> Cost> Ladder<F> {
    pub(super) const fn new(size: usize, run: F) -> Self {
        Self { size, run, steps: Vec::new() }
    }

    /// The size at a step.
    pub(super) const fn size(&self, step: usize) -> usize {
        self.size << step
    }

    /// The least that the size at a step has cost yet.
    pub(super) fn at(&mut self, step: usize) -> Cost {
        while self.steps.len() <= step {
            let size = self.size(self.steps.len());
            self.steps.push((self.run)(size));
        }
        self.steps[step]
    }

    /// The largest step that was measured.
    pub(super) const fn last(&self) -> usize {
        self.steps.len().saturating_sub(1)
    }

    /// True if `holds` is true for the costs of two sizes in every one of several alternating measurements.
    pub(super) fn always(&mut self, small: usize, large: usize, holds: impl Fn(Cost, Cost) -> bool) -> bool {
        let mut rounds = 0;
        while holds(self.at(small), self.at(large)) {
            let most = if self.at(large).time > LONG { 1 } else { ROUNDS };
            if rounds == most {
                return true;
            }
            rounds += 1;
            self.again(small);
            if large != small {
                self.again(large);
            }
        }
        false
    }

    /// Measures a size again: what was slow by chance would hide what the next size costs.
    pub(super) fn confirm(&mut self, step: usize) {
        self.at(step);
        for _ in 0..CONFIRMATIONS {
            self.again(step);
        }
    }

    fn again(&mut self, step: usize) {
        let size = self.size(step);
        self.steps[step] = self.steps[step].least((self.run)(size));
    }
}
