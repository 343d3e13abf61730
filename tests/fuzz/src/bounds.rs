//! Limits on time and memory per input.

use super::counting::COUNTING;
use std::time::Duration;

/// Bytes that any input may cost.
const FLOOR: usize = 32 << 20;

/// Time that any input may take. Sanitizers and debug assertions make everything slow.
const FLOOR_TIME: Duration = Duration::from_millis(500);

/// Time that each byte may take on top.
const TIME_PER_BYTE: Duration = Duration::from_micros(20);

/// Runs something about an input of some length, of which each byte may cost `per_byte` bytes of memory.
pub(super) fn bounded(len: usize, per_byte: usize, run: impl FnOnce()) {
    let (before, start) = (COUNTING.restart(), processor_time());
    run();
    let (memory, time) = (COUNTING.peak().saturating_sub(before), processor_time().saturating_sub(start));
    let allowed = FLOOR + per_byte * len;
    assert!(memory <= allowed, "{memory} bytes of memory for {len} of input; {allowed} allowed");
    let allowed = FLOOR_TIME + TIME_PER_BYTE * u32::try_from(len).unwrap_or(u32::MAX);
    assert!(time <= allowed, "{time:?} for {len} bytes of input; {allowed:?} allowed");
}

/// Processor time of this thread.
#[cfg(target_os = "linux")]
fn processor_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let whole = |part: i64| u64::try_from(part).unwrap_or_default();
    Duration::from_secs(whole(now.tv_sec)) + Duration::from_nanos(whole(now.tv_nsec))
}

/// Nobody fuzzes elsewhere, and a test must not depend on what else the machine does.
#[cfg(not(target_os = "linux"))]
const fn processor_time() -> Duration {
    Duration::ZERO
}
