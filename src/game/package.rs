//! A package with every name in it resolved, whichever form it is stored in.

use super::{Game, GameError};
use crate::error::Error;
use crate::identify::{self, File, Input};
use crate::package::legacy;
use crate::package::zen::{self, Resolved, Resolver};
use crate::store::packages::Packages;
use crate::store::{Chunk, package_path};
use std::io;

/// Contents and references of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Package {
    /// Such as `/Game/Maps/Start`.
    pub name: String,
    /// Objects of other packages, by full path: `/Script/Engine.World`. Those that no container names are left out.
    pub imports: Vec<String>,
    /// Its objects, in the order of the file.
    pub exports: Vec<Export>,
}

/// An object of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Export {
    /// Path inside the package: `Start.PersistentLevel` for an object in `Start`.
    pub path: String,
    /// Full path of its class, such as `/Script/Engine.World`; empty if no container names it.
    pub class: String,
    /// Length of its data in bytes.
    pub len: u64,
}

impl Game {
    /// Everything that the header of a package of this game says, as programs read it: name, imports, exports, and more.
    pub fn package_header(&self, chunk: Chunk<'_>) -> Result<serde_json::Value, GameError> {
        let path = chunk.display_path();
        let no_package = || GameError::NoPackage { path: path.clone() };
        let (bytes, identified) = if chunk.is_package() {
            let bytes = self.packages().header_bytes(chunk.entry())?;
            let identified = identify::identify_chunk(chunk.kind(), &bytes);
            (bytes, identified)
        } else if chunk.is_cooked_header() {
            let bytes = self.read_chunk(chunk)?;
            let identified = identify::identify(&File { name: path.as_ref(), start: &bytes });
            (bytes, identified)
        } else {
            return Err(no_package());
        };
        let identified = identified.ok_or_else(no_package)?;
        let neighbours = &**self.packages();
        let input = Input { bytes: &bytes, len: chunk.len(), others: &[], neighbours };
        let finding = identified.format.read(&input);
        if let Some((_, fault)) = finding.fault {
            return Err(GameError::NotAPackage { path, fault });
        }
        let view = finding.view.ok_or_else(no_package)?;
        let json = serde_json::to_value(&view).map_err(io::Error::from);
        Ok(json.map_err(Error::io("show the header of", path))?)
    }

    /// Contents and references of a package by full names, as far as the game's containers record them.
    pub fn package(&self, name: &str) -> Result<Package, GameError> {
        let chunk = self.chunk(name)?;
        if chunk.is_package() { zen(self, chunk) } else { legacy(self, chunk) }
    }
}

fn zen(game: &Game, chunk: Chunk<'_>) -> Result<Package, GameError> {
    let packages: &Packages = game.packages();
    let bytes = packages.header_bytes(chunk.entry())?;
    let header = zen::Header::parse(&bytes)
        .map_err(|fault| GameError::NotAPackage { path: chunk.display_path(), fault })?;
    let resolver = Resolver::new(&header, packages);
    let full = |resolved: Resolved| match resolved {
        Resolved::Object { path, .. } => Some(path.to_string()),
        Resolved::Null | Resolved::Unresolved { .. } => None,
    };
    let export = |(at, export): (usize, &zen::Export)| Export {
        path: header.export_path(at).map_or_else(String::new, |path| path.in_package("").to_string()),
        class: full(resolver.class_of(export)).unwrap_or_default(),
        len: export.serial_len,
    };
    Ok(Package {
        name: header.name().to_string(),
        imports: resolver.imports().filter_map(full).collect(),
        exports: header.exports.iter().enumerate().map(export).collect(),
    })
}

fn legacy(game: &Game, chunk: Chunk<'_>) -> Result<Package, GameError> {
    let path = chunk.display_path();
    let package = legacy::Package::parse(&game.read_chunk(chunk)?)
        .map_err(|fault| GameError::NotAPackage { path: path.clone(), fault })?;
    let from_path = || package_path::to_package_names(&path).into_iter().next();
    let name = Some(package.name().to_owned()).filter(|name| !name.is_empty()).or_else(from_path);
    let export = |(at, export): (u32, &legacy::Export)| Export {
        path: package.export_path(at).unwrap_or_default(),
        class: package.class_path(export),
        len: u64::try_from(export.serial_len).unwrap_or(0),
    };
    Ok(Package {
        name: name.unwrap_or_default(),
        imports: (0..).zip(&package.imports).filter_map(|(at, _)| package.import_path(at)).collect(),
        exports: (0..).zip(&package.exports).map(export).collect(),
    })
}
