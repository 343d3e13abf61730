//! Twice the input, no more than two and a half times the cost: for every parser, and for every job of the command.
//!
//! Mutations of small files cannot find what grows with the square of its input; shapes that are made to hurt can: the same id
//! or name a thousand times, names as long as they may be, chains of folders and of objects, lists that are looked up in
//! lists. Each is made in growing sizes.
//!
//! Memory is counted by the allocator, for a job by the system, and judged in sizes that depend on the shape alone, so that a
//! fast machine and a slow one see the same. Time is that of the processor, in sizes that take long enough to be measured. A
//! machine that does other things, too, makes a run slower, never faster: the least of several counts.

mod jobs;
mod ladder;
mod parsers;

use super::Meter;
use crate::fuzz::counting::COUNTING;
use ladder::Ladder;
use std::fmt::Write as _;
use std::time::Duration;

/// How much more twice the input may cost.
const MOST: f64 = 2.5;

/// What a run cost.
#[derive(Debug, Clone, Copy)]
struct Cost {
    /// Bytes of input.
    input: usize,
    /// The most memory at a time, in bytes.
    memory: usize,
    time: Duration,
}

impl Cost {
    /// The better of two runs.
    fn least(self, other: Self) -> Self {
        Self { memory: self.memory.min(other.memory), time: self.time.min(other.time), ..self }
    }
}

/// What is measured, and how exactly that can be.
struct Scale {
    table: String,
    failed: Vec<String>,
    /// Less than this is as good as nothing.
    floor: (usize, Duration),
    /// A run that takes this long says something about time.
    enough: Duration,
    /// An input this long says something about memory.
    enough_input: usize,
}

impl Scale {
    /// Times that the first size may be doubled until an input is long enough.
    const DOUBLINGS: usize = 4;

    const fn new(floor: (usize, Duration), enough: Duration, enough_input: usize) -> Self {
        Self { table: String::new(), failed: Vec::new(), floor, enough, enough_input }
    }

    /// Measures a shape in sizes from `size` on.
    fn measure(&mut self, name: &str, size: usize, run: impl FnMut(usize) -> Cost) {
        let mut ladder = Ladder::new(size, run);
        let (memory, too_much) = self.memory(&mut ladder);
        let (time, too_slow) = self.time(&mut ladder);
        let why =
            [too_much.then_some("  takes too much memory"), too_slow.then_some("  takes too much time")];
        let line = format!("{name:<44} {time}   {memory}{}", why.map(Option::unwrap_or_default).concat());
        if std::env::var_os("UNCASK_SCALING").is_some() {
            say(&line);
        }
        writeln!(self.table, "{line}").unwrap();
        if too_much || too_slow {
            self.failed.push(line);
        }
    }

    /// What memory grows by, from the first size to one that is large enough, and whether that is too much.
    fn memory(&self, ladder: &mut Ladder<impl FnMut(usize) -> Cost>) -> (String, bool) {
        let large_enough = |ladder: &mut Ladder<_>, step: &usize| ladder.at(*step).input >= self.enough_input;
        let last = (1..Self::DOUBLINGS).find(|step| large_enough(ladder, step)).unwrap_or(Self::DOUBLINGS);
        let too_much = |first: Cost, last: Cost| {
            let more = (last.input - first.input) * Meter::PER_BYTE;
            last.memory > first.memory.max(self.floor.0) + self.floor.0 + more
        };
        let is_too_much =
            ladder.always(0, last, too_much) || ladder.always(last - 1, last, |a, b| self.memory_grows(a, b));
        let (first, large) = (ladder.at(0), ladder.at(last));
        let text = format!(
            "{:>8} {:>8} {:>8} {:>8}",
            kib(first.input),
            kib(first.memory),
            kib(large.input),
            kib(large.memory)
        );
        (text, is_too_much)
    }

    /// What time grows by from a size that takes long enough, and whether it does so twice in a row: what no longer fits a
    /// cache costs more once, what grows with the square costs more at every step.
    fn time(&self, ladder: &mut Ladder<impl FnMut(usize) -> Cost>) -> (String, bool) {
        let long_enough = |ladder: &mut Ladder<_>, step: &usize| ladder.at(*step).time >= self.enough;
        let first = (0..Self::DOUBLINGS).find(|step| long_enough(ladder, step)).unwrap_or(Self::DOUBLINGS);
        let mut grows = |step: usize| ladder.always(step, step + 1, |a, b| self.time_ratio(a, b) > MOST);
        let is_too_much = grows(first) && grows(first + 1);
        let (small, large) = (ladder.at(first), ladder.at(first + 1));
        let text = format!(
            "{:>8} {:>8} {:>6} {:>6} {:>6.2}",
            ladder.size(first),
            kib(small.input),
            small.time.as_millis(),
            large.time.as_millis(),
            self.time_ratio(small, large)
        );
        (text, is_too_much)
    }

    fn time_ratio(&self, small: Cost, large: Cost) -> f64 {
        large.time.as_secs_f64() / small.time.max(self.floor.1).as_secs_f64()
    }

    #[expect(clippy::cast_precision_loss, reason = "a ratio of sizes")]
    fn memory_grows(&self, small: Cost, large: Cost) -> bool {
        large.memory as f64 > MOST * small.memory.max(self.floor.0) as f64
    }

    /// Prints the table past the harness's capture, and fails the test if anything grew too fast.
    fn finish(self) {
        let head = format!(
            "{:<44} {:>8} {:>8} {:>6} {:>6} {:>6}   {:>8} {:>8} {:>8} {:>8}",
            "shape", "n", "KiB in", "ms", "twice", "ratio", "KiB in", "KiB", "KiB in", "KiB"
        );
        say(&format!("{head}\n{}", self.table));
        assert!(self.failed.is_empty(), "\n{head}\n{}", self.failed.join("\n"));
    }
}

/// Prints past the harness's capture.
fn say(text: &str) {
    use std::io::Write;
    // Nobody may be listening.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

const fn kib(bytes: usize) -> usize {
    bytes.div_ceil(1024)
}

/// Runs something in this process, on this thread.
fn in_process(input: usize, run: impl FnOnce()) -> Cost {
    let (before, start) = (COUNTING.restart(), processor_time());
    run();
    let time = processor_time().saturating_sub(start);
    let memory = COUNTING.peak().saturating_sub(before);
    Cost { input, memory, time }
}

/// What this thread has had of the processor.
#[cfg(target_os = "linux")]
fn processor_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.try_into().unwrap(), now.tv_nsec.try_into().unwrap())
}

#[cfg(not(target_os = "linux"))]
fn processor_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
