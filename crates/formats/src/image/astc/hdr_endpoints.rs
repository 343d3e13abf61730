//! Endpoints with a high dynamic range: logarithms of 12 bits, five of them the exponent.
//!
//! Forms for colours store one channel in full, the major one, and differences to it. Their bits are spread over values by
//! mode: the more bits the differences get, the fewer the major channel has.

/// Alpha of what is opaque: the logarithm of one.
pub(super) const OPAQUE: i32 = 0x780;

/// The largest logarithm.
const MOST: i32 = 0xFFF;

/// Form 2: two values of eight bits.
pub(super) fn gray_wide(v0: i32, v1: i32) -> [[i32; 3]; 2] {
    // The order tells whether they are moved by half a step.
    let (low, high) = if v1 >= v0 { (v0 << 4, v1 << 4) } else { ((v1 << 4) + 8, (v0 << 4) - 8) };
    [[low; 3], [high; 3]]
}

/// Form 3: a value, and a small difference.
pub(super) fn gray_narrow(v0: i32, v1: i32) -> [[i32; 3]; 2] {
    let (low, difference) = if v0 & 0x80 == 0 {
        ((v1 & 0xF0) << 4 | (v0 & 0x7F) << 1, (v1 & 0x0F) << 1)
    } else {
        ((v1 & 0xE0) << 4 | (v0 & 0x7F) << 2, (v1 & 0x1F) << 2)
    };
    [[low; 3], [(low + difference).min(MOST); 3]]
}

/// Bits that several modes put in different places: those of `modes` put `bit` at `at`.
fn put(value: &mut i32, mode: i32, modes: i32, bit: i32, at: i32) {
    if modes >> mode & 1 == 1 {
        *value |= bit << at;
    }
}

/// Swaps the major channel to the front.
fn with_major([red, green, blue]: [i32; 3], major: i32) -> [i32; 3] {
    match major {
        1 => [green, red, blue],
        2 => [blue, green, red],
        _ => [red, green, blue],
    }
}

/// Form 7: a colour, and what is subtracted from it for the other.
pub(super) fn scaled(v: [i32; 8]) -> [[i32; 3]; 2] {
    let [v0, v1, v2, v3, ..] = v;
    let packed = (v0 & 0xC0) >> 6 | (v1 & 0x80) >> 5 | (v2 & 0x80) >> 4;
    let (major, mode) = match packed {
        0xF => (0, 5),
        0xC.. => (packed & 3, 4),
        _ => (packed >> 2, packed & 3),
    };
    let (mut red, mut green, mut blue, mut scale) = (v0 & 0x3F, v1 & 0x1F, v2 & 0x1F, v3 & 0x1F);
    let bit = |value: i32, at: i32| value >> at & 1;
    let [x0, x1, x2, x3] = [bit(v1, 6), bit(v1, 5), bit(v2, 6), bit(v2, 5)];
    let [x4, x5, x6] = [bit(v3, 7), bit(v3, 6), bit(v3, 5)];
    put(&mut green, mode, 0x30, x0, 6);
    put(&mut green, mode, 0x3A, x1, 5);
    put(&mut blue, mode, 0x30, x2, 6);
    put(&mut blue, mode, 0x3A, x3, 5);
    put(&mut scale, mode, 0x3D, x6, 5);
    put(&mut scale, mode, 0x2D, x5, 6);
    put(&mut scale, mode, 0x04, x4, 7);
    put(&mut red, mode, 0x3B, x4, 6);
    put(&mut red, mode, 0x04, x3, 6);
    put(&mut red, mode, 0x10, x5, 7);
    put(&mut red, mode, 0x0F, x2, 7);
    put(&mut red, mode, 0x05, x1, 8);
    put(&mut red, mode, 0x0A, x0, 8);
    put(&mut red, mode, 0x05, x0, 9);
    put(&mut red, mode, 0x02, x6, 9);
    put(&mut red, mode, 0x01, x3, 10);
    put(&mut red, mode, 0x02, x5, 10);
    // The fewer bits a number has, the higher these are.
    let shift = [1, 1, 2, 3, 4, 5].into_iter().nth(usize::try_from(mode).unwrap_or(0)).unwrap_or(1);
    let [red, mut green, mut blue, scale] = [red, green, blue, scale].map(|part| part << shift);
    if mode != 5 {
        (green, blue) = (red - green, red - blue);
    }
    let high = with_major([red, green, blue], major);
    [high.map(|part| logarithm(part - scale)), high.map(logarithm)]
}

/// Forms 11, 14 and 15: two colours.
pub(super) fn direct(v: [i32; 8]) -> [[i32; 3]; 2] {
    let [v0, v1, v2, v3, v4, v5, ..] = v;
    let major = (v4 & 0x80) >> 7 | (v5 & 0x80) >> 6;
    if major == 3 {
        return [[v0 << 4, v2 << 4, (v4 & 0x7F) << 5], [v1 << 4, v3 << 4, (v5 & 0x7F) << 5]];
    }
    let mode = (v1 & 0x80) >> 7 | (v2 & 0x80) >> 6 | (v3 & 0x80) >> 5;
    let (mut a, mut b0, mut b1, mut c) = (v0 | (v1 & 0x40) << 2, v2 & 0x3F, v3 & 0x3F, v1 & 0x3F);
    // Two of the modes give each bit of the differences another meaning.
    let width = [7, 6, 7, 6, 5, 6, 5, 6].into_iter().nth(usize::try_from(mode).unwrap_or(0)).unwrap_or(5);
    let [d0, d1] = [v4, v5].map(|value| {
        let low = value & ((1 << width) - 1);
        if low >> (width - 1) == 0 { low } else { low - (1 << width) }
    });
    let bit = |value: i32, at: i32| value >> at & 1;
    let [x0, x1, x2, x3, x4, x5] = [bit(v2, 6), bit(v3, 6), bit(v4, 6), bit(v5, 6), bit(v4, 5), bit(v5, 5)];
    put(&mut a, mode, 0xA4, x0, 9);
    put(&mut a, mode, 0x08, x2, 9);
    put(&mut a, mode, 0x50, x4, 9);
    put(&mut a, mode, 0x50, x5, 10);
    put(&mut a, mode, 0xA0, x1, 10);
    put(&mut a, mode, 0xC0, x2, 11);
    put(&mut c, mode, 0x04, x1, 6);
    put(&mut c, mode, 0xE8, x3, 6);
    put(&mut c, mode, 0x20, x2, 7);
    put(&mut b0, mode, 0x5B, x0, 6);
    put(&mut b1, mode, 0x5B, x1, 6);
    put(&mut b0, mode, 0x12, x2, 7);
    put(&mut b1, mode, 0x12, x3, 7);
    let shift = mode >> 1 ^ 3;
    let [a, b0, b1, c, d0, d1] = [a, b0, b1, c, d0, d1].map(|part| part * (1 << shift));
    let (high, low) = ([a, a - b0, a - b1], [a - c, a - b0 - c - d0, a - b1 - c - d1]);
    [low, high].map(|end| with_major(end.map(logarithm), major))
}

/// Form 15: two values of alpha.
pub(super) fn alpha(v6: i32, v7: i32) -> [i32; 2] {
    let mode = v6 >> 7 & 1 | v7 >> 6 & 2;
    let (low, other) = (v6 & 0x7F, v7 & 0x7F);
    if mode == 3 {
        return [low << 5, other << 5];
    }
    // The upper bits of the other belong to this one; what is left has a sign.
    let low = low | other << (mode + 1) & 0x780;
    let sign = 0x20 >> mode;
    let difference = (other & 0x3F >> mode ^ sign) - sign;
    let low = low << (4 - mode);
    [low, logarithm(low + difference * (1 << (4 - mode)))]
}

fn logarithm(value: i32) -> i32 {
    value.clamp(0, MOST)
}
