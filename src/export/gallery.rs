//! Summaries of assets with thumbnails, read with as little data as possible.

use super::texture::png;
use crate::asset::texture::{Texture, VirtualTexture};
use crate::asset::{self, Asset, Bulk, Summary};
use crate::error::{Error, Result};
use crate::image::{Channels, Image, Pixels};
use crate::job::{Context, Cpu, Failure, Kind, Outcome, Subject, Tally, Worked};
use crate::package::legacy::{Export, PackageIndex};
use crate::property::{Object, Scope};
use crate::store::packages::Packages;
use crate::values::{Loaded, PackageInput, PackageInputs, PackageJob, ValueOptions, ValuesRead};
use std::borrow::Cow;
use std::sync::Arc;

/// An asset of a gallery.
#[derive(Debug, Clone, PartialEq)]
pub struct GalleryAsset {
    /// Engine name of its package.
    pub package: String,
    /// Its path in the package.
    pub object: String,
    /// Its class.
    pub class: String,
    /// Summary of the asset.
    pub summary: Summary,
    /// A small picture of a texture as a PNG file, if its data is available.
    pub thumbnail: Option<Vec<u8>>,
}

/// Longest side of a thumbnail, in pixels.
pub const THUMBNAIL_SIDE: u32 = 128;

/// Bytes of memory budget per byte of bulk data: only one mip is read at once, and it is decoded piece by piece.
const BULK_PRICE: u64 = 1;

/// Calls `found` with every asset of some packages, in their order.
pub async fn gallery(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    context: &Context,
    values: ValueOptions,
    mut found: impl FnMut(GalleryAsset) -> Result<()>,
) -> Result<Outcome<ValuesRead>> {
    let mut job = PackageJob::new(packages, inputs, values);
    job.bulk_price = Some(BULK_PRICE);
    let job = Arc::new(job);
    let mut outcome = Outcome::of(Kind::Package);
    let work = |job: &PackageJob, _: usize, item: &PackageInput| assets(job, item);
    let done = |tally: &mut Tally<'_, _>, item: &PackageInput, assets: Vec<Result<GalleryAsset>>| {
        for asset in assets {
            match asset {
                Ok(asset) => found(asset)?,
                // A damaged asset is a failure of its package, but the others are shown.
                Err(error) => {
                    tally.failed(Failure { subject: Subject::Package, path: item.name.clone(), error });
                }
            }
        }
        Ok(())
    };
    job.each(context, &mut outcome, work, done).await?;
    outcome.done = job.finish(&mut outcome);
    Ok(outcome)
}

fn assets(job: &PackageJob, item: &PackageInput) -> Worked<Vec<Result<GalleryAsset>>> {
    let mut loaded = job.load(item)?;
    let scope = job.scope(&loaded);
    let source = Source { job, item, loaded: &loaded, scope: &scope };
    // All exports: a package may contain several assets.
    let exports = (0..).zip(&loaded.package.exports);
    let assets = exports.filter_map(|(at, export)| source.asset(at, export)).collect();
    // The scope borrows `loaded`, which is changed below.
    drop(scope);
    Ok((assets, loaded.take_mismatch()))
}

/// An open package.
struct Source<'s, 'a> {
    job: &'s PackageJob,
    item: &'s PackageInput,
    loaded: &'a Loaded,
    scope: &'s Scope<'a>,
}

impl<'a> Source<'_, 'a> {
    fn asset(&self, at: u32, export: &Export) -> Option<Result<GalleryAsset>> {
        if !asset::is_known(self.scope, export) {
            return None;
        }
        let fields = Object::read(self.scope, export);
        let package = &self.loaded.package;
        let path = PackageIndex::export(at).and_then(|index| package.path(index, ""));
        let object = path
            .map_or_else(|| package.text(export.name).to_string(), |path| path.in_package("").to_string());
        let found = match asset::read(self.scope, export, &fields)? {
            Ok(found) => found,
            Err(source) => {
                let (source, path) = (Box::new(source), self.loaded.path.clone());
                return Some(Err(Error::Asset { object, source, path }));
            }
        };
        let thumbnail = match &found.asset {
            Asset::Texture(texture) => {
                // Browsers assume sRGB in any case; stating it would only make thumbnails larger.
                self.picture(texture)
                    .and_then(|image| png::encode(&image, png::Encoding::Unsaid, &Cpu::default()).ok())
            }
            _ => None,
        };
        Some(Ok(GalleryAsset {
            package: self.item.package_name(),
            object,
            class: found.class.to_string(),
            summary: Summary::new(&found.asset, self.scope, &fields),
            thumbnail,
        }))
    }

    /// A thumbnail of a texture; `None` if its data is missing, damaged or cannot be decoded.
    fn picture(&self, texture: &Texture<'a>) -> Option<Image> {
        let image = match &texture.virtual_texture {
            Some(tiles) => self.tiles(texture, tiles)?,
            // The smallest sufficient mip first; larger ones only if its data is missing.
            None => texture.mips_for(THUMBNAIL_SIDE).into_iter().find_map(|mip| {
                let bytes = self.bulk(&mip.data)?;
                texture.thumbnail(mip, &bytes, THUMBNAIL_SIDE).ok()
            })?,
        };
        Some(without_empty_alpha(image))
    }

    /// A thumbnail of the first layer of a virtual texture.
    fn tiles(&self, texture: &Texture<'a>, tiles: &VirtualTexture<'a>) -> Option<Image> {
        let format = tiles.layers.first()?.format;
        let image = tiles.mips_for(THUMBNAIL_SIDE).into_iter().find_map(|mip| {
            let mut chunks: Vec<Option<Cow<'_, [u8]>>> = tiles.chunks.iter().map(|_| None).collect();
            // Only chunks with tiles of this mip are read; the others may be many times as large.
            for (chunk, _) in tiles.tiles(mip, 0).filter_map(|tile| tile.data) {
                if let (Some(slot @ None), Some(chunk)) = (chunks.get_mut(chunk), tiles.chunks.get(chunk)) {
                    *slot = self.bulk(&chunk.data);
                }
            }
            tiles.assemble(mip, 0, &chunks).ok()
        })?;
        let mut image = image.thumbnail(THUMBNAIL_SIDE);
        texture.complete(&mut image, format);
        Some(image)
    }

    /// A piece of bulk data; `None` if it cannot be read.
    fn bulk(&self, bulk: &Bulk<'a>) -> Option<Cow<'a, [u8]>> {
        self.job.library.bulk_alone(self.item, self.loaded, bulk).ok().flatten()
    }
}

/// Drops an all-zero alpha channel, which would make the picture invisible: it is a mask for another purpose.
fn without_empty_alpha(image: Image) -> Image {
    match (image.channels, &image.pixels) {
        (Channels::Rgba, Pixels::U8(values)) if values.iter().skip(3).step_by(4).all(|alpha| *alpha == 0) => {
            let colors = values.as_chunks::<4>().0.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]);
            let pixels = Pixels::U8(colors.collect());
            Image { channels: Channels::Rgb, pixels, ..image }
        }
        _ => image,
    }
}
