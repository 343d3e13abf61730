//! Curves of the codec `CompressedRichCurve`.
//!
//! ```text
//! of each curve  u8 form │ u8 form of times │ u8 before │ u8 after │ i32 keys, or the value of a constant
//!                │ i32 place of its keys
//! keys           mixed: keys × u8 mode (1 constant, 2 linear, 3 cubic); weighted: 2 × keys × u8
//!                │ aligned: times │ values
//! times          keys × f32; or keys × u16 │ aligned: f32 lowest │ f32 range
//! values         per key 1 f32; cubic and mixed: value, arrive, leave; weighted: two weights more
//! ```

use crate::wire::{Fault, FaultKind, Reader};
use std::sync::Arc;

/// `FRichCurve`: a value that changes over time.
#[doc(alias = "FRichCurve")]
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Its name; it drives the morph target of the same name.
    pub name: Arc<str>,
    /// Its keys; a constant has one, at 0.
    pub keys: Vec<CurveKey>,
}

/// `FRichCurveKey`: a value at a time.
#[doc(alias = "FRichCurveKey")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurveKey {
    /// Seconds from the start.
    pub time: f32,
    /// The value.
    pub value: f32,
    /// Slope at which the curve reaches the key, if it is cubic there.
    pub arrive: f32,
    /// Slope at which the curve leaves the key, if it is cubic there.
    pub leave: f32,
    /// Interpolation up to the next key.
    pub mode: CurveMode,
}

/// `ERichCurveInterpMode`: interpolation from one key to the next.
#[doc(alias = "ERichCurveInterpMode")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum CurveMode {
    /// A straight line.
    Linear,
    /// The value of the key, until it jumps.
    Constant,
    /// A cubic polynomial with the slopes of both keys.
    Cubic,
}

const EMPTY: u8 = 0;
const CONSTANT: u8 = 1;
const LINEAR: u8 = 2;
const CUBIC: u8 = 3;
const MIXED: u8 = 4;
const WEIGHTED: u8 = 5;
/// Bytes of the description of a curve.
const HEAD: usize = 12;

/// Reads curves and gives them their names.
pub(super) fn read(names: &[Arc<str>], bytes: &[u8]) -> Result<Vec<Curve>, Fault> {
    let mut r = Reader::new(bytes);
    let count = names.len();
    if count.saturating_mul(HEAD) > bytes.len() {
        let kind = FaultKind::TooLarge { found: count as u64, limit: (bytes.len() / HEAD) as u64 };
        return Err(r.fault("curves", kind));
    }
    // Curves may share bytes, but only as far as reading them stays linear in the bytes.
    let mut left = 4 * bytes.len();
    names.iter().map(|name| curve(&mut r, bytes, &mut left, name)).collect()
}

fn curve(r: &mut Reader<'_>, bytes: &[u8], left: &mut usize, name: &Arc<str>) -> Result<Curve, Fault> {
    let at = r.clone();
    // Extrapolation before the first and after the last key is not kept.
    let [form, time_form, _, _] = r.array("form of a curve")?;
    let number = r.array::<4>("keys of a curve")?;
    // The same four bytes are the number of keys, or the value of a constant.
    let place = r.size("place of a curve")?;
    let name = Arc::clone(name);
    let keys = match form {
        EMPTY => Vec::new(),
        CONSTANT => vec![CurveKey::plain(0.0, f32::from_le_bytes(number), CurveMode::Constant)],
        LINEAR..=WEIGHTED => {
            let count = usize::try_from(i32::from_le_bytes(number)).unwrap_or(usize::MAX);
            let kind = FaultKind::TooLarge { found: count as u64, limit: *left as u64 };
            *left = left.checked_sub(count).ok_or_else(|| at.fault("keys of a curve", kind))?;
            keys(&mut Reader::at(bytes, place.into(), "keys of a curve")?, form, time_form, count)?
        }
        form => return Err(at.fault("form of a curve", FaultKind::Unsupported { found: form.into() })),
    };
    Ok(Curve { name, keys })
}

fn keys(r: &mut Reader<'_>, form: u8, time_form: u8, count: usize) -> Result<Vec<CurveKey>, Fault> {
    // The modes of all keys come before the first time. Weighted curves have the modes of weights after them.
    let modes = match form {
        MIXED => r.bytes("modes of keys", count)?,
        WEIGHTED => {
            let modes = r.bytes("modes of keys", count)?;
            r.bytes("modes of weights", count)?;
            modes
        }
        _ => &[],
    };
    let times = times(r, time_form, count)?;
    let key = |(index, time): (usize, f32)| {
        let mode = match (form, modes.get(index)) {
            // Curves of one mode name it in their form; mixed and weighted ones in the mode of each key.
            (LINEAR, _) | (_, Some(&LINEAR)) => CurveMode::Linear,
            (CUBIC, _) | (_, Some(&CUBIC)) => CurveMode::Cubic,
            _ => CurveMode::Constant,
        };
        let mut key = CurveKey::plain(time, r.f32("value of a key")?, mode);
        // All forms but the linear one store slopes with each key, even for keys that do not use them.
        if form != LINEAR {
            (key.arrive, key.leave) = (r.f32("arriving slope")?, r.f32("leaving slope")?);
        }
        r.when(form == WEIGHTED, |r| r.array::<8>("weights of slopes"))?;
        Ok(key)
    };
    times.into_iter().enumerate().map(key).collect()
}

fn times(r: &mut Reader<'_>, form: u8, count: usize) -> Result<Vec<f32>, Fault> {
    if form != 0 {
        // Form 1 has plain floats; form 0 has 16-bit shares of a range that follows them.
        align(r, 4)?;
        let bytes = r.bytes("times of keys", count.saturating_mul(4))?;
        return Ok(bytes.as_chunks().0.iter().map(|time| f32::from_le_bytes(*time)).collect());
    }
    align(r, 2)?;
    let bytes = r.bytes("times of keys", count.saturating_mul(2))?;
    align(r, 4)?;
    let (lowest, range) = (r.f32("lowest time")?, r.f32("range of times")?);
    let time = |time: &[u8; 2]| f32::from(u16::from_le_bytes(*time)) / f32::from(u16::MAX) * range + lowest;
    Ok(bytes.as_chunks().0.iter().map(time).collect())
}

/// Skips to a multiple of `unit` bytes, counted from the start of all curves.
fn align(r: &mut Reader<'_>, unit: u64) -> Result<(), Fault> {
    let gap = r.offset().next_multiple_of(unit) - r.offset();
    r.bytes("padding", usize::try_from(gap).unwrap_or_default()).map(drop)
}

impl CurveKey {
    const fn plain(time: f32, value: f32, mode: CurveMode) -> Self {
        Self { time, value, arrive: 0.0, leave: 0.0, mode }
    }
}
