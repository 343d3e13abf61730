use std::collections::BTreeMap;

/// What changes in a package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// Names to be added to the table, in this order; the first one comes after the last one that is there.
    pub names: Vec<String>,
    /// How many names at the start of the table the new data uses at most; packages of 5.0 and later count them.
    pub names_used: u32,
    /// New data of exports, by their indices.
    pub exports: BTreeMap<usize, Vec<u8>>,
    /// The bulk data of those whose maker says where it is; that of all others is searched for.
    pub bulk: BTreeMap<usize, Vec<NewBulk>>,
    /// Entries that the bulk data table has then, if that changes.
    pub bulk_entries: Option<usize>,
}

/// A piece of bulk data of an export that has new data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewBulk {
    /// Where it is described.
    pub header: NewHeader,
    /// The word that decides where it lies.
    pub flags: u32,
    /// Inline: from the start of the export's data; otherwise from the start of its file.
    pub offset: i64,
    /// Its bytes.
    pub len: u64,
    /// Whether it is in the export.
    pub is_inline: bool,
}

/// Where a piece of bulk data is described.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewHeader {
    /// In the table of the package: an entry that is there, or the next one.
    Entry(usize),
    /// In the data of the export.
    Offset {
        /// Where the offset is.
        at: usize,
        /// It counts from the start of the file, not from where bulk data at its end starts.
        is_absolute: bool,
    },
}

impl NewBulk {
    /// The entry that describes it.
    pub(super) const fn entry(&self) -> Option<usize> {
        match self.header {
            NewHeader::Entry(entry) => Some(entry),
            NewHeader::Offset { .. } => None,
        }
    }

    /// Puts the offset into the data of its export, which starts at `start`. `base` is where bulk data at the end starts.
    pub(super) fn patch(&self, data: &mut [u8], start: u64, base: i64) {
        let NewHeader::Offset { at, is_absolute } = self.header else { return };
        let from = if self.is_inline { i64::try_from(start).unwrap_or(i64::MAX) } else { 0 };
        let offset = from.saturating_add(self.offset).saturating_sub(if is_absolute { 0 } else { base });
        let place = data.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<8>);
        if let Some(place) = place {
            *place = offset.to_le_bytes();
        }
    }
}

impl Changes {
    /// Whether nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.exports.is_empty()
    }

    /// The pieces that entries of the bulk data table describe.
    pub(super) fn entries(&self) -> BTreeMap<usize, (usize, &NewBulk)> {
        let mut entries = BTreeMap::new();
        for (export, pieces) in &self.bulk {
            for piece in pieces {
                entries.extend(piece.entry().map(|entry| (entry, (*export, piece))));
            }
        }
        entries
    }
}
