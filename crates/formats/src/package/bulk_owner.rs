//! Finds the export that owns a payload where no table records it.
//!
//! Entries come in the order in which exports wrote them, and each export holds the index of its entry: right
//! before an inline payload, or anywhere if the payload has its own file.

/// Limit on the bytes searched per byte of export data, since hostile tables make every search fail.
const MAX_SEARCH: usize = 16;

/// A single forward pass over export data, export by export.
#[derive(Debug)]
pub(super) struct BulkOwners<'a> {
    exports: Vec<&'a [u8]>,
    export: usize,
    position: usize,
    /// Remaining search budget in bytes.
    budget: usize,
}

impl<'a> BulkOwners<'a> {
    /// Takes the data of all exports, by export index.
    pub(super) fn new(exports: Vec<&'a [u8]>) -> Self {
        let len = exports.iter().fold(0_usize, |sum, own| sum.saturating_add(own.len()));
        Self { exports, export: 0, position: 0, budget: len.saturating_mul(MAX_SEARCH) }
    }

    /// Returns the export that wrote an entry with a payload of this offset and length, inline or in a
    /// separate file. Call it for all entries, in order.
    pub(super) fn find(&mut self, entry: i32, offset: i64, len: u64, separate: bool) -> Option<usize> {
        let number = entry.to_le_bytes();
        let found = if separate { self.anywhere(number) } else { self.before(number, offset, len) };
        let (export, position) = found?;
        // Owners ascend, so the next search starts where this one ended: one pass over the data serves all
        // entries.
        (self.export, self.position) = (export, position);
        Some(export)
    }

    /// Finds an inline payload by the entry index in the four bytes before it.
    fn before(&mut self, number: [u8; 4], offset: i64, len: u64) -> Option<(usize, usize)> {
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(usize::try_from(len).ok()?)?;
        let fits = |own: &[u8]| {
            own.len() >= end && start.checked_sub(4).and_then(|at| own.get(at..start)) == Some(&number[..])
        };
        // One unit per export looked at: the test itself reads only four bytes.
        self.budget = self.budget.checked_sub(self.exports.len() - self.export.min(self.exports.len()))?;
        let at = self.exports.iter().skip(self.export).position(|own| fits(own))?;
        Some((self.export + at, end))
    }

    /// Finds the entry index anywhere after the previous hit.
    fn anywhere(&mut self, number: [u8; 4]) -> Option<(usize, usize)> {
        let mut start = self.position;
        for (at, own) in self.exports.iter().enumerate().skip(self.export) {
            let rest = own.get(start..).unwrap_or_default();
            // Charged for the whole rest, even if the hit comes early: an upper bound keeps the total linear.
            self.budget = self.budget.checked_sub(rest.len())?;
            if let Some(hit) = rest.windows(4).position(|window| window == number) {
                return Some((at, start + hit + 4));
            }
            // Only the first export continues after the previous hit; the later ones are searched from their
            // start.
            start = 0;
        }
        None
    }
}
