//! Events of the library as messages and a progress bar.

use crate::printer::{self, Printer};
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use uncask::report::{Event, Observer};

/// The widest figures, such as `1023.99 GiB/1023.99 GiB`, leave some columns of 80 for the bar.
const TEMPLATE: &str = "{percent:>3}% {wide_bar} {binary_bytes}/{binary_total_bytes} {prefix} {eta}";
/// For terminals that have no room for that.
const SHORT_TEMPLATE: &str = "{percent:>3}% {prefix}";
/// Columns that the figures of [`TEMPLATE`] take at most, and a bar worth the name.
const ROOM: usize = 76;
/// Time between two drawings while nothing happens.
const REDRAW: Duration = Duration::from_millis(200);

/// Listens to a job: warnings go to the printer, progress to a bar on stderr.
#[derive(Debug)]
pub(crate) struct Progress {
    printer: Arc<Printer>,
    /// Made when there is something to do.
    bar: OnceLock<ProgressBar>,
    /// What is counted, such as "chunks".
    noun: &'static str,
    /// Of those, how many are to come and how many are done.
    planned: AtomicU64,
    done: AtomicU64,
    start: Instant,
}

impl Progress {
    /// A bar that counts `noun` once a job has a plan.
    pub(crate) fn new(printer: &Arc<Printer>, noun: &'static str) -> Arc<Self> {
        let (planned, done) = (AtomicU64::default(), AtomicU64::default());
        let (printer, bar, start) = (Arc::clone(printer), OnceLock::new(), Instant::now());
        Arc::new(Self { printer, bar, noun, planned, done, start })
    }

    /// Time since the job began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
        self.printer.show_bar(None);
    }

    fn plan(&self, chunks: u64, raw_bytes: u64) {
        self.planned.fetch_add(chunks, Ordering::Relaxed);
        // Of nothing, no part can be done.
        if raw_bytes == 0 || !self.printer.shows_progress() {
            return;
        }
        let mut is_first = false;
        let bar = self.bar.get_or_init(|| {
            is_first = true;
            ProgressBar::new(raw_bytes).with_style(style())
        });
        self.count(bar);
        if is_first {
            // Only now is there something to draw.
            redraw_steadily(bar);
            self.printer.show_bar(Some(bar));
        } else {
            bar.inc_length(raw_bytes);
        }
    }

    fn advance(&self, chunks: u64, raw_bytes: u64) {
        self.done.fetch_add(chunks, Ordering::Relaxed);
        if let Some(bar) = self.bar.get() {
            bar.inc(raw_bytes);
            self.count(bar);
        }
    }

    fn count(&self, bar: &ProgressBar) {
        let [done, planned] = [&self.done, &self.planned].map(|n| printer::count(n.load(Ordering::Relaxed)));
        bar.set_prefix(format!("{done}/{planned} {}", self.noun));
    }
}

/// Redraws a bar between events, on a thread that ends with it. Without that thread, events alone redraw it; `indicatif`'s own
/// ticker would panic where the system allows no further thread.
fn redraw_steadily(bar: &ProgressBar) {
    let weak = bar.downgrade();
    let redraw = move || {
        while let Some(bar) = weak.upgrade().filter(|bar| !bar.is_finished()) {
            bar.tick();
            drop(bar);
            std::thread::sleep(REDRAW);
        }
    };
    // The bar is as right without it.
    drop(std::thread::Builder::new().name("uncask-progress".to_owned()).spawn(redraw));
}

fn style() -> ProgressStyle {
    let has_room = printer::message_width().is_some_and(|width| width >= ROOM);
    let template = if has_room { TEMPLATE } else { SHORT_TEMPLATE };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Observer for Progress {
    fn on(&self, event: &Event<'_>) {
        match event {
            Event::Warning { path, message } => {
                self.printer.warning(&format!("{message}: {}", path.display()));
            }
            Event::Failed { error } => self.printer.failure(error),
            Event::Planned { chunks, raw_bytes } => self.plan(*chunks, *raw_bytes),
            Event::Advanced { chunks, raw_bytes } => self.advance(*chunks, *raw_bytes),
            _ => {}
        }
    }
}
