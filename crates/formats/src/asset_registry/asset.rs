//! Assets.
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

/// `FAssetData`: an object that can be found without loading its package.
#[doc(alias = "FAssetData")]
#[derive(Debug, Clone)]
pub struct Asset<'a> {
    /// Its whole path, as one name (to 14).
    pub object_path: Option<Name>,
    /// Folder of its package.
    pub folder: Name,
    /// Its class.
    pub class: ClassName,
    /// What it was grouped under (to 3).
    pub group: Option<Name>,
    /// Its package, such as `/Game/Maps/Level`.
    pub package: Name,
    /// Its name in the package.
    pub name: Name,
    /// What is around it, where that is not the package (15, with editor-only data).
    pub outer: Option<Name>,
    /// Chunks (paks) that it was assigned to.
    pub chunk_ids: &'a [I32],
    /// Flags of its package.
    pub package_flags: u32,
    pub(super) tags: Tags<'a>,
    bundles: Reader<'a>,
}

/// `FAssetBundleEntry`: assets that are loaded together.
#[doc(alias = "FAssetBundleEntry")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    /// Its name.
    pub name: Name,
    /// The assets.
    pub assets: Vec<BundleAsset>,
}

/// An asset of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundleAsset {
    /// Its package (14).
    pub package: Option<Name>,
    /// Its name in the package, or (to 13) its whole path.
    pub name: Name,
    /// Path of an object below it; mostly empty.
    pub sub_path: String,
}

/// Where the tags of an asset are.
#[derive(Debug, Clone)]
pub(super) enum Tags<'a> {
    /// Here.
    Inline(Reader<'a>),
    /// In the store.
    Stored(Handle),
}

impl<'a> Asset<'a> {
    /// Flag of packages that hold a level.
    const CONTAINS_MAP: u32 = 0x2_0000;

    /// Whether its package says that it holds a level.
    #[must_use]
    pub const fn is_in_map(&self) -> bool {
        self.package_flags & Self::CONTAINS_MAP != 0
    }

    /// Fewest bytes of an asset.
    pub(super) const fn min_len(form: Form) -> usize {
        4 * form.name_len() + 12
    }

    pub(super) fn read(form: Form, store: &TagStore<'_>, r: &mut Reader<'a>) -> Result<Self, Fault> {
        let version = form.version;
        let has_outer = version.has_outer_paths() && !form.is_filtered;
        let object_path = r.when(version.has_object_paths(), |r| form.name(r, "asset: path"))?;
        let folder = form.name(r, "asset: folder")?;
        let class = ClassName::read(form, r, "asset: class")?;
        let group = r.when(version.has_groups(), |r| form.name(r, "asset: group"))?;
        let package = form.name(r, "asset: package")?;
        let name = form.name(r, "asset: name")?;
        let outer = r.when(has_outer, |r| form.name(r, "asset: outer"))?;
        let tags = Tags::read(form, store, r)?;
        let bundles = r.clone();
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

    /// Its tags.
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
            (0..count).map_while(move |_| inline_tag(form, &mut r).ok())
        });
        let inline = inline.map(|(name, value)| (name, TagValue::Text(value.into())));
        inline.chain(stored.into_iter().flat_map(move |handle| store.tags(form, handle)))
    }

    /// Its bundles.
    pub(super) fn bundles(&self, form: Form) -> Vec<Bundle> {
        if !form.version.has_tag_store() {
            return Vec::new();
        }
        // They were read once before.
        bundles(form, &mut self.bundles.clone()).unwrap_or_default()
    }
}

impl<'a> Tags<'a> {
    fn read(form: Form, store: &TagStore<'_>, r: &mut Reader<'a>) -> Result<Self, Fault> {
        let at = r.clone();
        if form.version.has_tag_store() {
            let handle = Handle::unpack(r.u64("asset: tags")?);
            store.check_handle(&at, handle)?;
            return Ok(Self::Stored(handle));
        }
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
