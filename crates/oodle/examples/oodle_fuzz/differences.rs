//! Known reasons for two decoders to differ over a stream, each with its own test.
//!
//! `oozextract` is laxer in some places and stricter in others. A difference without a reason here is a
//! bug.

use oozextract::Extractor;
use uncask_oodle::{Error, StreamPart};

const KRAKEN: u8 = 6;
const MERMAID: u8 = 10;
const LEVIATHAN: u8 = 12;

/// Output bytes of a block, and of a chunk.
const BLOCK_LEN: usize = 0x4_0000;
const CHUNK_LEN: usize = 0x2_0000;

/// The reason why a stream that decodes here may not decode there.
pub(crate) fn of_refusal_there(stored: &[u8], raw_len: usize, ours: &[u8]) -> Option<&'static str> {
    let traits = Traits::of(stored, raw_len);
    if traits.checksum {
        Some("a checksum, whose bytes are data there")
    } else if traits.stored_quantum {
        Some("a quantum that is stored raw")
    } else if traits.excess {
        Some("long lengths with a bit area of their own")
    } else if traits.short_tans {
        Some("a short tANS array at the end of its quantum")
    } else if traits.has(LEVIATHAN) && is_good_when_longer(stored, ours) {
        Some("commands of Leviathan that reach into the last bytes of a chunk")
    } else {
        None
    }
}

/// The reason why a stream that decodes there may not decode here.
pub(crate) fn of_refusal_here(stored: &[u8], raw_len: usize, error: Error) -> Option<&'static str> {
    let traits = Traits::of(stored, raw_len);
    if traits.checksum {
        return Some("a checksum, whose bytes are data there");
    }
    let is_bytewise = traits.has(MERMAID) || traits.has(LEVIATHAN);
    match error {
        Error::TrailingInput(_) => Some("bytes after the stream"),
        Error::UnsupportedCodec(2 | 5 | 11) => Some("a codec that Unreal Engine never writes"),
        Error::Malformed(StreamPart::QuantumHeader) if traits.grown => {
            Some("a quantum longer than what it decodes to")
        }
        Error::Malformed(StreamPart::CodeLengths) | Error::Truncated(StreamPart::CodeLengths) => {
            Some("a table of one symbol that does not fill its payload")
        }
        Error::Malformed(StreamPart::Commands) if is_bytewise => Some("list entries that no command uses"),
        Error::Malformed(StreamPart::Commands) if shows_old_bytes(stored, raw_len) => {
            Some("an offset list that ends early: distance 0 there")
        }
        Error::Malformed(StreamPart::Literals) if is_bytewise => Some("literals from beyond their list"),
        Error::Malformed(StreamPart::Match) => Some("a distance below 8"),
        Error::Malformed(StreamPart::MultiArray) => {
            Some("a multi-array that overruns its bits, or its chunk")
        }
        Error::Malformed(StreamPart::Array) if traits.has(LEVIATHAN) => Some("lists longer than their chunk"),
        _ => None,
    }
}

/// True if the stream is accepted once the last chunk is declared longer. The other decoder then tolerates
/// missing literals; it demands that no command is in the last 16 bytes of a chunk, which the format does
/// not.
fn is_good_when_longer(stored: &[u8], ours: &[u8]) -> bool {
    let mut raw = vec![0; ours.len() + 64];
    Extractor::new().read_from_slice(stored, &mut raw).is_ok() && raw.starts_with(ours)
}

/// True if the other decoder's output depends on the previous contents of its buffer.
fn shows_old_bytes(stored: &[u8], raw_len: usize) -> bool {
    let decode = |old| {
        let mut raw = vec![old; raw_len];
        Extractor::new().read_from_slice(stored, &mut raw).is_ok().then_some(raw)
    };
    decode(0) != decode(0xFF)
}

/// Properties of a stream, from its headers.
#[derive(Default)]
struct Traits {
    codecs: Vec<u8>,
    checksum: bool,
    stored_quantum: bool,
    grown: bool,
    excess: bool,
    short_tans: bool,
}

impl Traits {
    fn of(stored: &[u8], raw_len: usize) -> Self {
        let mut traits = Self::default();
        // A stream that is cut off says less; that is no fault.
        let _ = traits.read_blocks(stored, raw_len);
        traits
    }

    fn has(&self, codec: u8) -> bool {
        self.codecs.contains(&codec)
    }

    fn read_blocks(&mut self, mut stored: &[u8], raw_len: usize) -> Option<()> {
        for at in (0..raw_len).step_by(BLOCK_LEN) {
            let ([flags, codec], rest) = stored.split_first_chunk()?;
            let block_len = BLOCK_LEN.min(raw_len - at);
            self.codecs.push(codec & 0x7F);
            if flags & 0x40 != 0 {
                stored = rest.get(block_len..)?;
                continue;
            }
            self.checksum |= codec & 0x80 != 0;
            let (word, rest) = be24(rest)?;
            if word & 0x3_FFFF == 0x3_FFFF {
                stored = rest.get(1..)?;
                continue;
            }
            let (payload, rest) = rest.split_at_checked((word & 0x3_FFFF) + 1)?;
            self.stored_quantum |= payload.len() == block_len;
            self.grown |= payload.len() > block_len;
            self.read_chunks(payload, block_len, codec & 0x7F, at == 0 || flags & 0x80 != 0)?;
            stored = rest;
        }
        Some(())
    }

    fn read_chunks(&mut self, mut payload: &[u8], raw_len: usize, codec: u8, is_first: bool) -> Option<()> {
        for at in (0..raw_len).step_by(CHUNK_LEN) {
            let (word, rest) = be24(payload)?;
            if word & 0x80_0000 == 0 {
                self.short_tans |= payload.len() < 40 && word >> 20 == 1;
                // How long an array is does not matter: nothing of interest follows.
                return None;
            }
            let (chunk, rest) = rest.split_at_checked(word & 0x7_FFFF)?;
            let lz = chunk.get(if is_first && at == 0 { 8 } else { 0 }..)?;
            self.excess |= codec == KRAKEN && lz.first()? & 0x80 != 0;
            payload = rest;
        }
        Some(())
    }
}

fn be24(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let ([a, b, c], rest) = bytes.split_first_chunk()?;
    Some((usize::from(*a) << 16 | usize::from(*b) << 8 | usize::from(*c), rest))
}
