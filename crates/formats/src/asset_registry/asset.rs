//! Asset records.
//!
//! ```text
//! path (to 14) │ folder │ class (14: package and object) │ group (to 3) │ package │ name
//!   │ outer (15, with editor-only data)
//!   │ tags │ bundles (8) │ i32 n, n × i32 chunk │ u32 package flags
//!
//! tags      to 7: i32 n, n × { name, string }
//!           8:    u64: bits 0–31 first pair, bits 32–47 count, bit 63 plain keys
//! bundles   i32 n, n × { name, i32 m, m × { asset (14: package and object), text: path below it } }
//! ```

use super::form::{Form, Name};
use super::tags::{ClassName, Handle, TagStore, TagValue};
use crate::wire::{Fault, Reader};
use zerocopy::little_endian::I32;

/// An object that can be found without loading its package (`FAssetData`).
#[doc(alias = "FAssetData")]
#[derive(Debug, Clone)]
pub struct Asset<'a> {
    /// Full path, as one name (to 14).
    pub object_path: Option<Name>,
    /// Folder of the package.
    pub folder: Name,
    /// Class.
    pub class: ClassName,
    /// Group (to 3).
    pub group: Option<Name>,
    /// Package, such as `/Game/Maps/Level`.
    pub package: Name,
    /// Name in the package.
    pub name: Name,
    /// Outer object, unless it is the package (15, with editor-only data).
    pub outer: Option<Name>,
    /// Chunks (paks) that it is assigned to.
    pub chunk_ids: &'a [I32],
    /// Flags of the package.
    pub package_flags: u32,
    pub(super) tags: Tags<'a>,
    bundles: Reader<'a>,
}

/// Assets that are loaded together (`FAssetBundleEntry`).
#[doc(alias = "FAssetBundleEntry")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    /// Bundle name.
    pub name: Name,
    /// Assets of the bundle.
    pub assets: Vec<BundleAsset>,
}

/// An asset of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundleAsset {
    /// Package (14).
    pub package: Option<Name>,
    /// Name in the package, or (to 13) full path.
    pub name: Name,
    /// Path of an object inside it; usually empty.
    pub sub_path: String,
}

/// Place of an asset's tags.
#[derive(Debug, Clone)]
pub(super) enum Tags<'a> {
    /// In the record.
    Inline(Reader<'a>),
    /// In the store.
    Stored(Handle),
}

impl<'a> Asset<'a> {
    /// Package flag: the package contains a level.
    const CONTAINS_MAP: u32 = 0x2_0000;

    /// Returns true if its package contains a level.
    #[must_use]
    pub const fn is_in_map(&self) -> bool {
        self.package_flags & Self::CONTAINS_MAP != 0
    }

    /// Returns the smallest length of an asset in bytes.
    pub(super) const fn min_len(form: Form) -> usize {
        // Folder, class, package and name; then at least 12 bytes for tags, chunks and package flags.
        4 * form.name_len() + 12
    }

    pub(super) fn read(form: Form, store: &TagStore<'_>, r: &mut Reader<'a>) -> Result<Self, Fault> {
        let version = form.version;
        // The outer path is editor-only data: a registry for a game does not have it, whatever its version.
        let has_outer = version.has_outer_paths() && !form.is_filtered;
        let object_path = r.when(version.has_object_paths(), |r| form.name(r, "asset: path"))?;
        let folder = form.name(r, "asset: folder")?;
        let class = ClassName::read(form, r, "asset: class")?;
        let group = r.when(version.has_groups(), |r| form.name(r, "asset: group"))?;
        let package = form.name(r, "asset: package")?;
        let name = form.name(r, "asset: name")?;
        let outer = r.when(has_outer, |r| form.name(r, "asset: outer"))?;
        let tags = Tags::read(form, store, r)?;
        // Bundles are skipped now and decoded on demand.
        let bundles = r.clone();
        // Bundles came with the tag store (8); older records continue with the chunks.
        if version.has_tag_store() {
            self::bundles(form, r)?;
        }
        let chunks = r.count("asset: chunks", 4)?;
        let chunk_ids = r.table("asset: chunks", chunks)?;
        let package_flags = r.u32("asset: package flags")?;
        Ok(Self {
            object_path,
            folder,
            class,
            group,
            package,
            name,
            outer,
            chunk_ids,
            package_flags,
            tags,
            bundles,
        })
    }

    /// Iterates over the tags.
    pub(super) fn tags<'s>(
        &self,
        form: Form,
        store: &'s TagStore<'a>,
    ) -> impl Iterator<Item = (Name, TagValue<'a>)> + use<'s, 'a> {
        let (inline, stored) = match &self.tags {
            Tags::Inline(tags) => (Some(tags.clone()), None),
            Tags::Stored(handle) => (None, Some(*handle)),
        };
        let inline = inline.into_iter().flat_map(move |mut r| {
            let count = r.count("asset: tags", 1).unwrap_or(0);
            // The record was checked when it was read, so this never ends early.
            (0..count).map_while(move |_| inline_tag(form, &mut r).ok())
        });
        let inline = inline.map(|(name, value)| (name, TagValue::Text(value.into())));
        inline.chain(stored.into_iter().flat_map(move |handle| store.tags(form, handle)))
    }

    /// Returns the bundles.
    pub(super) fn bundles(&self, form: Form) -> Vec<Bundle> {
        if !form.version.has_tag_store() {
            return Vec::new();
        }
        // The bundles were read once with the record, so a fault cannot occur here.
        bundles(form, &mut self.bundles.clone()).unwrap_or_default()
    }
}

impl<'a> Tags<'a> {
    fn read(form: Form, store: &TagStore<'_>, r: &mut Reader<'a>) -> Result<Self, Fault> {
        let at = r.clone();
        // Since version 8 the record holds a handle only: the pairs are in the store, which was read before.
        if form.version.has_tag_store() {
            let handle = Handle::unpack(r.u64("asset: tags")?);
            store.check_handle(&at, handle)?;
            return Ok(Self::Stored(handle));
        }
        // Skipped once, to find the end of the record and to check the names.
        for _ in 0..r.count("asset: tags", form.name_len() + 4)? {
            form.name(r, "asset: tag")?;
            r.skip_string("asset: value of a tag")?;
        }
        Ok(Self::Inline(at))
    }
}

fn inline_tag(form: Form, r: &mut Reader<'_>) -> Result<(Name, String), Fault> {
    Ok((form.name(r, "asset: tag")?, r.string("asset: value of a tag")?))
}

fn bundles(form: Form, r: &mut Reader<'_>) -> Result<Vec<Bundle>, Fault> {
    r.list("asset: bundles", form.name_len() + 4, |r| {
        let name = form.name(r, "bundle: name")?;
        let assets = r.list("bundle: assets", form.name_len() + 4, |r| {
            Ok(BundleAsset {
                package: r.when(form.version.has_class_paths(), |r| form.name(r, "bundle: package"))?,
                name: form.name(r, "bundle: asset")?,
                sub_path: form.text(r, "bundle: path below an asset")?,
            })
        })?;
        Ok(Bundle { name, assets })
    })
}
