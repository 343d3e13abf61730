//! Script objects: every native class, struct, enum, function and default object, by the hash of its path.
//!
//! ```text
//! UE 5.0–6.0     ScriptObjects chunk: name batch │ i32 count │ entries
//! UE 4.26–4.27   LoaderInitialLoadMeta: i32 count │ entries; names and hashes in two separate chunks
//! entry, 32 B    name (8) │ own index u64 │ outer index u64 │ class u64
//! ```
//!
//! The last field is set on class default objects *and on everything inside them*, always to the class of the
//! default object: an index that occurs there is certainly a class, and nothing else about types is recorded.
//! Verified on 4.27, 5.3 and 5.8; sources: retoc `script_objects.rs`, CUE4Parse `IoGlobalData.cs`.

mod write;

use crate::{
    id::{ObjectRef, PackageObjectIndex},
    names::{MappedName, NameMap, NameText, separator},
    version::ChunkKindNumbering,
    wire::{Fault, FaultKind, MAX_PATH_LEN, Partial, Reader},
};
use foldhash::{HashMap, HashSet};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned, little_endian::U32, little_endian::U64};

/// Longest chain of outer objects; longer ones are treated as cycles.
const MAX_DEPTH: usize = 64;

/// A script object entry (`FScriptObjectEntry`), in file order.
#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawEntry {
    name: U32,
    number: U32,
    index: U64,
    outer: U64,
    class: U64,
}

const _: () = assert!(size_of::<RawEntry>() == 32);

/// Native objects that the packages of a game can refer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptObjects {
    /// Generation of the chunks.
    pub generation: ChunkKindNumbering,
    names: NameMap,
    objects: Vec<ScriptObject>,
    /// Offset of the entries in their chunk.
    entries_at: u64,
    /// Index in `objects` by object index; the first of equal ones.
    by_index: HashMap<PackageObjectIndex, u32>,
    /// Object indices that occur as the class of a default object.
    classes: HashSet<PackageObjectIndex>,
}

/// One native object (`FScriptObjectEntry`).
#[doc(alias = "FScriptObjectEntry")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScriptObject {
    /// Object name, in the table of the script objects.
    pub name: MappedName,
    /// Index by which packages refer to it.
    pub index: PackageObjectIndex,
    /// Outer object; null for a package such as `/Script/Engine`.
    pub outer: PackageObjectIndex,
    /// Class, for a class default object and everything inside it.
    pub default_of: PackageObjectIndex,
}

impl ScriptObjects {
    /// Reads a ScriptObjects chunk (UE5).
    pub fn parse(chunk: &[u8]) -> Result<Self, Fault> {
        Self::parse_partial(chunk).complete()
    }

    /// Reads as much of a ScriptObjects chunk (UE5) as is sound.
    #[must_use]
    pub fn parse_partial(chunk: &[u8]) -> Partial<Self> {
        let mut r = Reader::new(chunk);
        let names = NameMap::parse_batch(&mut r);
        Self::gather(names, r, ChunkKindNumbering::Ue5)
    }

    /// Reads the three chunks of UE4: LoaderInitialLoadMeta, LoaderGlobalNames, LoaderGlobalNameHashes.
    pub fn parse_ue4(load_meta: &[u8], names: &[u8], hashes: &[u8]) -> Result<Self, Fault> {
        Self::parse_ue4_partial(load_meta, Some((names, hashes))).complete()
    }

    /// Reads as much of the three chunks of UE4 as is sound. Without names and hashes, objects have no paths.
    #[must_use]
    pub fn parse_ue4_partial(load_meta: &[u8], names: Option<(&[u8], &[u8])>) -> Partial<Self> {
        let names = names
            .map(|(names, hashes)| NameMap::parse_parts(Reader::new(names), Reader::new(hashes)))
            .transpose();
        let load_meta = Reader::new(load_meta);
        match names {
            Ok(Some(names)) => Self::gather(Ok(names), load_meta, ChunkKindNumbering::Ue4),
            Ok(None) => Self::gather_nameless(load_meta),
            Err(fault) => Partial { fault: Some(fault), ..Self::gather_nameless(load_meta) },
        }
    }

    /// Recognises a LoaderInitialLoadMeta chunk (UE4), which has no magic: a table of script objects fills it
    /// exactly.
    #[must_use]
    pub(crate) fn is_load_meta(bytes: &[u8]) -> bool {
        let Partial { value, fault } = Self::gather_nameless(Reader::new(bytes));
        // Any table of 32-byte records could fill the chunk; the index kinds rule out chance.
        let is_script = |object: &ScriptObject| matches!(object.index.decode(), ObjectRef::Script(_));
        fault.is_none() && !value.is_empty() && value.iter().all(is_script)
    }

    fn gather(
        names: Result<NameMap, Fault>,
        mut r: Reader<'_>,
        generation: ChunkKindNumbering,
    ) -> Partial<Self> {
        let mut this = Self::empty(generation);
        let fault = names.and_then(|names| {
            this.names = names;
            this.read_entries(&mut r, true)
        });
        this.index();
        Partial { value: this, fault: fault.err() }
    }

    /// Reads the entries of UE4 without names.
    fn gather_nameless(mut r: Reader<'_>) -> Partial<Self> {
        let mut this = Self::empty(ChunkKindNumbering::Ue4);
        let fault = this.read_entries(&mut r, false).err();
        this.index();
        Partial { value: this, fault }
    }

    fn empty(generation: ChunkKindNumbering) -> Self {
        Self {
            generation,
            names: NameMap::default(),
            objects: Vec::new(),
            entries_at: 0,
            by_index: HashMap::default(),
            classes: HashSet::default(),
        }
    }

    fn read_entries(&mut self, r: &mut Reader<'_>, named: bool) -> Result<(), Fault> {
        let (count, cut_off) = match r.count("script object count", size_of::<RawEntry>()) {
            Ok(count) => (count, None),
            // The complete entries are still useful.
            Err(fault) => (r.remaining() / size_of::<RawEntry>(), Some(fault)),
        };
        self.entries_at = r.offset();
        let read = self.read_objects(r, count, named);
        // The truncation comes first: it explains every later fault.
        cut_off.map_or(read, Err)?;
        r.finish("script objects")
    }

    fn read_objects(&mut self, r: &mut Reader<'_>, count: usize, named: bool) -> Result<(), Fault> {
        self.objects.reserve(count);
        for _ in 0..count {
            let at = r.offset();
            let raw = r.record::<RawEntry>("script object")?;
            let name = MappedName::new(raw.name.get(), raw.number.get());
            if named {
                // Without a name table every index would be out of range.
                self.names.require(name, "script object name", at)?;
            }
            self.objects.push(ScriptObject {
                name,
                index: PackageObjectIndex(raw.index.get()),
                outer: PackageObjectIndex(raw.outer.get()),
                default_of: PackageObjectIndex(raw.class.get()),
            });
        }
        Ok(())
    }

    /// Builds the lookups.
    fn index(&mut self) {
        self.by_index.reserve(self.objects.len());
        for (at, object) in (0..).zip(&self.objects) {
            // The first of equal indices wins.
            self.by_index.entry(object.index).or_insert(at);
        }
        let classes = self.objects.iter().map(|object| object.default_of);
        self.classes = classes.filter(|class| !class.is_null()).collect();
    }

    /// Returns the number of objects.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.objects.len()
    }

    /// Returns true if there are no objects.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Iterates over all objects, in file order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &ScriptObject> {
        self.objects.iter()
    }

    /// Returns the names of the objects.
    #[must_use]
    pub const fn names(&self) -> &NameMap {
        &self.names
    }

    /// Finds the object that a package refers to.
    #[must_use]
    pub fn find(&self, index: PackageObjectIndex) -> Option<&ScriptObject> {
        self.objects.get(self.position(index)? as usize)
    }

    /// Returns the name of an object, without its outer objects.
    #[must_use]
    pub fn name(&self, object: &ScriptObject) -> NameText<'_> {
        self.names.resolve(object.name).unwrap_or(NameText { base: "", number: 0 })
    }

    /// Returns an object and its outer objects, outermost first. The fault names the entry at which they form
    /// a cycle, or the missing outer.
    pub fn chain(&self, object: &ScriptObject) -> Result<Vec<&ScriptObject>, Fault> {
        let mut chain = Vec::new();
        let mut next = object.index;
        while !next.is_null() {
            let found = self.find(next);
            let fault = |kind| Fault { offset: self.offset_of(object), field: "script object outer", kind };
            let count = self.len() as u64;
            let found = found.ok_or_else(|| fault(FaultKind::OutOfRange { index: next.0, count }))?;
            if chain.len() == MAX_DEPTH {
                return Err(fault(FaultKind::Cycle { index: next.0 }));
            }
            chain.push(found);
            next = found.outer;
        }
        chain.reverse();
        Ok(chain)
    }

    /// Returns the full path: `/Script/Engine`, `/Script/Engine.Actor`,
    /// `/Script/Engine.Actor:K2_DestroyActor`.
    pub fn path(&self, object: &ScriptObject) -> Result<String, Fault> {
        let mut path = String::new();
        for (depth, part) in self.chain(object)?.into_iter().enumerate() {
            let name = self.names.resolve(part.name).ok_or_else(|| {
                let kind = FaultKind::out_of_range(part.name.index(), self.names.len());
                Fault { offset: self.offset_of(part), field: "script object name", kind }
            })?;
            // Nothing before the package, `.` before the top-level object, `:` before its parts, `.` after
            // that.
            path.push_str(separator(depth));
            name.push_to(&mut path);
            if path.len() > MAX_PATH_LEN {
                let kind = FaultKind::TooLong { limit: MAX_PATH_LEN as u64 };
                return Err(Fault { offset: self.offset_of(part), field: "script object path", kind });
            }
        }
        Ok(path)
    }

    /// Returns the full path of the object that a package refers to.
    #[must_use]
    pub fn path_of(&self, index: PackageObjectIndex) -> Option<String> {
        self.path(self.find(index)?).ok()
    }

    /// Returns true if an object is certainly a class: it has a class default object.
    #[must_use]
    pub fn is_class(&self, index: PackageObjectIndex) -> bool {
        self.classes.contains(&index)
    }

    /// Returns the objects whose index is not the hash of their path: none in files of the engine.
    pub fn wrong_hashes(&self) -> impl Iterator<Item = &ScriptObject> {
        self.objects.iter().filter(|object| {
            !self.path(object).is_ok_and(|path| PackageObjectIndex::script(&path) == object.index)
        })
    }

    /// Returns the offset of an object's entry in its chunk; for equal indices, that of the first.
    fn offset_of(&self, object: &ScriptObject) -> u64 {
        let place = self.position(object.index).unwrap_or(0);
        self.entries_at + u64::from(place) * size_of::<RawEntry>() as u64
    }

    /// Returns the position among [all](Self::iter) objects of the one that a package refers to.
    #[must_use]
    pub fn position(&self, index: PackageObjectIndex) -> Option<u32> {
        self.by_index.get(&index).copied()
    }
}

/// Serializes as a list of objects with their paths.
impl serde::Serialize for ScriptObjects {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.objects.iter().map(|object| Listed {
            path: self.path(object).ok(),
            index: object.index,
            outer: (!object.outer.is_null()).then_some(object.outer),
            default_of: (!object.default_of.is_null()).then_some(object.default_of),
        }))
    }
}

#[derive(serde::Serialize)]
struct Listed {
    path: Option<String>,
    index: PackageObjectIndex,
    outer: Option<PackageObjectIndex>,
    default_of: Option<PackageObjectIndex>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{names::HASH_ALGORITHM, wire::Writer};

    fn chunk(entries: &[(u32, u64, u64)]) -> Vec<u8> {
        let mut w = Writer::new();
        w.u32(2).u32(3).u64(HASH_ALGORITHM).u64(0).u64(0).bytes(&[0, 1, 0, 2]).bytes(b"ABC");
        w.u32(u32::try_from(entries.len()).unwrap());
        for (name, index, outer) in entries {
            w.u32(*name | 2 << 30).u32(0).u64(*index).u64(*outer).u64(u64::MAX);
        }
        w.into_bytes()
    }

    #[test]
    fn paths_join_with_the_right_separators() {
        let objects =
            ScriptObjects::parse(&chunk(&[(1, 7, 5), (0, 5, u64::MAX), (0, 8, 7), (1, 9, 8)])).unwrap();
        let path = |index| objects.path_of(PackageObjectIndex(index)).unwrap();
        assert_eq!(
            (path(5), path(7), path(8), path(9)),
            ("A".into(), "A.BC".into(), "A.BC:A".into(), "A.BC:A.BC".into())
        );
        assert_eq!(objects.path_of(PackageObjectIndex(1)), None);
    }

    #[test]
    fn circles_and_missing_outers_are_faults() {
        let objects = ScriptObjects::parse(&chunk(&[(0, 5, 6), (0, 6, 5), (1, 7, 99)])).unwrap();
        let fault = |index| objects.path(objects.find(PackageObjectIndex(index)).unwrap()).unwrap_err();
        assert!(matches!(fault(5).kind, FaultKind::Cycle { .. }));
        assert!(matches!(fault(7).kind, FaultKind::OutOfRange { index: 99, .. }));
        assert_eq!(fault(6).offset, 43 + 32);
    }

    #[test]
    fn what_was_read_before_a_fault_is_kept() {
        let bytes = chunk(&[(1, 7, 5), (0, 5, u64::MAX)]);
        for (len, names, objects) in [(10, 0, 0), (42, 2, 0), (bytes.len() - 1, 2, 1), (bytes.len(), 2, 2)] {
            let Partial { value, fault } = ScriptObjects::parse_partial(&bytes[..len]);
            assert_eq!((value.names().len(), value.len()), (names, objects), "{len}");
            assert_eq!(fault.is_none(), len == bytes.len());
        }
        let bad_name = chunk(&[(1, 7, 5), (9, 5, u64::MAX)]);
        assert_eq!(ScriptObjects::parse_partial(&bad_name).value.len(), 1, "the objects in front of it");
    }

    #[test]
    fn load_meta_is_told_by_its_size_and_its_indices() {
        let bytes = |index: u64| {
            let mut w = Writer::new();
            w.u32(1).u32(7).u32(0).u64(index).u64(u64::MAX).u64(u64::MAX);
            w.into_bytes()
        };
        assert!(ScriptObjects::is_load_meta(&bytes(1 << 62 | 5)));
        assert!(!ScriptObjects::is_load_meta(&bytes(5)) && !ScriptObjects::is_load_meta(&[0; 4]));
        assert!(!ScriptObjects::is_load_meta(&[bytes(1 << 62), vec![0]].concat()));
        let Partial { value, fault } = ScriptObjects::parse_ue4_partial(&bytes(1 << 62), None);
        assert_eq!((value.len(), fault), (1, None));
        let [object] = &value.objects[..] else { panic!() };
        assert_eq!(value.path(object).unwrap_err().field, "script object name");
    }

    #[test]
    fn names_must_exist_and_nothing_may_follow() {
        let fault = ScriptObjects::parse(&chunk(&[(2, 5, u64::MAX)])).unwrap_err();
        assert_eq!(fault.field, "script object name");
        let mut bytes = chunk(&[(1, 5, u64::MAX)]);
        bytes.push(0);
        assert!(matches!(ScriptObjects::parse(&bytes).unwrap_err().kind, FaultKind::Trailing { left: 1 }));
    }
}
