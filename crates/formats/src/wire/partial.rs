use super::Fault;

/// What could be read, and what stopped the reading if it was not everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partial<T> {
    /// Everything up to the fault.
    pub value: T,
    /// The first fault.
    pub fault: Option<Fault>,
}

impl<T> Partial<T> {
    /// The first of several attempts on the same bytes that found no fault; if there is none, the one that got
    /// furthest, and of those the first.
    pub(crate) fn furthest(attempts: impl IntoIterator<Item = Self>) -> Self
    where
        T: Default,
    {
        let mut best: Option<Self> = None;
        for attempt in attempts {
            let Some(fault) = attempt.fault else { return attempt };
            if best.as_ref().and_then(|best| best.fault).is_none_or(|best| best.offset < fault.offset) {
                best = Some(attempt);
            }
        }
        best.unwrap_or_else(|| Self { value: T::default(), fault: None })
    }

    /// All or nothing.
    pub fn complete(self) -> Result<T, Fault> {
        match self.fault {
            None => Ok(self.value),
            Some(fault) => Err(fault),
        }
    }
}
