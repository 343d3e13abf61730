//! The last three distances of Kraken, most recent first.
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]

/// A cache that names entries by their age: 0, 1, 2, or 3 for a new one.
pub(super) trait Recent: Copy {
    /// A cache of the three entries.
    fn new(entries: [u32; 3]) -> Self;

    /// The entries, most recent first.
    fn entries(self) -> [u32; 3];

    /// Moves entry `index` (or `new`, for 3) to the front; what falls off the end is lost.
    #[must_use]
    fn moved(self, index: usize, new: u32) -> Self;

    /// The entry at the front.
    fn front(self) -> u32;
}

/// Three registers and conditional moves.
#[derive(Clone, Copy)]
pub(super) struct Scalar([u32; 3]);

impl Recent for Scalar {
    #[inline(always)]
    fn new(entries: [u32; 3]) -> Self {
        Self(entries)
    }

    #[inline(always)]
    fn entries(self) -> [u32; 3] {
        self.0
    }

    #[inline(always)]
    fn moved(self, index: usize, new: u32) -> Self {
        let [a, b, c] = self.0;
        let by_index = [a, b, c, new];
        #[expect(clippy::indexing_slicing, reason = "masked")]
        let front = by_index[index & 3];
        Self([front, if index == 0 { b } else { a }, if index < 2 { c } else { b }])
    }

    #[inline(always)]
    fn front(self) -> u32 {
        self.0[0]
    }
}

#[cfg(all(target_arch = "x86_64", not(feature = "oodle-safe-only")))]
pub(super) mod x86 {
    //! One vector register and a byte shuffle.
    #![expect(unsafe_code, reason = "intrinsics of SSE4.1")]

    use super::Recent;
    use std::arch::x86_64::{
        __m128i, _mm_cvtsi128_si32, _mm_extract_epi32, _mm_insert_epi32, _mm_loadu_si128, _mm_setr_epi32,
        _mm_shuffle_epi8,
    };

    /// Invariant: only code that is compiled for (and runs with) SSE4.1 makes one.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Shuffle(__m128i);

    /// Which lane comes to the front; lane 3 holds the new entry.
    static ORDER: [[u32; 4]; 4] = [
        [0x0302_0100, 0x0706_0504, 0x0B0A_0908, 0x0F0E_0D0C],
        [0x0706_0504, 0x0302_0100, 0x0B0A_0908, 0x0F0E_0D0C],
        [0x0B0A_0908, 0x0302_0100, 0x0706_0504, 0x0F0E_0D0C],
        [0x0F0E_0D0C, 0x0302_0100, 0x0706_0504, 0x0B0A_0908],
    ];

    impl Recent for Shuffle {
        #[inline(always)]
        fn new(entries: [u32; 3]) -> Self {
            let [a, b, c] = entries.map(u32::cast_signed);
            // SAFETY: SSE2 is part of x86-64.
            Self(unsafe { _mm_setr_epi32(a, b, c, 0) })
        }

        #[inline(always)]
        fn entries(self) -> [u32; 3] {
            // SAFETY: SSE4.1 by the type's invariant.
            let lanes = unsafe {
                [_mm_cvtsi128_si32(self.0), _mm_extract_epi32::<1>(self.0), _mm_extract_epi32::<2>(self.0)]
            };
            lanes.map(i32::cast_unsigned)
        }

        #[inline(always)]
        fn moved(self, index: usize, new: u32) -> Self {
            #[expect(clippy::indexing_slicing, reason = "masked")]
            let order = &ORDER[index & 3];
            // SAFETY: SSE4.1 by the type's invariant; `order` is 16 bytes.
            unsafe {
                let with_new = _mm_insert_epi32::<3>(self.0, new.cast_signed());
                Self(_mm_shuffle_epi8(with_new, _mm_loadu_si128(std::ptr::from_ref(order).cast())))
            }
        }

        #[inline(always)]
        fn front(self) -> u32 {
            // SAFETY: SSE2 is part of x86-64.
            unsafe { _mm_cvtsi128_si32(self.0) }.cast_unsigned()
        }
    }
}
