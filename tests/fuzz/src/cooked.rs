//! Real assets: legacy packages in two files.

use super::payloads::input;
use std::path::Path;
use uncask::asset::{self, Asset};
use uncask::package::legacy::Package;
use uncask::property::{Object, Scope};

/// A cooked package: its header, the data of its exports, and what lies beside.
#[derive(Debug, Clone, Default)]
pub struct Cooked {
    /// The `.uasset`.
    pub header: Vec<u8>,
    /// The `.uexp`.
    pub exports: Vec<u8>,
    /// The `.ubulk`, if there is one.
    pub beside: Vec<u8>,
}

impl Cooked {
    /// Reads the files of a package; `None` if it has only one.
    #[must_use]
    pub fn read(header: &Path) -> Option<Self> {
        let file = |extension| std::fs::read(header.with_extension(extension)).ok();
        Some(Self {
            header: std::fs::read(header).ok()?,
            exports: file("uexp")?,
            beside: file("ubulk").unwrap_or_default(),
        })
    }

    /// Its assets as inputs of the targets of their classes.
    #[must_use]
    pub fn inputs(&self) -> Vec<(&'static str, Vec<u8>)> {
        let Ok(package) = Package::parse(&self.header) else { return Vec::new() };
        let scope = Scope::new(&package, &self.exports, package.header_len(), None);
        let asset = |export| {
            let object = Object::read(&scope, export);
            input(&scope, export, &asset::read(&scope, export, &object)?.ok()?)
        };
        package.exports.iter().filter_map(asset).collect()
    }

    /// The audio of its sounds: what is in the export, then what lies beside.
    #[must_use]
    pub fn audio(&self) -> Vec<Vec<u8>> {
        let Ok(package) = Package::parse(&self.header) else { return Vec::new() };
        let scope = Scope::new(&package, &self.exports, package.header_len(), None);
        let audio = |export| match asset::read(&scope, export, &Object::read(&scope, export))?.ok()?.asset {
            Asset::Sound(sound) => {
                let chunks = sound.encodings.iter().flat_map(|encoding| &encoding.chunks);
                let inline: Vec<u8> =
                    chunks.filter_map(|chunk| chunk.bulk.inline).flatten().copied().collect();
                Some([&inline, &*self.beside].concat())
            }
            _ => None,
        };
        package.exports.iter().filter_map(audio).collect()
    }

    /// The package as an input of the targets that take whole ones.
    ///
    /// # Panics
    ///
    /// If its header has 4 GiB.
    #[must_use]
    pub fn whole(&self) -> Vec<u8> {
        let len = u32::try_from(self.header.len()).expect("a short header");
        [&len.to_le_bytes()[..], &self.header, &self.exports].concat()
    }

    /// True if the package has an object whose class name starts like this.
    #[must_use]
    pub fn has(&self, class: &str) -> bool {
        let Ok(package) = Package::parse(&self.header) else { return false };
        package.exports.iter().any(|export| {
            let path = package.class_path(export);
            path.rsplit(['.', '/']).next().is_some_and(|name| name.starts_with(class))
        })
    }
}
