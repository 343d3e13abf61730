//! `AssetRegistry.bin`: which assets there are, found without loading any: their classes, tags and packages, what these
//! depend on, and how large they are.
//!
//! ```text
//! 16-byte GUID 717F9EE7… │ u32 version │ (16) u32 editor-only data left out
//! names   to 7: i64 offset of the name table, which lies behind everything else
//!         8:    name batch │ store of tags
//! assets          i32 n │ n × asset
//! dependencies    (7) i64 size │ i32 n │ n × node
//! packages        i32 n │ n × package
//!
//! name    to 7: i32 index │ i32 number      8: u32 index; if bit 31 is set, u32 number
//! ```
//!
//! Numbers in parentheses are the version that a field came with; every version from 2 on is read, of Unreal Engine 4 to
//! 5.7 (22). Newer ones are tried with the newest layout. Games ship a registry with assets and tags as a rule, and with
//! dependencies and packages if they were told to.
//!
//! Sources: CUE4Parse `UE4/AssetRegistry`, with forks of it for versions 18 and 20; a second reading is retoc's
//! `asset_registry.rs`, which goes as far as the assets and was tried on files of 4.22, 4.27, 5.5 and 5.6. No file of a
//! game was at hand: all versions were checked against files of our own writing only. Versions 2 and 3 have something behind the
//! assets that no public reader knows; it is left [unread](AssetRegistry::unread). Where the sources differ, the reading
//! is chosen that fits the bytes: whether packages have a location (18), how wide the bits of manage dependencies are
//! (22), and which texts are UTF-8 (19).
//!
//! Memory: names are held once, and variable records of the store as numbers. Assets, nodes and packages stay bytes; they
//! are checked once and read again whenever they are asked for.

mod asset;
mod depends;
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
    package::name_map::NameMap,
    version::AssetRegistryVersion,
    wire::{Fault, FaultKind, Partial, Reader},
};
use asset::Tags;
use depends::Nodes;
use form::Form;
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

/// Records one behind the other, which were checked.
#[derive(Debug, Default)]
struct Records<'a> {
    /// They, and what follows.
    bytes: &'a [u8],
    count: usize,
}

impl<'a> AssetRegistry<'a> {
    /// Whether something begins as a registry does.
    #[must_use]
    pub fn sniff(start: &[u8]) -> bool {
        start.starts_with(&AssetRegistryVersion::GUID)
    }

    /// Reads a registry.
    ///
    /// ```
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

    /// Reads as much of a registry as there is; an error if not even its version is known.
    pub fn parse_partial(file: &'a [u8]) -> Result<Partial<Self>, Fault> {
        let mut r = Reader::new(file);
        if !Self::sniff(&r.array::<16>("asset registry: guid")?) {
            return Err(Fault { offset: 0, field: "asset registry: guid", kind: FaultKind::BadMagic });
        }
        let at = r.clone();
        let found = r.u32("asset registry: version")?;
        let unsupported = at.fault("asset registry: version", FaultKind::Unsupported { found: found.into() });
        let version = AssetRegistryVersion::from_wire(found).ok_or(unsupported)?;
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
        let fault = registry.fill(file, r).err();
        let fault = fault.map(|fault| if version.is_known() { fault } else { unsupported });
        Ok(Partial { value: registry, fault })
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

    /// Reads the packages, to the end; with a location, or without if only that fits.
    fn read_packages(&mut self, r: &Reader<'a>) -> Result<(), Fault> {
        let read = |form: Form, packages: &mut Records<'a>| {
            let mut r = r.clone();
            packages.read(&mut r, "asset registry: packages", PackageData::min_len(form), |r| {
                PackageData::read(form, r).map(drop)
            })?;
            r.finish("asset registry")
        };
        let first = read(self.form, &mut self.packages);
        if first.is_err() && self.form.has_location {
            let form = Form { has_location: false, ..self.form };
            let mut packages = Records::default();
            if read(form, &mut packages).is_ok() {
                (self.form, self.packages) = (form, packages);
                return Ok(());
            }
        }
        first
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

    /// What lies behind the assets of versions 2 and 3, which nobody knows the form of.
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
    pub fn assets(&self) -> impl Iterator<Item = Asset<'a>> {
        self.assets.iter(|r| Asset::read(self.form, &self.store, r))
    }

    /// The tags of an asset.
    pub fn tags(&self, asset: &Asset<'a>) -> impl Iterator<Item = (Name, TagValue<'a>)> {
        asset.tags(self.form, &self.store)
    }

    /// The bundles of an asset.
    #[must_use]
    pub fn bundles(&self, asset: &Asset<'a>) -> Vec<Bundle> {
        asset.bundles(self.form)
    }

    /// What depends on what, in the order of the file.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'a>> {
        (0..).map_while(|index| self.node(index))
    }

    /// A node by its number.
    #[must_use]
    pub fn node(&self, index: u32) -> Option<Node<'a>> {
        self.nodes.get(self.form, index)
    }

    /// The packages, in the order of the file.
    pub fn packages(&self) -> impl Iterator<Item = PackageData<'a>> {
        self.packages.iter(|r| PackageData::read(self.form, r))
    }

    /// The classes that a package imports (10).
    #[must_use]
    pub fn imported_classes(&self, package: &PackageData<'a>) -> Vec<Name> {
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
        (self.bytes, self.count) = (r.rest(), 0);
        for _ in 0..count {
            read(r)?;
            self.count += 1;
        }
        Ok(())
    }

    /// Reads them again.
    fn iter<T>(&self, mut read: impl FnMut(&mut Reader<'a>) -> Result<T, Fault>) -> impl Iterator<Item = T> {
        let mut r = Reader::new(self.bytes);
        (0..self.count).map_while(move |_| read(&mut r).ok())
    }
}
