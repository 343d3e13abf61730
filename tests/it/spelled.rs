//! A container of UE 6.0 (toc version 10, AES-CTR) as the tables of its format spell it out, encrypted by OpenSSL: no
//! constant of the reader or of any writer is in it.

use crate::support::containers::{open, unpack_all, verify_all};
use crate::support::corpus::KEY;

/// One chunk, `Game/six.txt`.
const CONTENT: &[u8] = b"hello, six";

/// The block: the content and, up to 16 bytes, its start again.
const DATA: &[u8] = b"\x18\xD8\xE7T\x14\x05Y\x9D\xB5k\xF1t\x22\x9A\xE1\x13";

/// Mount point `../../../`; the root and `Game`; `six.txt`, which is chunk 0; their names; 5 bytes of padding.
const INDEX: &[u8] = b"\
    {\xDB\xF8\xD5\xDFv^-l\x04*{\xBF\x9F\x9B\xF0pC)\x97\x8C\xF5\xF4\xC188\x01\xDFdg\xD2\xDD8\xDC\x8B\xB1\xE5-^1LD\xFD'\xE1\
    \xDE]d\x1D>\xBEf[,<\xF4!\xA0eK\x10\x8F\x0C\xF2\xF7>6\xF3\x97:\xC5^\xE8\xD8j\xE4\x94\xB8\x1F\xED\xDD\xFAR\xF4\x80.P?b\
    \xDD3\x1D_\x9B\xEA\xEE";

fn toc() -> Vec<u8> {
    let hash = blake3::hash(CONTENT);
    let parts: [&[u8]; 20] = [
        // Magic; version, reserved; size of the header.
        b"-==--==--==--==-\x0A\0\0\0\x90\0\0\0",
        // Chunks, blocks, size of a block; method names and their length; block size.
        b"\x01\0\0\0\x01\0\0\0\x0C\0\0\0\0\0\0\0\x20\0\0\0\0\0\x01\0",
        // Size of the directory index, partitions.
        b"\x60\0\0\0\x01\0\0\0",
        // Container id, key GUID.
        b"\x01\x02\x03\x04\x05\x06\x07\x08",
        &[0; 16],
        // Flags: encrypted, indexed. Method: AES-CTR.
        b"\x0A\x02\0\0",
        // Seeds, partition size, chunks without a perfect hash, source hashes, IVs.
        b"\x01\0\0\0",
        &[0xFF; 8],
        b"\0\0\0\0\0\0\0\0\x02\0\0\0",
        &[0; 36],
        // Chunk id: of the type ExportBundleData (1).
        b"\x11\x22\x33\x44\x55\x66\x77\x88\0\0\0\x01",
        // Offset and length, 40 bits each, big-endian.
        b"\0\0\0\0\0\0\0\0\0\x0A",
        // Seed −1: slot 0.
        b"\xFF\xFF\xFF\xFF",
        // Block: offset (40 bits), stored size (24), raw size (24), method.
        b"\0\0\0\0\0\x0A\0\0\x0A\0\0\0",
        // IVs of the block and of the directory index.
        b"\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C",
        b"\x21\x22\x23\x24\x25\x26\x27\x28\x29\x2A\x2B\x2C",
        INDEX,
        // Meta: 20 bytes of hash, flags, padding.
        &hash.as_bytes()[..20],
        b"\0",
        b"\0\0\0",
    ];
    parts.concat()
}

#[test]
fn a_container_of_the_newest_version_opens_and_verifies() {
    let toc = toc();
    assert_eq!((toc.len(), INDEX.len(), DATA.len()), (144 + 12 + 10 + 4 + 12 + 24 + 96 + 24, 96, 16));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("newest.utoc");
    std::fs::write(&path, toc).unwrap();
    std::fs::write(path.with_extension("ucas"), DATA).unwrap();
    let store = open(&path, &[KEY]);
    let outcome = verify_all(&store);
    assert!(outcome.is_ok() && outcome.unhashed == 0 && outcome.count == 1, "{outcome:?}");
    let out = folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    assert!(unpack_all(&store, &out).is_ok());
    assert_eq!(std::fs::read(out.join("Game/six.txt")).unwrap(), CONTENT);
}
