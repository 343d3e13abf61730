//! Messages held back until earlier ones are printed.

use crate::hint;
use crate::printer::Printer;
use std::sync::{Mutex, MutexGuard, PoisonError};
use uncask::report::{Event, Observer};

/// Observer that collects messages while another one is still printing.
#[derive(Debug, Default)]
pub(crate) struct Held {
    messages: Mutex<Vec<Message>>,
}

#[derive(Debug)]
enum Message {
    Warning(String),
    Failure(String, Option<&'static str>),
}

impl Held {
    /// Prints all collected messages.
    pub(crate) fn print(&self, printer: &Printer) {
        for message in std::mem::take(&mut *self.lock()) {
            match message {
                Message::Warning(text) => printer.warning(&text),
                Message::Failure(text, hint) => {
                    printer.error(&text);
                    printer.hint(hint);
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Message>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Held {
    fn on(&self, event: &Event<'_>) {
        let message = match event {
            Event::Warning { path, message } => Message::Warning(format!("{message}: {}", path.display())),
            Event::Failed { error } => Message::Failure(error.to_string(), hint::of(error)),
            // Progress cannot be shown later.
            _ => return,
        };
        self.lock().push(message);
    }
}
