//! The plain way to write output: a checked cursor, byte by byte where it matters.

use super::chunk::Window;
use crate::error::{Error, Part, Result};

/// The output of a chunk, filled from front to back.
pub(super) struct Output<'d> {
    dst: &'d mut [u8],
    pos: usize,
    end: usize,
}

impl<'d> Output<'d> {
    /// The output of a chunk whose first bytes, up to `first`, are already there.
    pub(super) fn new(window: &'d mut Window<'_>, first: usize) -> Self {
        Self { dst: window.dst, pos: first, end: window.end }
    }

    pub(super) fn pos(&self) -> usize {
        self.pos
    }

    pub(super) fn left(&self) -> usize {
        self.end - self.pos
    }

    /// The byte `distance` bytes back.
    pub(super) fn back(&self, distance: usize) -> Result<u8> {
        let at = self.pos.checked_sub(distance).ok_or(Error::Malformed(Part::Match))?;
        self.dst.get(at).copied().ok_or(Error::Malformed(Part::Match))
    }

    pub(super) fn push(&mut self, byte: u8) -> Result<()> {
        let slot = self.dst.get_mut(self.pos..self.end).and_then(<[u8]>::first_mut);
        *slot.ok_or(Error::Malformed(Part::Literals))? = byte;
        self.pos += 1;
        Ok(())
    }

    pub(super) fn copy(&mut self, literals: &[u8]) -> Result<()> {
        let slots = self.dst.get_mut(self.pos..self.end).and_then(|left| left.get_mut(..literals.len()));
        slots.ok_or(Error::Malformed(Part::Literals))?.copy_from_slice(literals);
        self.pos += literals.len();
        Ok(())
    }

    /// Literals that are coded relative to the byte `distance` bytes back.
    pub(super) fn add(&mut self, literals: &[u8], distance: usize) -> Result<()> {
        const STEP: usize = 8;
        let (steps, rest) = if distance >= STEP { literals.as_chunks::<STEP>() } else { (&[][..], literals) };
        for step in steps {
            let base =
                self.pos.checked_sub(distance).and_then(|from| self.dst.get(from..)?.first_chunk::<STEP>());
            let base = *base.ok_or(Error::Malformed(Part::Match))?;
            self.copy(&core::array::from_fn::<u8, STEP, _>(|at| {
                let (step, base) = (step.get(at), base.get(at));
                step.copied().unwrap_or_default().wrapping_add(base.copied().unwrap_or_default())
            }))?;
        }
        rest.iter().try_for_each(|literal| self.push(literal.wrapping_add(self.back(distance)?)))
    }

    /// Repeats what lies `distance` bytes back; copies may overlap themselves.
    pub(super) fn copy_match(&mut self, distance: usize, len: usize) -> Result<()> {
        let from = self.pos.checked_sub(distance).filter(|_| len <= self.left());
        let from = from.ok_or(Error::Malformed(Part::Match))?;
        if len <= distance {
            self.dst.copy_within(from..from + len, self.pos);
        } else {
            for at in from..from + len {
                let byte = self.dst.get(at).copied().unwrap_or_default();
                if let Some(slot) = self.dst.get_mut(at + distance) {
                    *slot = byte;
                }
            }
        }
        self.pos += len;
        Ok(())
    }
}

/// Takes `len` bytes off the front of a list.
pub(super) fn take<'l>(list: &mut &'l [u8], len: usize) -> Result<&'l [u8]> {
    list.split_off(..len).ok_or(Error::Malformed(Part::Literals))
}
