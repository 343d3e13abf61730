//! The header of an unversioned list: the members that follow, and those of them that are zero.
//!
//! ```text
//! fragments  u16 …  bits 0–6 members to skip │ 7 has zeros │ 8 last │ 9–15 members with a value
//! zero mask  if any fragment has zeros: one bit for each value of such fragments, the first one lowest;
//!            1 byte up to 8 bits, 2 up to 16, above that a multiple of 4
//! ```
//!
//! Nothing records the length of the list: without the exact schema no value can be skipped.

use crate::wire::{Fault, FaultKind, Reader, Writer};

/// `FUnversionedHeader`, exactly as in the file.
#[doc(alias = "FUnversionedHeader")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    bytes: Box<[u8]>,
    /// Length of the fragments in bytes.
    fragments: usize,
    /// Number of members with a nonzero value.
    values: usize,
}

/// A member mentioned in a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// Its index in the flattened schema.
    pub index: usize,
    /// True if the value is zero and has no bytes.
    pub is_zero: bool,
}

/// Upper bound on fragments, more than any schema needs. Without it, a damaged header could go on to the
/// end of the data.
const MAX_FRAGMENTS: usize = 2000;

// Bits of a fragment; the number of values is in bits 9–15.
const SKIP: u16 = 0x7F;
const HAS_ZEROS: u16 = 0x80;
const LAST: u16 = 0x100;

impl Header {
    /// Reads a header for a schema of `len` members.
    pub(super) fn read(r: &mut Reader<'_>, len: usize) -> Result<Self, Fault> {
        let start = r.clone();
        let (mut end, mut values, mut bits, mut count) = (0_usize, 0_usize, 0_usize, 0_usize);
        loop {
            let at = r.clone();
            let fragment = r.u16("unversioned header")?;
            count += 1;
            if count > MAX_FRAGMENTS {
                let kind = FaultKind::TooLarge { found: count as u64, limit: MAX_FRAGMENTS as u64 };
                return Err(at.fault("fragments of an unversioned header", kind));
            }
            let number = usize::from(fragment >> 9);
            end += usize::from(fragment & SKIP) + number;
            values += number;
            bits += if fragment & HAS_ZEROS == 0 { 0 } else { number };
            // A fragment without values mentions no member, so its skip may go past the schema.
            if number > 0 && end > len {
                let kind = FaultKind::OutOfRange { index: end as u64 - 1, count: len as u64 };
                return Err(at.fault("member of an unversioned list", kind));
            }
            if fragment & LAST != 0 {
                break;
            }
        }
        let fragments = r.position() - start.position();
        // One bit for each value of the fragments with zeros, not for every value.
        let mask = r.bytes("zero mask", mask_len(bits))?;
        let zeros = mask.iter().map(|byte| byte.count_ones() as usize).sum::<usize>();
        let values = values.checked_sub(zeros).ok_or_else(|| {
            start.fault("zero mask", FaultKind::TooLarge { found: zeros as u64, limit: values as u64 })
        })?;
        let bytes = start.rest().get(..r.position() - start.position()).unwrap_or_default().into();
        let this = Self { bytes, fragments, values };
        // A set bit after the last value is counted in `zeros` but belongs to no member.
        if this.members().filter(|member| !member.is_zero).count() == values {
            Ok(this)
        } else {
            Err(start.fault("zero mask", FaultKind::TooLarge { found: zeros as u64, limit: bits as u64 }))
        }
    }

    /// The header that a cooker writes for these members of a schema of `len` members. Members must be in
    /// ascending order.
    #[must_use]
    pub fn new(members: impl Iterator<Item = Member>, len: usize) -> Self {
        let mut build = Build::default();
        for member in members {
            build.add(member);
        }
        build.finish(len)
    }

    /// The bytes of the header, fragments and zero mask.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Number of nonzero values that follow.
    #[must_use]
    pub const fn values(&self) -> usize {
        self.values
    }

    /// The mentioned members, in order.
    pub fn members(&self) -> impl Iterator<Item = Member> {
        let (fragments, mask) = self.bytes.split_at_checked(self.fragments).unwrap_or_default();
        let (mut at, mut bit) = (0, 0);
        let fragments = fragments.as_chunks::<2>().0.iter().map(|bytes| u16::from_le_bytes(*bytes));
        fragments.flat_map(move |fragment| {
            let (first, first_bit) = (at + usize::from(fragment & SKIP), bit);
            let number = usize::from(fragment >> 9);
            let has_zeros = fragment & HAS_ZEROS != 0;
            at = first + number;
            bit += if has_zeros { number } else { 0 };
            (0..number).map(move |place| {
                let bit = first_bit + place;
                let is_zero = has_zeros && mask.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1);
                Member { index: first + place, is_zero }
            })
        })
    }
}

/// Length of a zero mask in bytes.
const fn mask_len(bits: usize) -> usize {
    match bits {
        0 => 0,
        1..=8 => 1,
        9..=16 => 2,
        _ => bits.div_ceil(32) * 4,
    }
}

/// A header under construction.
#[derive(Default)]
struct Build {
    /// Finished fragments: members to skip, and for each value true if it is zero.
    done: Vec<(u16, Vec<bool>)>,
    skip: u16,
    zeros: Vec<bool>,
    /// The index after the last member added.
    next: usize,
}

impl Build {
    fn add(&mut self, member: Member) {
        let mut gap = member.index.saturating_sub(self.next);
        // A skip always begins a new fragment, as it stands before the values.
        if gap > 0 && !self.zeros.is_empty() {
            self.close();
        }
        // A skip of more than 127 takes empty fragments.
        while gap > usize::from(SKIP) {
            self.done.push((SKIP, Vec::new()));
            gap -= usize::from(SKIP);
        }
        if gap > 0 {
            self.skip = u16::try_from(gap).unwrap_or(SKIP);
        }
        // 127 values fill a fragment; the next one continues without a skip.
        if self.zeros.len() == usize::from(SKIP) {
            self.close();
        }
        self.zeros.push(member.is_zero);
        self.next = member.index + 1;
    }

    fn close(&mut self) {
        self.done.push((std::mem::take(&mut self.skip), std::mem::take(&mut self.zeros)));
    }

    fn finish(mut self, len: usize) -> Header {
        // An empty list is one fragment that skips the whole schema, at most 127.
        if self.next == 0 {
            self.skip = u16::try_from(len).unwrap_or(SKIP).min(SKIP);
        }
        self.close();
        let (mut w, mut mask) = (Writer::new(), Vec::new());
        let mut values = 0;
        let last = self.done.len() - 1;
        for (place, (skip, zeros)) in self.done.iter().enumerate() {
            // Fragments without zeros have no bits in the mask.
            let has_zeros = zeros.contains(&true);
            let number = u16::try_from(zeros.len()).unwrap_or(SKIP) << 9;
            let flags = if has_zeros { HAS_ZEROS } else { 0 } | if place == last { LAST } else { 0 };
            w.u16(skip | flags | number);
            values += zeros.iter().filter(|zero| !**zero).count();
            mask.extend(zeros.iter().filter(|_| has_zeros));
        }
        let fragments = w.len();
        let mut bytes = vec![0_u8; mask_len(mask.len())];
        for (bit, _) in mask.iter().enumerate().filter(|(_, zero)| **zero) {
            if let Some(byte) = bytes.get_mut(bit / 8) {
                *byte |= 1 << (bit % 8);
            }
        }
        w.bytes(&bytes);
        Header { bytes: w.into_bytes().into(), fragments, values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], len: usize) -> Result<Header, Fault> {
        Header::read(&mut Reader::new(bytes), len)
    }

    #[test]
    fn the_header_of_a_real_list() {
        // 5.8 DA_AllProperties: (skip 0, 32 values) (1, 2) (1, 7) (1, 21, last) of 65 members.
        let bytes = [0x00, 0x40, 0x01, 0x04, 0x01, 0x0E, 0x01, 0x2B];
        let header = read(&bytes, 65).unwrap();
        assert_eq!(header.values(), 62);
        let left_out: Vec<usize> =
            (0..65).filter(|at| header.members().all(|member| member.index != *at)).collect();
        assert_eq!(left_out, [32, 35, 43]);
        assert_eq!(Header::new(header.members(), 65).bytes(), bytes);
    }

    #[test]
    fn lists_without_values_count_the_schema() {
        assert_eq!(Header::new(std::iter::empty(), 0).bytes(), [0x00, 0x01]);
        assert_eq!(Header::new(std::iter::empty(), 164).bytes(), [0x7F, 0x01]);
        assert_eq!(read(&[0x7F, 0x01], 164).unwrap().members().count(), 0);
    }

    #[test]
    fn zeros_and_long_gaps() {
        let members = [(3, false), (4, true), (200, false), (201, true)];
        let members = members.map(|(index, is_zero)| Member { index, is_zero });
        let header = Header::new(members.into_iter(), 300);
        // (3, zeros, 2) (127, 0) (68, zeros, 2, last), mask 0b1010.
        assert_eq!(header.bytes(), [0x83, 0x04, 0x7F, 0x00, 0xC4, 0x05, 0x0A]);
        let again = read(header.bytes(), 300).unwrap();
        assert_eq!(again.members().collect::<Vec<_>>(), members);
        assert_eq!(again.values(), 2);
    }

    #[test]
    fn members_and_bits_that_are_not_there_are_refused() {
        assert!(read(&[0x00, 0x07], 2).is_err(), "three values of two members");
        assert!(read(&[0x80, 0x03, 0x02], 4).is_err(), "a bit after the last one");
        assert!(read(&[0x00, 0x00].repeat(3000), 4).is_err(), "no end");
    }
}
