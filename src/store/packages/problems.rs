use crate::error::Error;
use std::collections::HashSet;

/// What could not be read. A container without its key fails for every package in it, and is reported once.
#[derive(Debug, Default)]
pub(super) struct Problems {
    reported: HashSet<String>,
    new: Vec<Error>,
}

impl Problems {
    /// Notes a problem, unless it was noted before.
    pub(super) fn add(&mut self, error: Error) {
        if self.reported.insert(error.to_string()) {
            self.new.push(error);
        }
    }

    /// The problems since the last call.
    pub(super) fn take(&mut self) -> Vec<Error> {
        std::mem::take(&mut self.new)
    }
}
