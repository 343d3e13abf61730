//! What depends on what.
//!
//! ```text
//! (7) i64 bytes of all that follows here
//! i32 n │ n × node
//!
//! node   u8 bits │ package (bit 0) │ primary asset type (1) │ object (2) │ value (3): names
//!        to 6: i32 hard │ i32 soft │ i32 names │ i32 soft manage │ (5) i32 hard manage │ i32 referencers
//!                │ that many i32 each: numbers of nodes
//!        7:    packages with 5 bits each │ names │ manage with 1 bit each (22: 3) │ referencers
//! list   i32 n │ n × i32 number of a node │ bits: as many u32 as they take, bit 0 first
//! ```
//!
//! The bits of a package tell hard from soft, game from editor, and build dependencies, for several uses at once; how five
//! bits hold that is not public, so they are given as they stand. The width of the manage bits is that of the version
//! unless only the other one fills the section: no file between 17 and 24 was available to show where it changed.

use super::form::{Form, Name};
use crate::wire::{Fault, FaultKind, Reader};
use std::borrow::Cow;
use zerocopy::little_endian::U32;

/// Bits for each package dependency.
const PACKAGE_FLAG_WIDTH: u32 = 5;

/// `FDependsNode`: something that depends on others, or that others depend on.
#[doc(alias = "FDependsNode")]
#[derive(Debug, Clone)]
pub struct Node<'a> {
    /// What it is.
    pub identifier: Identifier,
    lists: [List<'a>; 6],
}

/// `FAssetIdentifier`: a package, mostly; or an object or a value in one, or a primary asset.
#[doc(alias = "FAssetIdentifier")]
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identifier {
    /// The package.
    pub package: Option<Name>,
    /// The type of the primary asset.
    pub primary_asset_type: Option<Name>,
    /// An object in the package, or the name of the primary asset.
    pub object: Option<Name>,
    /// A value in it.
    pub value: Option<Name>,
}

/// Why one depends on another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DependencyKind {
    /// It is needed to load (to 6).
    Hard,
    /// It is referred to (to 6).
    Soft,
    /// Either; the bits record which (7).
    Package,
    /// It has a value that can be searched for.
    SearchableName,
    /// It is managed through others (to 6).
    SoftManage,
    /// It is managed directly (to 6).
    HardManage,
    /// It is managed; the bits record how (7).
    Manage,
    /// The other way round: it depends on this one.
    Referencer,
}

/// A dependency of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dependency {
    /// Why.
    pub kind: DependencyKind,
    /// Number of the node it depends on.
    pub node: u32,
    /// Bits that say more, as they stand in the file (7).
    pub flags: Option<u32>,
}

#[derive(Debug, Clone, Copy)]
struct List<'a> {
    kind: DependencyKind,
    nodes: &'a [U32],
    flags: &'a [U32],
    /// Bits for each node.
    width: u32,
}

/// All nodes.
#[derive(Debug, Default)]
pub(super) struct Nodes<'a> {
    bytes: Cow<'a, [u8]>,
    /// Where each node starts in the bytes.
    starts: Vec<usize>,
    manage_flag_width: u32,
}

impl<'a> Node<'a> {
    /// What it depends on, and what depends on it, list by list.
    pub fn dependencies(&self) -> impl Iterator<Item = Dependency> + use<'a> {
        self.lists.into_iter().flat_map(List::iter)
    }

    fn read(form: Form, manage_flag_width: u32, r: &mut Reader<'a>) -> Result<Self, Fault> {
        let identifier = Identifier::read(form, r)?;
        let lists = if form.version.has_dependency_flags() {
            List::read_with_flags(manage_flag_width, r)?
        } else {
            List::read(form, r)?
        };
        Ok(Self { identifier, lists })
    }
}

impl Identifier {
    fn read(form: Form, r: &mut Reader<'_>) -> Result<Self, Fault> {
        let bits = r.u8("dependencies: bits of a node")?;
        let mut part =
            |bit: u8| r.when(bits >> bit & 1 == 1, |r| form.name(r, "dependencies: name of a node"));
        Ok(Self { package: part(0)?, primary_asset_type: part(1)?, object: part(2)?, value: part(3)? })
    }
}

impl<'a> List<'a> {
    const fn empty(kind: DependencyKind) -> Self {
        Self { kind, nodes: &[], flags: &[], width: 0 }
    }

    /// The lists of old versions: all counts, then all numbers.
    fn read(form: Form, r: &mut Reader<'a>) -> Result<[Self; 6], Fault> {
        use DependencyKind as Kind;
        let kinds = [
            Kind::Hard,
            Kind::Soft,
            Kind::SearchableName,
            Kind::SoftManage,
            Kind::HardManage,
            Kind::Referencer,
        ];
        let mut counted = kinds.map(|kind| (Self::empty(kind), 0));
        for (list, count) in &mut counted {
            if list.kind != Kind::HardManage || form.version.has_hard_manage() {
                *count = r.size("dependencies: count")? as usize;
            }
        }
        for (list, count) in &mut counted {
            list.nodes = r.table("dependencies: nodes", *count)?;
        }
        Ok(counted.map(|(list, _)| list))
    }

    fn read_with_flags(manage_flag_width: u32, r: &mut Reader<'a>) -> Result<[Self; 6], Fault> {
        use DependencyKind as Kind;
        let mut lists =
            [Kind::Package, Kind::SearchableName, Kind::Manage, Kind::Referencer, Kind::Hard, Kind::Soft]
                .map(Self::empty);
        let widths = [PACKAGE_FLAG_WIDTH, 0, manage_flag_width, 0];
        for (list, width) in lists.iter_mut().zip(widths) {
            let count = r.count("dependencies: nodes", 4)?;
            list.nodes = r.table("dependencies: nodes", count)?;
            list.width = width;
            let words = (count as u64 * u64::from(width)).div_ceil(32);
            list.flags = r.table("dependencies: flags", usize::try_from(words).unwrap_or(usize::MAX))?;
        }
        Ok(lists)
    }

    fn iter(self) -> impl Iterator<Item = Dependency> + use<'a> {
        self.nodes.iter().zip(0_u64..).map(move |(node, at)| Dependency {
            kind: self.kind,
            node: node.get(),
            flags: (self.width > 0).then(|| self.flags(at)),
        })
    }

    /// The bits of a node of the list.
    fn flags(self, at: u64) -> u32 {
        let bit = |bit: u64| {
            let word = usize::try_from(bit / 32).ok().and_then(|word| self.flags.get(word));
            word.map_or(0, |word| word.get() >> (bit % 32) & 1)
        };
        let first = at * u64::from(self.width);
        (0..self.width).map(|shift| bit(first + u64::from(shift)) << shift).sum()
    }
}

impl<'a> Nodes<'a> {
    /// Reads the section.
    pub(super) fn parse(form: Form, r: &mut Reader<'a>) -> Result<Self, Fault> {
        if !form.version.has_dependency_flags() {
            return Self::read(form, 0, r);
        }
        let len = r.long_size("dependencies: size")?;
        let start = r.offset();
        let bytes = r.bytes64("dependencies", len)?;
        let whole = |width: u32| {
            let mut section = Reader::with_base(bytes, start);
            let nodes = Self::read(form, width, &mut section)?;
            section.finish("dependencies").map(|()| nodes)
        };
        let width = form.version.manage_flag_width();
        let other = if width == 1 { 3 } else { 1 };
        whole(width).or_else(|fault| whole(other).map_err(|_| fault))
    }

    /// Takes a section that was rewritten, in the form of version 4.
    pub(super) fn rewritten(form: Form, section: &[u8]) -> Result<Self, Fault> {
        let Nodes { bytes, starts, manage_flag_width } = Nodes::read(form, 0, &mut Reader::new(section))?;
        Ok(Self { bytes: Cow::Owned(bytes.into_owned()), starts, manage_flag_width })
    }

    /// Number of nodes.
    pub(super) const fn len(&self) -> usize {
        self.starts.len()
    }

    /// A node.
    pub(super) fn get(&self, form: Form, index: u32) -> Option<Node<'_>> {
        let bytes = self.bytes.get(*self.starts.get(index as usize)?..)?;
        Node::read(form, self.manage_flag_width, &mut Reader::new(bytes)).ok()
    }

    fn read(form: Form, manage_flag_width: u32, r: &mut Reader<'a>) -> Result<Self, Fault> {
        // A byte of bits, and at least four counts.
        let count = r.count("dependencies: nodes", 17)?;
        let (bytes, first) = (r.rest(), r.position());
        let starts = r.repeat(count, |r| {
            let (at, start) = (r.clone(), r.position() - first);
            let node = Node::read(form, manage_flag_width, r)?;
            for dependency in node.lists.iter().flat_map(|list| list.nodes) {
                if dependency.get() as usize >= count {
                    let kind = FaultKind::out_of_range(dependency.get(), count);
                    return Err(at.fault("dependencies: number of a node", kind));
                }
            }
            Ok(start)
        })?;
        Ok(Self { bytes: Cow::Borrowed(bytes), starts, manage_flag_width })
    }
}
