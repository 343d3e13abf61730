use super::*;

/// Methods with an encoder in this build.
fn methods() -> impl Iterator<Item = Method> {
    let built = |method: &Method| cfg!(feature = "zstd") || *method != Method::Zstd;
    Method::ALL.into_iter().filter(built)
}

/// Xorshift: incompressible bytes, the same in every run.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    })
    .flatten()
    .take(len)
    .collect()
}

fn text(len: usize) -> Vec<u8> {
    b"/Game/Maps/Level /Engine/Content ".iter().copied().cycle().take(len).collect()
}

fn samples() -> impl Iterator<Item = Vec<u8>> {
    [0, 1, 15, 16, 1000, 65_535, 65_536].into_iter().flat_map(|len| [noise(len), text(len)])
}

fn block(method: Method, bytes: &[u8], scratch: &mut Scratch) -> Vec<u8> {
    let mut block = vec![0xEE; 3];
    compress(method, bytes, None, &mut block, scratch).unwrap();
    block
}

#[test]
fn every_method_gives_back_what_it_took() {
    let mut scratch = Scratch::default();
    for bytes in samples() {
        for method in methods() {
            let block = block(method, &bytes, &mut scratch);
            let mut out = vec![0xEE; bytes.len()];
            decode(method, &block, &mut out, &mut scratch).unwrap();
            assert!(out == bytes, "{method}, {} bytes", bytes.len());
        }
    }
}

#[test]
fn a_block_does_not_depend_on_the_blocks_before_it() {
    let mut used = Scratch::default();
    for bytes in samples() {
        for method in methods() {
            assert!(
                block(method, &bytes, &mut used) == block(method, &bytes, &mut Scratch::default()),
                "{method}"
            );
        }
    }
}

#[test]
fn one_byte_less_or_more_than_expected_is_an_error() {
    let mut scratch = Scratch::default();
    for bytes in samples() {
        // A run of one byte is an Oodle stream of any length.
        for method in methods().filter(|method| *method != Method::Oodle) {
            let block = block(method, &bytes, &mut scratch);
            let (found, expected) = (bytes.len(), bytes.len() + 1);
            let mut out = vec![0; expected];
            let error = decode(method, &block, &mut out, &mut scratch).unwrap_err();
            assert_eq!(error.problem, DecodeProblem::Short { found, expected });
            assert_eq!(error.method, method.name());
            if let Some(less) = bytes.len().checked_sub(1) {
                let error = decode(method, &block, &mut out[..less], &mut scratch);
                assert!(error.is_err(), "{method} {less}");
            }
        }
    }
}

#[test]
fn bytes_after_the_end_are_an_error() {
    let mut scratch = Scratch::default();
    for method in methods() {
        let mut block = block(method, &text(1000), &mut scratch);
        block.extend([0; 5]);
        let error = decode(method, &block, &mut [0; 1000], &mut scratch).unwrap_err();
        if matches!(method, Method::Zlib | Method::Gzip | Method::Zstd) {
            assert_eq!(error.problem, DecodeProblem::Trailing { left: 5 });
        }
    }
}

#[test]
fn a_second_stream_is_not_part_of_the_block() {
    let mut scratch = Scratch::default();
    for method in methods().filter(|method| *method != Method::None) {
        let block = block(method, &text(1000), &mut scratch).repeat(2);
        assert!(decode(method, &block, &mut [0; 2000], &mut scratch).is_err(), "{method}");
    }
}

#[test]
fn every_truncation_is_an_error() {
    let mut scratch = Scratch::default();
    let bytes = text(300);
    for method in methods() {
        let block = block(method, &bytes, &mut scratch);
        for len in 0..block.len() {
            assert!(
                decode(method, &block[..len], &mut [0; 300], &mut scratch).is_err(),
                "{method}, {len} bytes"
            );
        }
    }
}

#[test]
fn damage_gives_an_error_or_wrong_bytes_but_never_a_panic() {
    let mut scratch = Scratch::default();
    for method in methods() {
        let good = block(method, &text(600), &mut scratch);
        for (at, bit) in (0..good.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            drop(decode(method, &bad, &mut [0; 600], &mut scratch));
        }
        let mut out = [0; 600];
        decode(method, &good, &mut out, &mut scratch).unwrap();
        assert!(out[..] == text(600), "{method}: the scratch still works after errors");
    }
}

#[test]
fn noise_is_not_a_block() {
    let mut scratch = Scratch::default();
    for method in Method::ALL.into_iter().filter(|method| *method != Method::None) {
        for len in [0, 1, 2, 15, 16, 1000] {
            assert!(
                decode(method, &noise(len), &mut [0; 777], &mut scratch).is_err(),
                "{method}, {len} bytes"
            );
        }
    }
}

#[test]
fn levels_are_checked() {
    let mut scratch = Scratch::default();
    let mut try_level = |method, level| compress(method, b"abc", Some(level), &mut Vec::new(), &mut scratch);
    for level in 0..=9 {
        assert_eq!(try_level(Method::Zlib, level), Ok(()));
    }
    for level in 0..=5 {
        assert_eq!(try_level(Method::Oodle, level), Ok(()));
    }
    for (method, level, text) in [
        (Method::Zlib, 10, "Zlib has no level 10, expected 0 to 9"),
        (Method::Gzip, -1, "Gzip has no level -1, expected 0 to 9"),
        (Method::Zstd, 23, "Zstd has no level 23, expected 1 to 22"),
        (Method::Lz4, 1, "LZ4 has no levels"),
        (Method::Oodle, 6, "Oodle has no level 6, expected 0 to 5"),
    ] {
        assert_eq!(try_level(method, level).unwrap_err().to_string(), text);
    }
}

#[test]
fn every_level_gives_back_what_it_took() {
    let mut scratch = Scratch::default();
    let mut block = Vec::new();
    for bytes in samples().chain([[noise(5000), text(5000), noise(300)].concat()]) {
        for (method, levels) in [(Method::Zlib, 0..=9), (Method::Gzip, 0..=9), (Method::Oodle, 0..=5)] {
            for level in levels {
                block.clear();
                compress(method, &bytes, Some(level), &mut block, &mut scratch).unwrap();
                let mut out = vec![0xEE; bytes.len()];
                decode(method, &block, &mut out, &mut scratch).unwrap();
                assert!(out == bytes, "{method}, level {level}, {} bytes", bytes.len());
            }
        }
    }
}

#[test]
#[cfg(not(feature = "zstd"))]
fn what_cannot_be_done_is_said() {
    let error = compress(Method::Zstd, b"abc", None, &mut Vec::new(), &mut Scratch::default()).unwrap_err();
    assert_eq!(error.to_string(), "Zstd blocks cannot be written: this build lacks the feature `zstd`");
}

#[test]
fn messages_say_what_was_found_and_expected() {
    let mut scratch = Scratch::default();
    let mut message = |method, src: &[u8], len| {
        decode(method, src, &mut vec![0; len], &mut scratch).unwrap_err().to_string()
    };
    assert_eq!(message(Method::None, b"abc", 4), "None block decodes to 3 bytes, expected 4");
    assert_eq!(message(Method::None, b"abc", 2), "None block decodes to more than 2 bytes");
    assert_eq!(message(Method::Zlib, b"\x78\x9C", 4), "Zlib block is cut off after 2 bytes");
    assert_eq!(message(Method::Zlib, b"abcd", 4), "Zlib block is malformed: incorrect header check");
    assert_eq!(message(Method::Oodle, b"abcd", 4), "Oodle block header is malformed");
}

#[test]
fn a_scratch_can_move_to_another_thread() {
    const fn send<T: Send + Default>() {}
    send::<Scratch>();
}
