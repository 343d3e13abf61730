use super::Zstd;
use super::rust::Ruzstd;
use crate::codec::{Codec, DecodeProblem, Scratch};

/// One segment with a content length and a checksum, which is the low half of the XXH64 of `abcdddd`.
const PLAIN: [u8; 20] = [
    0x28, 0xB5, 0x2F, 0xFD, 0x24, 7, // magic, descriptor, content length
    0x18, 0, 0, b'a', b'b', b'c', // three bytes as they are
    0x23, 0, 0, b'd', // the last block: four times the same byte
    0x11, 0x82, 0x11, 0xD5,
];

const TEXT: &[u8] = b"The window of a frame may be longer than its content. Every block has a header of three bytes: \
    whether it is the last, of which kind it is, and how long it is. The content of a frame is what its blocks hold, one \
    after the other; a block of one byte that is repeated, a block as it is, a block that is compressed.";

/// `TEXT` by the reference program: level 19, a window of 128 MiB, no content length, a checksum.
const COMPRESSED: &str = "28b52ffd0488950500524d2216903b634025675e735393bf9a8d8795b93aaa3bff950301c2d690318b1eed00847bc820bbdc979ef41e18e6\
    eab8e9c6a50348d1bcb555efa5735398c581a3395a3780964ace43a573d2816da78cb937f5aa19e6623a0b0df7314664b9279d213accef76\
    7972a862fc306c88835db84b8fdbaad7e5ce1059aa8cc6cf2de3722c7d27dd51b4943366110e004f15a82900f0064e5ae762977c6c689725\
    92b35615860dc9f0e592bf19abe37b08615052aa8b5403";

fn compressed() -> Vec<u8> {
    hex::decode(COMPRESSED).unwrap()
}

/// Decodes with ruzstd and with this build's decoder; where both accept the block, their output agrees.
fn both(src: &[u8], len: usize) -> (Result<Vec<u8>, DecodeProblem>, bool) {
    let (mut built, mut portable) = (vec![0xEE; len], vec![0x55; len]);
    let by_build = Zstd.decode(src, &mut built, &mut Scratch::default()).is_ok();
    let by_rust = Ruzstd.decode(src, &mut portable, &mut Scratch::default()).map(|()| portable);
    assert!(!by_build || by_rust.as_ref() == Ok(&built), "what libzstd takes, ruzstd takes, too");
    (by_rust, by_build)
}

/// The bytes of a block that both decoders accept.
fn taken(src: &[u8], len: usize) -> Vec<u8> {
    let (by_rust, by_build) = both(src, len);
    assert!(by_build);
    by_rust.unwrap()
}

/// ruzstd's message for a block that both decoders refuse.
fn message(src: &[u8], len: usize) -> String {
    let (by_rust, by_build) = both(src, len);
    assert!(!by_build);
    by_rust.unwrap_err().to_string()
}

/// Numbers of blocks with one flipped bit that both decoders accept, and that only ruzstd accepts.
fn taken_damaged(good: &[u8], len: usize) -> (usize, usize) {
    let (mut by_both, mut by_one) = (0, 0);
    for (at, bit) in (0..good.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        let mut bad = good.to_vec();
        bad[at] ^= 1 << bit;
        let (by_rust, by_build) = both(&bad, len);
        by_both += usize::from(by_build);
        by_one += usize::from(by_rust.is_ok() && !by_build);
    }
    (by_both, by_one)
}

#[test]
fn frames_give_their_content() {
    assert_eq!(taken(&PLAIN, 7), b"abcdddd");
    assert_eq!(taken(&compressed(), TEXT.len()), TEXT);
    // Without a content length and a checksum: a window of 1 KiB, and one empty block.
    assert_eq!(taken(&[0x28, 0xB5, 0x2F, 0xFD, 0, 0, 1, 0, 0], 0), b"");
}

#[test]
fn what_is_wrong_with_a_frame_is_said() {
    assert_eq!(message(&PLAIN, 6), "decodes to more than 6 bytes");
    assert_eq!(message(&PLAIN, 8), "decodes to 7 bytes, expected 8");
    assert_eq!(message(&compressed(), 311), "decodes to more than 311 bytes");
    assert_eq!(message(&compressed(), 313), "decodes to 312 bytes, expected 313");
    assert_eq!(message(&PLAIN[..19], 7), "is cut off after 19 bytes");
    assert_eq!(message(&[&PLAIN[..], &[0; 5]].concat(), 7), "has 5 bytes after its end");
    assert_eq!(message(&PLAIN.repeat(2), 14), "has 20 bytes after its end");
    for (at, byte, text) in [
        (0, 0x50, "wrong magic"),
        (4, 0x2C, "a reserved bit of the header is set"),
        (6, 0x1E, "a block is of a reserved kind"),
        (9, b'x', "wrong checksum"),
        (16, 0x12, "wrong checksum"),
    ] {
        let mut frame = PLAIN;
        frame[at] = byte;
        assert_eq!(message(&frame, 7), format!("is malformed: {text}"), "byte {at}");
    }
    let with_dictionary = [0x28, 0xB5, 0x2F, 0xFD, 0x21, 9, 1, 9, 0, 0, b'x'];
    assert_eq!(message(&with_dictionary, 1), "is malformed: it needs a dictionary");
    let with_window = [0x28, 0xB5, 0x2F, 0xFD, 0, 22 << 3, 9, 0, 0, b'x'];
    assert_eq!(message(&with_window, 1), "is malformed: its window is too large");
}

/// The checksum catches damage that the format does not. Without it, damage may give other bytes, but the
/// same ones in both decoders. Only ruzstd ignores bits that must be zero, and sequences and weights that
/// end in the wrong place.
#[test]
fn damage_gives_the_same_in_both() {
    let with_checksum = compressed();
    let mut without = with_checksum.clone();
    without[4] = 0;
    without.truncate(with_checksum.len() - 4);
    assert_eq!(taken(&without, TEXT.len()), TEXT);
    // Of the header, the window may be any that is large enough, and one bit has no meaning.
    let (by_both, by_one) = taken_damaged(&with_checksum, TEXT.len());
    assert!(by_both < 20 && by_one < 5, "{by_both} by both, {by_one} by one");
    let (by_both, by_one) = taken_damaged(&without, TEXT.len());
    assert!(by_both > 100 && by_one * 50 < by_both, "{by_both} by both, {by_one} by one");
    for good in [with_checksum, without] {
        for len in 0..good.len() {
            message(&good[..len], TEXT.len());
        }
    }
}

#[test]
fn a_decoder_is_used_again_after_errors() {
    let mut scratch = Scratch::default();
    let mut raw = vec![0; TEXT.len()];
    for at in 6..compressed().len() {
        let mut bad = compressed();
        bad[at] ^= 0x55;
        assert!(Ruzstd.decode(&bad, &mut raw, &mut scratch).is_err(), "byte {at}");
        Ruzstd.decode(&compressed(), &mut raw, &mut scratch).unwrap();
        assert_eq!(raw, TEXT);
    }
}

#[cfg(feature = "zstd")]
mod made {
    use super::*;
    use ::zstd::zstd_safe::{CCtx, CParameter, compress_bound};

    /// Text with long and short matches, runs, and noise between them.
    fn bytes(len: usize) -> Vec<u8> {
        let byte = |n: usize| if n % 1000 < 700 { n * n / 97 % 253 } else { n / 5000 % 7 };
        (0..len).map(|n| u8::try_from(byte(n)).unwrap()).collect()
    }

    fn frame(bytes: &[u8], parameters: &[CParameter]) -> Vec<u8> {
        let mut context = CCtx::create();
        for parameter in parameters {
            context.set_parameter(*parameter).unwrap();
        }
        let mut frame = Vec::with_capacity(compress_bound(bytes.len()));
        context.compress2(&mut frame, bytes).unwrap();
        frame
    }

    /// Lengths around a block and around `KEPT_LEN`; windows shorter and longer than the content.
    #[test]
    fn what_the_library_makes_is_decoded_by_both() {
        for len in [0, 1, 100, 1024, 65_536, 131_072, 131_073, 262_144, 262_145, 1_000_000] {
            let bytes = bytes(len);
            for (level, window, is_known) in
                [(1, 10, false), (3, 17, false), (3, 0, true), (19, 27, false), (22, 0, true)]
            {
                if level > 3 && len > 300_000 {
                    continue;
                }
                let parameters = [
                    CParameter::CompressionLevel(level),
                    CParameter::WindowLog(window),
                    CParameter::ContentSizeFlag(is_known),
                    CParameter::ChecksumFlag(true),
                ];
                let src = frame(&bytes, &parameters);
                assert!(taken(&src, len) == bytes, "{len} bytes, level {level}");
                message(&src, len + 1);
                if len > 0 {
                    message(&src, len - 1);
                }
            }
        }
    }

    #[test]
    fn larger_frames_are_damaged_alike() {
        let bytes = bytes(20_000);
        let good = frame(&bytes, &[CParameter::CompressionLevel(3), CParameter::WindowLog(12)]);
        let (mut by_both, mut by_one) = (0, 0);
        for at in (0..good.len()).step_by(5) {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            let (by_rust, by_build) = both(&bad, bytes.len());
            by_both += usize::from(by_build);
            by_one += usize::from(by_rust.is_ok() && !by_build);
        }
        assert!(by_both > 100 && by_one * 50 < by_both, "{by_both} by both, {by_one} by one");
    }
}
