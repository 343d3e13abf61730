use crate::wire::Fault;

/// What could be read, and what stopped the reading if it was not everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partial<T> {
    /// Everything up to the fault.
    pub value: T,
    /// The first fault.
    pub fault: Option<Fault>,
}

impl<T> Partial<T> {
    /// All or nothing.
    pub fn complete(self) -> Result<T, Fault> {
        match self.fault {
            None => Ok(self.value),
            Some(fault) => Err(fault),
        }
    }
}
