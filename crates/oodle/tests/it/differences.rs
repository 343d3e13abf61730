//! Differences between this decoder and `oozextract`: one stream for each known reason, found by mutating
//! real streams. `examples/oodle_fuzz` compares every new difference with the same list.

use oozextract::Extractor;
use uncask_oodle::{Backend, Error, Scratch, StreamPart, decompress};

use super::support::unhex;

/// A stream that is good there and not here: which part of it is at fault.
const STRICTER: [(usize, StreamPart, &str); 5] = [
    // The offset list ends early. There, what is missing is a distance of 0: bytes that nothing has written.
    (
        824,
        StreamPart::Commands,
        "8c06000096880094fcd11bd00d4f637c000063111442201b00d048014e0b2664184660200000000e1348443c00ae930028734e\
         0012180037000e96665f05020044000e5503c809584b481b1c543c0d236e0000001de800327d70249b1e07103f362dcb040078\
         00488a18703e5b5860a8a86820647708000009113e3f2526d3fffecfff0000030100020000033028740000086c1375020fff66\
         17b840",
    ),
    // A near distance of 0.
    (
        170,
        StreamPart::Match,
        "8c0a00007b880079746865203275696320011400428213c01c55736549d2ba4ce148e1666c2e960e000f0047afbc37ee099b50\
         cc99a1dda4dd0fcb587182cacb20a15aa2b241d90001e367e37f1927ad2c72f8dc973c6000001087878722877ba86f7888302b\
         2b54876d0900000000002a00420034003200160049000b00000000",
    ),
    // The intervals of a multi-array take more bits than there are.
    (36, StreamPart::MultiArray, "8c0600001a50008c00168280047778797ab07801420280800542114211200000"),
    // A quantum longer than what it decodes to: an encoder stores it raw instead.
    (
        115,
        StreamPart::QuantumHeader,
        "8c06000075800073040404040404040400005c67a5df25364c002e6b974d253aab34b3150c12cae99a91ff4ca5df25364c002\
         e6b974d253a8ebf5a2c016619baa49d6ad32342319867feee5bfa1a22cb27df3fe55cac71992ecb1a9a05f20d335c77a46e4960\
         662de78b9a468a8d5d0000013c0000000000010d80",
    ),
    // A table of a single symbol, and a payload after it.
    (47, StreamPart::CodeLengths, "8c060000102000b8000c006a02a002003d6fb56ab6ca"),
];

/// A Leviathan chunk whose last match ends where the chunk does. Encoders leave literals there and `oozextract` insists
/// on them, but nothing in the format needs them.
const LAST_BYTES: (usize, &str) = (
    864,
    "8c0c00005d80005ba426676fa2780ea981000002171900000201000000091aff31bc0210bd000100002796917efa2eda1f68e26a363a\
     e48703c26a9908e3d2aa38f8dcce79b0f636f01cdb53585cb2a5d800000c0e0716050f0f07e127e70f3fa98058",
);

#[test]
fn what_only_oozextract_accepts_is_refused_for_a_reason() {
    for (raw_len, part, hex) in STRICTER {
        let stored = unhex(hex);
        let mut raw = vec![0; raw_len];
        assert!(
            Extractor::new().read_from_slice(&stored, &mut raw).is_ok(),
            "{part}: no difference any more"
        );
        for backend in Backend::all() {
            let result = decompress(&stored, &mut raw, &mut Scratch::with_backend(backend));
            assert_eq!(result, Err(Error::Malformed(part)), "{backend:?}");
        }
    }
}

#[test]
fn commands_may_reach_into_the_last_bytes_of_a_leviathan_chunk() {
    let (raw_len, hex) = LAST_BYTES;
    let stored = unhex(hex);
    // The other decoder agrees about every byte once it believes that more of them follow.
    let mut expected = vec![0; raw_len + 64];
    assert!(
        Extractor::new().read_from_slice(&stored, &mut expected[..raw_len]).is_err(),
        "no difference any more"
    );
    assert!(Extractor::new().read_from_slice(&stored, &mut expected).is_ok());
    for backend in Backend::all() {
        let mut raw = vec![0; raw_len];
        assert_eq!(decompress(&stored, &mut raw, &mut Scratch::with_backend(backend)), Ok(()), "{backend:?}");
        assert_eq!(raw, expected[..raw_len], "{backend:?}");
    }
}
