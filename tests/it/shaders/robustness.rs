//! Libraries that are damaged in every way.

use super::made::Made;
use crate::support::hostile::Rng;
use crate::support::say;
use uncask::codec::{Method, Scratch};
use uncask::container::shader_library::{LooseShaderLibrary, ShaderLibrary, decompress_group};

const MUTATIONS: u64 = 20_000;

/// Every way to cut a file short, then seeded changes.
fn damaged(sound: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let cut = (0..sound.len()).map(|len| sound[..len].to_vec());
    cut.chain((0..MUTATIONS).map(|seed| {
        let mut rng = Rng::new(seed);
        let mut bytes = sound.to_vec();
        for _ in 0..=rng.below(3) {
            let at = rng.below(bytes.len() / 4) * 4;
            match rng.below(4) {
                0 => bytes[at] ^= 1 << rng.below(8),
                1 => bytes[at..at + 4].fill(0xFF),
                2 => bytes[at..at + 4].fill(0),
                _ => bytes[at] = bytes[at].wrapping_add(1),
            }
        }
        bytes
    }))
}

#[test]
fn damaged_libraries_parse_or_fail_and_can_be_laid_out_if_they_parse() {
    let sound = Made::new(Method::Zlib, "x").index;
    let (mut cases, mut parsed) = (0, 0);
    for bytes in damaged(&sound) {
        cases += 1;
        let partial = ShaderLibrary::parse_partial(&bytes);
        // What was read in part answers questions, too.
        let _ = (partial.value.raw_len(), partial.value.shaders_of_group(1).len());
        let Ok(library) = partial.complete() else { continue };
        parsed += 1;
        let loose = LooseShaderLibrary::lay_out(&library, |shader| library.shaders[shader].len);
        assert!(loose.code_len() <= library.raw_len());
        let header = loose.header().unwrap();
        assert_eq!(LooseShaderLibrary::parse(&header).unwrap(), loose);
    }
    say(&format!("{cases} damaged shader libraries, of which {parsed} parsed"));
    assert!(parsed > MUTATIONS / 4, "{parsed} parsed: the mutations are too crude");
}

#[test]
fn damaged_headers_of_files_parse_or_fail() {
    let library = ShaderLibrary::parse(&Made::new(Method::Zlib, "x").index).unwrap();
    let sound = LooseShaderLibrary::lay_out(&library, |_| 5).header().unwrap();
    let mut parsed = 0;
    for bytes in damaged(&sound) {
        let partial = LooseShaderLibrary::parse_partial(&bytes);
        let _ = partial.value.code_len();
        if let Ok(library) = partial.complete() {
            assert!(bytes.starts_with(&library.header().unwrap()), "what is read is written back");
            parsed += 1;
        }
    }
    assert!(parsed > MUTATIONS / 4, "{parsed} parsed: the mutations are too crude");
}

#[test]
fn damaged_groups_fail_or_have_the_right_length() {
    let mut scratch = Scratch::default();
    for method in [Method::Zlib, Method::Oodle, Method::Lz4] {
        let made = Made::new(method, "x");
        let library = ShaderLibrary::parse(&made.index).unwrap();
        let (group, (_, content)) = (&library.groups[1], &made.groups[1]);
        let mut rng = Rng::new(4);
        for _ in 0..2000 {
            let mut bytes = content.clone();
            let at = rng.below(bytes.len());
            bytes[at] ^= 1 << rng.below(8);
            if let Ok(code) = decompress_group(group, &bytes, &mut scratch) {
                assert_eq!(code.len(), group.raw_len as usize);
            }
        }
    }
}
