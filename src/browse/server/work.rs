//! Work for a request, on its own thread, cancelled when the client has gone.

use crate::browse::refusal::Refusal;
use crate::game::Cpu;
use crate::job::{Budget, Context};
use hyper::StatusCode;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The most requests in progress at once; others wait. A browser has six connections, so more would only cost memory: allocators
/// keep some for each thread, outside of any budget.
const AT_A_TIME: usize = 6;

/// Threads and memory for requests.
#[derive(Debug, Clone)]
pub(super) struct Workshop {
    budget: Budget,
    turns: Arc<Semaphore>,
}

/// Guard that cancels work when dropped, together with the future that waits for it: hyper drops that when the browser
/// hangs up.
struct EndsWork(Arc<Context>);

impl Drop for EndsWork {
    fn drop(&mut self) {
        self.0.cancel_token().cancel();
    }
}

impl Workshop {
    /// A workshop with a memory budget for all requests together, in bytes.
    pub(super) fn new(memory: u64) -> Self {
        Self { budget: Budget::new(memory), turns: Arc::new(Semaphore::new(AT_A_TIME)) }
    }

    /// Runs work that pays for its own memory, through the context it gets.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        cpu: &Cpu,
        work: impl FnOnce(&Context) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.run_with(0, cpu, work).await
    }

    /// Runs work that needs this much memory.
    pub(super) async fn run_with<T: Send + 'static>(
        &self,
        bytes: u64,
        cpu: &Cpu,
        work: impl FnOnce(&Context) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let gone = |what: &str| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, what);
        // The semaphore is never closed. A turn is taken before memory, so that whoever holds memory never waits for a
        // turn.
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| gone("the server ends"))?;
        let lease = if bytes > 0 { Some(self.budget.lease(bytes).await) } else { None };
        let context = Arc::new(Context::new(cpu.clone(), self.budget.clone(), true));
        // If this future is dropped while it waits below, the guard cancels the work.
        let ends = EndsWork(Arc::clone(&context));
        let done = tokio::task::spawn_blocking(move || {
            // The request may have been dropped while it waited for a thread.
            let done =
                if context.cancel_token().is_cancelled() { Err(Refusal::given_up()) } else { work(&context) };
            drop((turn, lease));
            done
        });
        let done = done.await.map_err(|_| gone("the work was ended by an internal error"))?;
        drop(ends);
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn work_that_nobody_waits_for_ends() {
        let workshop = Workshop::new(1 << 20);
        let (tell, ended) = std::sync::mpsc::channel();
        let cpu = Cpu::default();
        let work = workshop.run(&cpu, move |context| {
            while !context.cancel_token().is_cancelled() {
                std::thread::sleep(Duration::from_millis(1));
            }
            tell.send(()).unwrap();
            Ok(())
        });
        assert!(tokio::time::timeout(Duration::from_millis(50), work).await.is_err());
        ended.recv_timeout(Duration::from_secs(10)).unwrap();
    }

    #[tokio::test]
    async fn memory_is_shared_by_all_requests() {
        let workshop = Workshop::new(1 << 20);
        let cpu = Cpu::default();
        let _taken = workshop.budget.lease(u64::MAX).await;
        let waits = workshop.run_with(1024, &cpu, |_| Ok(()));
        assert!(tokio::time::timeout(Duration::from_millis(50), waits).await.is_err());
    }
}
