use crate::error::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Cancels jobs from any thread. Clones are the same token, and a cancelled one stays cancelled.
///
/// Jobs check it between steps: work already begun is finished or removed, and no more is begun.
///
/// ```
/// use uncask::job::CancelToken;
///
/// let token = CancelToken::default();
/// let of_job = token.clone();
/// assert!(of_job.check().is_ok());
/// token.cancel();
/// assert!(of_job.is_cancelled() && of_job.check().is_err());
/// ```
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_cancelled: AtomicBool,
    /// Checks left until it cancels itself.
    left: Option<AtomicU64>,
    parent: Option<CancelToken>,
}

impl CancelToken {
    /// A token that cancels itself at the check after `looks` checks, to test jobs that are cancelled at any point.
    #[must_use]
    pub fn after(looks: u64) -> Self {
        let is_cancelled = AtomicBool::new(looks == 0);
        Self(Arc::new(State { is_cancelled, left: Some(AtomicU64::new(looks)), parent: None }))
    }

    /// A token of its own, which this one cancels, too: for one of several jobs.
    #[must_use]
    pub fn child(&self) -> Self {
        Self(Arc::new(State { parent: Some(self.clone()), ..State::default() }))
    }

    /// Cancels all jobs with this token.
    pub fn cancel(&self) {
        // Relaxed suffices: no data is passed along with the flag.
        self.0.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// True after [`cancel`](Self::cancel).
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        if let Some(left) = &self.0.left
            // Counts down to zero and stays there: a plain decrement would wrap around.
            && left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
        {
            self.cancel();
        }
        self.0.is_cancelled.load(Ordering::Relaxed) || self.0.parent.as_ref().is_some_and(Self::is_cancelled)
    }

    /// [`Error::Cancelled`] after [`cancel`](Self::cancel).
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_may_run_out() {
        let token = CancelToken::after(2);
        let looks = [(); 4].map(|()| token.clone().is_cancelled());
        assert_eq!(looks, [false, false, true, true]);
        assert!(CancelToken::after(0).is_cancelled() && !CancelToken::default().is_cancelled());
    }

    #[test]
    fn a_token_cancels_its_children_and_no_child_cancels_it() {
        let token = CancelToken::default();
        let [first, second] = [token.child(), token.child()];
        first.cancel();
        assert_eq!([&token, &first, &second].map(CancelToken::is_cancelled), [false, true, false]);
        token.cancel();
        assert!(second.is_cancelled());
    }
}
