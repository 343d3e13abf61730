//! Description of a container in figures.

use crate::printer::{self, Out, count, counted, size};
use crate::shared::chunk_row::ratio;
use serde::Serialize;
use std::collections::BTreeMap;
use uncask::container::Toc;
use uncask::crypto::EncryptionMethod;
use uncask::game::{Container, Table};
use uncask::id::ChunkKind;
use uncask::pak::PakEncryption;
use uncask::version::{EngineRange, PakVersion};

/// Description of a container. Sizes are in bytes.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Description {
    pub path: String,
    pub name: String,
    /// `None` for a pak.
    pub toc_version: Option<u8>,
    pub toc_version_name: Option<String>,
    pub engine: Option<String>,
    pub container_header: Option<String>,
    pub container_id: Option<String>,
    pub flags: Vec<&'static str>,
    pub flag_bits: Option<u8>,
    pub encryption: Option<String>,
    pub encryption_key_guid: Option<String>,
    pub unlocked: bool,
    pub mount_order: u64,
    pub mount_point: Option<String>,
    pub chunks: u64,
    pub paths: u64,
    pub blocks: u64,
    /// `None` for a pak, where each file has its own.
    pub block_size: Option<u32>,
    pub partitions: u64,
    pub partition_size: Option<u64>,
    pub methods: Vec<String>,
    pub raw_bytes: u64,
    pub stored_bytes: u64,
    pub ratio: Option<f64>,
    pub seeds: u64,
    pub overflow: u64,
    /// True if the version has perfect hashes, and there are seeds.
    #[serde(skip)]
    pub has_perfect_hash: bool,
    pub chunk_types: Vec<Share>,
    pub block_methods: Vec<Share>,
    pub notices: Vec<String>,
    /// `None` for a container.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pak_version: Option<u32>,
}

/// Totals of one kind of chunk, or of one method.
#[derive(Debug, Serialize, Default)]
pub(crate) struct Share {
    pub name: String,
    pub count: u64,
    pub raw_bytes: u64,
    pub stored_bytes: u64,
}

impl Description {
    pub(crate) fn new(container: &Container) -> Self {
        let (table, toc) = (container.table(), container.table().iostore());
        // The layout of the container header narrows the engine release down.
        let header = toc.and_then(|_| container.header_version());
        let engine = toc.and_then(|toc| EngineRange::detect(toc.version(), header));
        let (seeds, overflow) = toc.map_or((0, 0), Toc::perfect_hash_counts);
        let (chunk_types, block_methods) = (chunk_types(container), block_methods(container));
        let total = |of: fn(&Share) -> u64, shares: &[Share]| shares.iter().map(of).sum::<u64>();
        let raw_bytes = total(|share| share.raw_bytes, &chunk_types);
        let stored_bytes = total(|share| share.stored_bytes, &chunk_types);
        let encryption = method_of(table);
        let pak_version = table.pak().map(|pak| pak.index().footer().version);
        let blocks = |chunk| table.blocks_of(chunk).map_or(0, |blocks| u64::from(blocks.end - blocks.start));
        Self {
            path: container.path().display().to_string(),
            name: container.name(),
            toc_version: toc.map(|toc| toc.header().version),
            toc_version_name: toc.map(|toc| toc.version().to_string()),
            engine: engine.map(|range| range.to_string()),
            container_header: header.map(|version| format!("{version:?}")),
            container_id: table.container_id().map(|id| id.to_string()),
            flags: toc.map(|toc| toc.flags().names().collect()).unwrap_or_default(),
            flag_bits: toc.map(|toc| toc.flags().0),
            encryption_key_guid: encryption.as_ref().map(|_| table.encryption_key_guid().to_string()),
            encryption,
            unlocked: container.locked().is_none(),
            mount_order: container.order().number(),
            mount_point: Some(container.mount_point().to_owned()).filter(|mount| !mount.is_empty()),
            chunks: table.chunk_count().into(),
            paths: table.chunks().filter(|chunk| container.has_path(*chunk)).count() as u64,
            blocks: toc.map_or_else(|| table.chunks().map(blocks).sum(), |toc| toc.block_count().into()),
            block_size: toc.map(Toc::block_size),
            // The recorded number of partitions is unreliable, so it is derived from the blocks.
            partitions: toc.map_or(1, |toc| toc.partitions_needed().max(1)),
            partition_size: Some(table.partition_size()).filter(|size| *size != u64::MAX),
            methods: table.methods().names().map(str::to_owned).collect(),
            raw_bytes,
            stored_bytes,
            ratio: ratio(raw_bytes, stored_bytes),
            seeds: seeds as u64,
            overflow: overflow as u64,
            has_perfect_hash: toc
                .is_some_and(|toc| toc.version().has_perfect_hash() && !toc.lacks_perfect_hash()),
            chunk_types,
            block_methods,
            notices: table.notices().iter().map(ToString::to_string).collect(),
            pak_version: pak_version.map(PakVersion::to_wire),
        }
    }
}

fn method_of(table: &Table) -> Option<String> {
    match table {
        Table::IoStore(toc) => toc.is_encrypted().then(|| match toc.encryption_method() {
            Ok(Some(method)) => method.to_string(),
            Ok(None) => "none".to_owned(),
            Err(method) => format!("unknown method {method}"),
        }),
        Table::Pak(pak) => {
            let footer = pak.index().footer();
            let what = match (footer.is_index_encrypted, pak.has_encrypted_files()) {
                (true, true) => "index and files",
                (true, false) => "index",
                (false, true) => "files",
                (false, false) => return None,
            };
            Some(match footer.encryption {
                Ok(PakEncryption::Ecb) => format!("{} ({what})", EncryptionMethod::Ecb),
                Ok(PakEncryption::Ctr(_)) => format!("{} ({what})", EncryptionMethod::Ctr),
                Err(method) => format!("unknown method {method}"),
            })
        }
    }
}

fn chunk_types(container: &Container) -> Vec<Share> {
    let toc = container.table();
    let mut shares: BTreeMap<ChunkKind, Share> = BTreeMap::new();
    for chunk in toc.chunks() {
        let share = shares.entry(toc.chunk_kind(chunk)).or_default();
        // A chunk with bad blocks counts as nothing stored.
        let stored = toc.blocks_of(chunk).map_or(0, |blocks| toc.stored_len(chunk, &blocks));
        share.add(1, toc.chunk_len(chunk), stored);
    }
    shares.into_iter().map(|(kind, share)| Share { name: kind.name().to_owned(), ..share }).collect()
}

fn block_methods(container: &Container) -> Vec<Share> {
    let toc = container.table();
    let mut shares: BTreeMap<u8, Share> = BTreeMap::new();
    let mut add = |method: u8, count: u64, raw: u64, stored: u64| {
        shares.entry(method).or_default().add(count, raw, stored);
    };
    // A pak's blocks are summed up per file, since a crafted one may claim billions.
    match &**toc {
        Table::IoStore(toc) => {
            for block in toc.blocks() {
                add(block.method(), 1, block.raw_len().into(), block.stored_len().into());
            }
        }
        Table::Pak(_) => {
            for sum in toc.chunks().flat_map(|chunk| toc.block_sums(chunk)) {
                add(sum.method, sum.count, sum.raw_len, sum.stored_len);
            }
        }
    }
    let name = |index: u8| toc.methods().name(index).map_or_else(|| format!("method {index}"), str::to_owned);
    shares.into_iter().map(|(index, share)| Share { name: name(index), ..share }).collect()
}

impl Share {
    const fn add(&mut self, count: u64, raw: u64, stored: u64) {
        self.count = self.count.saturating_add(count);
        self.raw_bytes = self.raw_bytes.saturating_add(raw);
        self.stored_bytes = self.stored_bytes.saturating_add(stored);
    }
}

/// Prints a description.
pub(crate) fn print(this: &Description, out: &mut Out) -> anyhow::Result<()> {
    writeln!(out, "{}", this.path)?;
    let mut line = |name: &str, value: &str| writeln!(out, "  {name:<13} {value}");
    match (this.pak_version, &this.toc_version_name) {
        (Some(version), _) => line("pak version", &version.to_string())?,
        (None, name) => {
            line("toc version", name.as_deref().unwrap_or("unknown"))?;
            line("engine", this.engine.as_deref().unwrap_or("unknown"))?;
            line("container id", this.container_id.as_deref().unwrap_or("none"))?;
            line("flags", &if this.flags.is_empty() { "none".to_owned() } else { this.flags.join(", ") })?;
        }
    }
    line("encryption", &encryption(this))?;
    line("mount order", &this.mount_order.to_string())?;
    line("mount point", this.mount_point.as_deref().unwrap_or("none"))?;
    line("paths", &format!("{} of {}", count(this.paths), printer::chunks(this.chunks)))?;
    if let Some(block_size) = this.block_size {
        line("partitions", &partitions(this))?;
        line("block size", &size(block_size.into()))?;
    }
    let ratio = this.ratio.map_or_else(String::new, |ratio| format!(", ratio {ratio:.2}"));
    line("data", &format!("{} raw, {} stored{ratio}", size(this.raw_bytes), size(this.stored_bytes)))?;
    if this.has_perfect_hash {
        line(
            "perfect hash",
            &format!("{}, {} overflow", counted(this.seeds, "seed", "seeds"), count(this.overflow)),
        )?;
    }
    for notice in &this.notices {
        line("note", notice)?;
    }
    shares("chunks", &this.chunk_types, out)?;
    shares("blocks", &this.block_methods, out)
}

fn encryption(this: &Description) -> String {
    match (&this.encryption, &this.encryption_key_guid) {
        (Some(method), Some(guid)) => {
            format!(
                "{method}, key GUID {guid}, {}",
                if this.unlocked { "key matches" } else { "no matching key" }
            )
        }
        _ => "none".to_owned(),
    }
}

fn partitions(this: &Description) -> String {
    let size = this.partition_size.map_or_else(String::new, |bytes| format!(" of at most {}", size(bytes)));
    format!("{}{size}", this.partitions)
}

fn shares(title: &str, shares: &[Share], out: &mut Out) -> anyhow::Result<()> {
    for (at, share) in shares.iter().enumerate() {
        let title = if at == 0 { title } else { "" };
        let (number, raw, stored) = (count(share.count), size(share.raw_bytes), size(share.stored_bytes));
        writeln!(out, "  {title:<13} {:<18} {number:>11} {raw:>12} raw {stored:>12} stored", share.name)?;
    }
    Ok(())
}
