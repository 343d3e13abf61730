//! The inverse of the reader: a header read from an engine file becomes the same bytes again.

use super::{ContainerHeader, Layout, PackageStore, SoftReferences};
use crate::id::PackageId;
use crate::version::ContainerHeaderVersion;
use crate::wire::Writer;

impl ContainerHeader {
    /// Writes the chunk in the header's layout.
    ///
    /// Views point to data after all entries, entry by entry, imports first; an empty view is zero.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut w = Writer::new();
        match self.layout.version.to_wire() {
            None => self.write_ue4(&mut w),
            Some(version) => self.write_ue5(&mut w, version),
        }
        if self.layout.version.has_soft_references() {
            self.write_soft_references(&mut w);
        }
        // Kept, so that padded chunks are restored, too.
        w.bytes(&vec![0; self.padding]);
        w.into_bytes()
    }

    fn write_ue4(&self, w: &mut Writer) {
        let (names, hashes) = self.names.write_parts();
        w.u64(self.container_id.0).u32(count(self.packages.len()));
        sized(w, &names);
        sized(w, &hashes);
        ids(w, self.packages.ids());
        sized(w, &store(&self.packages, self.layout));
        w.u32(count(self.cultures.len()));
        for culture in &self.cultures {
            w.string(&culture.name).u32(count(culture.packages.len()));
            for (source, localized) in &culture.packages {
                w.u64(source.0).u64(localized.0);
            }
        }
        w.u32(count(self.redirects.len()));
        for redirect in &self.redirects {
            w.u64(redirect.source.0).u64(redirect.target.0);
        }
    }

    fn write_ue5(&self, w: &mut Writer, version: u32) {
        w.bytes(&ContainerHeaderVersion::MAGIC).u32(version).u64(self.container_id.0);
        if self.layout.version.has_package_count() {
            w.u32(count(self.packages.len()));
        }
        ids(w, self.packages.ids());
        sized(w, &store(&self.packages, self.layout));
        if self.layout.version.has_optional_segments() {
            ids(w, self.optional.ids());
            sized(w, &store(&self.optional, self.layout));
        }
        self.names.write_batch(w);
        w.u32(count(self.localized.len()));
        for localized in &self.localized {
            w.u64(localized.source.0);
            localized.name.write(w);
        }
        w.u32(count(self.redirects.len()));
        for redirect in &self.redirects {
            w.u64(redirect.source.0).u64(redirect.target.0);
            // UE4 redirects have no name; name 0 stands in if one is written for UE5.
            redirect.name.unwrap_or_default().write(w);
        }
    }

    fn write_soft_references(&self, w: &mut Writer) {
        let block = soft_references(self.soft_references.as_ref(), self.packages.len());
        if self.layout.version.has_soft_references_offset() {
            // The engine writes the block right after this pair of 16 bytes.
            let at = w.len() + 16;
            w.u64(at as u64).u64(block.len() as u64);
        }
        w.bytes(&block);
    }
}

/// Writes the entries of the packages, then the arrays that their views point to.
fn store(packages: &PackageStore, layout: Layout) -> Vec<u8> {
    // Entries and arrays are built side by side, since each view needs the place of its array.
    let (mut entries, mut arrays) = (Writer::new(), Writer::new());
    let arrays_at = packages.len() * layout.entry_len;
    for (index, entry) in packages.iter().enumerate() {
        if layout.version.has_export_counts() {
            let counts = entry.counts.unwrap_or_default();
            let long = layout.entry_len >= 32;
            if long {
                entries.u64(counts.package_len.unwrap_or_default());
            }
            entries.u32(counts.exports).u32(counts.bundles);
            if long {
                entries.u32(counts.load_order.unwrap_or_default()).u32(0);
            }
        }
        view(&mut entries, arrays_at + arrays.len(), entry.imports.len());
        for id in entry.imports {
            arrays.u64(id.0);
        }
        if layout.version.has_shader_maps() {
            view(&mut entries, arrays_at + arrays.len(), entry.shader_map_hashes.len());
            for hash in entry.shader_map_hashes {
                arrays.bytes(hash.as_bytes());
            }
        }
        let end = (index + 1) * layout.entry_len;
        // Fills the fields of game-specific entries, which nothing here records.
        entries.bytes(&vec![0; end.saturating_sub(entries.len())]);
    }
    entries.bytes(&arrays.into_bytes());
    entries.into_bytes()
}

/// Writes the block of soft references: a flag and, if set, the lists.
fn soft_references(soft: Option<&SoftReferences>, packages: usize) -> Vec<u8> {
    let mut w = Writer::new();
    w.u32(soft.is_some().into());
    let Some(soft) = soft else { return w.into_bytes() };
    ids(&mut w, &soft.packages);
    let (mut views, mut arrays) = (Writer::new(), Writer::new());
    for package in 0..packages {
        let indices = soft.indices.get(package);
        view(&mut views, packages * 8 + arrays.len(), indices.len());
        for index in indices {
            arrays.u32(*index);
        }
    }
    views.bytes(&arrays.into_bytes());
    sized(&mut w, &views.into_bytes());
    w.into_bytes()
}

/// Writes a view of `len` items starting at `target`, a position of the same writer.
fn view(w: &mut Writer, target: usize, len: usize) {
    let offset = if len == 0 { 0 } else { target - w.len() };
    w.u32(count(len)).u32(count(offset));
}

fn ids(w: &mut Writer, ids: &[PackageId]) {
    w.u32(count(ids.len()));
    for id in ids {
        w.u64(id.0);
    }
}

/// Writes a `u32` length, then the bytes.
fn sized(w: &mut Writer, bytes: &[u8]) {
    w.u32(count(bytes.len())).bytes(bytes);
}

/// Converts a count to `u32`: no container has four billion packages.
fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
