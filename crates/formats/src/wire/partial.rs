use super::Fault;

/// A value that may be incomplete, and the fault that ended the reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partial<T> {
    /// Content up to the fault.
    pub value: T,
    /// First fault, if any.
    pub fault: Option<Fault>,
}

impl<T> Partial<T> {
    /// Returns the first of several attempts on the same bytes without a fault; otherwise the one that got
    /// furthest, and among equals the first.
    pub(crate) fn furthest(attempts: impl IntoIterator<Item = Self>) -> Self
    where
        T: Default,
    {
        let mut best: Option<Self> = None;
        for attempt in attempts {
            // Attempts are lazy: those after a success are never made.
            let Some(fault) = attempt.fault else { return attempt };
            // The offset of its fault tells how far an attempt came.
            if best.as_ref().and_then(|best| best.fault).is_none_or(|best| best.offset < fault.offset) {
                best = Some(attempt);
            }
        }
        best.unwrap_or_else(|| Self { value: T::default(), fault: None })
    }

    /// Returns the value only if it is complete.
    pub fn complete(self) -> Result<T, Fault> {
        match self.fault {
            None => Ok(self.value),
            Some(fault) => Err(fault),
        }
    }
}
