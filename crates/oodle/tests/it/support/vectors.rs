//! Whole streams, each for one feature of the format.

/// A stream and the CRC-32 of what it decodes to.
pub(crate) struct Vector {
    pub(crate) what: &'static str,
    pub(crate) raw_len: usize,
    pub(crate) crc: u32,
    pub(crate) hex: &'static str,
}

pub(crate) const VECTORS: [Vector; 16] = [
    Vector { what: "memset quantum, 'A'", raw_len: 1000, crc: 0x51a0_2e01, hex: "8c0607ffff41" },
    Vector {
        what: "uncompressed block, bytes 00..27",
        raw_len: 40,
        crc: 0x0da6_2e3c,
        hex: "cc06000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627",
    },
    Vector {
        what: "quantum stored raw, same bytes",
        raw_len: 40,
        crc: 0x0da6_2e3c,
        hex: "8c06000027000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627",
    },
    Vector {
        what: "entropy-only chunk, RLE memset 'x'",
        raw_len: 1000,
        crc: 0x3b41_c9e6,
        hex: "8c06000005300f9c000178",
    },
    Vector {
        what: "single-symbol Huffman 'y'",
        raw_len: 1000,
        crc: 0x20aa_1e22,
        hex: "8c06000007200f9c0003005e40",
    },
    Vector {
        what: "multi-array, packed mode: B x16, 'wx', B x16, 'yz'",
        raw_len: 36,
        crc: 0xdf47_0f51,
        hex: "8c0600001a50008c00168280047778797ab07801420280800542114211000000",
    },
    Vector {
        what: "tANS dense (starts '29  ')",
        raw_len: 86,
        crc: 0xff5f_8153,
        hex: "8c0600001d1001540019100f60233e1b6ba1d430a83d9e458028709d01319a2624d97f",
    },
    Vector {
        what: "tANS sparse (05 ... one 04)",
        raw_len: 108,
        crc: 0xbeb8_c06e,
        hex: "8c0600000e1001ac000a0040982860a05b0d5b60",
    },
    Vector {
        what: "Huffman 3-stream, new table",
        raw_len: 63,
        crc: 0x271e_6408,
        hex: "8c060000172000f80013a04aabf77d80040039038018c1211e10084001",
    },
    Vector {
        what: "Huffman 3-stream, old sparse ('T\\0T\\0...')",
        raw_len: 47,
        crc: 0xcf5e_2e8f,
        hex: "8c060000102000b8000c008002a002003defb56ab6ca",
    },
    Vector {
        what: "RLE, raw command buffer",
        raw_len: 44,
        crc: 0x4bcc_3c85,
        hex: "8c0600000b3000ac000700010002efecdf",
    },
    Vector {
        what: "RLE, entropy-coded command buffer",
        raw_len: 85,
        crc: 0xa266_1a6a,
        hex: "8c0600002a3001500026a07c1c906602f977f98007006ddbc438c7dd1c54c356843e0163a95e731a9b231049ee014d40",
    },
    Vector {
        what: "concat (FF x21, 0F 04, ...)",
        raw_len: 103,
        crc: 0x7b54_7b14,
        hex: "8c06000057500198005302b0644c00ff0f04d019adc2015000be47ff26ffff26ffff04ff24fc08b7ff2ab900dcffff04c6ffff350ed6ff33ea6cff0e24ffff6d24ff38ff6ed696496dff00c05d09ffffff013810398d4dbfaf018001ff",
    },
    Vector {
        what: "Kraken LZ, text T below",
        raw_len: 170,
        crc: 0x77f9_77c1,
        hex: "8c0600007a880078746865207175696320011400428213c01c55736549d2ba4ce148e1666c2e860e000f0047afbc37ee099b50cc99a1dda4dd0fcb587182cacb20a15aa2b241d90001e367e37f1927ad2c72f8dc973c60000009cbffeff8d0cfcfe3ef0000090705020a0c0a0e01030000081407030400000109122000009291",
    },
    Vector {
        what: "Mermaid, T",
        raw_len: 170,
        crc: 0x77f9_77c1,
        hex: "8c0a00007b880079746865207175696320011400428213c01c55736549d2ba4ce148e1666c2e860e000f0047afbc37ee099b50cc99a1dda4dd0fcb587182cacb20a15aa2b241d90001e367e37f1927ad2c72f8dc973c6000001087878722877ba86f7888302b2b54876d09001f002d002a00420034003200160049000b00000000",
    },
    Vector {
        what: "Selkie, T",
        raw_len: 170,
        crc: 0x77f9_77c1,
        hex: "8c0a00007d88007b74686520717569630000466b2062726f776e20666f78206a756d7073206f766572206c617a7920646f673b20736c656570733b726564616e64736c6f773b2030313233343536373839313233343536372100001087878722877ba86f7888302b2b54876d09001f002d002a00420034003200160049000b00000000",
    },
];

/// Bytes from hex digits.
pub(crate) fn unhex(hex: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).expect("a hex digit");
    let byte = |pair: &[u8; 2]| u8::try_from(digit(pair[0]) << 4 | digit(pair[1])).expect("a byte");
    hex.as_bytes().as_chunks().0.iter().map(byte).collect()
}
