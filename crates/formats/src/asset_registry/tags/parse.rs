//! Reader of the tag store: every reference in it is checked here, once.

use super::{ExportPath, Form, Name, RawPair, TagStore, Texts};
use crate::wire::{Fault, FaultKind, Reader};
use zerocopy::little_endian::U32;

const MAGIC: u32 = 0x1234_5679;
/// Older magic: the texts follow the export paths.
const OLD_MAGIC: u32 = 0x1234_5678;
const END_MAGIC: u32 = 0x8765_4321;

impl<'a> TagStore<'a> {
    pub(in super::super) fn parse(form: Form, r: &mut Reader<'a>) -> Result<Self, Fault> {
        align(form, r)?;
        let at = r.clone();
        let texts_first = match r.u32("tag store: magic")? {
            MAGIC => true,
            OLD_MAGIC => false,
            _ => return Err(at.fault("tag store: magic", FaultKind::BadMagic)),
        };
        // All counts precede all tables.
        let mut counts = [0; 11];
        for count in &mut counts {
            *count = r.u32("tag store: count")? as usize;
        }
        let [
            plain_names,
            names,
            plain_paths,
            paths,
            texts,
            ansi,
            wide,
            ansi_len,
            wide_len,
            plain_pairs,
            pairs,
        ] = counts;
        // Class, object and package; the class has two names since version 14.
        let width = if form.version.has_class_paths() { 4 } else { 3 };
        let mut store = Self { plain_path_width: width, ..Self::default() };
        if texts_first {
            // In this order the texts are preceded by their size, which must be used up exactly.
            store.texts = Texts::parse_section(form, r, texts)?;
        }
        store.plain_names = plain(form, r, "tag store: plain names", plain_names, 1)?;
        align(form, r)?;
        // Tables whose names may have numbers have records of varying length, hence no cast in place.
        store.names = repeat(r, "tag store: names", names, 4, |r| form.name(r, "tag store: name"))?;
        store.plain_paths = plain(form, r, "tag store: plain export paths", plain_paths, width)?;
        align(form, r)?;
        store.paths = repeat(r, "tag store: export paths", paths, 4 * width, |r| ExportPath::read(form, r))?;
        if !texts_first {
            store.texts = Texts::parse(form, r, texts)?;
        }
        store.read_strings(form, r, [ansi, wide, ansi_len, wide_len])?;
        store.plain_pairs = store.plain_pairs(form, r, plain_pairs)?;
        align(form, r)?;
        // Last, since their values refer to all other tables.
        store.pairs = repeat(r, "tag store: pairs", pairs, 8, |r| store.read_pair(form, r))?;
        let at = r.clone();
        match r.u32("tag store: end magic")? {
            END_MAGIC => Ok(store),
            _ => Err(at.fault("tag store: end magic", FaultKind::BadMagic)),
        }
    }

    /// Reads offsets and strings; every offset must lead to a terminated string. The NUL of the last string
    /// terminates all others.
    fn read_strings(&mut self, form: Form, r: &mut Reader<'a>, counts: [usize; 4]) -> Result<(), Fault> {
        let [ansi, wide, ansi_len, wide_len] = counts;
        align(form, r)?;
        self.ansi_offsets = r.table("tag store: string offsets", ansi)?;
        align(form, r)?;
        self.wide_offsets = r.table("tag store: wide string offsets", wide)?;
        align(form, r)?;
        let at = r.clone();
        self.ansi = r.bytes("tag store: strings", ansi_len)?;
        align(form, r)?;
        self.wide = r.table("tag store: wide strings", wide_len)?;
        // Strings may be empty; otherwise the last one must be terminated.
        let ansi_ends = self.ansi.last().is_none_or(|last| *last == 0);
        if !ansi_ends || self.wide.last().is_some_and(|last| last.get() != 0) {
            return Err(at.fault("tag store: strings", FaultKind::BadString));
        }
        for (offsets, len) in [(self.ansi_offsets, self.ansi.len()), (self.wide_offsets, self.wide.len())] {
            if let Some(bad) = offsets.iter().find(|offset| offset.get() as usize >= len) {
                return Err(at.fault("tag store: string offset", FaultKind::out_of_range(bad.get(), len)));
            }
        }
        Ok(())
    }

    fn read_pair(&self, form: Form, r: &mut Reader<'a>) -> Result<(Name, u32), Fault> {
        let key = form.name(r, "tag store: tag")?;
        let at = r.clone();
        let value = r.u32("tag store: value")?;
        self.check_value(&at, value)?;
        Ok((key, value))
    }

    fn plain_pairs(&self, form: Form, r: &mut Reader<'a>, count: usize) -> Result<&'a [RawPair], Fault> {
        align(form, r)?;
        let at = r.clone();
        let pairs: &[RawPair] = r.table("tag store: plain pairs", count)?;
        for pair in pairs {
            form.check(&at, "tag store: tag", pair.name.get())?;
            self.check_value(&at, pair.value.get())?;
        }
        Ok(pairs)
    }

    /// Checks that a value is in range.
    fn check_value(&self, at: &Reader<'_>, value: u32) -> Result<(), Fault> {
        // The same kinds as in `TagStore::value`, which relies on this check.
        let count = match value & 7 {
            0 => self.ansi_offsets.len(),
            1 => self.wide_offsets.len(),
            2 => self.plain_names.len(),
            3 => self.names.len(),
            4 => self.plain_paths.len() / self.plain_path_width.max(1),
            5 => self.paths.len(),
            6 => self.texts.starts.len(),
            found => {
                return Err(
                    at.fault("tag store: kind of value", FaultKind::Unsupported { found: found.into() })
                );
            }
        };
        if ((value >> 3) as usize) < count {
            return Ok(());
        }
        Err(at.fault("tag store: value", FaultKind::out_of_range(value >> 3, count)))
    }
}

impl<'a> Texts<'a> {
    /// Reads the length of all texts, then the texts.
    fn parse_section(form: Form, r: &mut Reader<'a>, count: usize) -> Result<Self, Fault> {
        let len = r.u32("tag store: size of texts")? as usize;
        align(form, r)?;
        let start = r.offset();
        let mut section = Reader::with_base(r.bytes("tag store: texts", len)?, start);
        let texts = Self::parse(form, &mut section, count)?;
        section.finish("tag store: texts").map(|()| texts)
    }

    /// Skips texts and records their starts.
    fn parse(form: Form, r: &mut Reader<'a>, count: usize) -> Result<Self, Fault> {
        let (bytes, first) = (r.rest(), r.position());
        let starts = repeat(r, "tag store: texts", count, 4, |r| {
            let start = r.position() - first;
            form.text(r, "tag store: text")?;
            Ok(start)
        })?;
        Ok(Self { bytes, starts })
    }
}

/// Skips the padding before a table (24), to the next multiple of 16 bytes in the file.
fn align(form: Form, r: &mut Reader<'_>) -> Result<(), Fault> {
    if form.version.has_aligned_store() {
        // Fewer than 16 bytes, so the conversion always succeeds.
        let len = usize::try_from(r.offset().next_multiple_of(16) - r.offset()).unwrap_or(0);
        r.bytes("tag store: alignment", len)?;
    }
    Ok(())
}

/// Reads records of at least `min_len` bytes; their count was read before.
fn repeat<'a, T>(
    r: &mut Reader<'a>,
    field: &'static str,
    count: usize,
    min_len: usize,
    read: impl FnMut(&mut Reader<'a>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let limit = r.remaining() / min_len;
    if count > limit {
        return Err(r.fault(field, FaultKind::TooLarge { found: count as u64, limit: limit as u64 }));
    }
    r.repeat(count, read)
}

/// Reads records of `width` name indices without numbers.
fn plain<'a>(
    form: Form,
    r: &mut Reader<'a>,
    field: &'static str,
    count: usize,
    width: usize,
) -> Result<&'a [U32], Fault> {
    align(form, r)?;
    let at = r.clone();
    // Saturating: an impossible count fails the bound of the table instead of wrapping to a small one.
    let names: &[U32] = r.table(field, count.saturating_mul(width))?;
    for name in names {
        form.check(&at, field, name.get())?;
    }
    Ok(names)
}
