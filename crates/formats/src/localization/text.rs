use crate::wire::{Fault, FaultKind, Reader, WireString, Writer};

/// Many texts in one allocation, each written back as it was read.
#[derive(Debug, Default, Clone)]
pub(super) struct Texts {
    text: String,
    /// Records of strings that a writer would write differently, joined.
    records: Vec<u8>,
    /// For each of these strings, its span in the text and the start of its record; ascending.
    odd: Vec<(Span, u32)>,
}

/// Place of a text in [`Texts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// Returns the length of the text in bytes.
    pub(super) fn len(self) -> u64 {
        u64::from(self.end) - u64::from(self.start)
    }
}

impl Texts {
    /// Reads and stores a string.
    pub(super) fn read(&mut self, r: &mut Reader<'_>, field: &'static str) -> Result<Span, Fault> {
        let at = r.clone();
        let text = WireString::read(r, field)?;
        // Nearly all strings need no record.
        let Some(record) = text.record() else {
            return self.add(text.as_str()).map_err(|kind| at.fault(field, kind));
        };
        // Two NULs around an empty text keep its place unique, because records are found by place.
        let around = if text.as_str().is_empty() { "\0" } else { "" };
        self.text.push_str(around);
        let span = self.add(text.as_str()).map_err(|kind| at.fault(field, kind))?;
        self.text.push_str(around);
        let limit = FaultKind::TooLarge { found: self.records.len() as u64, limit: u32::MAX.into() };
        let place = u32::try_from(self.records.len()).map_err(|_| at.fault(field, limit))?;
        self.odd.push((span, place));
        self.records.extend(record);
        Ok(span)
    }

    /// Stores a text.
    pub(super) fn add(&mut self, text: &str) -> Result<Span, FaultKind> {
        let start = self.text.len();
        self.text.push_str(text);
        let place = |at| u32::try_from(at).ok();
        let span = place(start).zip(place(self.text.len())).map(|(start, end)| Span { start, end });
        span.ok_or(FaultKind::TooLarge { found: self.text.len() as u64, limit: u32::MAX.into() })
    }

    pub(super) fn get(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Writes a string as it was read or, if it is new, as the engine would.
    pub(super) fn write(&self, w: &mut Writer, span: Span) {
        match self.record(span) {
            Some(record) => w.bytes(record),
            None => w.string(self.get(span)),
        };
    }

    fn record(&self, span: Span) -> Option<&[u8]> {
        let at = self.odd.binary_search_by_key(&span.start, |(odd, _)| odd.start).ok()?;
        // An ordinary empty text may start at the same place.
        let (_, start) = self.odd.get(at).filter(|(odd, _)| *odd == span)?;
        let end = self.odd.get(at + 1).map_or(self.records.len(), |(_, next)| *next as usize);
        self.records.get(*start as usize..end)
    }
}
