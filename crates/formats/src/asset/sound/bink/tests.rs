use super::*;

/// A sound of 48 kHz with one channel, whose blocks follow.
fn header(samples: u32) -> Vec<u8> {
    let mut bytes = b"ABEU\x01\x01\0\0\x80\xBB\0\0".to_vec();
    bytes.extend(samples.to_le_bytes());
    bytes.extend(b"\0\x04\x01\0\0\0\0\0\0\0\x01\0");
    bytes
}

/// A block that is a constant: only coefficient 0 is not zero, mantissa 2^22 and the given exponent.
fn constant(exponent: u64) -> Vec<u8> {
    // 2 bits, then two floats of 29 bits: the second is 0, and so are the 25 scales of 7 bits.
    let mut words = [0_u64; 5];
    words[0] = exponent << 2 | 1 << (2 + 5 + 22);
    // Four long runs of 512 coefficients and width 0: 1 bit, 15, 0.
    for run in 0..4 {
        let at = 2 + 58 + 175 + 9 * run;
        words[at / 64] |= 0x1F << (at % 64);
        if at % 64 > 59 {
            words[at / 64 + 1] |= 0x1F >> (64 - at % 64);
        }
    }
    let mut block = b"\x99\x99\x28\0".to_vec();
    block.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    block
}

#[test]
fn a_constant_fades_over_into_the_next() {
    // Coefficient 0 of 2^22 · 2^(e − 23), times 2/√2048.
    let level = |e: i32| (f64::powi(2.0, e - 1) * 2.0 / 2048_f64.sqrt()).round();
    let bytes = [header(3000), constant(17), constant(18)].concat();
    let samples = Bink::decode(&bytes).unwrap();
    assert_eq!((samples.channels, samples.rate, samples.samples.len()), (1, 48_000, 3000));
    let at = |index: usize| f64::from(samples.samples[index]);
    assert!(at(0).total_cmp(&level(17)).is_eq() && at(1919).total_cmp(&level(17)).is_eq());
    assert!(at(1920).total_cmp(&level(17)).is_eq(), "the fade begins at the old level");
    assert!((at(1984) - f64::midpoint(level(17), level(18))).abs() <= 1.0, "half of each in the middle");
    assert!(at(2048).total_cmp(&level(18)).is_eq());
}

#[test]
fn a_block_may_say_how_much_of_it_counts() {
    let mut short = constant(17);
    short.splice(2..4, *b"\xFF\xFF\x28\0\x0A\0");
    let samples = Bink::decode(&[header(5000), short, constant(17)].concat()).unwrap();
    assert_eq!(samples.samples.len(), 10 + 1920, "what the blocks have, if the header promises more");
}

#[test]
fn seek_tables_lie_between_blocks() {
    let table = b"SEEK\0\x80\x07\0\0\0\0\x02\0\0\0\0\0\x2C\0".to_vec();
    let bytes = [header(3840), table.clone(), constant(3), table, constant(3)].concat();
    assert_eq!(Bink::decode(&bytes).unwrap().samples.len(), 3840);
}

#[test]
fn damage_is_a_fault() {
    let whole = [header(3840), constant(3), constant(3)].concat();
    // Every end but those of the header and of the first block.
    for end in (0..whole.len()).filter(|end| ![28, 28 + 44].contains(end)) {
        assert!(Bink::decode(&whole[..end]).is_err(), "{end}");
    }
    let fault = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        Bink::decode(&bytes).unwrap_err().to_string()
    };
    assert_eq!(fault(0, b'X'), "magic: wrong magic, offset 0x0");
    assert_eq!(fault(5, 0), "channels: found 0, which is not supported, offset 0x5");
    assert_eq!(fault(28, 0x98), "start of a block: found 39320, expected 39321, offset 0x1c");
    assert!(fault(30, 4).starts_with("scale of a band: cut off") || fault(30, 4).starts_with("exponent"));
}
