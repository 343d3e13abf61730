//! Versions 0 and 1, which write every name out where it is used.
//!
//! ```text
//! 0  i32 n │ n × asset
//! 1  GUID │ u32 version │ i32 n │ n × asset │ n × dependencies, those of the first asset first
//!
//! asset         path │ folder │ class │ group │ package │ name: strings
//!                 │ i32 n, n × { string: tag, string: value } │ i32 n, n × i32 chunk │ (1) u32 package flags
//! dependencies  i32 hard │ i32 soft │ i32 referencers │ that many i32 each: numbers of assets
//! ```
//!
//! They are rewritten as the versions after them have it, with numbers for names, so that one reader does for all.

use super::form::Form;
use crate::names::NameMap;
use crate::wire::{Fault, FaultKind, Reader, Writer};
use std::collections::HashMap;
use zerocopy::little_endian::U32;

/// Longest path that a file may begin with to be taken for a registry without a GUID.
const MAX_FIRST_PATH: usize = 1024;
/// Fewest bytes of an asset: six strings, the counts of tags and chunks.
const MIN_ASSET: usize = 8 * 4;
/// Bit of a node that says that it is a package.
const IS_PACKAGE: u8 = 1;

/// What a registry holds, in the form of the versions after these.
#[derive(Debug, Default)]
pub(super) struct Rewritten {
    pub(super) names: NameMap,
    /// Assets, and how many.
    pub(super) assets: (Vec<u8>, usize),
    /// A count, and nodes.
    pub(super) nodes: Vec<u8>,
}

/// Whether a file without a GUID begins as version 0 does: with a number of assets, and one whose path is in its folder.
pub(super) fn sniff(start: &[u8]) -> bool {
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
    /// Reads all that follows the version, to the end; keeps the assets that come before a fault.
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
    /// Names by their bytes in the file, length included.
    known: HashMap<&'a [u8], u32>,
    assets: Writer,
    count: usize,
    /// The package of each asset.
    packages: Vec<u32>,
    nodes: Writer,
}

impl<'a> Rewriter<'a> {
    fn all(&mut self, form: Form, r: &mut Reader<'a>) -> Result<(), Fault> {
        let count = r.count("asset registry: assets", MIN_ASSET)?;
        for _ in 0..count {
            // What is written of an asset that is cut off lies after those that count.
            self.asset(form, r)?;
            self.count += 1;
        }
        if form.version.has_dependencies() {
            self.nodes.u32(number(count));
            for package in std::mem::take(&mut self.packages) {
                self.node(package, count, r)?;
            }
        }
        r.finish("asset registry")
    }

    fn asset(&mut self, form: Form, r: &mut Reader<'a>) -> Result<(), Fault> {
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
        self.assets.u32(flags.unwrap_or(0));
        if form.version.has_dependencies() {
            self.packages.push(package);
        }
        Ok(())
    }

    /// Writes the number of a name, and that it has no suffix.
    fn name(&mut self, r: &mut Reader<'a>, field: &'static str) -> Result<u32, Fault> {
        let at = r.clone();
        let bytes = string_bytes(r, field)?;
        let index = match self.known.get(bytes) {
            Some(index) => *index,
            None => {
                let index = self.names.push_text(&at.clone().string(field)?, &at)?;
                self.known.insert(bytes, index);
                index
            }
        };
        self.assets.u32(index).u32(0);
        Ok(index)
    }

    /// Writes the dependencies of an asset as those of its package, in the form of version 4: hard, soft, names, soft
    /// manage, referencers.
    fn node(&mut self, package: u32, assets: usize, r: &mut Reader<'a>) -> Result<(), Fault> {
        let mut count = || r.size("dependencies: count");
        let [hard, soft, referencers] = [count()?, count()?, count()?];
        self.nodes.u8(IS_PACKAGE).u32(package).u32(0);
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

/// A count that was read as an `i32`.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A string as it lies in the file, length included.
fn string_bytes<'a>(r: &mut Reader<'a>, field: &'static str) -> Result<&'a [u8], Fault> {
    let all = r.clone();
    r.skip_string(field)?;
    Ok(all.rest().get(..r.position() - all.position()).unwrap_or_default())
}
