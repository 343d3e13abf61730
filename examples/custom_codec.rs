//! Reads a container whose blocks are compressed in a way of the game's own: here, by runs of equal bytes.
//!
//! ```text
//! cargo run --example custom_codec -- /tmp/some-folder
//! ```
//!
//! The example makes the container first, in a folder that is there, for want of a game that can be given away.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use uncask::GameOptions;
use uncask::codec::{Codec, Codecs, DecodeProblem, Scratch};
use uncask::container::toc::{ChunkMeta, NewChunk, TocBuilder, raw};
use uncask::id::{ChunkHash, ChunkKind, ContainerId, Guid, RawChunkId};
use uncask::version::TocVersion;

/// A block of pairs: how often, and which byte.
#[derive(Debug)]
struct Runs;

impl Codec for Runs {
    fn decode(&self, block: &[u8], out: &mut [u8], _: &mut Scratch) -> Result<(), DecodeProblem> {
        let (pairs, left) = block.as_chunks::<2>();
        if !left.is_empty() {
            return Err(DecodeProblem::malformed("ends inside a run"));
        }
        let expected = out.len();
        let mut rest = out;
        for [len, byte] in pairs {
            let (run, after) =
                rest.split_at_mut_checked(usize::from(*len)).ok_or(DecodeProblem::Long { expected })?;
            run.fill(*byte);
            rest = after;
        }
        DecodeProblem::check_len(expected - rest.len(), expected)
    }
}

/// Reads and checks the container with and without its codec.
pub(crate) fn run(args: &[String], out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let [folder] = args else { return Err("usage: custom_codec FOLDER".into()) };
    let input = make(Path::new(folder))?;
    // The name is the one in the table of contents; letter case does not matter.
    for (who, codecs) in
        [("without", Codecs::default()), ("with", Codecs::default().with("mygame-rle", Runs))]
    {
        let game = GameOptions::default().codecs(codecs).open(&input)?;
        let outcome = game.all().verify()?;
        writeln!(out, "{who} the codec: {} of {} chunks are right", outcome.count, game.entries().len())?;
        for failure in outcome.problems() {
            let text = failure.error.to_string();
            writeln!(out, "  {}", text.replace(&input.display().to_string(), "mygame.utoc"))?;
        }
    }
    Ok(())
}

/// Writes `mygame.utoc` and `mygame.ucas` with one chunk of 50,000 bytes.
fn make(folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let block: Vec<u8> = (0..250).flat_map(|byte| [200, byte]).collect();
    let content: Vec<u8> = (0..250).flat_map(|byte| [byte; 200]).collect();
    let (stored, len) = (u32::try_from(block.len())?, u32::try_from(content.len())?);
    let version = TocVersion::ReplaceIoChunkHashWithIoHash;
    let kind = ChunkKind::BulkData.to_wire(version.chunk_kind_numbering()).ok_or("bulk data exists")?;
    let hash = ChunkHash::of(version.chunk_hash_kind(), &content);
    let builder = TocBuilder {
        version,
        container_id: ContainerId::from_name("mygame"),
        encryption_key_guid: Guid::ZERO,
        encryption: None,
        block_size: 64 << 10,
        partition_size: u64::MAX,
        partition_count: 1,
        methods: vec!["MyGame-RLE".to_owned()],
        chunks: vec![NewChunk {
            id: RawChunkId::new(1, 0, kind),
            first_block: 0,
            len: len.into(),
            meta: ChunkMeta { hash, flags: 0 },
        }],
        blocks: vec![raw::Block::new(0, stored, len, 1)],
        ivs: Vec::new(),
        compressed: true,
    };
    let toc = folder.join("mygame.utoc");
    std::fs::write(&toc, builder.finish(&builder.order(), &[]))?;
    std::fs::write(toc.with_extension("ucas"), block)?;
    Ok(toc)
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    run(&args, &mut std::io::stdout().lock())
}
