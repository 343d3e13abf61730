//! The container header chunk: packages of a container and their imports.
//!
//! ```text
//! UE 4.26–4.27   u64 container id │ u32 packages │ names │ name hashes │ ids │ store │ cultures │ redirects
//! UE 5.0–6.0     "nCoI" │ u32 version │ u64 container id │ (<2) u32 packages │ ids │ store
//!                │ (≥2) optional ids, store │ names │ (≥1) localized │ redirects │ (≥4) soft references
//! store          u32 bytes │ entry per package │ the arrays that the entries' views point to
//! view           u32 count │ u32 offset from the first byte of the view
//! ```
//!
//! The version number does not determine everything: some games write entries of 16 or 40 bytes, and UE 5.8
//! shortened shader map hashes without a new number. So each candidate is tried, and the one that consumes
//! the bytes exactly is taken. Verified on containers of 4.27, 5.0, 5.3, 5.8 and two games; sources: retoc
//! `container_header.rs`, CUE4Parse `FIoContainerHeader.cs`.

mod layout;
mod parts;
mod soft;
mod store;
mod write;

pub use layout::Layout;
pub use soft::SoftReferences;
pub use store::{Entry, ExportCounts, PackageStore, ShaderMapHash};

use crate::{
    id::{ContainerId, PackageId},
    names::{MappedName, NameMap},
    version::ContainerHeaderVersion,
    wire::{Fault, FaultKind, Partial, Reader},
};
use layout::candidates;
use parts::{ids, sized};

/// The container header (`FIoContainerHeader`): the normal form of every layout.
#[doc(alias = "FIoContainerHeader")]
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ContainerHeader {
    /// Layout of the chunk.
    pub layout: Layout,
    /// Container id.
    pub container_id: ContainerId,
    /// Packages of the container.
    pub packages: PackageStore,
    /// Optional segments of packages (since 5.1).
    pub optional: PackageStore,
    /// Names used by redirects.
    pub names: NameMap,
    /// Localized packages by culture (UE4).
    pub cultures: Vec<Culture>,
    /// Packages with localized variants (UE5).
    pub localized: Vec<LocalizedPackage>,
    /// Redirected packages.
    pub redirects: Vec<Redirect>,
    /// Soft references between packages (since 5.5).
    pub soft_references: Option<SoftReferences>,
    /// Number of zero bytes after the last field.
    pub padding: usize,
}

/// The localized packages of one culture (UE4).
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Culture {
    /// Culture, such as `de`.
    pub name: String,
    /// Pairs of original and localized package.
    pub packages: Vec<(PackageId, PackageId)>,
}

/// A package with localized variants (UE5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct LocalizedPackage {
    /// Original package.
    pub source: PackageId,
    /// Name of the original, in the header's own table.
    pub name: MappedName,
}

/// A redirect from one package to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Redirect {
    /// Requested package.
    pub source: PackageId,
    /// Package loaded instead.
    pub target: PackageId,
    /// Name of the requested package, in the header's own table (UE5).
    pub name: Option<MappedName>,
}

impl ContainerHeader {
    /// Reads a container header chunk.
    ///
    /// Layouts are tried in order of likelihood. The first that accounts for every byte is taken; if none
    /// does, the first sound one. The fault is that of the claimed layout.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        Self::parse_partial(bytes).complete()
    }

    /// Reads as much of a container header chunk as is sound. If no layout fits, the value is what the
    /// claimed layout yields up to the fault.
    #[must_use]
    pub fn parse_partial(bytes: &[u8]) -> Partial<Self> {
        // Too few bytes look like UE4, whose reader then reports the truncation.
        let start = bytes.first_chunk::<8>().copied();
        let claimed = ContainerHeaderVersion::sniff(start.unwrap_or_default());
        let mut sound = None;
        let mut damaged = None;
        for layout in candidates(claimed) {
            let mut header = Self::new(layout, ContainerId(0));
            let mut exact = true;
            match header.fill(bytes, &mut exact) {
                Ok(()) if exact => return Partial { value: header, fault: None },
                // Only the first of each kind is kept: candidates come in order of likelihood.
                Ok(()) => drop(sound.get_or_insert(header)),
                Err(fault) => drop(damaged.get_or_insert(Partial { value: header, fault: Some(fault) })),
            }
        }
        let whole = sound.map(|value| Partial { value, fault: None });
        whole.or(damaged).unwrap_or_else(|| Partial {
            value: Self::new(Layout { version: claimed, entry_len: 0, shader_hash_len: 0 }, ContainerId(0)),
            fault: Some(Reader::new(bytes).fault("container header", FaultKind::BadMagic)),
        })
    }

    /// Creates a header without packages.
    #[must_use]
    pub fn new(layout: Layout, container_id: ContainerId) -> Self {
        Self {
            layout,
            container_id,
            packages: PackageStore::default(),
            optional: PackageStore::default(),
            names: NameMap::default(),
            cultures: Vec::new(),
            localized: Vec::new(),
            redirects: Vec::new(),
            soft_references: None,
            padding: 0,
        }
    }

    /// Returns the package that is loaded in place of `id`.
    #[must_use]
    pub fn redirected(&self, id: PackageId) -> PackageId {
        self.redirects.iter().find(|redirect| redirect.source == id).map_or(id, |redirect| redirect.target)
    }
}

impl ContainerHeader {
    /// Reads the chunk in the layout that is already set; `exact` becomes false if not every byte is
    /// accounted for.
    fn fill(&mut self, bytes: &[u8], exact: &mut bool) -> Result<(), Fault> {
        let mut r = Reader::new(bytes);
        // A magic and a version are the least that both families have.
        if r.remaining() < 8 {
            let kind = FaultKind::Truncated { needed: 8, left: r.remaining() as u64 };
            return Err(r.fault("container header", kind));
        }
        let version = self.layout.version;
        if version.is_ue4() {
            self.fill_ue4(&mut r, exact)?;
        } else {
            self.fill_ue5(&mut r, exact)?;
        }
        if version.has_soft_references() {
            // The block may lie elsewhere in the chunk, so its parser decides where reading continues.
            let (soft, rest) = soft::parse(bytes, r, version, self.packages.len())?;
            self.soft_references = soft;
            r = rest;
        }
        self.padding = r.remaining();
        // Some packers pad the chunk with zeros; any other byte means that the layout is wrong.
        *exact &= r.rest().iter().all(|byte| *byte == 0);
        Ok(())
    }

    fn fill_ue4(&mut self, r: &mut Reader<'_>, exact: &mut bool) -> Result<(), Fault> {
        self.container_id = ContainerId(r.u64("container id")?);
        let count_at = r.clone();
        let count = r.u32("package count")?;
        let names = sized(r, "names")?;
        let hashes = sized(r, "name hashes")?;
        // Empty in all known containers.
        self.names = NameMap::parse_parts(names, hashes)?;
        self.packages = PackageStore::of(ids(r, "package ids")?);
        // The count is stored twice; both have to agree.
        same_count(&count_at, count, self.packages.len())?;
        *exact &= fill_store(&mut self.packages, r, "store entries", self.layout)?;
        self.cultures = r.list("culture packages", 8, |r| {
            let name = r.string("culture")?;
            Ok(Culture { name, packages: r.list("culture packages", 16, pair)? })
        })?;
        self.redirects = r.list("package redirects", 16, |r| {
            let (source, target) = pair(r)?;
            Ok(Redirect { source, target, name: None })
        })?;
        Ok(())
    }

    fn fill_ue5(&mut self, r: &mut Reader<'_>, exact: &mut bool) -> Result<(), Fault> {
        let version = self.layout.version;
        // Both were evaluated when the layout was chosen.
        r.u32("signature")?;
        r.u32("version")?;
        self.container_id = ContainerId(r.u64("container id")?);
        let count_at = r.clone();
        // Versions 0 and 1 still have the second count of UE4.
        let count = r.when(version.has_package_count(), |r| r.u32("package count"))?;
        self.packages = PackageStore::of(ids(r, "package ids")?);
        if let Some(count) = count {
            same_count(&count_at, count, self.packages.len())?;
        }
        *exact &= fill_store(&mut self.packages, r, "store entries", self.layout)?;
        if version.has_optional_segments() {
            self.optional = PackageStore::of(ids(r, "optional segment package ids")?);
            *exact &= fill_store(&mut self.optional, r, "optional segment store entries", self.layout)?;
        }
        self.names = NameMap::parse_batch(r)?;
        self.localized = r.list("localized packages", 16, |r| {
            Ok(LocalizedPackage {
                source: PackageId(r.u64("localized package")?),
                name: MappedName::read(r, "localized package name")?,
            })
        })?;
        self.redirects = r.list("package redirects", 24, |r| {
            let (source, target) = pair(r)?;
            Ok(Redirect { source, target, name: Some(MappedName::read(r, "redirect name")?) })
        })?;
        Ok(())
    }
}

/// Reads the entries of some packages; from a truncated store, those that are complete.
fn fill_store(
    store: &mut PackageStore,
    r: &mut Reader<'_>,
    field: &'static str,
    layout: Layout,
) -> Result<bool, Fault> {
    match sized(r, field) {
        Ok(part) => store.fill(part, layout),
        Err(fault) => {
            // The truncation of the store is the better fault to report.
            let _ = store.fill(Reader::with_base(r.rest(), r.offset()), layout);
            Err(fault)
        }
    }
}

fn pair(r: &mut Reader<'_>) -> Result<(PackageId, PackageId), Fault> {
    Ok((PackageId(r.u64("source package")?), PackageId(r.u64("target package")?)))
}

fn same_count(at: &Reader<'_>, found: u32, expected: usize) -> Result<(), Fault> {
    if usize::try_from(found) == Ok(expected) {
        return Ok(());
    }
    let kind = FaultKind::Unexpected { found: found.into(), expected: expected as u64 };
    Err(at.fault("package count", kind))
}

#[cfg(test)]
mod tests;
