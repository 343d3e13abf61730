//! Writes asset registries of every version, from the layout alone: it shares nothing with the reader.

pub(crate) mod early;
mod samples;
mod write;

pub(crate) use samples::VERSIONS;

use std::collections::BTreeMap;
use write::{File, count};

/// A name: its text, and 0 or one more than the number shown after it.
pub(crate) type Name = (String, u32);

/// A name without a number.
pub(crate) fn plain(text: &str) -> Name {
    (text.to_owned(), 0)
}

/// An asset registry.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Registry {
    pub(crate) version: u32,
    /// True if editor-only data is omitted.
    pub(crate) is_filtered: bool,
    pub(crate) assets: Vec<Asset>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) packages: Vec<Package>,
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Asset {
    pub(crate) object_path: Option<Name>,
    pub(crate) folder: Name,
    pub(crate) class: Class,
    pub(crate) group: Option<Name>,
    pub(crate) package: Name,
    pub(crate) name: Name,
    pub(crate) outer: Option<Name>,
    pub(crate) tags: Vec<(Name, Value)>,
    pub(crate) bundles: Vec<(Name, Vec<(Class, String)>)>,
    pub(crate) chunks: Vec<i32>,
    pub(crate) package_flags: u32,
}

/// A package and an object in it, or a short name alone.
pub(crate) type Class = (Option<Name>, Name);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Ansi(String),
    Wide(String),
    Name(Name),
    /// Class, object, package.
    Path(Class, Name, Name),
    Text(String),
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    /// Package, type of the primary asset, object, value.
    pub(crate) identifier: [Option<Name>; 4],
    /// Numbers of nodes with bits: hard (or all packages), soft, names, soft manage (or all), hard manage, referencers.
    pub(crate) lists: [Vec<(u32, u32)>; 6],
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: Name,
    pub(crate) disk_size: i64,
    pub(crate) guid: Option<[u8; 16]>,
    pub(crate) saved_hash: Option<[u8; 20]>,
    pub(crate) cooked_hash: Option<[u8; 16]>,
    pub(crate) chunk_hashes: Vec<([u8; 12], [u8; 20])>,
    /// Versions of UE4, UE5 and the licensee; flags.
    pub(crate) saved_with: Option<(i32, i32, i32, u32)>,
    pub(crate) custom_versions: Vec<([u8; 16], i32)>,
    pub(crate) imported_classes: Vec<Name>,
    pub(crate) extension: Option<String>,
    pub(crate) location: Option<u8>,
}

/// Points on which the sources of the layout disagree.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Quirks {
    /// The store has the older order.
    pub(crate) texts_last: bool,
    /// Packages have no location, or one in version 24.
    pub(crate) other_location: bool,
    /// The manage bits have the width of the other versions.
    pub(crate) other_manage_width: bool,
    /// Texts outside the store have a terminator in every version.
    pub(crate) terminated_texts: bool,
}

/// Offsets of the parts of a file.
pub(crate) type Marks = BTreeMap<&'static str, usize>;

impl Registry {
    /// The file.
    pub(crate) fn write(&self, quirks: Quirks) -> Vec<u8> {
        self.write_marked(quirks).0
    }

    /// The file, and where its parts are.
    pub(crate) fn write_marked(&self, quirks: Quirks) -> (Vec<u8>, Marks) {
        let mut file = File::new(self.version, quirks);
        let mut marks = Marks::new();
        // Records first: they collect the names and the store.
        let handles: Vec<u64> = self.assets.iter().map(|asset| file.store(&asset.tags)).collect();
        let mut records = Vec::new();
        count(&mut records, self.assets.len());
        for (asset, handle) in self.assets.iter().zip(handles) {
            file.asset(&mut records, asset, handle, self.is_filtered);
        }
        let nodes_at = records.len();
        if self.version >= 4 {
            file.nodes(&mut records, &self.nodes);
        }
        let packages_at = records.len();
        if self.version >= 4 {
            count(&mut records, self.packages.len());
            for package in &self.packages {
                file.package(&mut records, package);
            }
        }
        let mut out = vec![
            0xE7, 0x9E, 0x7F, 0x71, 0x3A, 0x49, 0xB0, 0xE9, 0x32, 0x91, 0xB3, 0x88, 0x07, 0x81, 0x38, 0x1B,
        ];
        out.extend(self.version.to_le_bytes());
        if self.version >= 16 {
            out.extend(u32::from(self.is_filtered).to_le_bytes());
        }
        if self.version < 8 {
            out.extend(((out.len() + 8 + records.len()) as u64).to_le_bytes());
        } else {
            marks.insert("names", out.len());
            file.name_batch(&mut out);
            marks.insert("store", out.len());
            file.finish_store(&mut out);
        }
        let start = out.len();
        marks.extend([("assets", start), ("nodes", start + nodes_at), ("packages", start + packages_at)]);
        out.extend(records);
        marks.insert("end", out.len());
        if self.version < 8 {
            file.name_table(&mut out);
        }
        (out, marks)
    }
}
