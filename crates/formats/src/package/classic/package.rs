use super::{
    compressed,
    summary::{Summary, TableAt},
    tables::{self, Cursor, Export, Import, Name, NameEntry, ObjectIndex},
};
use crate::{
    names::NameText,
    package::{Partial, Section},
    wire::{Fault, FaultKind, MAX_PATH_LEN, Reader},
};
use std::borrow::Cow;

/// Deepest nesting of objects; deeper chains are treated as cycles.
const MAX_DEPTH: usize = 64;

/// A package of Unreal Engine 1 to 3: its header and tables. Object data stays in the file.
///
/// ```no_run
/// # use uncask_formats as uncask;
/// use uncask::package::classic::Package;
///
/// let bytes = std::fs::read("TestUC1.u")?;
/// let package = Package::parse(&bytes)?;
/// for export in &package.exports {
///     println!("{} {}", package.class_of(export), package.text(export.name));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Package {
    /// The header.
    pub summary: Summary,
    /// Names.
    pub names: Vec<NameEntry>,
    /// Imports.
    pub imports: Vec<Import>,
    /// Exports.
    pub exports: Vec<Export>,
    /// Byte ranges of the header and the tables.
    pub sections: Vec<Section>,
}

impl Package {
    /// Reads header and tables.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        Self::parse_partial(bytes)?.complete()
    }

    /// Reads as much as is sound. Fails only if there is no valid header.
    pub fn parse_partial(bytes: &[u8]) -> Result<Partial<Self>, Fault> {
        let summary = Summary::parse(bytes)?;
        let mut package = Self { summary, ..Self::default() };
        let fault = package.tables(bytes).err();
        Ok(Partial { value: package, fault })
    }

    /// Returns the bytes that table offsets count in, to pass to [`data`](Self::data) and to everything else
    /// that reads objects: the file itself, or its content if the package is compressed as a whole (UE3, zlib
    /// only).
    pub fn content<'a>(&self, bytes: &'a [u8]) -> Result<Cow<'a, [u8]>, Fault> {
        compressed::content(bytes, &self.summary)
    }

    fn tables(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let (names, imports, exports) = (self.summary.names, self.summary.imports, self.summary.exports);
        self.sections.push(Section { name: "header", range: 0..self.summary.summary_len });
        let content = self.content(bytes)?;
        let bytes = &*content;
        let version = self.summary.version;
        // Names come first: the cursor checks every name index of the other tables against their count. The
        // numbers are the least lengths in bytes of one entry.
        let cursor = |r| Cursor { r, version, names: names.count };
        self.names = self.table(bytes, "names", names, 5, cursor, tables::name_entry)?;
        self.imports = self.table(bytes, "imports", imports, 7, cursor, tables::import)?;
        self.exports = self.table(bytes, "exports", exports, 12, cursor, tables::export)?;
        Ok(())
    }

    fn table<'a, T>(
        &mut self,
        bytes: &'a [u8],
        name: &'static str,
        table: TableAt,
        min_len: usize,
        cursor: impl Fn(Reader<'a>) -> Cursor<'a>,
        read: impl Fn(&mut Cursor<'a>) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        // The offset of an empty table may be meaningless.
        if table.count == 0 {
            return Ok(Vec::new());
        }
        let mut c = cursor(Reader::at(bytes, table.offset.into(), name)?);
        let limit = c.r.remaining() / min_len;
        // A count that the remaining bytes cannot hold would only serve to allocate too much.
        let count = table.count as usize;
        if count > limit {
            let kind = FaultKind::TooLarge { found: count as u64, limit: limit as u64 };
            return Err(c.r.fault(name, kind));
        }
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(read(&mut c)?);
        }
        self.sections.push(Section { name, range: table.offset.into()..c.r.offset() });
        Ok(items)
    }

    /// The text of a name; empty if its index is out of range.
    #[must_use]
    pub fn text(&self, name: Name) -> NameText<'_> {
        let entry = self.names.get(name.index as usize);
        NameText { base: entry.map_or("", |entry| entry.text.as_str()), number: name.number }
    }

    /// Returns the path of an object, from the outermost name inwards: `Engine.Actor`. `None` for the null
    /// reference, an index out of range, cyclic outers, and a path longer than the engine allows.
    #[must_use]
    pub fn path(&self, index: ObjectIndex) -> Option<String> {
        let mut names = Vec::new();
        let (mut next, mut len) = (index, 0);
        while next.0 != 0 {
            // The depth limit also ends chains that lead back to themselves.
            let (name, outer) = self.named(next).filter(|_| names.len() < MAX_DEPTH)?;
            let name = self.text(name).to_string();
            len += name.len() + usize::from(!names.is_empty());
            if len > MAX_PATH_LEN {
                return None;
            }
            names.push(name);
            next = outer;
        }
        names.reverse();
        (!names.is_empty()).then(|| names.join("."))
    }

    /// Returns the export that a reference points to, or `None` for imports and the null reference.
    pub(super) fn export(&self, index: ObjectIndex) -> Option<&Export> {
        self.exports.get(usize::try_from(index.0).ok()?.checked_sub(1)?)
    }

    /// Returns an object's own name and its outer object.
    fn named(&self, index: ObjectIndex) -> Option<(Name, ObjectIndex)> {
        // Both directions are one-based; 0 fails the subtraction.
        let at = (index.0.unsigned_abs() as usize).checked_sub(1)?;
        if index.0 > 0 {
            self.exports.get(at).map(|export| (export.name, export.outer))
        } else {
            self.imports.get(at).map(|import| (import.name, import.outer))
        }
    }

    /// Returns the name of an export's class, without its package. An export without a class is itself a
    /// class.
    #[must_use]
    pub fn class_of(&self, export: &Export) -> String {
        if export.class.0 == 0 {
            return "Class".to_owned();
        }
        self.named(export.class).map_or_else(String::new, |(name, _)| self.text(name).to_string())
    }

    /// Returns the data of an export.
    pub fn data<'a>(&self, bytes: &'a [u8], export: &Export) -> Result<&'a [u8], Fault> {
        let start = u64::from(export.serial_offset);
        let r = Reader::section(bytes, start, start + u64::from(export.serial_len), "object data")?;
        Ok(r.rest())
    }

    /// Returns a cursor over the data of an export; its faults count from the start of the file.
    pub(super) fn cursor<'a>(&self, bytes: &'a [u8], export: &Export) -> Result<Cursor<'a>, Fault> {
        let data = self.data(bytes, export)?;
        Ok(self.cursor_over(Reader::with_base(data, export.serial_offset.into())))
    }

    pub(super) fn cursor_over<'a>(&self, r: Reader<'a>) -> Cursor<'a> {
        let names = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        Cursor { r, version: self.summary.version, names }
    }
}
