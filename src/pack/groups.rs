//! Content that comes in order, a group of bytes at a time: read, worked on and taken side by side.

use super::blocks::read_full;
use crate::error::{Error, Result};
use crate::job::Cpu;
use std::io::Read;
use std::path::Path;

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
}
