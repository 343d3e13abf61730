//! `AssetRegistry.bin`: the assets of a game, listed without loading them: their classes, tags, packages,
//! dependencies and sizes.
//!
//! ```text
//! 16-byte GUID 717F9EE7… │ u32 version │ (16) u32 editor-only data stripped
//! names   to 7: i64 offset of the name table, which comes last in the file
//!         8:    name batch │ store of tags
//! assets          i32 n │ n × asset
//! dependencies    (7) i64 size │ i32 n │ n × node
//! packages        i32 n │ n × package
//!
//! name    to 7: i32 index │ i32 number      8: u32 index; if bit 31 is set, u32 number
//! ```
//!
//! Numbers in parentheses are the first version with a field. Versions 0 and 1, of early UE4, differ: they
//! contain assets and, since 1, dependencies. Versions 2 and 3 have data after the assets in an unknown form;
//! it is left [unread](AssetRegistry::unread). Versions newer than 24 (UE 5.8 and 6.0) are read as 24. Games
//! usually ship a registry with assets and tags; dependencies and packages are included if the project asks
//! for them.
//!
//! Tested on real files of versions 0, 1, 5, 6, 8, 12, 16, 17 and 24, each read to its last byte; other
//! versions on files written by the tests. Sources: the addenda to the format sheets for 0, 1 and 19 to 24;
//! CUE4Parse `UE4/AssetRegistry`, with forks of it for versions 18 and 20; retoc `asset_registry.rs` as a
//! second reading. Questions that no file settles are decided by fit: if packages have a location (18), the
//! width of manage bits (22), and which texts are UTF-8 (19).
//!
//! Memory: names are stored once, and variable records of the tag store as numbers. Assets, nodes and
//! packages stay in file form; they are checked once and decoded again on demand.

mod asset;
mod depends;
mod early;
mod form;
mod package;
mod tags;
mod text;

pub use asset::{Asset, Bundle, BundleAsset};
pub use depends::{Dependency, DependencyKind, Identifier, Node};
pub use form::Name;
pub use package::{PackageData, RegistryChunkHash, RegistryCustomVersion, SavedWith};
pub use tags::{ClassName, ExportPath, TagValue};

use crate::{
    names::NameMap,
    version::AssetRegistryVersion,
    wire::{Fault, FaultKind, Partial, Reader},
};
use asset::Tags;
use depends::Nodes;
use early::Rewritten;
use form::Form;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use tags::TagStore;

/// An asset registry (`FAssetRegistryState`).
#[doc(alias = "FAssetRegistryState")]
#[derive(Debug)]
pub struct AssetRegistry<'a> {
    form: Form,
    is_filtered: Option<bool>,
    names: NameMap,
    store: TagStore<'a>,
    assets: Records<'a>,
    nodes: Nodes<'a>,
    packages: Records<'a>,
    unread: Option<Range<u64>>,
}

/// A sequence of checked records.
#[derive(Debug, Default)]
struct Records<'a> {
    /// The records, and everything after them.
    bytes: Cow<'a, [u8]>,
    count: usize,
}

impl<'a> AssetRegistry<'a> {
    /// Recognises a registry by its start: the GUID, or (0) an asset.
    #[must_use]
    pub fn sniff(start: &[u8]) -> bool {
        start.starts_with(&AssetRegistryVersion::GUID) || early::sniff(start)
    }

    /// Reads a registry.
    ///
    /// ```
    /// # use uncask_formats as uncask;
    /// use uncask::asset_registry::AssetRegistry;
    /// use uncask::version::AssetRegistryVersion;
    ///
    /// // Version 7, empty: no name table, no assets, four bytes of dependencies, no packages.
    /// let mut file = AssetRegistryVersion::GUID.to_vec();
    /// file.extend([7, 0, 0, 0]);
    /// file.extend([0; 8 + 4]);
    /// file.extend([4, 0, 0, 0, 0, 0, 0, 0]);
    /// file.extend([0; 4 + 4]);
    /// let registry = AssetRegistry::parse(&file)?;
    /// assert_eq!(registry.version().name(), Some("AddedDependencyFlags"));
    /// assert_eq!(registry.asset_count(), 0);
    /// # Ok::<(), uncask::wire::Fault>(())
    /// ```
    pub fn parse(file: &'a [u8]) -> Result<Self, Fault> {
        Self::parse_partial(file)?.complete()
    }

    /// Reads as much of a registry as is sound; fails if it is not a registry.
    ///
    /// A version newer than the [known](AssetRegistryVersion::is_known) ones is read as the newest; then the
    /// fault shows where that stopped fitting.
    pub fn parse_partial(file: &'a [u8]) -> Result<Partial<Self>, Fault> {
        let mut r = Reader::new(file);
        let version = Self::read_version(&mut r)?;
        let is_filtered =
            r.when(version.has_header(), |r| r.bool32("asset registry: editor-only data left out"))?;
        let names = NameMap::default();
        let mut registry = Self {
            form: Form::new(version, is_filtered.unwrap_or(false), &names),
            is_filtered,
            names,
            store: TagStore::default(),
            assets: Records::default(),
            nodes: Nodes::default(),
            packages: Records::default(),
            unread: None,
        };
        let filled =
            if version.has_names_in_place() { registry.fill_early(r) } else { registry.fill(file, r) };
        Ok(Partial { value: registry, fault: filled.err() })
    }

    fn read_version(r: &mut Reader<'_>) -> Result<AssetRegistryVersion, Fault> {
        if early::sniff(r.rest()) {
            return Ok(AssetRegistryVersion::UNVERSIONED);
        }
        let at = r.clone();
        if !r.array::<16>("asset registry: guid")?.starts_with(&AssetRegistryVersion::GUID) {
            return Err(at.fault("asset registry: guid", FaultKind::BadMagic));
        }
        r.u32("asset registry: version").map(AssetRegistryVersion::from_wire)
    }

    /// Fills in versions 0 and 1.
    fn fill_early(&mut self, mut r: Reader<'_>) -> Result<(), Fault> {
        let (Rewritten { names, assets: (bytes, count), nodes }, read) = Rewritten::read(self.form, &mut r);
        // Assets before a fault are kept, so the fault is raised only after they were stored.
        self.set_names(names);
        self.assets = Records { bytes: Cow::Owned(bytes), count };
        read?;
        if self.form.version.has_dependencies() {
            self.nodes = Nodes::rewritten(self.form, &nodes)?;
        }
        Ok(())
    }

    fn fill(&mut self, file: &'a [u8], mut r: Reader<'a>) -> Result<(), Fault> {
        let version = self.form.version;
        if version.has_tag_store() {
            // Names come first, since the form must know their number before any record is checked.
            self.set_names(NameMap::parse_batch(&mut r)?);
            self.store = TagStore::parse(self.form, &mut r)?;
        } else {
            let end = r.long_size("asset registry: offset of the name table")?;
            // Offset 0 means that there are no names.
            if end > 0 {
                let mut table = Reader::at(file, end, "asset registry: offset of the name table")?;
                self.set_names(NameMap::parse_table(&mut table)?);
                table.finish("name table")?;
                // The table comes last in the file, so the other parts must end where it starts.
                r = Reader::section(file, r.offset(), end, "asset registry: offset of the name table")?;
            }
        }
        let (form, store) = (self.form, &self.store);
        self.assets.read(&mut r, "asset registry: assets", Asset::min_len(form), |r| {
            Asset::read(form, store, r).map(drop)
        })?;
        // The dependencies of these versions are unknown, and everything after them cannot be found.
        if !version.has_known_dependencies() {
            self.unread =
                Some(r.offset()..r.offset() + r.remaining() as u64).filter(|range| !range.is_empty());
            return Ok(());
        }
        self.nodes = Nodes::parse(form, &mut r)?;
        self.read_packages(&r)
    }

    fn set_names(&mut self, names: NameMap) {
        self.form = Form::new(self.form.version, self.form.is_filtered, &names);
        self.names = names;
    }

    /// Reads the packages to the end of the file: with a location or without, if only the reading not implied
    /// by the version fits.
    fn read_packages(&mut self, r: &Reader<'a>) -> Result<(), Fault> {
        let read = |form: Form, packages: &mut Records<'a>| {
            let mut r = r.clone();
            packages.read(&mut r, "asset registry: packages", PackageData::min_len(form), |r| {
                PackageData::read(form, r).map(drop)
            })?;
            r.finish("asset registry")
        };
        // The form implied by the version is tried first, and its fault is reported if neither fits.
        let usual = read(self.form, &mut self.packages);
        if usual.is_err() && self.form.version.may_have_location() {
            let form = Form { has_location: !self.form.has_location, ..self.form };
            let mut packages = Records::default();
            if read(form, &mut packages).is_ok() {
                (self.form, self.packages) = (form, packages);
                return Ok(());
            }
        }
        usual
    }

    /// Returns a warning if the registry is newer than any known version: that it was read as the newest one,
    /// and where that stopped fitting.
    #[must_use]
    pub fn newer_than_known(&self, fault: Option<Fault>) -> Option<String> {
        let (version, newest) = (self.version(), AssetRegistryVersion::NEWEST);
        if version.is_known() {
            return None;
        }
        let stopped = fault.map_or_else(String::new, |fault| format!(", which stopped fitting: {fault}"));
        Some(format!("asset registry version {version} is read as {newest}, the newest known{stopped}"))
    }

    /// Returns the version.
    #[must_use]
    pub const fn version(&self) -> AssetRegistryVersion {
        self.form.version
    }

    /// Returns true if editor-only data was stripped (16).
    #[must_use]
    pub const fn is_filtered(&self) -> Option<bool> {
        self.is_filtered
    }

    /// Returns the range after the assets of versions 2 and 3, in an unknown form.
    #[must_use]
    pub fn unread(&self) -> Option<Range<u64>> {
        self.unread.clone()
    }

    /// Returns all names.
    #[must_use]
    pub const fn names(&self) -> &NameMap {
        &self.names
    }

    /// Returns the number of assets.
    #[must_use]
    pub const fn asset_count(&self) -> usize {
        self.assets.count
    }

    /// Returns the number of nodes.
    #[must_use]
    pub const fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of packages with data.
    #[must_use]
    pub const fn package_count(&self) -> usize {
        self.packages.count
    }

    /// Iterates over the assets, in file order.
    pub fn assets(&self) -> impl Iterator<Item = Asset<'_>> {
        self.assets.iter(|r| Asset::read(self.form, &self.store, r))
    }

    /// Iterates over the tags of an asset.
    pub fn tags<'s>(&'s self, asset: &Asset<'s>) -> impl Iterator<Item = (Name, TagValue<'s>)> {
        asset.tags(self.form, &self.store)
    }

    /// Returns the bundles of an asset.
    #[must_use]
    pub fn bundles(&self, asset: &Asset<'_>) -> Vec<Bundle> {
        asset.bundles(self.form)
    }

    /// Iterates over the nodes, in file order.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..).map_while(|index| self.node(index))
    }

    /// Returns a node by its index.
    #[must_use]
    pub fn node(&self, index: u32) -> Option<Node<'_>> {
        self.nodes.get(self.form, index)
    }

    /// Iterates over the packages, in file order.
    pub fn packages(&self) -> impl Iterator<Item = PackageData<'_>> {
        self.packages.iter(|r| PackageData::read(self.form, r))
    }

    /// Returns the classes imported by a package (10).
    #[must_use]
    pub fn imported_classes(&self, package: &PackageData<'_>) -> Vec<Name> {
        package.imported_classes(self.form)
    }

    /// Counts the assets with each tag.
    #[must_use]
    pub fn tag_uses(&self) -> HashMap<Name, u64> {
        let mut uses = HashMap::new();
        let mut add = |name, count| *uses.entry(name).or_default() += count;
        // Tags in records must be decoded; those in the store are counted by range, without decoding values.
        for asset in self.assets().filter(|asset| matches!(asset.tags, Tags::Inline(_))) {
            for (name, _) in self.tags(&asset) {
                add(name, 1);
            }
        }
        let handles = self.assets().filter_map(|asset| match asset.tags {
            Tags::Stored(handle) => Some(handle),
            Tags::Inline(_) => None,
        });
        self.store.count_uses(handles, add);
        uses
    }
}

impl<'a> Records<'a> {
    /// Reads a count and that many records; those before a fault are kept.
    fn read(
        &mut self,
        r: &mut Reader<'a>,
        field: &'static str,
        min_len: usize,
        mut read: impl FnMut(&mut Reader<'a>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let count = r.count(field, min_len)?;
        (self.bytes, self.count) = (Cow::Borrowed(r.rest()), 0);
        for _ in 0..count {
            read(r)?;
            self.count += 1;
        }
        Ok(())
    }

    /// Iterates over the records, decoding each again.
    fn iter<'s, T: 's>(
        &'s self,
        mut read: impl FnMut(&mut Reader<'s>) -> Result<T, Fault> + 's,
    ) -> impl Iterator<Item = T> + 's {
        let mut r = Reader::new(&self.bytes);
        (0..self.count).map_while(move |_| read(&mut r).ok())
    }
}
