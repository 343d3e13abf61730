//! Time, page faults and memory of a piece of work.

use serde::Serialize;
use std::time::Instant;

/// One run of a piece of work.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Run {
    pub(crate) seconds: f64,
    /// Pages that the process touched for the first time.
    pub(crate) faults: Option<u64>,
    /// Most memory that the process had, in bytes.
    pub(crate) peak: Option<u64>,
}

/// Runs a piece of work once.
pub(super) fn run<T>(work: impl FnOnce() -> T) -> (Run, T) {
    let faults = minor_faults();
    let counted = restart_peak();
    let start = Instant::now();
    let result = work();
    let seconds = start.elapsed().as_secs_f64();
    let faults = minor_faults().zip(faults).map(|(after, before)| after.saturating_sub(before));
    (Run { seconds, faults, peak: counted.then(peak_memory).flatten() }, result)
}

/// Several runs of the same work: the middle one, and how far apart they were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(crate) struct Measure {
    /// Median of the times, in seconds.
    pub(crate) seconds: f64,
    /// The shortest time.
    pub(crate) fastest: f64,
    /// The longest time.
    pub(crate) slowest: f64,
    /// Median of the minor page faults; absent where the system does not count them.
    pub(crate) faults: Option<u64>,
    /// The largest resident size, in bytes; absent where the system does not report it.
    pub(crate) peak: Option<u64>,
}

impl Measure {
    pub(super) fn of(runs: &[Run]) -> Self {
        let mut times: Vec<f64> = runs.iter().map(|run| run.seconds).collect();
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

    /// How far the runs are apart, as a share of the median.
    #[must_use]
    pub(crate) fn spread(&self) -> f64 {
        (self.slowest - self.fastest) / self.seconds.max(f64::EPSILON)
    }

    /// Bytes a second.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    pub(crate) fn rate(&self, bytes: u64) -> f64 {
        bytes as f64 / self.seconds.max(f64::EPSILON)
    }
}

/// Minor page faults of this process so far: the tenth field of `/proc/self/stat`.
fn minor_faults() -> Option<u64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in parentheses, and may hold anything.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_ascii_whitespace().nth(7)?.parse().ok()
}

/// Largest resident size of this process, in bytes.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kib| kib * 1024)
}

/// Makes the largest resident size start over from the present one, where the system can do that.
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
