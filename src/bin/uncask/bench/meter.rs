//! Measures time, page faults and memory of work.

use serde::Serialize;
use std::time::Instant;

/// Result of a single run.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Run {
    pub(crate) seconds: f64,
    /// Minor page faults: pages touched for the first time.
    pub(crate) faults: Option<u64>,
    /// Largest resident size of the process, in bytes.
    pub(crate) peak: Option<u64>,
}

/// Runs work once, and measures it.
pub(super) fn run<T>(work: impl FnOnce() -> T) -> (Run, T) {
    // The clock starts last and stops first: reading /proc takes longer than some of the work.
    let faults = minor_faults();
    let counted = restart_peak();
    let start = Instant::now();
    let result = work();
    let seconds = start.elapsed().as_secs_f64();
    let faults = minor_faults().zip(faults).map(|(after, before)| after.saturating_sub(before));
    (Run { seconds, faults, peak: counted.then(peak_memory).flatten() }, result)
}

/// Summary of several runs of the same work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(crate) struct Measure {
    /// Median time, in seconds.
    pub(crate) seconds: f64,
    /// Shortest time, in seconds.
    pub(crate) fastest: f64,
    /// Longest time, in seconds.
    pub(crate) slowest: f64,
    /// Median of minor page faults; `None` if the system does not count them.
    pub(crate) faults: Option<u64>,
    /// Largest resident size in bytes; `None` if the system does not report it.
    pub(crate) peak: Option<u64>,
}

impl Measure {
    pub(super) fn of(runs: &[Run]) -> Self {
        let mut times: Vec<f64> = runs.iter().map(|run| run.seconds).collect();
        // The median, since a few slow runs must not count.
        times.sort_by(f64::total_cmp);
        let mut faults: Vec<u64> = runs.iter().filter_map(|run| run.faults).collect();
        faults.sort_unstable();
        Self {
            seconds: times.get(times.len() / 2).copied().unwrap_or_default(),
            fastest: times.first().copied().unwrap_or_default(),
            slowest: times.last().copied().unwrap_or_default(),
            faults: faults.get(faults.len() / 2).copied(),
            peak: runs.iter().filter_map(|run| run.peak).max(),
        }
    }

    /// Difference between the slowest and the fastest run, relative to the median.
    #[must_use]
    pub(crate) fn spread(&self) -> f64 {
        (self.slowest - self.fastest) / self.seconds.max(f64::EPSILON)
    }

    /// Throughput in bytes per second.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    pub(crate) fn rate(&self, bytes: u64) -> f64 {
        bytes as f64 / self.seconds.max(f64::EPSILON)
    }
}

/// Minor page faults of this process so far: field 10 of `/proc/self/stat`.
fn minor_faults() -> Option<u64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Field 2 is a name in parentheses, which may contain spaces and parentheses; count from after the last one.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_ascii_whitespace().nth(7)?.parse().ok()
}

/// Largest resident size of this process, in bytes.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kib| kib * 1024)
}

/// Resets the largest resident size to the current one; `false` if the system cannot.
fn restart_peak() -> bool {
    std::fs::write("/proc/self/clear_refs", "5").is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_run_counts() {
        let run = |seconds| Run { seconds, faults: Some(7), peak: Some(1) };
        let measure = Measure::of(&[run(3.0), run(1.0), run(2.0)]);
        assert_eq!((measure.seconds, measure.fastest, measure.slowest), (2.0, 1.0, 3.0));
        assert!((measure.spread() - 1.0).abs() < 1e-9);
        assert!((measure.rate(4) - 2.0).abs() < 1e-9);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn fresh_memory_is_faulted_in_and_seen() {
        const LEN: usize = 64 << 20;
        let (run, sum) = run(|| vec![1_u8; LEN].iter().map(|byte| u64::from(*byte)).sum::<u64>());
        assert_eq!(sum, LEN as u64);
        assert!(run.faults.unwrap() > 16, "{run:?}");
        assert!(run.peak.unwrap() > LEN as u64, "{run:?}");
    }
}
