//! Which export a payload belongs to, where no table says so.
//!
//! Entries come in the order in which exports wrote them, and each export holds the number of its entry: right before an inline
//! payload, or anywhere for one in a file of its own.

/// Bytes that are searched for owners at most, for each byte of export data: hostile tables make every search fail.
const MAX_SEARCH: usize = 16;

/// Goes through export data once, export by export.
#[derive(Debug)]
pub(super) struct BulkOwners<'a> {
    exports: Vec<&'a [u8]>,
    export: usize,
    position: usize,
    /// Bytes that may still be looked at.
    budget: usize,
}

impl<'a> BulkOwners<'a> {
    /// The data of all exports, by their indices.
    pub(super) fn new(exports: Vec<&'a [u8]>) -> Self {
        let len = exports.iter().fold(0_usize, |sum, own| sum.saturating_add(own.len()));
        Self { exports, export: 0, position: 0, budget: len.saturating_mul(MAX_SEARCH) }
    }

    /// The export that wrote an entry with a payload of this place and length, inline or in a file of its own. Ask for all
    /// entries, in their order.
    pub(super) fn find(&mut self, entry: i32, offset: i64, len: u64, separate: bool) -> Option<usize> {
        let number = entry.to_le_bytes();
        let found = if separate { self.anywhere(number) } else { self.before(number, offset, len) };
        let (export, position) = found?;
        (self.export, self.position) = (export, position);
        Some(export)
    }

    /// Right before an inline payload.
    fn before(&mut self, number: [u8; 4], offset: i64, len: u64) -> Option<(usize, usize)> {
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(usize::try_from(len).ok()?)?;
        let fits = |own: &[u8]| {
            own.len() >= end && start.checked_sub(4).and_then(|at| own.get(at..start)) == Some(&number[..])
        };
        self.budget = self.budget.checked_sub(self.exports.len() - self.export.min(self.exports.len()))?;
        let at = self.exports.iter().skip(self.export).position(|own| fits(own))?;
        Some((self.export + at, end))
    }

    /// Anywhere after the last one that was found.
    fn anywhere(&mut self, number: [u8; 4]) -> Option<(usize, usize)> {
        let mut start = self.position;
        for (at, own) in self.exports.iter().enumerate().skip(self.export) {
            let rest = own.get(start..).unwrap_or_default();
            self.budget = self.budget.checked_sub(rest.len())?;
            if let Some(hit) = rest.windows(4).position(|window| window == number) {
                return Some((at, start + hit + 4));
            }
            start = 0;
        }
        None
    }
}
