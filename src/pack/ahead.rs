//! Makes things ahead of their use: on all threads, while the one before them is used.

use super::blocks::read_full;
use crate::error::{Error, Result};
use crate::pipeline::Cpu;
use crate::report::Observer;
use std::io::Read;
use std::path::Path;

/// Bytes of small files that are worked on at a time, by all threads together, or a little more.
const BATCH_LEN: u64 = 8 << 20;
/// Files above this size are shared by all threads; each of the others is the work of one.
const SMALL_LEN: u64 = 2 << 20;

/// How many files there are before the first large one.
pub(super) fn count_small<F>(files: &[F], len: impl Fn(&F) -> u64) -> usize {
    files.iter().take_while(|file| len(file) <= SMALL_LEN).count()
}

/// Files, as many at a time as fit into memory.
pub(super) fn batches<F>(mut files: &[F], len: impl Fn(&F) -> u64) -> impl Iterator<Item = &[F]> {
    std::iter::from_fn(move || {
        let mut left = BATCH_LEN;
        let fits = |file: &&F| {
            let fits = left > 0;
            left = left.saturating_sub(len(file));
            fits
        };
        let (batch, rest) = files.split_at(files.iter().take_while(fits).count());
        files = rest;
        (!batch.is_empty()).then_some(batch)
    })
}

pub(super) fn stop_if_cancelled(observer: &dyn Observer) -> Result<()> {
    if observer.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
}

/// Gives what `make` makes of each item to `take`, in order. While it takes those of a batch, the next batch is made. `scratch`
/// is for a thread, to be used again.
pub(super) fn ahead<'a, I: Sync + 'a, S, M: Send>(
    cpu: &Cpu,
    batches: impl Iterator<Item = &'a [I]>,
    scratch: impl Fn() -> S + Send + Sync,
    make: impl Fn(&mut S, &'a I) -> M + Send + Sync,
    mut take: impl FnMut(&'a I, M) -> Result<()>,
) -> Result<()> {
    let mut before: (&[I], Vec<M>) = (&[], Vec::new());
    for batch in batches.chain([&[][..]]) {
        let (items, ready) = before;
        let make_all = || cpu.map_init(batch, &scratch, &make);
        let take_all = || items.iter().zip(ready).try_for_each(|(item, ready)| take(item, ready));
        let (ready, taken) = cpu.beside(make_all, take_all);
        taken?;
        before = (batch, ready);
    }
    Ok(())
}

/// Buffers for groups of bytes, to be used again: one that is read, one that something is made of, one that is taken.
#[derive(Default)]
pub(super) struct Groups {
    buffers: [Group; 3],
}

#[derive(Default)]
struct Group {
    bytes: Vec<u8>,
    filled: usize,
}

impl Groups {
    /// Reads all that there is, and gives each group of `group_len` bytes to `make`, and then to `take` with what was made of
    /// it; both in order. While something is made of a group, the one before it is taken, and the next one is read. Returns how
    /// many bytes there were; `source` is for messages.
    pub(super) fn read<M: Send>(
        &mut self,
        cpu: &Cpu,
        group_len: usize,
        (input, source): (&mut dyn Read, &Path),
        mut make: impl FnMut(&[u8]) -> Result<M> + Send,
        mut take: impl FnMut(&[u8], M) -> Result<()>,
    ) -> Result<u64> {
        let [mut done, mut current, mut coming] = self.buffers.each_mut();
        let (mut ready, mut total) = (None, 0);
        current.fill(input, group_len).map_err(Error::io("read", source))?;
        while current.filled > 0 || ready.is_some() {
            total += current.filled as u64;
            let (next, here) = cpu.beside(
                || (current.filled > 0).then(|| make(current.content())).transpose(),
                || {
                    ready.take().map_or(Ok(()), |ready| take(done.content(), ready))?;
                    coming.fill(input, group_len).map_err(Error::io("read", source))
                },
            );
            here?;
            ready = next?;
            (done, current, coming) = (current, coming, done);
        }
        Ok(total)
    }
}

impl Group {
    fn fill(&mut self, input: &mut dyn Read, len: usize) -> std::io::Result<()> {
        self.bytes.resize(len, 0);
        self.filled = read_full(input, &mut self.bytes)?;
        Ok(())
    }

    fn content(&self) -> &[u8] {
        self.bytes.get(..self.filled).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_come_whole_and_in_order() {
        let content: Vec<u8> = (0..=255).collect();
        let mut groups = Groups::default();
        for cpu in [Cpu::default(), Cpu::new(2).unwrap()] {
            for len in [0, 1, 99, 100, 101, 200, 256] {
                let (mut numbers, mut taken) = (0.., Vec::new());
                let total = groups.read(
                    &cpu,
                    100,
                    (&mut &content[..len], Path::new("x")),
                    |bytes| Ok((numbers.next(), bytes.len())),
                    |bytes, (number, len)| {
                        assert_eq!((number, len), (Some(taken.len() / 100), bytes.len()));
                        taken.extend_from_slice(bytes);
                        Ok(())
                    },
                );
                assert_eq!(total.unwrap(), len as u64);
                assert_eq!(taken, content[..len]);
            }
            let fails = groups.read(
                &cpu,
                100,
                (&mut &content[..], Path::new("x")),
                |_| Ok(()),
                |_, ()| Err(Error::Cancelled),
            );
            assert!(fails.is_err());
        }
    }

    #[test]
    fn all_is_taken_in_order_up_to_an_error() {
        let items: Vec<u32> = (0..100).collect();
        for cpu in [Cpu::default(), Cpu::new(3).unwrap()] {
            for last in [50, 100, 1000] {
                let mut taken = Vec::new();
                let result = ahead(
                    &cpu,
                    items.chunks(7),
                    || 1,
                    |one, item| item + *one,
                    |item, made| {
                        assert_eq!(made, item + 1);
                        taken.push(*item);
                        if made == last { Err(Error::Cancelled) } else { Ok(()) }
                    },
                );
                assert_eq!(result.is_err(), last <= 100);
                assert_eq!(taken, (0..last.min(100)).collect::<Vec<_>>());
            }
        }
    }
}
