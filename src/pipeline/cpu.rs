//! The one file that knows the thread pool.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tokio::sync::oneshot;

/// Worker threads for computing, apart from the threads that wait for I/O.
#[derive(Debug, Clone)]
pub struct Cpu {
    pool: Arc<rayon::ThreadPool>,
}

impl Cpu {
    /// A pool of this many threads; 0 for one thread per core.
    pub fn new(threads: usize) -> std::io::Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("uncask-{index}"))
            .build()
            .map_err(std::io::Error::other)?;
        Ok(Self { pool: Arc::new(pool) })
    }

    /// Number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Runs `work` on a thread of the pool. `Err` holds the message of a panic.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, String> {
        let (send, receive) = oneshot::channel();
        self.pool.spawn(move || {
            // Nobody may be waiting any more; then the result is not needed.
            let _ = send.send(catch_unwind(AssertUnwindSafe(work)));
        });
        match receive.await {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(panic)) => Err(panic_message(panic.as_ref())),
            Err(_) => Err("the worker went away".to_owned()),
        }
    }

    /// Runs `work` with the pool as the place where parallel iterators run.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_a_result() {
        let cpu = Cpu::new(1).unwrap();
        assert_eq!(cpu.run(|| 6 * 7).await, Ok(42));
        assert_eq!(cpu.run(|| panic!("boom {}", 1)).await, Err::<(), _>("boom 1".to_owned()));
        assert_eq!(cpu.run(|| 1).await, Ok(1), "the pool lives on");
    }
}
