//! Memory as tickets: nothing is read before its bytes are paid for.

use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes per permit. In units of 1 KiB, budgets of up to 4 TiB fit the 32 bits of a permit count.
const UNIT: u64 = 1024;

/// The bytes that may be in flight at once.
#[derive(Debug, Clone)]
pub struct Budget {
    permits: Arc<Semaphore>,
    total: u32,
}

/// Paid memory; dropping it returns the bytes.
#[derive(Debug)]
pub struct Lease {
    _permit: Option<OwnedSemaphorePermit>,
}

impl Budget {
    /// A budget of this many bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let most = u64::from(u32::MAX).min(Semaphore::MAX_PERMITS as u64);
        // At least one permit, or the smallest lease would wait forever.
        let total = u32::try_from((bytes / UNIT).clamp(1, most)).unwrap_or(u32::MAX);
        Self { permits: Arc::new(Semaphore::new(total as usize)), total }
    }

    /// Takes `bytes` if they are free now. A request above the whole budget is never granted.
    #[must_use]
    pub fn try_lease(&self, bytes: u64) -> Option<Lease> {
        let price = u32::try_from(bytes.div_ceil(UNIT)).ok()?;
        let permit = Arc::clone(&self.permits).try_acquire_many_owned(price).ok()?;
        Some(Lease { _permit: Some(permit) })
    }

    /// Waits until `bytes` are free and takes them. A request above the whole budget takes all of it, and so runs
    /// alone. Requests are served in order.
    pub async fn lease(&self, bytes: u64) -> Lease {
        // More than there is can never be paid: take everything and run alone, rather than wait forever.
        let price = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).min(self.total);
        // `acquire` fails only for a closed semaphore, and this one is never closed.
        Lease { _permit: Arc::clone(&self.permits).acquire_many_owned(price).await.ok() }
    }

    /// Number of free bytes.
    #[must_use]
    pub fn available(&self) -> u64 {
        self.permits.available_permits() as u64 * UNIT
    }

    /// Total number of bytes.
    #[must_use]
    pub fn total(&self) -> u64 {
        u64::from(self.total) * UNIT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_lease_returns_its_bytes() {
        let budget = Budget::new(8 * UNIT);
        let lease = budget.lease(3 * UNIT - 1).await;
        assert_eq!(budget.available(), 5 * UNIT);
        drop(lease);
        assert_eq!(budget.available(), 8 * UNIT);
    }

    #[test]
    fn what_is_not_free_now_is_not_waited_for() {
        let budget = Budget::new(8 * UNIT);
        assert!(budget.try_lease(9 * UNIT).is_none() && budget.try_lease(u64::MAX).is_none());
        let lease = budget.try_lease(5 * UNIT);
        assert!(lease.is_some() && budget.try_lease(4 * UNIT).is_none());
        drop(lease);
        assert!(budget.try_lease(8 * UNIT).is_some());
    }

    #[tokio::test]
    async fn what_is_dearer_than_the_budget_takes_all_of_it() {
        let budget = Budget::new(2 * UNIT);
        let lease = budget.lease(u64::MAX).await;
        assert_eq!(budget.available(), 0);
        drop(lease);
        assert_eq!(budget.available(), budget.total());
    }
}
