//! Dependencies between packages and other assets.
//!
//! ```text
//! (7) i64 length of the rest of this section
//! i32 n │ n × node
//!
//! node   u8 bits │ package (bit 0) │ primary asset type (1) │ object (2) │ value (3): names
//!        to 6: i32 hard │ i32 soft │ i32 names │ i32 soft manage │ (5) i32 hard manage │ i32 referencers
//! │ that many i32 each: node indices
//!        7:    packages with 5 bits each │ names │ manage with 1 bit each (22: 3) │ referencers
//! list   i32 n │ n × i32 node index │ bits: as many u32 as needed, bit 0 first
//! ```
//!
//! The bits of a package distinguish hard and soft, game and editor, and build dependencies, for several uses
//! at once; their meaning within the five bits is not public, so they are given as stored. The width of the
//! manage bits follows from the version, unless only the other width fills the section: no file between 17
//! and 24 was available to show where it changed.

use super::form::{Form, Name};
use crate::wire::{Fault, FaultKind, Reader};
use std::borrow::Cow;
use zerocopy::little_endian::U32;

/// Number of bits per package dependency.
const PACKAGE_FLAG_WIDTH: u32 = 5;

/// A node of the dependency graph (`FDependsNode`).
#[doc(alias = "FDependsNode")]
#[derive(Debug, Clone)]
pub struct Node<'a> {
    /// Identity of the node.
    pub identifier: Identifier,
    lists: [List<'a>; 6],
}

/// Identity of a node (`FAssetIdentifier`): usually a package; or an object or value in one, or a primary
/// asset.
#[doc(alias = "FAssetIdentifier")]
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identifier {
    /// Package.
    pub package: Option<Name>,
    /// Type of the primary asset.
    pub primary_asset_type: Option<Name>,
    /// Object in the package, or name of the primary asset.
    pub object: Option<Name>,
    /// Value in the object.
    pub value: Option<Name>,
}

/// Kind of a dependency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DependencyKind {
    /// Needed for loading (to 6).
    Hard,
    /// Referenced softly (to 6).
    Soft,
    /// Hard or soft; the bits distinguish them (7).
    Package,
    /// Provides a searchable value.
    SearchableName,
    /// Managed through others (to 6).
    SoftManage,
    /// Managed directly (to 6).
    HardManage,
    /// Managed; the bits record how (7).
    Manage,
    /// Inverse: the other node depends on this one.
    Referencer,
}

/// A dependency of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dependency {
    /// Kind.
    pub kind: DependencyKind,
    /// Index of the other node.
    pub node: u32,
    /// Property bits, as stored (7).
    pub flags: Option<u32>,
}

#[derive(Debug, Clone, Copy)]
struct List<'a> {
    kind: DependencyKind,
    nodes: &'a [U32],
    flags: &'a [U32],
    /// Number of bits per node.
    width: u32,
}

/// All nodes.
#[derive(Debug, Default)]
pub(super) struct Nodes<'a> {
    bytes: Cow<'a, [u8]>,
    /// Start of each node in the bytes.
    starts: Vec<usize>,
    manage_flag_width: u32,
}

impl<'a> Node<'a> {
    /// Iterates over dependencies and referencers, list by list.
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
            // A clear bit omits the name from the file. The names follow in the order of the bits.
            |bit: u8| r.when(bits >> bit & 1 == 1, |r| form.name(r, "dependencies: name of a node"));
        Ok(Self { package: part(0)?, primary_asset_type: part(1)?, object: part(2)?, value: part(3)? })
    }
}

impl<'a> List<'a> {
    const fn empty(kind: DependencyKind) -> Self {
        Self { kind, nodes: &[], flags: &[], width: 0 }
    }

    /// Reads the lists of old versions: all counts, then all node indices.
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
        // All six counts precede the first index, so the counts are kept until the indices are read.
        let mut counted = kinds.map(|kind| (Self::empty(kind), 0));
        for (list, count) in &mut counted {
            // Before version 5 hard manage dependencies have no list, and thus no count.
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
            // The file has four lists, as hard and soft are one; the last two stay empty and only fill the
            // array.
            [Kind::Package, Kind::SearchableName, Kind::Manage, Kind::Referencer, Kind::Hard, Kind::Soft]
                .map(Self::empty);
        let widths = [PACKAGE_FLAG_WIDTH, 0, manage_flag_width, 0];
        for (list, width) in lists.iter_mut().zip(widths) {
            let count = r.count("dependencies: nodes", 4)?;
            list.nodes = r.table("dependencies: nodes", count)?;
            list.width = width;
            // In 64 bits, so that a large count cannot overflow when multiplied.
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

    /// Returns the bits of a node of the list.
    fn flags(self, at: u64) -> u32 {
        let bit = |bit: u64| {
            let word = usize::try_from(bit / 32).ok().and_then(|word| self.flags.get(word));
            word.map_or(0, |word| word.get() >> (bit % 32) & 1)
        };
        // Bits are packed without regard to word boundaries.
        let first = at * u64::from(self.width);
        (0..self.width).map(|shift| bit(first + u64::from(shift)) << shift).sum()
    }
}

impl<'a> Nodes<'a> {
    /// Reads the whole section.
    pub(super) fn parse(form: Form, r: &mut Reader<'a>) -> Result<Self, Fault> {
        if !form.version.has_dependency_flags() {
            // No size precedes the section, and there are no bits: the end is found by reading the nodes.
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
        // Only one width makes the section end exactly, unless there are no manage dependencies at all.
        let width = form.version.manage_flag_width();
        let other = if width == 1 { 3 } else { 1 };
        whole(width).or_else(|fault| whole(other).map_err(|_| fault))
    }

    /// Reads a section that was rewritten in the form of version 4.
    pub(super) fn rewritten(form: Form, section: &[u8]) -> Result<Self, Fault> {
        let Nodes { bytes, starts, manage_flag_width } = Nodes::read(form, 0, &mut Reader::new(section))?;
        Ok(Self { bytes: Cow::Owned(bytes.into_owned()), starts, manage_flag_width })
    }

    /// Returns the number of nodes.
    pub(super) const fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns a node by its index.
    pub(super) fn get(&self, form: Form, index: u32) -> Option<Node<'_>> {
        // Each node has its own length, so it is found by the start that was recorded when it was checked.
        let bytes = self.bytes.get(*self.starts.get(index as usize)?..)?;
        Node::read(form, self.manage_flag_width, &mut Reader::new(bytes)).ok()
    }

    fn read(form: Form, manage_flag_width: u32, r: &mut Reader<'a>) -> Result<Self, Fault> {
        // One byte of bits, and at least four counts.
        let count = r.count("dependencies: nodes", 17)?;
        let (bytes, first) = (r.rest(), r.position());
        let starts = r.repeat(count, |r| {
            let (at, start) = (r.clone(), r.position() - first);
            let node = Node::read(form, manage_flag_width, r)?;
            for dependency in node.lists.iter().flat_map(|list| list.nodes) {
                // Checked here once, so that graphs can be walked without further checks.
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
