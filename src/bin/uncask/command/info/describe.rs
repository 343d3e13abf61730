use crate::command::list::ratio;
use serde::Serialize;
use std::collections::BTreeMap;
use uncask::id::ChunkKind;
use uncask::store::Container;

/// A container in figures. Sizes are in bytes.
#[derive(Debug, Serialize)]
pub(in crate::command) struct Description {
    pub path: String,
    pub name: String,
    pub toc_version: u8,
    pub toc_version_name: String,
    pub engine: Option<String>,
    pub container_header: Option<String>,
    pub container_id: Option<String>,
    pub flags: Vec<&'static str>,
    pub flag_bits: u8,
    pub encryption: Option<String>,
    pub encryption_key_guid: Option<String>,
    pub unlocked: bool,
    pub mount_order: u64,
    pub mount_point: Option<String>,
    pub chunks: u64,
    pub paths: u64,
    pub blocks: u64,
    pub block_size: u32,
    pub partitions: u64,
    pub partition_size: Option<u64>,
    pub methods: Vec<String>,
    pub raw_bytes: u64,
    pub stored_bytes: u64,
    pub ratio: Option<f64>,
    pub seeds: u64,
    pub overflow: u64,
    pub chunk_types: Vec<Share>,
    pub block_methods: Vec<Share>,
    pub notices: Vec<String>,
}

/// One kind of chunk, or one method.
#[derive(Debug, Serialize, Default)]
pub(in crate::command) struct Share {
    pub name: String,
    pub count: u64,
    pub raw_bytes: u64,
    pub stored_bytes: u64,
}

impl Description {
    pub(in crate::command) fn new(container: &Container) -> Self {
        let toc = container.toc();
        let header = container.header_version();
        let engine = uncask::version::EngineRange::detect(toc.version(), header);
        let (seeds, overflow) = toc.perfect_hash_counts();
        let (chunk_types, block_methods) = (chunk_types(container), block_methods(container));
        let total = |of: fn(&Share) -> u64, shares: &[Share]| shares.iter().map(of).sum::<u64>();
        let raw_bytes = total(|share| share.raw_bytes, &chunk_types);
        let stored_bytes = total(|share| share.stored_bytes, &chunk_types);
        let encryption = toc.is_encrypted().then(|| match toc.encryption_method() {
            Ok(Some(method)) => method.to_string(),
            Ok(None) => "none".to_owned(),
            Err(method) => format!("unknown method {method}"),
        });
        Self {
            path: container.path().display().to_string(),
            name: container.name(),
            toc_version: toc.header().version,
            toc_version_name: toc.version().to_string(),
            engine: engine.map(|range| range.to_string()),
            container_header: header.map(|version| format!("{version:?}")),
            container_id: toc.container_id().map(|id| id.to_string()),
            flags: toc.flags().names().collect(),
            flag_bits: toc.flags().0,
            encryption_key_guid: encryption.as_ref().map(|_| toc.encryption_key_guid().to_string()),
            encryption,
            unlocked: container.locked().is_none(),
            mount_order: container.order().number(),
            mount_point: Some(container.index().mount_point().to_owned()).filter(|mount| !mount.is_empty()),
            chunks: toc.chunk_count().into(),
            paths: toc.chunks().filter(|chunk| container.has_path(*chunk)).count() as u64,
            blocks: toc.block_count().into(),
            block_size: toc.block_size(),
            partitions: toc.partitions_needed().max(1),
            partition_size: Some(toc.partition_size()).filter(|size| *size != u64::MAX),
            methods: toc.methods().names().map(str::to_owned).collect(),
            raw_bytes,
            stored_bytes,
            ratio: ratio(raw_bytes, stored_bytes),
            seeds: seeds as u64,
            overflow: overflow as u64,
            chunk_types,
            block_methods,
            notices: toc.notices().iter().map(ToString::to_string).collect(),
        }
    }
}

fn chunk_types(container: &Container) -> Vec<Share> {
    let toc = container.toc();
    let mut shares: BTreeMap<ChunkKind, Share> = BTreeMap::new();
    for chunk in toc.chunks() {
        let share = shares.entry(toc.chunk_kind(chunk)).or_default();
        let stored = toc.blocks_of(chunk).map_or(0, |blocks| toc.stored_len(&blocks));
        share.add(toc.chunk_len(chunk), stored);
    }
    shares.into_iter().map(|(kind, share)| Share { name: kind.name().to_owned(), ..share }).collect()
}

fn block_methods(container: &Container) -> Vec<Share> {
    let toc = container.toc();
    let mut shares: BTreeMap<u8, Share> = BTreeMap::new();
    for block in toc.blocks() {
        let share = shares.entry(block.method()).or_default();
        share.add(block.raw_len().into(), block.stored_len().into());
    }
    let name = |index: u8| toc.methods().name(index).map_or_else(|| format!("method {index}"), str::to_owned);
    shares.into_iter().map(|(index, share)| Share { name: name(index), ..share }).collect()
}

impl Share {
    const fn add(&mut self, raw: u64, stored: u64) {
        self.count += 1;
        self.raw_bytes = self.raw_bytes.saturating_add(raw);
        self.stored_bytes = self.stored_bytes.saturating_add(stored);
    }
}
