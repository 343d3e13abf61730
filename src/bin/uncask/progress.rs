//! Events of the library as messages and a progress bar.

use crate::printer::Printer;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::Arc;
use std::time::{Duration, Instant};
use uncask::report::{Event, Observer};

const TEMPLATE: &str =
    "{bar:30} {percent:>3}% {binary_bytes}/{binary_total_bytes} {prefix} {binary_bytes_per_sec} eta {eta}";

/// Listens to a job: warnings go to the printer, progress to a bar on stderr.
#[derive(Debug)]
pub(crate) struct Progress {
    printer: Arc<Printer>,
    bar: Option<ProgressBar>,
    chunks: std::sync::atomic::AtomicU64,
    start: Instant,
}

impl Progress {
    pub(crate) fn new(printer: &Arc<Printer>) -> Self {
        let bar = printer.shows_progress().then(|| {
            let style =
                ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(0).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        printer.show_bar(bar.as_ref());
        Self { printer: Arc::clone(printer), bar, chunks: 0.into(), start: Instant::now() }
    }

    /// Time since the job began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.printer.show_bar(None);
    }
}

impl Observer for Progress {
    fn on(&self, event: &Event<'_>) {
        match event {
            Event::Warning { path, message } => {
                self.printer.warning(&format!("{message}: {}", path.display()));
            }
            Event::Failed { error } => self.printer.error(&error.to_string()),
            Event::Planned { raw_bytes, .. } => {
                if let Some(bar) = &self.bar {
                    bar.inc_length(*raw_bytes);
                }
            }
            Event::Advanced { chunks, raw_bytes } => {
                let done = self.chunks.fetch_add(*chunks, std::sync::atomic::Ordering::Relaxed) + chunks;
                if let Some(bar) = &self.bar {
                    bar.inc(*raw_bytes);
                    bar.set_prefix(format!("{done} files"));
                }
            }
            _ => {}
        }
    }
}
