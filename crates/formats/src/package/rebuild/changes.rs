use super::error::RebuildError;
use crate::id::PackageId;
use crate::names::ObjectPath;
use crate::package::legacy::{Export, Import, PackageIndex, PackageRef, SoftObjectPath};
use crate::wire::MAX_NAME_LEN;
use std::collections::{BTreeMap, BTreeSet};

/// Changes to a package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// Names to add to the end of the table, in this order.
    pub names: Vec<String>,
    /// Number of leading names that the new data uses; packages of 5.0 and later record it.
    pub names_used: u32,
    /// New data of exports, by export index.
    pub exports: BTreeMap<usize, Vec<u8>>,
    /// Bulk data whose place the caller knows, by export index; all other bulk data is searched for.
    pub bulk: BTreeMap<usize, Vec<NewBulk>>,
    /// New number of entries in the bulk data table, if it changes.
    pub bulk_entries: Option<usize>,
    /// Imports to add to the end of the table, in this order.
    pub imports: Vec<NewImport>,
    /// The packages that the container header lists for the package, those of new imports included; only for
    /// zen packages of 5.0 to 5.2, whose imports count in that list.
    pub imported_packages: Vec<PackageId>,
    /// Export index and index of a new import: the import is created before the export is serialized.
    pub awaited: BTreeSet<(usize, u32)>,
    /// The package of an awaited import, and the bundle of it that creates the object; only for zen packages of UE4, which wait
    /// for that.
    pub created_by: BTreeMap<u32, (PackageId, i32)>,
    /// Soft object paths to add to the end of their table, in this order; only for legacy packages that have one.
    pub soft_paths: Vec<SoftObjectPath>,
    /// Rows to add, to replace and to remove; only for uncooked packages.
    pub rows: TableRows,
    /// Start and end of the properties in new data, by export index; the others are searched for.
    pub scripts: BTreeMap<usize, [i64; 2]>,
}

/// Imports and exports that come, change and go. The remaining exports move up to close the gaps, and the new ones follow them: the indices in all
/// rows and data here count in that order, and the keys in the old one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableRows {
    /// Old indices of the exports to remove.
    pub removed: BTreeSet<usize>,
    /// Rows of exports that stay, by old index. Their offsets and lengths follow from the data.
    pub changed: BTreeMap<usize, Export>,
    /// Exports to add.
    pub added: Vec<NewExport>,
    /// Imports to add, as they are.
    pub imports: Vec<Import>,
}

/// An export to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewExport {
    /// Its row. Its offset and length follow from the data.
    pub row: Export,
    /// Objects that it depends on.
    pub depends: Vec<PackageIndex>,
    /// Its data.
    pub data: Vec<u8>,
}

impl TableRows {
    /// True if nothing comes, changes or goes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// New indices of the exports of a package that has `count` of them.
    #[must_use]
    pub fn moves(&self, count: usize) -> ExportMoves {
        let mut next = 0;
        let new = (0..count).map(|old| {
            if self.removed.contains(&old) {
                return None;
            }
            next += 1;
            PackageIndex::export(next - 1)
        });
        ExportMoves(new.collect())
    }
}

/// New indices of exports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportMoves(Vec<Option<PackageIndex>>);

impl ExportMoves {
    /// New index of an object; `None` for an export that is removed.
    #[must_use]
    pub fn of(&self, index: PackageIndex) -> Option<PackageIndex> {
        match index.decode() {
            PackageRef::Export(old) => self.0.get(old as usize).copied().flatten(),
            _ => Some(index),
        }
    }
}

/// An object of another package that a package is to import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewImport {
    /// Name of the other package, such as `/Game/Meshes/SM_Rock`.
    pub package: String,
    /// The object, after all that it lies in, outermost first.
    pub objects: Vec<NewImportObject>,
}

/// An object on the path of a new import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewImportObject {
    /// Its name.
    pub name: String,
    /// Package of its class, such as `/Script/Engine`.
    pub class_package: String,
    /// Its class, such as `StaticMesh`.
    pub class: String,
}

impl NewImport {
    /// Returns the full path of the object.
    #[must_use]
    pub fn path(&self) -> ObjectPath {
        ObjectPath::new(&*self.package, self.objects.iter().map(|object| &*object.name))
    }
}

/// A payload of an export with new data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewBulk {
    /// Place of the description.
    pub header: NewHeader,
    /// Flags that decide the storage.
    pub flags: u32,
    /// Offset in bytes. Inline: from the start of the export's data; otherwise from the start of the payload
    /// file.
    pub offset: i64,
    /// Length in bytes.
    pub len: u64,
    /// True if the payload is inside the export data.
    pub is_inline: bool,
}

/// Place that describes a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewHeader {
    /// Entry of the package's table: an existing one, or the next.
    Entry(usize),
    /// A header in the data of the export.
    Offset {
        /// Position of the offset field in the data.
        at: usize,
        /// True if the offset counts from the start of the file, not from the start of bulk data at its end.
        is_absolute: bool,
    },
}

impl NewBulk {
    /// Returns the table entry that describes the payload.
    pub(super) const fn entry(&self) -> Option<usize> {
        match self.header {
            NewHeader::Entry(entry) => Some(entry),
            NewHeader::Offset { .. } => None,
        }
    }

    /// Writes the offset into the data of its export, which starts at `start`; `base` is the start of bulk
    /// data at the end.
    pub(super) fn patch(&self, data: &mut [u8], start: u64, base: i64) {
        let NewHeader::Offset { at, is_absolute } = self.header else { return };
        // Inline payloads are counted from their export, which may have moved.
        let from = if self.is_inline { i64::try_from(start).unwrap_or(i64::MAX) } else { 0 };
        // A relative offset counts from the bulk data at the end, hence the subtraction.
        let offset = from.saturating_add(self.offset).saturating_sub(if is_absolute { 0 } else { base });
        let place = data.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<8>);
        if let Some(place) = place {
            *place = offset.to_le_bytes();
        }
    }
}

impl Changes {
    /// Returns true if nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
            && self.exports.is_empty()
            && self.imports.is_empty()
            && self.awaited.is_empty()
            && self.soft_paths.is_empty()
            && self.rows.is_empty()
    }

    /// Fails on the first added name that is longer than the engine allows.
    pub(super) fn check_names(&self) -> Result<(), RebuildError> {
        let len = |name: &String| name.encode_utf16().count();
        match self.names.iter().map(len).find(|len| *len > MAX_NAME_LEN) {
            Some(found) => Err(RebuildError::NameTooLong { found, limit: MAX_NAME_LEN }),
            None => Ok(()),
        }
    }

    /// Returns the payloads described by entries of the bulk data table.
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
