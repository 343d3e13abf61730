//! Samples that the library made, and how it finds values between keys.

use std::path::Path;

/// Differences that the sheet allows: constant rotations, which some versions of the library normalise.
pub(super) const NEAR: f32 = 1.2e-7;
/// Version 1 normalises in another way.
pub(super) const OLD_NEAR: f32 = 9.6e-7;

/// What the library says a clip is at some times.
pub(super) struct Samples {
    pub(super) tracks: usize,
    pub(super) floats: usize,
    pub(super) keys: u32,
    pub(super) rows: Vec<Sample>,
}

pub(super) struct Sample {
    pub(super) time: f32,
    pub(super) rounding: u32,
    pub(super) values: Vec<f32>,
}

impl Samples {
    pub(super) fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap();
        let words = bytes.as_chunks().0;
        let number = |at: usize| u32::from_le_bytes(words[at]);
        let [rows, tracks, floats] = [0, 1, 2].map(|at| number(at) as usize);
        let len = 2 + tracks * floats;
        assert_eq!(words.len(), 4 + rows * len, "{}", path.display());
        let row = |words: &[[u8; 4]]| Sample {
            time: f32::from_le_bytes(words[0]),
            rounding: u32::from_le_bytes(words[1]),
            values: words[2..].iter().map(|word| f32::from_le_bytes(*word)).collect(),
        };
        Self { tracks, floats, keys: number(3), rows: words[4..].chunks(len).map(row).collect() }
    }
}

/// The keys at a time, and how far it is between them: as the library does it.
pub(super) struct Moment {
    pub(super) keys: [u32; 2],
    pub(super) share: f32,
}

impl Moment {
    /// `stored` keys, of which the last one of a loop is none.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "few keys"
    )]
    pub(super) fn new(sample: &Sample, stored: u32, keys: u64, rate: f32) -> Self {
        let is_loop = keys > u64::from(stored);
        let duration = if keys > 1 { (keys - 1) as f32 / rate } else { 0.0 };
        let at = sample.time.clamp(0.0, duration) * rate;
        let (mut first, mut share) = (at.floor() as u32, at - at.floor());
        let mut second = (first + 1).min(stored - 1);
        if is_loop && first >= stored {
            (first, second, share) = (0, 0, 0.0);
        } else if is_loop {
            second = (first + 1) % stored;
        }
        let share = match sample.rounding {
            0 => share,
            1 => 0.0,
            2 => 1.0,
            _ => (share + 0.5).floor(),
        };
        Self { keys: [first, second], share }
    }

    /// The stored keys around it.
    #[expect(clippy::cast_precision_loss, reason = "few keys")]
    pub(super) fn stored(&self, is_stored: impl Fn(u32) -> bool) -> Self {
        let [first, second] = self.keys;
        let start = (0..=first).rev().find(|key| is_stored(*key)).unwrap();
        let end = (second..=u32::MAX).find(|key| is_stored(*key)).unwrap();
        if (start, end) == (first, second) {
            return Self { ..*self };
        }
        let share = if start == end {
            0.0
        } else {
            (first as f32 + self.share - start as f32) / (end - start) as f32
        };
        Self { keys: [start, end], share }
    }
}

pub(super) fn between<const N: usize>(keys: &[[f32; N]], moment: &Moment) -> [f32; N] {
    let value = |key: u32| *keys.get(key as usize).unwrap_or(&keys[0]);
    let [a, b] = moment.keys.map(value);
    if keys.len() == 1 {
        return a;
    }
    std::array::from_fn(|part| b[part] * moment.share + (a[part] - a[part] * moment.share))
}

pub(super) fn turned(keys: &[[f32; 4]], moment: &Moment) -> [f32; 4] {
    let dot = |a: [f32; 4], b: [f32; 4]| ((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]) + a[3] * b[3];
    let value = |key: u32| *keys.get(key as usize).unwrap_or(&keys[0]);
    let [a, b] = moment.keys.map(value);
    if keys.len() == 1 {
        return a;
    }
    let b = if dot(a, b).is_sign_negative() { b.map(|part| -part) } else { b };
    let sum = between(&[a, b], &Moment { keys: [0, 1], share: moment.share });
    let factor = 1.0 / dot(sum, sum).sqrt();
    sum.map(|part| part * factor)
}

/// Values that were compared, and those of them that were not the same.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Tally {
    pub(super) values: u64,
    pub(super) unlike: u64,
    pub(super) worst: f32,
}

impl Tally {
    pub(super) fn add(&mut self, found: &[f32], expected: &[f32], near: f32, name: &dyn Fn() -> String) {
        assert_eq!(found.len(), expected.len(), "{}", name());
        let dot: f32 = found.iter().zip(expected).map(|(a, b)| a * b).sum();
        // A rotation with all signs changed is the same one.
        let sign = if found.len() == 4 && dot < 0.0 { -1.0 } else { 1.0 };
        for (a, b) in found.iter().zip(expected) {
            let difference = (a - sign * b).abs() / b.abs().max(1.0);
            assert!(difference <= near, "{}: {found:?}, expected {expected:?}", name());
            self.values += 1;
            self.unlike += u64::from(a.to_bits() != b.to_bits());
            self.worst = self.worst.max(difference);
        }
    }
}
