use super::*;
use std::path::PathBuf;

/// BLAKE3 of what each group of streams in the corpus holds. The streams of a group were made from one file with
/// different compressors, so that decoders of different design vouch for each digest.
const DIGESTS: [(&str, &str); 3] = [
    ("dickens", "48870dedfdc7ecb80319525074a9fe43a9dcda6a8cf2784e02bd77ed702fc58b"),
    ("ooffice", "fff3e375068c713295e9e4b2f6b458263a6fdad9221ac440093ee6afb9149bf0"),
    ("xml", "6c3c4996b605e2676d075f329c031e80fcb5012be4e3355e78eaf12f6654adef"),
];

fn run(src: &[u8], len: usize) -> Result<Vec<u8>, OodleError> {
    let mut dst = vec![0xEE; len];
    decompress(src, &mut dst, &mut Scratch::default()).map(|()| dst)
}

#[test]
fn stored_and_filled_streams() {
    assert_eq!(run(b"\xCC\x06uncask", 6).unwrap(), b"uncask");
    assert_eq!(run(b"\x8C\x06\x07\xFF\xFF\x2A", 9).unwrap(), [0x2A; 9]);
    assert_eq!(run(b"", 0).unwrap(), b"");
}

#[test]
fn what_is_wrong_is_said() {
    for (src, len, text) in [
        (&b""[..], 1, "does not start like one"),
        (b"\x8C", 1, "does not start like one"),
        (b"\x78\x9C\x01", 1, "does not start like one"),
        (b"\xCC\x06uncas", 6, "is malformed"),
        (b"\x8C\x07\x00", 6, "is malformed"),
        (b"\xCC\x06", 0, "has 2 bytes, expected none for an empty output"),
    ] {
        assert_eq!(run(src, len).unwrap_err().to_string(), text);
    }
}

#[test]
fn streams_of_the_corpus() {
    let Some(folder) = corpus() else { return };
    let mut scratch = Scratch::default();
    for (group, digest) in DIGESTS {
        for compressor in ["kraken", "mermaid", "selkie", "leviathan"] {
            let name = format!("{group}.{compressor}");
            let (raw_len, stream) = read(&folder.join(&name));
            let mut bytes = vec![0; raw_len];
            decompress(&stream, &mut bytes, &mut scratch).unwrap_or_else(|e| panic!("{name} {e}"));
            assert_eq!(blake3::hash(&bytes).to_hex().as_str(), digest, "{name}");
        }
    }
}

#[test]
fn damaged_streams_never_panic() {
    let Some(folder) = corpus() else { return };
    let (_, stream) = read(&folder.join("xml.kraken"));
    // The first 256 KiB of output, up to the header of the second block.
    let end = 5 + quantum_len(&stream);
    let good = &stream[..end];
    let mut dst = vec![0; 1 << 18];
    let mut scratch = Scratch::default();
    decompress(good, &mut dst, &mut scratch).unwrap();
    let expected = dst.clone();

    for cut in [end - 1, end / 2, 5, 4, 3, 2] {
        assert!(decompress(&good[..cut], &mut dst, &mut scratch).is_err(), "cut to {cut} bytes");
    }
    for at in (0..end).step_by(end / 150) {
        let mut bad = good.to_vec();
        bad[at] ^= 0x55;
        let _either_is_fine = decompress(&bad, &mut dst, &mut scratch);
    }
    decompress(good, &mut dst, &mut scratch).unwrap();
    assert!(dst == expected, "the scratch still works after errors");
}

/// Length of the first quantum of a stream, without its header.
fn quantum_len(stream: &[u8]) -> usize {
    let header = u32::from_be_bytes([0, stream[2], stream[3], stream[4]]);
    usize::try_from(header & 0x3FFFF).unwrap() + 1
}

/// A file of the corpus is the raw length in four bytes, or eight, and the stream.
fn read(path: &std::path::Path) -> (usize, Vec<u8>) {
    let file = std::fs::read(path).unwrap();
    let (raw_len, rest) = file.split_first_chunk().unwrap();
    let stream = rest.strip_prefix(&[0; 4]).unwrap_or(rest);
    (usize::try_from(u32::from_le_bytes(*raw_len)).unwrap(), stream.to_vec())
}

/// The folder of Oodle streams, if this machine has one.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn corpus() -> Option<PathBuf> {
    let root =
        std::env::var_os("UNCASK_CORPUS").map_or_else(|| PathBuf::from("../shared/corpus"), PathBuf::from);
    let folder = root.join("oodle");
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none(), "no corpus at {}", folder.display());
    eprintln!("skipped: no corpus at {}", folder.display());
    None
}
