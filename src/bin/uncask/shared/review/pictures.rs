//! Pictures of both versions of an asset: the thumbnails that the editor keeps in packages.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use std::path::Path;
use uncask::package::legacy::{Package, PictureKind};

/// A picture of an asset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AssetPicture {
    /// Path of the object in the package.
    pub object: String,
    /// Width and height in pixels.
    pub size: (u32, u32),
    kind: PictureKind,
    bytes: Vec<u8>,
}

/// Pictures of the old and the new version of an asset.
pub(super) type PicturePair = [Vec<AssetPicture>; 2];

/// Reads the pictures of the versions in two folders, under one path; those that did not change are left out.
pub(super) fn pictures(folders: [&Path; 2], path: &str) -> PicturePair {
    let [old, new] = folders.map(|folder| of_file(&folder.join(path)));
    if old == new { [Vec::new(), Vec::new()] } else { [old, new] }
}

/// The pictures in a package; none if it cannot be read, which its review tells.
fn of_file(path: &Path) -> Vec<AssetPicture> {
    let Ok(bytes) = std::fs::read(path) else { return Vec::new() };
    let Ok(package) = Package::parse(&bytes) else { return Vec::new() };
    let found = package.thumbnails.unwrap_or_default().into_iter();
    let is_shown = |kind: PictureKind| kind != PictureKind::Unknown;
    let picture = found.filter(|found| is_shown(found.picture.kind())).map(|found| AssetPicture {
        object: found.path.to_string(),
        size: found.picture.size(),
        kind: found.picture.kind(),
        bytes: found.picture.bytes,
    });
    picture.collect()
}

impl AssetPicture {
    /// Length of its file in bytes.
    pub(super) const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The picture as an address that contains it.
    pub(super) fn data_url(&self) -> String {
        let kind = match self.kind {
            PictureKind::Jpeg => "jpeg",
            PictureKind::Png | PictureKind::Unknown => "png",
        };
        format!("data:image/{kind};base64,{}", BASE64_STANDARD.encode(&self.bytes))
    }
}
