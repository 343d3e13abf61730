use crate::wire::{Fault, FaultKind, Reader};

/// Many texts in one allocation.
#[derive(Debug, Default, Clone)]
pub(super) struct Texts(String);

/// Where a text lies in [`Texts`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// Bytes of the text.
    pub(super) fn len(self) -> u64 {
        u64::from(self.end) - u64::from(self.start)
    }
}

impl Texts {
    /// Reads a string and keeps it.
    pub(super) fn read(&mut self, r: &mut Reader<'_>, field: &'static str) -> Result<Span, Fault> {
        let at = r.clone();
        let start = self.0.len();
        self.0.push_str(&r.string(field)?);
        let place = |at| u32::try_from(at).ok();
        let limit = FaultKind::TooLarge { found: self.0.len() as u64, limit: u32::MAX.into() };
        let span = place(start).zip(place(self.0.len())).map(|(start, end)| Span { start, end });
        span.ok_or_else(|| at.fault(field, limit))
    }

    pub(super) fn get(&self, span: Span) -> &str {
        self.0.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}
