use super::*;
use crate::codec::{Method, Scratch, compress};
use crate::wire::{Fault, FaultKind, Writer};

/// Builds a library of three maps, five shaders and two groups. Shaders 1 and 4 are shared; shader 3 is
/// unused.
///
/// ```text
/// group 0   shader 1: 0..10 │ shader 0: 10..30 │ shader 3: 30..35
/// group 1   shader 4: 0..8 │ shader 2: 8..20
/// ```
fn library(hash_len: usize) -> Vec<u8> {
    let mut w = Writer::new();
    w.u32(1);
    for count in [3u8, 5] {
        w.u32(count.into());
        for hash in 0..count {
            w.bytes(&vec![hash; hash_len]);
        }
    }
    w.u32(2).bytes(&[b'a'; 12]).bytes(&[b'b'; 12]);
    w.u32(3).u32(0).u32(3).u32(3).u32(2).u32(5).u32(2);
    w.u32(5);
    for (frequency, group, start) in [(3u64, 0u64, 10u64), (0, 0, 0), (5, 1, 8), (3, 0, 30), (8, 1, 0)] {
        w.u64(frequency | group << 4 | start << 34);
    }
    w.u32(2).u32(7).u32(3).u32(35).u32(35).u32(10).u32(2).u32(20).u32(9);
    w.u32(12);
    for index in [0, 1, 4, 4, 1, 2, 4, 1, 0, 3, 4, 2] {
        w.u32(index);
    }
    w.into_bytes()
}

#[test]
fn both_widths_of_hashes_are_told_apart() {
    for hash_len in [20, 8] {
        let library = ShaderLibrary::parse(&library(hash_len)).unwrap();
        assert_eq!((library.shader_hashes.width(), library.shader_map_hashes.width()), (hash_len, hash_len));
        assert_eq!(library.shader_hashes.get(4), Some(&vec![4; hash_len][..]));
        assert_eq!(library.shader_hashes.get(5), None);
        let lens: Vec<u32> = library.shaders.iter().map(|shader| shader.len).collect();
        assert_eq!(lens, [20, 10, 12, 5, 8]);
        assert_eq!(library.shaders_of_group(0), [1, 0, 3]);
        assert_eq!(library.shaders_of_group(1), [4, 2]);
        assert!(library.shaders_of_group(2).is_empty());
        assert_eq!((library.raw_len(), library.stored_len()), (55, 44));
    }
}

#[test]
fn shared_code_comes_first_and_the_code_of_one_map_is_one_stretch() {
    let library = ShaderLibrary::parse(&library(20)).unwrap();
    let loose = LooseShaderLibrary::lay_out(&library, |shader| library.shaders[shader].len);
    let offsets: Vec<u64> = loose.shaders.iter().map(|shader| shader.offset).collect();
    assert_eq!(offsets, [18, 0, 38, 50, 10], "1 and 4, then 0 for the first map, 2 for the last, then 3");
    let preload: Vec<(u64, u64)> = loose.preload.iter().map(|entry| (entry.offset, entry.len)).collect();
    assert_eq!(preload, [(18, 20), (0, 10), (10, 8), (10, 8), (0, 10), (38, 12), (10, 8)]);
    let ranges: Vec<(u32, u32)> =
        loose.shader_maps.iter().map(|map| (map.preload.first, map.preload.count)).collect();
    assert_eq!(ranges, [(0, 3), (3, 2), (5, 2)]);
    assert_eq!(loose.code_len(), library.raw_len());
}

#[test]
fn headers_of_files_are_written_as_they_were_read() {
    for hash_len in [20, 8] {
        let library = ShaderLibrary::parse(&library(hash_len)).unwrap();
        let loose = LooseShaderLibrary::lay_out(&library, |_| 7);
        let header = loose.header().unwrap();
        assert_eq!(header.len() as u64, loose.header_len());
        assert_eq!(LooseShaderLibrary::parse(&header).unwrap(), loose);
        assert_eq!(LooseShaderLibrary::parse(&[header, vec![1; 35]].concat()).unwrap(), loose);
    }
}

/// Changes numbers of the library with long hashes and returns the resulting fault.
fn damaged(changes: &[(usize, u32)]) -> Fault {
    let mut bytes = library(20);
    for (at, value) in changes {
        bytes[*at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    ShaderLibrary::parse(&bytes).unwrap_err()
}

#[test]
fn every_reference_is_checked() {
    let longer = [library(20), vec![0]].concat();
    assert_eq!(ShaderLibrary::parse(&longer).unwrap_err().kind, FaultKind::Trailing { left: 1 });
    let [maps, shaders, groups, indices] = [204, 232, 276, 312];
    for (changes, text) in [
        (&[(0, 2)][..], "shader library version: found 2, expected 1, offset 0x0"),
        (&[(4, 2)], "shader hashes: found 33686018, expected at most 15, offset 0x30"),
        (&[(4, u32::MAX)], "shader map hashes: found -1, expected a number that is not negative, offset 0x4"),
        (&[(200, 2)], "shader maps: found 2, expected 3, offset 0xc8"),
        (&[(maps, 10)], "shader map: found 13, expected at most 12, offset 0xcc"),
        (&[(maps + 4, u32::MAX)], "shader map: found 4294967295, expected at most 12, offset 0xcc"),
        (&[(shaders, 0x13)], "group of a shader in a shader group: found 1, expected 0, offset 0x114"),
        (
            &[(shaders, 0x23), (groups + 4, 0)],
            "shader: index 2 is out of range, the table has 2 entries, offset 0xe8",
        ),
        (&[(shaders + 4, 36 << 2)], "shader: found 36, expected at most 35, offset 0xe8"),
        (&[(groups, 11)], "shader group: found 14, expected at most 12, offset 0x114"),
        (&[(indices, 5)], "shader index: index 5 is out of range, the table has 5 entries, offset 0x138"),
    ] {
        assert_eq!(damaged(changes).to_string(), text);
    }
}

#[test]
fn stretches_must_not_multiply_the_work() {
    let table = check::Table { at: 0, entry_len: 8 };
    let all = IndexRange { first: 0, count: 12 };
    let check = |times| table.check_ranges("shader map", std::iter::repeat_n(all, times), 12);
    check(4).unwrap();
    assert_eq!(check(5).unwrap_err().to_string(), "shader map: found 12, expected at most 0, offset 0x20");
}

#[test]
fn headers_of_files_are_checked_too() {
    let library = ShaderLibrary::parse(&library(20)).unwrap();
    let header = LooseShaderLibrary::lay_out(&library, |_| 7).header().unwrap();
    let [maps, shaders, preload, indices] = [176, 228, 317, 433];
    for (at, value, text) in [
        (0, 1, "shader library version: found 1, expected 2, offset 0x0"),
        (maps + 4, 13, "shader map: found 13, expected at most 12, offset 0xb0"),
        (maps + 12, 9, "preload of a shader map: found 9, expected at most 7, offset 0xb0"),
        (
            shaders + 4,
            1 << 31,
            "shader offset: found 9223372036854775829, expected at most 9223372036854775807, offset 0xe4",
        ),
        (
            preload + 20,
            u32::MAX,
            "preload offset: found 18446744069414584327, expected at most 9223372036854775807, offset 0x14d",
        ),
        (indices, 5, "shader index: index 5 is out of range, the table has 5 entries, offset 0x1b1"),
    ] {
        let mut bytes = header.clone();
        bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
        assert_eq!(LooseShaderLibrary::parse(&bytes).unwrap_err().to_string(), text);
    }
    for len in 0..header.len() {
        assert!(LooseShaderLibrary::parse(&header[..len]).is_err(), "{len}");
    }
}

#[test]
fn what_was_read_before_a_fault_is_kept() {
    let bytes = library(8);
    for (len, tables) in [(0, [0; 4]), (36, [3, 0, 0, 0]), (80, [3, 5, 0, 0]), (180, [3, 5, 3, 5])] {
        let partial = ShaderLibrary::parse_partial(&bytes[..len]);
        assert!(partial.fault.is_some(), "{len}");
        let library = partial.value;
        let found = [
            library.shader_map_hashes.len(),
            library.shader_hashes.len(),
            library.shader_maps.len(),
            library.shaders.len(),
        ];
        assert_eq!(found, tables, "{len}");
    }
}

#[test]
fn groups_decompress_by_any_method() {
    let code = b"shader code, shader code, shader code, shader code, shader code".to_vec();
    let group = |stored: usize| ShaderGroup {
        shaders: IndexRange::default(),
        raw_len: u32::try_from(code.len()).unwrap(),
        stored_len: u32::try_from(stored).unwrap(),
    };
    let mut scratch = Scratch::default();
    for method in Method::ALL {
        let mut content = Vec::new();
        if compress(method, &code, None, &mut content, &mut scratch).is_err() {
            continue;
        }
        let found = decompress_group(&group(content.len()), &content, &mut scratch).unwrap();
        assert_eq!(*found, code, "{method}");
        let short = &content[..content.len() - 1];
        decompress_group(&group(content.len()), short, &mut scratch).unwrap_err();
    }
    // An LZ4 block that starts like a zlib stream: 7 literals and a match, then the rest as literals.
    let lz4 = [&[0x78, 0x9C][..], b"abcdef", &[7, 0, 0x50], b"ghijk"].concat();
    let group = ShaderGroup { shaders: IndexRange::default(), raw_len: 24, stored_len: 16 };
    assert_eq!(Method::sniff(&lz4), Some(Method::Zlib));
    assert_eq!(&*decompress_group(&group, &lz4, &mut scratch).unwrap(), b"\x9Cabcdef\x9Cabcdef\x9Cabcdghijk");
}
