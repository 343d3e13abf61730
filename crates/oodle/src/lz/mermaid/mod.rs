//! Mermaid and Selkie chunks: LZ with bytewise commands.
//!
//! ```text
//!   literals │ commands │ split │ near offsets (u16) │ far offsets of both halves (u24) │ length bytes
//!
//!   command   0x18..=0x7F   c & 7 literals, match of c >> 3 & 15 bytes at the next near offset
//!             0x80..=0xFF   c & 7 literals, match of c >> 3 & 15 bytes at the recent distance
//!             0             64 literals and more
//!             1             match of 91 bytes and more at the next near offset
//!             2             match of 29 bytes and more at the next far offset
//!             0x03..=0x17   match of c + 5 bytes at the next far offset
//! ```
//!
//! A chunk is processed in two halves of up to 64 KiB. Far offsets count back from the start of their half.

#[cfg(not(feature = "safe-only"))]
mod fast;
mod plain;
mod streams;

use super::chunk::{Commands, Lists, Literals, Window, count};
use crate::backend::Backend;
use crate::error::{Error, Result, StreamPart};
use crate::scratch::Parts;
use crate::views::Input;
pub(super) use streams::Streams;
use streams::{Half, Progress};

impl<'a> Lists<'a> for Streams<'a> {
    type Literals = Literals;

    fn read(chunk: Input<'a>, _: Literals, window: &Window<'_>, parts: Parts<'a>) -> Result<Self> {
        Self::parse(chunk, window, parts)
    }

    fn is_consistent(&self, backend: Backend) -> bool {
        let count_near = |half: &Half<'_>| {
            count(backend, half.commands.bytes(), |command| {
                // All short commands with a new distance, and the long near match.
                u8::from((0x18..0x80).contains(&command) || command == 1)
            })
        };
        let near = self.halves.iter().map(count_near).sum::<usize>();
        let far_match = self.halves.iter().all(|half| {
            count(backend, half.commands.bytes(), |command| u8::from((2..0x18).contains(&command)))
                == half.far_count
        });
        // Near offsets are still bytes here, two each.
        far_match && 2 * near == self.near.len()
    }

    fn run(&self, coded: Literals, backend: Backend, window: &mut Window<'_>, first: usize) -> Result<()> {
        coded.run(self, backend, window, first)
    }
}

impl Commands for Streams<'_> {
    /// Runs both halves. The lists that they share (literals, near offsets, lengths) must be used up after
    /// the second.
    fn run_commands<const DELTA: bool>(
        &self,
        backend: Backend,
        window: &mut Window<'_>,
        first: usize,
    ) -> Result<()> {
        let mut progress = Progress::new(first);
        for half in &self.halves {
            match backend {
                Backend::Safe => {}
                #[cfg(not(feature = "safe-only"))]
                _ => fast::advance::<DELTA>(backend, self, half, window, &mut progress),
            }
            plain::finish_half::<DELTA>(self, half, window, &mut progress)?;
        }
        let used_up = progress.literal == self.literals.len() && progress.length == self.lengths.len();
        if used_up { Ok(()) } else { Err(Error::Malformed(StreamPart::Commands)) }
    }
}
