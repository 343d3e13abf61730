//! Versions 0 and 1, which write each name in full at every use.
//!
//! ```text
//! 0  i32 n │ n × asset
//! 1  GUID │ u32 version │ i32 n │ n × asset │ n × dependencies, those of the first asset first
//!
//! asset         path │ folder │ class │ group │ package │ name: strings
//!                 │ i32 n, n × { string: tag, string: value } │ i32 n, n × i32 chunk │ (1) u32 package flags
//! dependencies  i32 hard │ i32 soft │ i32 referencers │ that many i32 each: asset indices
//! ```
//!
//! They are rewritten in the form of later versions, with indices for names, so that one reader suffices.

use super::form::Form;
use crate::names::NameMap;
use crate::wire::{Fault, FaultKind, Reader, Writer};
use std::collections::HashMap;
use zerocopy::little_endian::U32;

/// Limit on the length of the first path, for recognising a registry without a GUID.
const MAX_FIRST_PATH: usize = 1024;
/// Smallest length of an asset: six strings, and the counts of tags and chunks.
const MIN_ASSET: usize = 8 * 4;
/// Node bit: the identity is a package.
const IS_PACKAGE: u8 = 1;

/// Content of a registry, in the form of later versions.
#[derive(Debug, Default)]
pub(super) struct Rewritten {
    pub(super) names: NameMap,
    /// Assets, and their number.
    pub(super) assets: (Vec<u8>, usize),
    /// Nodes, preceded by their count.
    pub(super) nodes: Vec<u8>,
}

/// Recognises version 0, which has no GUID, by its start: a number of assets, and a first one whose path is
/// in its folder.
pub(super) fn sniff(start: &[u8]) -> bool {
    // Without a magic number, two facts must agree by chance for a wrong answer: a short first path, and a
    // folder that begins it.
    let mut r = Reader::new(start);
    let first = |r: &mut Reader<'_>| -> Result<bool, Fault> {
        let count = r.i32("asset count")?;
        let len = r.clone().i32("path")?;
        if count <= 0 || !usize::try_from(len).is_ok_and(|len| len <= MAX_FIRST_PATH) {
            return Ok(false);
        }
        let (path, folder) = (r.string("path")?, r.string("folder")?);
        Ok(folder.starts_with('/') && path.strip_prefix(&folder).is_some_and(|rest| rest.starts_with('/')))
    };
    first(&mut r).unwrap_or(false)
}

impl Rewritten {
    /// Reads everything after the version; keeps the assets before a fault.
    pub(super) fn read(form: Form, r: &mut Reader<'_>) -> (Self, Result<(), Fault>) {
        let mut rewriter = Rewriter::default();
        let read = rewriter.all(form, r);
        let Rewriter { names, assets, count, nodes, .. } = rewriter;
        (Self { names, assets: (assets.into_bytes(), count), nodes: nodes.into_bytes() }, read)
    }
}

#[derive(Default)]
struct Rewriter<'a> {
    names: NameMap,
    /// Names by their stored bytes, length included.
    known: HashMap<&'a [u8], u32>,
    assets: Writer,
    count: usize,
    /// Package of each asset.
    packages: Vec<u32>,
    nodes: Writer,
}

impl<'a> Rewriter<'a> {
    fn all(&mut self, form: Form, r: &mut Reader<'a>) -> Result<(), Fault> {
        let count = r.count("asset registry: assets", MIN_ASSET)?;
        for _ in 0..count {
            // An asset that is cut off leaves bytes in the writer. They are not counted, and thus never read.
            self.asset(form, r)?;
            self.count += 1;
        }
        // Version 0 has no dependencies.
        if form.version.has_dependencies() {
            self.nodes.u32(number(count));
            for package in std::mem::take(&mut self.packages) {
                self.node(package, count, r)?;
            }
        }
        r.finish("asset registry")
    }

    fn asset(&mut self, form: Form, r: &mut Reader<'a>) -> Result<(), Fault> {
        // Later versions have the same order, so that each name is written as soon as it is read.
        for field in ["asset: path", "asset: folder", "asset: class", "asset: group"] {
            self.name(r, field)?;
        }
        let package = self.name(r, "asset: package")?;
        self.name(r, "asset: name")?;
        let tags = r.count("asset: tags", 2 * 4)?;
        self.assets.u32(number(tags));
        for _ in 0..tags {
            self.name(r, "asset: tag")?;
            let value = string_bytes(r, "asset: value of a tag")?;
            self.assets.bytes(value);
        }
        let chunks = r.count("asset: chunks", 4)?;
        self.assets.u32(number(chunks));
        self.assets.bytes(r.bytes("asset: chunks", chunks * 4)?);
        let flags = r.when(form.version.has_dependencies(), |r| r.u32("asset: package flags"))?;
        // Version 0 has no flags, but the record of later versions needs the field.
        self.assets.u32(flags.unwrap_or(0));
        if form.version.has_dependencies() {
            // The dependencies follow after all assets and do not repeat the package.
            self.packages.push(package);
        }
        Ok(())
    }

    /// Writes the index of a name, without a number.
    fn name(&mut self, r: &mut Reader<'a>, field: &'static str) -> Result<u32, Fault> {
        let at = r.clone();
        let bytes = string_bytes(r, field)?;
        // Looked up by stored bytes, so that each distinct name is decoded once.
        let index = match self.known.get(bytes) {
            Some(index) => *index,
            None => {
                let index = self.names.push_text(&at.clone().string(field)?, &at)?;
                self.known.insert(bytes, index);
                index
            }
        };
        // An index and the number 0: the text in the file includes any number.
        self.assets.u32(index).u32(0);
        Ok(index)
    }

    /// Writes the dependencies of an asset as those of its package, in the form of version 4: hard, soft,
    /// names, soft manage, referencers.
    fn node(&mut self, package: u32, assets: usize, r: &mut Reader<'a>) -> Result<(), Fault> {
        let mut count = || r.size("dependencies: count");
        let [hard, soft, referencers] = [count()?, count()?, count()?];
        self.nodes.u8(IS_PACKAGE).u32(package).u32(0);
        // The two zeros are the counts of the lists that this version does not have.
        self.nodes.u32(hard).u32(soft).u32(0).u32(0).u32(referencers);
        for len in [hard, soft, referencers] {
            let at = r.clone();
            let numbers: &[U32] = r.table("dependencies: assets", len as usize)?;
            if let Some(bad) = numbers.iter().find(|number| number.get() as usize >= assets) {
                let kind = FaultKind::out_of_range(bad.get(), assets);
                return Err(at.fault("dependencies: number of an asset", kind));
            }
            self.nodes.record(numbers);
        }
        Ok(())
    }
}

/// Converts a count that was read as an `i32`.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Returns a string in file form, length included.
fn string_bytes<'a>(r: &mut Reader<'a>, field: &'static str) -> Result<&'a [u8], Fault> {
    let all = r.clone();
    r.skip_string(field)?;
    Ok(all.rest().get(..r.position() - all.position()).unwrap_or_default())
}
