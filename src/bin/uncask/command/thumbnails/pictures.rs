//! Pictures in packages of any kind.

use crate::session::Session;
use serde::Serialize;
use std::path::Path;
use uncask::error::{Error, Result, UnsupportedFeature};
use uncask::identify::has_extension;
use uncask::package::legacy::{self, TAG};
use uncask::package::{PackageKind, classic};

/// Extensions of files that may contain pictures: uncooked assets, and packages of Unreal Engine 1 to 3.
const EXTENSIONS: [&str; 10] = ["uasset", "umap", "u", "utx", "uax", "umx", "unr", "ukx", "upk", "ut3"];

/// A picture, encoded as a file.
pub(super) struct FoundThumbnail {
    pub object: String,
    pub class: String,
    pub width: u32,
    pub height: u32,
    pub extension: &'static str,
    pub bytes: Vec<u8>,
}

/// True if the name of a file suggests a package.
pub(super) fn is_package(path: &Path) -> bool {
    has_extension(path, &EXTENSIONS)
}

/// Reason why a package has no pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum NoPictures {
    Zen,
    Cooked,
    Editor,
    Classic,
    Unknown,
}

impl NoPictures {
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::Zen => "zen packages have no thumbnails (`uncask export --as png` writes textures)",
            Self::Cooked => "the cooker drops thumbnails (`uncask export --as png` writes textures)",
            Self::Editor => "the editor saved these packages without thumbnails",
            Self::Classic => "these packages of Unreal Engine 1 to 3 have no textures",
            Self::Unknown => "unrecognised package format",
        }
    }
}

/// Passes each picture of a package to `take` as soon as it is read; returns the reason for having none.
pub(super) fn of_file(
    session: &Session,
    file: &Path,
    take: &mut dyn FnMut(Result<FoundThumbnail>),
) -> Result<NoPictures> {
    let bytes = session.read_file(file)?;
    match PackageKind::sniff(&bytes) {
        Some(PackageKind::Legacy(_)) => thumbnails(&bytes, file, take),
        Some(PackageKind::Classic(_)) => textures(&bytes, file, take).map(|()| NoPictures::Classic),
        // The tag says it is a package, so the fault that keeps it from being recognised is worth reporting.
        None if bytes.starts_with(&TAG.to_le_bytes()) => thumbnails(&bytes, file, take),
        Some(PackageKind::Zen(_)) => Ok(NoPictures::Zen),
        _ => Ok(NoPictures::Unknown),
    }
}

/// Thumbnails of an uncooked asset, with their stored encoding.
fn thumbnails(bytes: &[u8], file: &Path, take: &mut dyn FnMut(Result<FoundThumbnail>)) -> Result<NoPictures> {
    let package = legacy::Package::parse(bytes).map_err(Error::malformed("legacy package", file))?;
    // The reason for having no pictures, should there be none.
    let otherwise = if package.form.cooked { NoPictures::Cooked } else { NoPictures::Editor };
    let found = package.thumbnails.unwrap_or_default().into_iter();
    // The editor stores empty thumbnails for some assets.
    for thumbnail in found.filter(|thumbnail| !thumbnail.picture.is_empty()) {
        let (width, height) = thumbnail.picture.size();
        take(Ok(FoundThumbnail {
            object: thumbnail.path.to_string(),
            class: thumbnail.class.to_string(),
            width,
            height,
            extension: thumbnail.picture.kind().extension(),
            bytes: thumbnail.picture.bytes,
        }));
    }
    Ok(otherwise)
}

/// Textures of a classic package, each at its largest size, as PNG.
fn textures(bytes: &[u8], file: &Path, take: &mut dyn FnMut(Result<FoundThumbnail>)) -> Result<()> {
    let malformed = || Error::malformed("classic package", file);
    let package = classic::Package::parse(bytes).map_err(malformed())?;
    let content = package.content(bytes).map_err(malformed())?;
    for (export, picture) in package.textures(&content) {
        let object = package.text(export.name).to_string();
        take(match picture {
            Ok(classic::Picture { width, height, png }) => {
                let class = package.class_of(export);
                Ok(FoundThumbnail { object, class, width, height, extension: "png", bytes: png })
            }
            Err(classic::TextureError::Fault(fault)) => Err(Error::malformed("texture", file)(fault)),
            Err(source) => {
                let what = UnsupportedFeature::ClassicTexture { object, source: source.into() };
                Err(Error::Unsupported { what, path: file.to_owned() })
            }
        });
    }
    Ok(())
}
