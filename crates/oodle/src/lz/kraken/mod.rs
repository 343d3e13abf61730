//! Kraken chunks: LZ with three recent distances.
//!
//! ```text
//!   literals │ commands │ (scale) offsets (low parts) │ lengths │ extra bits of offsets and lengths
//!
//!   command   7 6 5 4 3 2 1 0
//!             │   │       └ literal run: 0, 1, 2, or 3: next length
//!             │   └ match length - 2, or 15: next length + 14
//!             └ recent distance 0, 1, 2, or 3: next offset
//! ```

#[cfg(not(feature = "safe-only"))]
mod fast;
#[cfg(not(feature = "safe-only"))]
mod near;
mod plain;
#[cfg(not(feature = "safe-only"))]
mod step;
mod streams;

use super::chunk::{Commands, Lists, Literals, Window, count};
use crate::backend::Backend;
use crate::error::Result;
use crate::scratch::Parts;
use crate::views::Input;
use streams::Progress;
pub(super) use streams::Streams;

impl<'a> Lists<'a> for Streams<'a> {
    type Literals = Literals;

    fn read(chunk: Input<'a>, _: Literals, window: &Window<'_>, parts: Parts<'a>) -> Result<Self> {
        Self::parse(chunk, window.chunk_len(), parts)
    }

    fn is_consistent(&self, backend: Backend) -> bool {
        let commands = self.commands.bytes();
        // 0xC0: both index bits set, a new distance.
        let offsets = count(backend, commands, |command| u8::from(command >= 0xC0));
        let lengths =
            // Run field 3 and match field 15 take one length each.
            count(backend, commands, |command| u8::from(command & 3 == 3) + u8::from(command & 0x3C == 0x3C));
        offsets == self.values.offset_count && lengths == self.values.length_count
    }

    fn run(&self, coded: Literals, backend: Backend, window: &mut Window<'_>, first: usize) -> Result<()> {
        coded.run(self, backend, window, first)
    }
}

impl Commands for Streams<'_> {
    fn run_commands<const DELTA: bool>(
        &self,
        backend: Backend,
        window: &mut Window<'_>,
        first: usize,
    ) -> Result<()> {
        let mut progress = Progress::new(first);
        match backend {
            Backend::Safe => {}
            #[cfg(not(feature = "safe-only"))]
            _ => fast::advance::<DELTA>(backend, self, window, &mut progress),
        }
        plain::finish::<DELTA>(self, window, &mut progress)
    }
}
