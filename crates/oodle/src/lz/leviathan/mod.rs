//! Leviathan chunks: LZ with seven recent distances and several literal models.
//!
//! ```text
//!   (scale) offsets (low parts) │ lengths │ literals (1, 2, 4 or 16 lists) │ commands (1 or 8 lists) │ extra bits
//!
//!   command   7 6 5 4 3 2 1 0
//!             │     │   └ match length - 2, or 7: length list from the back + 6
//!             │     └ literal run: 0, 1, 2, or 3: length list from the front
//!             └ recent distance 0 to 6, or 7: next offset
//! ```

#[cfg(not(feature = "safe-only"))]
mod fast;
#[cfg(not(feature = "safe-only"))]
mod models;
mod plain;
mod streams;

use super::chunk::{Lists, Window, count};
use crate::backend::Backend;
use crate::error::Result;
use crate::scratch::Parts;
use crate::views::Input;
pub(super) use streams::Streams;
use streams::{Model, Progress};

impl<'a> Lists<'a> for Streams<'a> {
    type Literals = Model;

    fn read(chunk: Input<'a>, model: Model, window: &Window<'_>, parts: Parts<'a>) -> Result<Self> {
        Self::parse(chunk, window.chunk_len(), model, parts)
    }

    fn is_consistent(&self, backend: Backend) -> bool {
        let commands = self.commands.array.bytes();
        // 0xE0: all three index bits set, a new distance.
        let offsets = count(backend, commands, |command| u8::from(command >= 0xE0));
        let lengths =
            count(backend, commands, |command| u8::from(command & 7 == 7) + u8::from(command & 0x18 == 0x18));
        offsets == self.values.offset_count && lengths == self.values.length_count
    }

    fn run(&self, model: Model, backend: Backend, window: &mut Window<'_>, first: usize) -> Result<()> {
        let mut progress = Progress::new(self, first);
        match backend {
            Backend::Safe => {}
            #[cfg(not(feature = "safe-only"))]
            _ => fast::advance(backend, self, model, window, &mut progress),
        }
        plain::finish(self, model, window, &mut progress)
    }
}
