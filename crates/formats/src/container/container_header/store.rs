//! Package store entries: fixed records, then the arrays that they point to.
//!
//! ```text
//! 32 bytes, 4.26–4.27  u64 package bytes │ i32 exports │ i32 bundles │ u32 load order │ u32 0 │ imports
//! 16 bytes, some games i32 exports │ i32 bundles │ imports            (40 bytes: as 32, then 8 more)
//! 24 bytes, 5.0–5.2    i32 exports │ i32 bundles │ imports │ shader map hashes
//! 16 bytes, 5.3–6.0    imports │ shader map hashes
//! ```

use super::layout::Layout;
use crate::{
    container::Lists,
    id::PackageId,
    wire::{Fault, FaultKind, Reader},
};
use std::fmt;

/// Packages of a container, in file order.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct PackageStore {
    ids: Vec<PackageId>,
    counts: Vec<ExportCounts>,
    imports: Lists<PackageId>,
    shader_map_hashes: Lists<ShaderMapHash>,
    /// Indices into `ids`, sorted by id: not every tool sorts the file.
    by_id: Vec<u32>,
}

/// Export counts, recorded by entries up to 5.2.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct ExportCounts {
    /// Length of the whole zen package in bytes (UE4).
    pub package_len: Option<u64>,
    /// Number of exports.
    pub exports: u32,
    /// Number of export bundles.
    pub bundles: u32,
    /// Position in the global loading order (UE4).
    pub load_order: Option<u32>,
}

/// Hash of a shader map: SHA-1, or a 64-bit hash from 5.8 on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShaderMapHash {
    bytes: [u8; 20],
    len: u8,
}

impl ShaderMapHash {
    /// Returns the stored bytes: 20 or 8.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len.into()).unwrap_or_default()
    }

    /// Creates a hash from stored bytes, of which at most 20 are used.
    #[must_use]
    pub fn new(found: &[u8]) -> Self {
        let mut hash = Self { bytes: [0; 20], len: 0 };
        for (to, from) in hash.bytes.iter_mut().zip(found) {
            *to = *from;
            hash.len += 1;
        }
        hash
    }
}

impl fmt::Debug for ShaderMapHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.as_bytes()))
    }
}

impl serde::Serialize for ShaderMapHash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{self:?}"))
    }
}

/// One package of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Entry<'a> {
    /// Package id.
    pub id: PackageId,
    /// Export counts, if the layout has them.
    pub counts: Option<ExportCounts>,
    /// Imported packages, in the order that the import map refers to.
    pub imports: &'a [PackageId],
    /// Required shader maps.
    pub shader_map_hashes: &'a [ShaderMapHash],
}

impl PackageStore {
    /// Creates a store from package ids, without further facts.
    pub(super) fn of(ids: Vec<PackageId>) -> Self {
        Self { by_id: order(&ids), ids, ..Self::default() }
    }

    /// Creates a store from entries, in this order. Either all of them have counts, or none.
    #[must_use]
    pub fn from_entries<'a>(entries: impl IntoIterator<Item = Entry<'a>>) -> Self {
        let mut store = Self::default();
        for entry in entries {
            store.ids.push(entry.id);
            store.counts.extend(entry.counts);
            store.imports.push(entry.imports.iter().copied());
            store.shader_map_hashes.push(entry.shader_map_hashes.iter().copied());
        }
        store.by_id = order(&store.ids);
        store
    }

    /// Reads the entries of the packages. Returns true if the arrays fill the store exactly.
    pub(super) fn fill(&mut self, mut r: Reader<'_>, layout: Layout) -> Result<bool, Fault> {
        let whole = r.clone();
        let (count, len) = (self.ids.len(), whole.remaining());
        let needed =
            count.checked_mul(layout.entry_len).filter(|needed| *needed <= len).ok_or_else(|| {
                let needed = (count as u64).saturating_mul(layout.entry_len as u64);
                whole.fault("store entries", FaultKind::Truncated { needed, left: len as u64 })
            })?;
        // The bytes after the entries, which the arrays have to share.
        let mut budget = len - needed;
        for _ in 0..count {
            self.push(&mut r, &whole, layout, &mut budget)?;
        }
        // Whatever is left belongs to no array, which means that the layout is wrong.
        Ok(budget == 0)
    }

    /// Returns the number of packages.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns true if there are no packages.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns the number of packages whose entries were read: all of them, unless the store is damaged.
    #[must_use]
    pub(crate) const fn entries_read(&self) -> usize {
        self.imports.len()
    }

    /// Returns all package ids, in file order.
    #[must_use]
    pub fn ids(&self) -> &[PackageId] {
        &self.ids
    }

    /// Returns the package at an index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Entry<'_>> {
        Some(Entry {
            id: *self.ids.get(index)?,
            counts: self.counts.get(index).copied(),
            imports: self.imports.get(index),
            shader_map_hashes: self.shader_map_hashes.get(index),
        })
    }

    /// Finds a package by id.
    #[must_use]
    pub fn find(&self, id: PackageId) -> Option<Entry<'_>> {
        self.get(self.position(id)?)
    }

    /// Returns the index of a package.
    #[must_use]
    pub fn position(&self, id: PackageId) -> Option<usize> {
        let id_at = |index: &u32| self.ids.get(*index as usize).copied();
        let found = self.by_id.binary_search_by(|index| id_at(index).cmp(&Some(id))).ok()?;
        self.by_id.get(found).map(|index| *index as usize)
    }

    /// Iterates over all packages, in file order.
    pub fn iter(&self) -> impl Iterator<Item = Entry<'_>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Reads one entry and its arrays. The arrays are charged to `budget`, so that no two can share bytes and
    /// nothing exceeds the file.
    fn push<'a>(
        &mut self,
        r: &mut Reader<'a>,
        whole: &Reader<'a>,
        layout: Layout,
        budget: &mut usize,
    ) -> Result<(), Fault> {
        let end = r.position() + layout.entry_len;
        if layout.version.has_export_counts() {
            self.counts.push(counts(r, layout)?);
        }
        let imports = view(r, whole, "imported packages", 8, budget)?;
        self.imports.push(imports.as_chunks::<8>().0.iter().map(|id| PackageId(u64::from_le_bytes(*id))));
        if layout.version.has_shader_maps() {
            let hashes = view(r, whole, "shader map hashes", layout.shader_hash_len, budget)?;
            self.shader_map_hashes.push(hashes.chunks_exact(layout.shader_hash_len).map(ShaderMapHash::new));
        }
        // Game-specific entries have more fields, which are skipped.
        r.bytes("store entry", end - r.position()).map(drop)
    }
}

impl serde::Serialize for PackageStore {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

fn order(ids: &[PackageId]) -> Vec<u32> {
    let mut by_id: Vec<u32> = (0u32..).take(ids.len()).collect();
    // Stable, so that of repeated ids the first entry in the file stays first.
    by_id.sort_by_key(|index| ids.get(*index as usize).copied());
    by_id
}

fn counts(r: &mut Reader<'_>, layout: Layout) -> Result<ExportCounts, Fault> {
    // 16-byte entries of some games lack package length and load order.
    let long = layout.entry_len >= 32;
    let package_len = r.when(long, |r| r.u64("export bundles size"))?;
    let exports = r.size("export count")?;
    let bundles = r.size("export bundle count")?;
    let load_order = r.when(long, |r| r.u32("load order"))?;
    if long {
        // Aligns the view that follows to eight bytes.
        r.u32("store entry padding")?;
    }
    Ok(ExportCounts { package_len, exports, bundles, load_order })
}

/// Returns the array that the view at the reader points to.
fn view<'a>(
    r: &mut Reader<'a>,
    whole: &Reader<'a>,
    field: &'static str,
    item_len: usize,
    budget: &mut usize,
) -> Result<&'a [u8], Fault> {
    let at = r.clone();
    let count = r.u32(field)?;
    let offset = r.u32(field)?;
    let len = usize::try_from(count).ok().and_then(|count| count.checked_mul(item_len));
    let Some(len) = len.filter(|len| *len <= *budget) else {
        let limit = (*budget / item_len) as u64;
        return Err(at.fault(field, FaultKind::TooLarge { found: count.into(), limit }));
    };
    if len == 0 {
        // The offset of an empty view means nothing.
        return Ok(&[]);
    }
    // The offset counts from the view's own first byte.
    let start = usize::try_from(offset).ok().and_then(|offset| at.position().checked_add(offset));
    let range = start.and_then(|start| Some(start..start.checked_add(len)?));
    let found = range.and_then(|range| whole.rest().get(range)).ok_or_else(|| {
        let limit = (whole.remaining() - at.position()) as u64;
        at.fault(field, FaultKind::TooLarge { found: u64::from(offset) + len as u64, limit })
    })?;
    *budget -= len;
    Ok(found)
}
