//! The memory of a process, as the system counts it.

use std::process::{Child, ExitStatus};
use std::time::Duration;

/// Waits for a process, and returns its largest resident size in bytes. `VmHWM` only grows, so that the last
/// reading before the end misses no more than what the last millisecond added.
pub(crate) fn watch(mut child: Child) -> (ExitStatus, u64) {
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        if let Some(status) = child.try_wait().expect("a process") {
            return (status, peak);
        }
        let text = std::fs::read_to_string(&status_file).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        if let Some(kib) = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()) {
            peak = peak.max(kib * 1024);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
