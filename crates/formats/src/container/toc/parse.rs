//! Parsing: every count and section length is checked against the file, once.

use super::{ContainerFlags, Notice, Sections, Toc, raw, signatures};
use crate::codec::MethodTable;
use crate::id::RawChunkId;
use crate::version::TocVersion;
use crate::wire::{Fault, FaultKind, Reader};
use bytes::Bytes;
use std::ops::Range;
use std::sync::OnceLock;
use zerocopy::little_endian::I32;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// Number of chunks looked up before the perfect hash is trusted.
const PERFECT_HASH_SAMPLES: u32 = 64;

/// Number of chunks without a perfect hash above which a sorted list is used for lookups.
const MAX_OVERFLOW: usize = 64;

/// Overrides of detected facts.
#[derive(Debug, Clone, Copy, Default)]
pub struct ParseOptions {
    /// Version to assume, regardless of the version byte.
    pub version: Option<TocVersion>,
}

impl Toc {
    /// Parses a `.utoc` file.
    ///
    /// ```no_run
    /// # use uncask_formats as uncask;
    /// use uncask::container::Toc;
    ///
    /// let toc = Toc::parse(std::fs::read("pakchunk0-Windows.utoc")?.into())?;
    /// println!("{} chunks, toc version {}", toc.chunk_count(), toc.version());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(bytes: Bytes) -> Result<Self, Fault> {
        Self::parse_with(bytes, ParseOptions::default())
    }

    /// Parses a `.utoc` file, with overrides.
    pub fn parse_with(bytes: Bytes, options: ParseOptions) -> Result<Self, Fault> {
        let mut r = Reader::new(&bytes);
        let header = *r.record::<raw::Header>("toc_header")?;
        let mut notices = Vec::new();
        let version = check_header(&header, options, &mut notices)?;
        let mut layout = Layout { header: &header, version, notices: &mut notices };
        let sections = layout.sections(&mut r)?;
        layout.flag_notices();
        let methods = method_table(&bytes, &sections, header.method_name_len.get() as usize);
        let mut toc = Self {
            methods,
            header,
            version,
            sections,
            notices,
            perfect_hash_works: false,
            by_id: OnceLock::new(),
            block_sums: OnceLock::new(),
            bytes,
        };
        toc.sample_perfect_hash();
        Ok(toc)
    }

    /// Looks up a few chunks, so that a table with invalid seeds is not trusted.
    fn sample_perfect_hash(&mut self) {
        let count = self.chunk_count();
        if !self.version.has_perfect_hash() || count == 0 {
            return;
        }
        if self.lacks_perfect_hash() {
            self.notices.push(Notice::NoPerfectHash);
            return;
        }
        // Spread evenly over the table.
        let step = (count / PERFECT_HASH_SAMPLES).max(1);
        let found = |index: u32| {
            let id = self.chunk_ids().get(index as usize).copied();
            // Ids are compared, not indices: a repeated id may be found at its other place.
            id.is_some_and(|id| self.find_by_perfect_hash(id).and_then(|at| self.chunk_id(at)) == Some(id))
        };
        let works = (0..count).step_by(step as usize).all(found);
        // Each lookup scans the whole list of chunks without a perfect hash; the engine leaves only a handful
        // of them.
        self.perfect_hash_works = works && self.perfect_hash_counts().1 <= MAX_OVERFLOW;
        if !works {
            self.notices.push(Notice::BrokenPerfectHash);
        }
    }
}

/// Checks every header field on which later arithmetic relies.
fn check_header(
    header: &raw::Header,
    options: ParseOptions,
    notices: &mut Vec<Notice>,
) -> Result<TocVersion, Fault> {
    let fault = |offset, field, kind| Fault { offset, field, kind };
    let equal = |offset, field, found: u32, expected: u32| {
        let kind = FaultKind::Unexpected { found: found.into(), expected: expected.into() };
        if found == expected { Ok(()) } else { Err(fault(offset, field, kind)) }
    };
    let at_most = |offset, field, found: u32, limit: u32| {
        let kind = FaultKind::TooLarge { found: found.into(), limit: limit.into() };
        if found <= limit { Ok(()) } else { Err(fault(offset, field, kind)) }
    };

    if header.magic != raw::MAGIC {
        return Err(fault(0, "magic", FaultKind::BadMagic));
    }
    let version = match (options.version, TocVersion::from_wire(header.version)) {
        (Some(version), _) | (None, Ok(version)) => version,
        (None, Err(unknown)) if unknown.0 == 0 => {
            return Err(fault(16, "version", FaultKind::TooSmall { found: 0, limit: 1 }));
        }
        // A newer version is read as the newest known one; the section lengths show if that was right.
        (None, Err(unknown)) => {
            let read_as = TocVersion::NEWEST;
            notices.push(Notice::NewerVersion { found: unknown.0, read_as: read_as.to_wire() });
            read_as
        }
    };
    // Both sizes are constants in every version, and the layout below assumes them.
    equal(20, "header_size", header.header_size.get(), 144)?;
    equal(32, "block_entry_size", header.block_entry_size.get(), 12)?;
    // A block stores the index of its method in one byte.
    at_most(36, "method_name_count", header.method_name_count.get(), 255)?;
    at_most(40, "method_name_length", header.method_name_len.get(), 256)?;
    if header.method_name_count.get() > 0 && header.method_name_len.get() == 0 {
        return Err(fault(40, "method_name_length", FaultKind::TooSmall { found: 0, limit: 1 }));
    }
    let (blocks, block_size) = (header.block_count.get(), header.block_size.get());
    // A block stores its length in 24 bits.
    at_most(44, "compression_block_size", block_size, raw::Block::MAX_LEN)?;
    if blocks > 0 && block_size == 0 {
        return Err(fault(44, "compression_block_size", FaultKind::TooSmall { found: 0, limit: 1 }));
    }
    if blocks > 0 && !block_size.is_power_of_two() {
        notices.push(Notice::OddBlockSize { found: block_size });
    }
    if version.has_partitions() && blocks > 0 && header.partition_size.get() == 0 {
        return Err(fault(88, "partition_size", FaultKind::TooSmall { found: 0, limit: 1 }));
    }
    Ok(version)
}

/// Walks over the sections after the header.
struct Layout<'a> {
    header: &'a raw::Header,
    version: TocVersion,
    notices: &'a mut Vec<Notice>,
}

impl Layout<'_> {
    const fn flags(&self) -> ContainerFlags {
        if self.version.has_directory_index() { ContainerFlags(self.header.flags) } else { ContainerFlags(0) }
    }

    fn sections(&mut self, r: &mut Reader<'_>) -> Result<Sections, Fault> {
        let header = self.header;
        let chunks = header.chunk_count.get() as usize;
        let blocks = header.block_count.get() as usize;
        // Counts of later versions are reserved bytes in earlier ones, and some games hide data there.
        let count = |present: bool, count: u32| if present { count as usize } else { 0 };
        let seeds = count(self.version.has_perfect_hash(), header.seed_count.get());
        let overflow = count(self.version.has_perfect_hash_overflow(), header.overflow_count.get());
        let ivs = count(self.version.has_encryption_method(), header.iv_count.get());
        self.check_iv_count(ivs, blocks)?;

        let mut s = Sections {
            ids: table::<RawChunkId>(r, "chunk_ids", chunks)?,
            offset_lengths: table::<raw::OffsetLength>(r, "offset_lengths", chunks)?,
            seeds: table::<I32>(r, "perfect_hash_seeds", seeds)?,
            overflow: table::<I32>(r, "chunks_without_perfect_hash", overflow)?,
            blocks: table::<raw::Block>(r, "compression_blocks", blocks)?,
            ivs: table::<raw::Iv>(r, "encryption_ivs", ivs)?,
            ..Sections::default()
        };
        // At most 255 × 256, both checked.
        let names_len = header.method_name_count.get() as usize * header.method_name_len.get() as usize;
        s.method_names = take(r, |r| r.bytes("method_names", names_len).map(drop))?;
        if self.flags().has(ContainerFlags::SIGNED) {
            s.signatures = take(r, |r| signatures::skip(r, blocks))?;
        }
        let index_len = self.directory_index_len(r.remaining(), chunks);
        s.directory_index = take(r, |r| r.bytes("directory_index", index_len).map(drop))?;
        // Front to back; the engine counts back from the end of the file and finds the same place.
        s.metas = take(r, |r| r.bytes("metas", self.metas_len(chunks)).map(drop))?;
        if self.version.has_on_demand_hashes() && self.flags().has(ContainerFlags::ON_DEMAND) {
            s.on_demand = table::<[u8; 20]>(r, "on_demand_hashes", chunks + blocks)?;
        }
        // The array of source hashes (version 9) has no known place, so bytes after the end are tolerated.
        if r.remaining() > 0 {
            self.notices.push(Notice::TrailingBytes { count: r.remaining() as u64 });
        }
        Ok(s)
    }

    /// Checks the count of vectors: AES-CTR has one per block, and one for the directory index if it exists.
    fn check_iv_count(&self, found: usize, blocks: usize) -> Result<(), Fault> {
        const CTR: u8 = 2;
        let flags = self.flags();
        let expected = if flags.has(ContainerFlags::ENCRYPTED) && self.header.encryption_method == CTR {
            blocks + usize::from(flags.has(ContainerFlags::INDEXED))
        } else {
            0
        };
        if !self.version.has_encryption_method() || found == expected {
            return Ok(());
        }
        let kind = FaultKind::Unexpected { found: found as u64, expected: expected as u64 };
        Err(Fault { offset: 104, field: "encryption_iv_count", kind })
    }

    /// Decides if the directory index exists: usually by its flag; otherwise it exists only if the sections
    /// then fill the file.
    fn directory_index_len(&mut self, left: usize, chunks: usize) -> usize {
        let len = self.header.directory_index_size.get() as usize;
        if !self.version.has_directory_index() || len == 0 {
            return 0;
        }
        if self.flags().has(ContainerFlags::INDEXED) {
            return len;
        }
        let fills = len.checked_add(self.metas_len(chunks)) == Some(left);
        if fills {
            self.notices.push(Notice::UnflaggedDirectoryIndex);
        }
        if fills { len } else { 0 }
    }

    const fn metas_len(&self, chunks: usize) -> usize {
        let entry = if self.version.has_short_metas() {
            size_of::<raw::ShortMeta>()
        } else {
            size_of::<raw::LongMeta>()
        };
        chunks.saturating_mul(entry)
    }

    fn flag_notices(&mut self) {
        let flags = self.flags();
        if flags.unknown() != 0 {
            self.notices.push(Notice::UnknownFlags { bits: flags.unknown() });
        }
        if flags.has(ContainerFlags::SIGNED) {
            self.notices.push(Notice::Signed { block_hashes: self.header.block_count.get() });
        }
        if flags.has(ContainerFlags::ON_DEMAND) {
            self.notices.push(Notice::OnDemand);
        }
    }
}

/// Runs a read and returns the range of bytes it consumed.
fn take(
    r: &mut Reader<'_>,
    read: impl FnOnce(&mut Reader<'_>) -> Result<(), Fault>,
) -> Result<Range<usize>, Fault> {
    let start = r.position();
    read(r)?;
    Ok(start..r.position())
}

fn table<T>(r: &mut Reader<'_>, field: &'static str, count: usize) -> Result<Range<usize>, Fault>
where
    T: FromBytes + Immutable + KnownLayout + Unaligned + 'static,
{
    take(r, |r| r.table::<T>(field, count).map(drop))
}

/// Decodes the method names: NUL-padded, and not necessarily ASCII in a hostile file.
fn method_table(bytes: &[u8], sections: &Sections, name_len: usize) -> MethodTable {
    let names = bytes.get(sections.method_names.clone()).unwrap_or_default();
    MethodTable::new(names.chunks(name_len.max(1)).map(|field| {
        let text = field.split(|byte| *byte == 0).next().unwrap_or_default();
        String::from_utf8_lossy(text).trim().to_owned()
    }))
}
