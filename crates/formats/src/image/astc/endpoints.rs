//! Endpoints of a partition: two colours, in one of sixteen forms.

use super::hdr_endpoints as hdr;

/// Two colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Endpoints {
    pub(super) ends: [[i32; 4]; 2],
    /// True if red, green and blue are logarithms of 12 bits; else they are bytes.
    pub(super) is_hdr: bool,
    /// True if alpha is one.
    pub(super) has_hdr_alpha: bool,
}

/// Alpha of what is opaque.
const OPAQUE: i32 = 255;

impl Endpoints {
    /// Endpoints of a form, from its values: two for each four forms. Values that are missing are zero.
    pub(super) fn new(form: u32, values: &[u8]) -> Self {
        let v: [i32; 8] = std::array::from_fn(|at| values.get(at).copied().unwrap_or(0).into());
        let ends = match form {
            0 => gray(v[0], v[1], [OPAQUE; 2]),
            1 => {
                let low = v[0] >> 2 | v[1] & 0xC0;
                gray(low, (low + (v[1] & 0x3F)).min(255), [OPAQUE; 2])
            }
            4 => gray(v[0], v[1], [v[2], v[3]]),
            5 => {
                let ([low, offset], [alpha, alpha_offset]) = (signed(v[0], v[1]), signed(v[2], v[3]));
                gray(low, byte(low + offset), [alpha, byte(alpha + alpha_offset)])
            }
            6 => scaled(v, [OPAQUE; 2]),
            8 => direct(v, [OPAQUE; 2]),
            9 => offset(v, [OPAQUE, 0]),
            10 => scaled(v, [v[4], v[5]]),
            12 => direct(v, [v[6], v[7]]),
            13 => offset(v, signed(v[6], v[7])),
            2 => return Self::hdr(hdr::gray_wide(v[0], v[1]), None),
            3 => return Self::hdr(hdr::gray_narrow(v[0], v[1]), None),
            7 => return Self::hdr(hdr::scaled(v), None),
            11 => return Self::hdr(hdr::direct(v), None),
            14 => {
                let this = Self::hdr(hdr::direct(v), Some([v[6], v[7]]));
                return Self { has_hdr_alpha: false, ..this };
            }
            _ => return Self::hdr(hdr::direct(v), Some(hdr::alpha(v[6], v[7]))),
        };
        Self { ends, is_hdr: false, has_hdr_alpha: false }
    }

    fn hdr(colors: [[i32; 3]; 2], alpha: Option<[i32; 2]>) -> Self {
        let alpha = alpha.unwrap_or([hdr::OPAQUE; 2]);
        let [low, high] = colors;
        let ends = [with_alpha(low, alpha[0]), with_alpha(high, alpha[1])];
        Self { ends, is_hdr: true, has_hdr_alpha: true }
    }
}

fn with_alpha([red, green, blue]: [i32; 3], alpha: i32) -> [i32; 4] {
    [red, green, blue, alpha]
}

fn byte(value: i32) -> i32 {
    value.clamp(0, 255)
}

fn gray(low: i32, high: i32, alpha: [i32; 2]) -> [[i32; 4]; 2] {
    [[low, low, low, alpha[0]], [high, high, high, alpha[1]]]
}

/// A value of eight bits, and one of six with a sign, whose highest bit belongs to the other.
fn signed(base: i32, offset: i32) -> [i32; 2] {
    let six = offset >> 1 & 0x3F;
    [base >> 1 | offset & 0x80, if six & 0x20 == 0 { six } else { six - 0x40 }]
}

/// A colour, and what it is multiplied by for the other.
fn scaled(v: [i32; 8], alpha: [i32; 2]) -> [[i32; 4]; 2] {
    let [red, green, blue, scale, ..] = v;
    [
        with_alpha([red, green, blue].map(|part| (part * scale) >> 8), alpha[0]),
        with_alpha([red, green, blue], alpha[1]),
    ]
}

/// Two colours. The order of the brighter and the darker one tells whether they are contracted.
fn direct(v: [i32; 8], alpha: [i32; 2]) -> [[i32; 4]; 2] {
    let (low, high) = ([v[0], v[2], v[4]], [v[1], v[3], v[5]]);
    if high.iter().sum::<i32>() >= low.iter().sum() {
        [with_alpha(low, alpha[0]), with_alpha(high, alpha[1])]
    } else {
        [contracted(with_alpha(high, alpha[1])), contracted(with_alpha(low, alpha[0]))]
    }
}

/// A colour, and the way to the other. `alpha` is one, too.
fn offset(v: [i32; 8], alpha: [i32; 2]) -> [[i32; 4]; 2] {
    let parts = [signed(v[0], v[1]), signed(v[2], v[3]), signed(v[4], v[5]), alpha];
    let (base, other) = (parts.map(|[base, _]| base), parts.map(|[base, offset]| base + offset));
    let way: i32 = parts.iter().take(3).map(|[_, offset]| offset).sum();
    let ends = if way >= 0 { [base, other] } else { [contracted(other), contracted(base)] };
    ends.map(|end| end.map(byte))
}

/// Moves red and green towards blue.
fn contracted([red, green, blue, alpha]: [i32; 4]) -> [i32; 4] {
    [(red + blue) >> 1, (green + blue) >> 1, blue, alpha]
}
