//! Prints events of the library, and shows progress in a bar.

use crate::printer::{self, Printer};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use uncask::report::{Event, Observer};

/// Full bar. The widest figures, such as `1023.99 MiB/s`, leave some of 80 columns for the bar.
const TEMPLATE: &str = "{percent:>3}% {wide_bar} {prefix}, {binary_bytes_per_sec}, {eta} left";
/// Short form, for narrow terminals.
const SHORT_TEMPLATE: &str = "{percent:>3}% {prefix}";
/// Width in columns of the widest figures of [`TEMPLATE`] with a reasonable bar.
const ROOM: usize = 76;
/// Time after which a search for containers is shown.
const SILENCE: Duration = Duration::from_secs(1);
/// Interval of redrawing without events.
const REDRAW: Duration = Duration::from_millis(200);

/// Observer that prints warnings, and shows progress in a bar on stderr.
#[derive(Debug)]
pub(crate) struct Progress {
    printer: Arc<Printer>,
    /// Created with the first plan.
    bar: OnceLock<ProgressBar>,
    /// Shown while a large folder is searched.
    search: Mutex<Option<ProgressBar>>,
    /// Plural noun for the counted items, such as "chunks".
    noun: &'static str,
    /// Numbers of items to come, and of those done.
    planned: AtomicU64,
    done: AtomicU64,
    start: Instant,
}

impl Progress {
    /// A bar that counts `noun`; shown once a job has a plan.
    pub(crate) fn new(printer: &Arc<Printer>, noun: &'static str) -> Arc<Self> {
        let (planned, done) = (AtomicU64::default(), AtomicU64::default());
        let (printer, bar, start) = (Arc::clone(printer), OnceLock::new(), Instant::now());
        Arc::new(Self { printer, bar, search: Mutex::default(), noun, planned, done, start })
    }

    /// Time since the start of the job.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
        self.printer.show_bar(None);
    }

    /// Shows the number of searched folders, once a search takes long.
    fn search(&self, folder: &Path, folders: Option<u64>) {
        let mut shown = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(folders) = folders else {
            if let Some(line) = shown.take() {
                line.finish_and_clear();
                self.printer.show_bar(None);
            }
            return;
        };
        if self.elapsed() < SILENCE || !self.printer.shows_progress() {
            return;
        }
        let line = shown.get_or_insert_with(|| {
            let line = ProgressBar::new_spinner().with_style(search_style());
            self.printer.show_bar(Some(&line));
            line
        });
        let folders = printer::counted(folders, "folder", "folders");
        line.set_message(format!("searched {folders}: {}", folder.display()));
    }

    fn plan(&self, chunks: u64, raw_bytes: u64) {
        // A job may plan in several parts, so numbers are added up.
        self.planned.fetch_add(chunks, Ordering::Relaxed);
        // Without bytes there is nothing to show a percentage of.
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
            // Shown only after the counts are set, so that the first drawing is right.
            redraw_steadily(bar);
            self.printer.show_bar(Some(bar));
        } else {
            // A further part of the same job makes the bar longer.
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

/// Redraws a bar between events, on a thread that ends with it. Without that thread, only events redraw it;
/// `indicatif`'s own ticker would panic if the system allows no further thread.
fn redraw_steadily(bar: &ProgressBar) {
    // A weak reference, so that the thread does not keep the bar alive.
    let weak = bar.downgrade();
    let redraw = move || {
        while let Some(bar) = weak.upgrade().filter(|bar| !bar.is_finished()) {
            bar.tick();
            drop(bar);
            std::thread::sleep(REDRAW);
        }
    };
    // If the thread cannot be started, the bar still works.
    drop(std::thread::Builder::new().name("uncask-progress".to_owned()).spawn(redraw));
}

fn style() -> ProgressStyle {
    let has_room = printer::message_width().is_some_and(|width| width >= ROOM);
    let template = if has_room { TEMPLATE } else { SHORT_TEMPLATE };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn search_style() -> ProgressStyle {
    ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_spinner())
}

impl Observer for Progress {
    fn on(&self, event: &Event<'_>) {
        match event {
            Event::Warning { path, message } => {
                self.printer.warning(&format!("{message}: {}", path.display()));
            }
            Event::Failed { error } => self.printer.failure(error),
            Event::Searching { folder, folders } => self.search(folder, *folders),
            Event::Planned { chunks, raw_bytes } => self.plan(*chunks, *raw_bytes),
            Event::Advanced { chunks, raw_bytes } => self.advance(*chunks, *raw_bytes),
            _ => {}
        }
    }
}
