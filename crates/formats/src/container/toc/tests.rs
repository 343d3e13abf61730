use super::*;
use crate::wire::{Fault, FaultKind};

/// Builds a table with one stored chunk of 100 bytes and one empty one.
fn builder(version: TocVersion) -> TocBuilder {
    let numbering = version.chunk_kind_numbering();
    let kind = ChunkKind::ExportBundleData.to_wire(numbering).unwrap();
    let chunk = |id, first_block, len| NewChunk {
        id: RawChunkId::new(id, 0, kind),
        first_block,
        len,
        meta: ChunkMeta { hash: ChunkHash([7; 20]), flags: 0 },
    };
    TocBuilder {
        version,
        container_id: ContainerId::from_name("test"),
        encryption_key_guid: Guid::ZERO,
        encryption: None,
        block_size: 65_536,
        partition_size: u64::MAX,
        partition_count: 1,
        methods: vec!["Zlib".to_owned()],
        chunks: vec![chunk(1, 0, 100), chunk(2, 1, 0)],
        blocks: vec![raw::Block::new(0, 100, 100, 0)],
        ivs: Vec::new(),
        compressed: false,
    }
}

fn bytes(version: TocVersion) -> Vec<u8> {
    let builder = builder(version);
    builder.finish(&builder.order(), &[])
}

fn fault(change: impl FnOnce(&mut Vec<u8>)) -> Fault {
    let mut bytes = bytes(TocVersion::ReplaceIoChunkHashWithIoHash);
    change(&mut bytes);
    Toc::parse(bytes.into()).unwrap_err()
}

#[test]
fn every_version_answers_the_same_questions() {
    for version in TocVersion::ALL {
        let toc = Toc::parse(bytes(version).into()).unwrap();
        assert_eq!(toc.notices(), [], "{version}");
        let chunk = toc.find(builder(version).chunks[0].id).unwrap();
        assert_eq!(toc.chunk_kind(chunk), ChunkKind::ExportBundleData);
        assert_eq!((toc.chunk_len(chunk), toc.blocks_of(chunk)), (100, Ok(0..1)));
        assert_eq!(toc.meta(chunk).unwrap().hash, ChunkHash([7; 20]));
        assert_eq!(toc.methods().names().collect::<Vec<_>>(), ["Zlib"]);
        let empty = toc.find(builder(version).chunks[1].id).unwrap();
        assert_eq!((toc.chunk_len(empty), toc.blocks_of(empty), toc.storage(empty)), (0, Ok(0..0), None));
        assert_eq!(toc.find(RawChunkId::new(3, 0, 1)), None);
    }
}

#[test]
fn faults_name_field_offset_and_values() {
    assert_eq!(fault(|b| b[0] = b'x').to_string(), "magic: wrong magic, offset 0x0");
    assert_eq!(fault(|b| b[16] = 0).to_string(), "version: found 0, expected at least 1, offset 0x10");
    assert_eq!(fault(|b| b[20] = 0x80).to_string(), "header_size: found 128, expected 144, offset 0x14");
    assert_eq!(fault(|b| b[32] = 16).to_string(), "block_entry_size: found 16, expected 12, offset 0x20");
    assert_eq!(
        fault(|b| b[27] = 0xFF).to_string(),
        "chunk_ids: cut off (140 bytes left, 51,338,280,984 needed), offset 0x90"
    );
    assert_eq!(fault(|b| b.truncate(143)).kind, FaultKind::Truncated { needed: 144, left: 143 });
    assert!(matches!(fault(|b| b.truncate(b.len() - 1)), Fault { field: "metas", .. }));
}

#[test]
fn a_newer_version_is_read_as_the_newest() {
    let mut bytes = bytes(TocVersion::NEWEST);
    bytes[16] = 11;
    let toc = Toc::parse(bytes.into()).unwrap();
    assert_eq!(toc.notices(), [Notice::NewerVersion { found: 11, read_as: 10 }]);
    assert_eq!(toc.version(), TocVersion::NEWEST);
}

#[test]
fn unknown_flags_and_trailing_bytes_are_noticed() {
    let mut bytes = bytes(TocVersion::ReplaceIoChunkHashWithIoHash);
    bytes[80] |= 0xC0;
    bytes.push(0);
    let toc = Toc::parse(bytes.into()).unwrap();
    assert_eq!(toc.notices(), [Notice::TrailingBytes { count: 1 }, Notice::UnknownFlags { bits: 0xC0 }]);
}

#[test]
fn made_up_seeds_do_not_hide_chunks() {
    let mut bytes = bytes(TocVersion::ReplaceIoChunkHashWithIoHash);
    let seeds = 144 + 2 * (12 + 10);
    bytes[seeds..seeds + 4].fill(0);
    let toc = Toc::parse(bytes.into()).unwrap();
    assert_eq!(toc.notices(), [Notice::BrokenPerfectHash]);
    assert_eq!(toc.misplaced_chunks().len(), 2, "both, for they share a bucket");
    for chunk in toc.chunks() {
        assert_eq!(toc.find(toc.chunk_id(chunk).unwrap()), Some(chunk));
    }
}

#[test]
fn a_chunk_past_the_block_table_is_an_error_of_its_own() {
    let mut builder = builder(TocVersion::ReplaceIoChunkHashWithIoHash);
    builder.chunks[0].len = (1 << 40) - 1;
    let toc = Toc::parse(builder.finish(&builder.order(), &[]).into()).unwrap();
    let chunk = toc.find(builder.chunks[0].id).unwrap();
    let error = toc.blocks_of(chunk).unwrap_err();
    assert_eq!(error.to_string(), "chunk covers blocks 0..16777216, but the table has 1 block");
    assert_eq!(toc.storage(chunk), None);
}

#[test]
fn only_aes_ctr_has_initialisation_vectors() {
    let mut builder = builder(TocVersion::NEWEST);
    builder.encryption = Some(EncryptionMethod::Ctr);
    let parse = |builder: &TocBuilder| Toc::parse(builder.finish(&builder.order(), &[]).into());
    assert_eq!(
        parse(&builder).unwrap_err().to_string(),
        "encryption_iv_count: found 0, expected 1, offset 0x68"
    );
    builder.ivs = vec![[5; 12]];
    let toc = parse(&builder).unwrap();
    assert_eq!(toc.block_iv(BlockIndex(0)), Some([5; 12]));
    assert_eq!(toc.encryption_method(), Ok(Some(EncryptionMethod::Ctr)));
}
