use crate::error::Error;
use std::collections::HashSet;

/// Errors met so far. A container without its key fails for each package in it, but is reported once.
#[derive(Debug, Default)]
pub(super) struct Problems {
    reported: HashSet<String>,
    new: Vec<Error>,
}

impl Problems {
    /// Records an error, unless an equal one was recorded before.
    pub(super) fn add(&mut self, error: Error) {
        if self.reported.insert(error.to_string()) {
            self.new.push(error);
        }
    }

    /// The errors since the last call.
    pub(super) fn take(&mut self) -> Vec<Error> {
        std::mem::take(&mut self.new)
    }
}
