//! Settings of jobs: threads, memory, the token that cancels them, the observer of their progress.

use crate::job::{Budget, CancelToken, Context, Cpu};
use crate::report::{Observer, Silent};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Memory for data in flight by default, in bytes.
const MEMORY: u64 = 256 << 20;

/// Settings of jobs. A clone has the same worker threads once they are started.
#[derive(Clone)]
pub(super) struct Settings {
    pub workers: OnceLock<Cpu>,
    /// Worker threads to start; 0 for one per core.
    pub threads: usize,
    /// Memory for data in flight, in bytes.
    pub memory: u64,
    pub cancel: CancelToken,
    pub observer: Arc<dyn Observer>,
    /// Context of a larger job, which these jobs are part of.
    pub outer: Option<Context>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            workers: OnceLock::new(),
            threads: 0,
            memory: MEMORY,
            cancel: CancelToken::default(),
            observer: Arc::new(Silent),
            outer: None,
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { threads, memory, .. } = self;
        f.debug_struct("Settings").field("threads", threads).field("memory", memory).finish_non_exhaustive()
    }
}

impl Settings {
    /// The worker threads, started on first use.
    pub(super) fn cpu(&self) -> Cpu {
        // Without a worker of its own, the calling thread does everything.
        self.workers.get_or_init(|| Cpu::new(self.threads).unwrap_or_default()).clone()
    }

    /// Context of a job.
    pub(super) fn context(&self, verify: bool) -> Context {
        if let Some(context) = &self.outer {
            return context.with_verify(verify);
        }
        Context::new(self.cpu(), Budget::new(self.memory), verify)
            .with_cancel_token(self.cancel.clone())
            .with_observer(Arc::clone(&self.observer))
    }

    /// The token that ends its jobs.
    pub(super) const fn cancel_token(&self) -> &CancelToken {
        match &self.outer {
            Some(context) => context.cancel_token(),
            None => &self.cancel,
        }
    }
}
