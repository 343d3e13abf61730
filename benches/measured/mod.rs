//! Runs of the command, measured: shared by benchmarks of whole runs.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs the command and returns the median of its times and its largest resident size. `before` comes before each run, and is
/// not counted.
pub(crate) fn run(args: &[&str], rounds: usize, before: impl Fn()) -> (Duration, usize) {
    let (mut times, mut peak) = (Vec::new(), 0);
    for _ in 0..=rounds {
        before();
        let start = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_uncask"))
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("uncask runs");
        let status = format!("/proc/{}/status", child.id());
        while child.try_wait().expect("it ends").is_none() {
            peak = peak.max(resident(&status).unwrap_or(0));
            std::thread::sleep(Duration::from_micros(500));
        }
        times.push(start.elapsed());
    }
    (median(times), peak)
}

fn resident(status: &str) -> Option<usize> {
    let text = std::fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse::<usize>().ok().map(|kib| kib * 1024)
}

/// The middle of all but the first, which touched everything.
pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.remove(0);
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[expect(clippy::cast_precision_loss, reason = "a size for people")]
pub(crate) fn mb(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

pub(crate) fn say(text: &str) {
    writeln!(std::io::stdout().lock(), "{text}").expect("prints");
}
