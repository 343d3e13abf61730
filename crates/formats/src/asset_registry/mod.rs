//! `AssetRegistry.bin`: which assets there are, found without loading any: their classes, tags and packages, what these
//! depend on, and how large they are.
//!
//! ```text
//! 16-byte GUID 717F9EE7… │ u32 version │ (16) u32 editor-only data left out
//! names   to 7: i64 offset of the name table, which lies after everything else
//!         8:    name batch │ store of tags
//! assets          i32 n │ n × asset
//! dependencies    (7) i64 size │ i32 n │ n × node
//! packages        i32 n │ n × package
//!
//! name    to 7: i32 index │ i32 number      8: u32 index; if bit 31 is set, u32 number
//! ```
//!
//! Numbers in parentheses are the version that a field came with. Versions 0 and 1, of early UE4, differ: they
//! hold assets and, since 1, what depends on what. Versions 2 and 3 have something after the assets that no public reader
//! knows; it is left [unread](AssetRegistry::unread). A version newer than 24 (UE 5.8 and 6.0) is read as 24. Games
//! usually ship a registry with assets and tags, and with dependencies and packages if the project asks for them.
//!
//! Tested on real files of versions 0, 1, 5, 6, 8, 12, 16, 17 and 24, each read to its last byte; the others on files that
//! the tests write. Sources: the addenda to the format sheets for 0, 1 and 19 to 24; CUE4Parse `UE4/AssetRegistry`, with
//! forks of it for versions 18 and 20; retoc `asset_registry.rs` as a second reading. Where no file decides, the reading is
//! chosen that fits the bytes: whether packages have a location (18), how wide the bits of manage dependencies are (22),
//! and which texts are UTF-8 (19).
//!
//! Memory: names are held once, and variable records of the store as numbers. Assets, nodes and packages stay bytes; they
//! are checked once and read again whenever they are asked for.

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

/// `FAssetRegistryState`: an asset registry.
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

/// Records one after the other, which were checked.
#[derive(Debug, Default)]
struct Records<'a> {
    /// They, and what follows.
    bytes: Cow<'a, [u8]>,
    count: usize,
}

impl<'a> AssetRegistry<'a> {
    /// Whether something begins as a registry does: with the GUID, or (0) with an asset.
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
    /// // Version 7 without anything: no name table, no assets, four bytes of dependencies, no packages.
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

    /// Reads as much of a registry as there is; an error if it is not a registry.
    ///
    /// One that is newer than any [known](AssetRegistryVersion::is_known) version is read as the newest; then the fault says
    /// where it stopped fitting.
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

    /// Versions 0 and 1.
    fn fill_early(&mut self, mut r: Reader<'_>) -> Result<(), Fault> {
        let (Rewritten { names, assets: (bytes, count), nodes }, read) = Rewritten::read(self.form, &mut r);
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
            self.set_names(NameMap::parse_batch(&mut r)?);
            self.store = TagStore::parse(self.form, &mut r)?;
        } else {
            let end = r.long_size("asset registry: offset of the name table")?;
            if end > 0 {
                let mut table = Reader::at(file, end, "asset registry: offset of the name table")?;
                self.set_names(NameMap::parse_table(&mut table)?);
                table.finish("name table")?;
                r = Reader::section(file, r.offset(), end, "asset registry: offset of the name table")?;
            }
        }
        let (form, store) = (self.form, &self.store);
        self.assets.read(&mut r, "asset registry: assets", Asset::min_len(form), |r| {
            Asset::read(form, store, r).map(drop)
        })?;
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

    /// Reads the packages, to the end: with a location or without, if only the reading that the version does not call for
    /// fits.
    fn read_packages(&mut self, r: &Reader<'a>) -> Result<(), Fault> {
        let read = |form: Form, packages: &mut Records<'a>| {
            let mut r = r.clone();
            packages.read(&mut r, "asset registry: packages", PackageData::min_len(form), |r| {
                PackageData::read(form, r).map(drop)
            })?;
            r.finish("asset registry")
        };
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

    /// What to warn of if the registry is newer than any known version: that it was read as the newest one, and where that
    /// stopped fitting, if it did.
    #[must_use]
    pub fn newer_than_known(&self, fault: Option<Fault>) -> Option<String> {
        let (version, newest) = (self.version(), AssetRegistryVersion::NEWEST);
        if version.is_known() {
            return None;
        }
        let stopped = fault.map_or_else(String::new, |fault| format!(", which stopped fitting: {fault}"));
        Some(format!("asset registry version {version} is read as {newest}, the newest known{stopped}"))
    }

    /// Its version.
    #[must_use]
    pub const fn version(&self) -> AssetRegistryVersion {
        self.form.version
    }

    /// Whether editor-only data was left out (16).
    #[must_use]
    pub const fn is_filtered(&self) -> Option<bool> {
        self.is_filtered
    }

    /// What lies after the assets of versions 2 and 3, whose form nobody knows.
    #[must_use]
    pub fn unread(&self) -> Option<Range<u64>> {
        self.unread.clone()
    }

    /// All names.
    #[must_use]
    pub const fn names(&self) -> &NameMap {
        &self.names
    }

    /// Number of assets.
    #[must_use]
    pub const fn asset_count(&self) -> usize {
        self.assets.count
    }

    /// Number of nodes.
    #[must_use]
    pub const fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Number of packages with data.
    #[must_use]
    pub const fn package_count(&self) -> usize {
        self.packages.count
    }

    /// The assets, in the order of the file.
    pub fn assets(&self) -> impl Iterator<Item = Asset<'_>> {
        self.assets.iter(|r| Asset::read(self.form, &self.store, r))
    }

    /// The tags of an asset.
    pub fn tags<'s>(&'s self, asset: &Asset<'s>) -> impl Iterator<Item = (Name, TagValue<'s>)> {
        asset.tags(self.form, &self.store)
    }

    /// The bundles of an asset.
    #[must_use]
    pub fn bundles(&self, asset: &Asset<'_>) -> Vec<Bundle> {
        asset.bundles(self.form)
    }

    /// What depends on what, in the order of the file.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..).map_while(|index| self.node(index))
    }

    /// A node by its number.
    #[must_use]
    pub fn node(&self, index: u32) -> Option<Node<'_>> {
        self.nodes.get(self.form, index)
    }

    /// The packages, in the order of the file.
    pub fn packages(&self) -> impl Iterator<Item = PackageData<'_>> {
        self.packages.iter(|r| PackageData::read(self.form, r))
    }

    /// The classes that a package imports (10).
    #[must_use]
    pub fn imported_classes(&self, package: &PackageData<'_>) -> Vec<Name> {
        package.imported_classes(self.form)
    }

    /// How many assets have each tag.
    #[must_use]
    pub fn tag_uses(&self) -> HashMap<Name, u64> {
        let mut uses = HashMap::new();
        let mut add = |name, count| *uses.entry(name).or_default() += count;
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
    /// Reads a count and that many records; those before a fault stay.
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

    /// Reads them again.
    fn iter<'s, T: 's>(
        &'s self,
        mut read: impl FnMut(&mut Reader<'s>) -> Result<T, Fault> + 's,
    ) -> impl Iterator<Item = T> + 's {
        let mut r = Reader::new(&self.bytes);
        (0..self.count).map_while(move |_| read(&mut r).ok())
    }
}
