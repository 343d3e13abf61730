//! Twice the input, no more than two and a half times the cost: for every parser, every format that can be shown, and every job
//! of the command.
//!
//! Mutations of small files cannot find what grows with the square of its input; shapes that are made to hurt can: the same id
//! or name a thousand times, names as long as they may be, chains of folders and of objects, lists that are looked up in
//! lists. Each is made in growing sizes.
//!
//! Memory is counted by the allocator, for a job by the system, and judged in sizes that depend on the shape alone, so that a
//! fast machine and a slow one see the same. Time is that of the processor, in sizes that take long enough to be measured. A
//! machine that does other things, too, makes a run slower, never faster: the least of several counts.
//!
//! `UNCASK_SCALING=catalog` measures only the shapes with that in their names, and prints each at once.
//!
//! The system's time on behalf of a job is not counted as its own. It comes in bursts: creating the same
//! files takes a file system ten times as long when it tidies up. Too many system calls also cost the job
//! its own time, which then grows quadratically, too; for time that only the system spends there is a
//! [limit](Scale::MOST_SYSTEM_TIME).

#[cfg(feature = "cli")]
mod assets;
mod bytecode;
mod encoders;
mod formats;
mod graphs;
mod jobs;
mod ladder;
mod levels;
mod meshes;
mod parsers;
mod properties;
mod tests;

use super::Meter;
use crate::fuzz::counting::COUNTING;
use ladder::Ladder;
use std::fmt::Write as _;
use std::time::Duration;

/// Greatest factor in cost for twice the input.
const MOST: f64 = 2.5;

/// The cost of a run.
#[derive(Debug, Clone, Copy)]
struct Cost {
    /// Bytes of input.
    input: usize,
    /// The most memory at a time, in bytes.
    memory: usize,
    /// Its own time.
    time: Duration,
    /// The system's.
    system_time: Duration,
}

impl Cost {
    /// The better of two runs.
    fn least(self, other: Self) -> Self {
        Self {
            memory: self.memory.min(other.memory),
            time: self.time.min(other.time),
            system_time: self.system_time.min(other.system_time),
            ..self
        }
    }
}

/// The memory allowed for an input.
#[derive(Debug, Clone, Copy)]
struct Allowance {
    /// Bytes for any input, however small it is.
    floor: usize,
    /// Additional bytes per byte of input.
    per_byte: usize,
}

impl Allowance {
    const fn of(self, input: usize) -> usize {
        self.floor + self.per_byte * input
    }
}

/// Measurements, with their precision.
#[derive(Default)]
struct Scale {
    table: String,
    failed: Vec<String>,
    /// Less time than this is as good as nothing.
    least_time: Duration,
    /// A run that takes this long says something about time.
    enough: Duration,
    /// An input this long says something about memory.
    enough_input: usize,
}

/// The faults of a shape.
#[derive(Debug, Default, PartialEq, Eq)]
struct Verdict {
    too_much_memory: bool,
    too_slow: bool,
    too_slow_system: bool,
}

impl Verdict {
    fn is_sound(&self) -> bool {
        *self == Self::default()
    }

    fn text(&self) -> String {
        let parts = [
            (self.too_much_memory, "  takes too much memory"),
            (self.too_slow, "  takes too much time"),
            (self.too_slow_system, "  takes too much of the system's time"),
        ];
        parts.into_iter().filter_map(|(is_so, text)| is_so.then_some(text)).collect()
    }
}

impl Scale {
    /// Times that the first size may be doubled until an input is long enough.
    const DOUBLINGS: usize = 4;

    /// Limit of system time for any measured input (a few MiB), on a busy system.
    const MOST_SYSTEM_TIME: Duration = Duration::from_secs(20);

    fn new(least_time: Duration, enough: Duration, enough_input: usize) -> Self {
        Self { least_time, enough, enough_input, ..Self::default() }
    }

    /// Measures a shape in sizes from `size` on.
    fn measure(&mut self, name: &str, size: usize, allowed: Allowance, run: impl FnMut(usize) -> Cost) {
        let only = std::env::var("UNCASK_SCALING").unwrap_or_default();
        if !name.contains(&only) {
            return;
        }
        let (line, verdict) = self.judge(allowed, &mut Ladder::new(size, run));
        let line = format!("{name:<56} {line}{}", verdict.text());
        if !only.is_empty() {
            say(&line);
        }
        writeln!(self.table, "{line}").unwrap();
        if !verdict.is_sound() {
            self.failed.push(line);
        }
    }

    /// Measures a shape, and judges it.
    fn judge(&self, allowed: Allowance, ladder: &mut Ladder<impl FnMut(usize) -> Cost>) -> (String, Verdict) {
        let (memory, too_much_memory) = self.memory(allowed, ladder);
        let (time, too_slow) = self.time(ladder);
        let last = ladder.last();
        let too_slow_system = ladder.always(last, last, |_, cost| cost.system_time > Self::MOST_SYSTEM_TIME);
        (format!("{time}   {memory}"), Verdict { too_much_memory, too_slow, too_slow_system })
    }

    /// The growth of memory from the first size to one that is large enough, and whether that is too much.
    fn memory(&self, allowed: Allowance, ladder: &mut Ladder<impl FnMut(usize) -> Cost>) -> (String, bool) {
        let large_enough = |ladder: &mut Ladder<_>, step: &usize| ladder.at(*step).input >= self.enough_input;
        let last = (1..Self::DOUBLINGS).find(|step| large_enough(ladder, step)).unwrap_or(Self::DOUBLINGS);
        let too_much = |_, cost: Cost| cost.memory > allowed.of(cost.input);
        let grows = |small: Cost, large: Cost| is_more(large.memory, small.memory.max(allowed.floor));
        let is_too_much = ladder.always(last, last, too_much) || ladder.always(last - 1, last, grows);
        let (first, large) = (ladder.at(0), ladder.at(last));
        let text = format!(
            "{:>8} {:>8} {:>8} {:>8} {:>6.1}",
            kib(first.input),
            kib(first.memory),
            kib(large.input),
            kib(large.memory),
            per_byte(large)
        );
        (text, is_too_much)
    }

    /// The growth of time from a size that takes long enough, and whether it is too much three times in a
    /// row. Outgrowing a cache costs more once or, with two caches, twice; quadratic growth shows at every
    /// step.
    fn time(&self, ladder: &mut Ladder<impl FnMut(usize) -> Cost>) -> (String, bool) {
        let first = self.long_enough(ladder);
        let mut grows = |step: usize| ladder.always(step, step + 1, |a, b| self.time_ratio(a, b) > MOST);
        // A step's larger size is measured again for the next step: the first verdict may rest on a slow run.
        let is_too_much = (first..first + 3).all(&mut grows) && (first..first + 3).all(&mut grows);
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

    /// The first size that takes long enough.
    fn long_enough(&self, ladder: &mut Ladder<impl FnMut(usize) -> Cost>) -> usize {
        (0..Self::DOUBLINGS)
            .find(|step| {
                ladder.at(*step).time >= self.enough && {
                    ladder.confirm(*step);
                    ladder.at(*step).time >= self.enough
                }
            })
            .unwrap_or_else(|| {
                ladder.confirm(Self::DOUBLINGS);
                Self::DOUBLINGS
            })
    }

    fn time_ratio(&self, small: Cost, large: Cost) -> f64 {
        large.time.as_secs_f64() / small.time.max(self.least_time).as_secs_f64()
    }

    /// Prints the table past the harness's capture, and fails the test if anything grew too fast.
    fn finish(self) {
        let head = format!(
            "{:<56} {:>8} {:>8} {:>6} {:>6} {:>6}   {:>8} {:>8} {:>8} {:>8} {:>6}",
            "shape", "n", "KiB in", "ms", "twice", "ratio", "KiB in", "KiB", "KiB in", "KiB", "ratio"
        );
        say(&format!("{head}\n{}{} shapes", self.table, self.table.lines().count()));
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

#[expect(clippy::cast_precision_loss, reason = "a ratio of sizes")]
fn is_more(large: usize, small: usize) -> bool {
    large as f64 > MOST * small as f64
}

#[expect(clippy::cast_precision_loss, reason = "a ratio of sizes")]
fn per_byte(cost: Cost) -> f64 {
    cost.memory as f64 / cost.input.max(1) as f64
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap()
}

/// Runs something in this process, on this thread.
fn in_process(input: usize, run: impl FnOnce()) -> Cost {
    let (before, start) = (COUNTING.restart(), processor_time());
    run();
    let time = processor_time().saturating_sub(start);
    let memory = COUNTING.peak().saturating_sub(before);
    Cost { input, memory, time, system_time: Duration::ZERO }
}

/// Processor time of this thread.
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
