//! The last seven distances of Leviathan, most recent first.
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]
#![expect(clippy::many_single_char_names, reason = "seven entries of equal rank")]

/// A cache that names entries by their age: 0 to 6, or 7 for a new one.
pub(super) trait Recent: Copy {
    /// A cache of seven entries.
    fn new(entries: [u32; 7]) -> Self;

    /// The entries, most recent first.
    fn entries(self) -> [u32; 7];

    /// Moves entry `index` (or `new`, for 7) to the front; what falls off the end is lost.
    #[must_use]
    fn moved(self, index: usize, new: u32) -> Self;

    /// The entry at the front.
    fn front(self) -> u32;
}

/// An array; the last entry has no meaning.
#[derive(Clone, Copy)]
pub(super) struct Scalar([u32; 8]);

impl Recent for Scalar {
    #[inline(always)]
    fn new([a, b, c, d, e, f, g]: [u32; 7]) -> Self {
        Self([a, b, c, d, e, f, g, 0])
    }

    #[inline(always)]
    fn entries(self) -> [u32; 7] {
        let [entries @ .., _] = self.0;
        entries
    }

    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "indices are masked, or of a loop over the array")]
    fn moved(mut self, index: usize, new: u32) -> Self {
        self.0[7] = new;
        let front = self.0[index & 7];
        Self(std::array::from_fn(|age| match age {
            0 => front,
            _ if age <= index => self.0[age - 1],
            _ => self.0[age],
        }))
    }

    #[inline(always)]
    fn front(self) -> u32 {
        self.0[0]
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod x86 {
    //! One vector register and a lane permutation.
    #![expect(unsafe_code, reason = "intrinsics of AVX2")]

    use super::Recent;
    use std::arch::x86_64::{
        __m256i, _mm_cvtsi128_si32, _mm256_blend_epi32, _mm256_castsi256_si128, _mm256_loadu_si256,
        _mm256_permutevar8x32_epi32, _mm256_set1_epi32, _mm256_setr_epi32, _mm256_storeu_si256,
    };

    /// Invariant: only code that is compiled for (and runs with) AVX2 makes one.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Permute(__m256i);

    /// Which lane comes to the front; lane 7 holds the new entry.
    static ORDER: [[u32; 8]; 8] = [
        [0, 1, 2, 3, 4, 5, 6, 7],
        [1, 0, 2, 3, 4, 5, 6, 7],
        [2, 0, 1, 3, 4, 5, 6, 7],
        [3, 0, 1, 2, 4, 5, 6, 7],
        [4, 0, 1, 2, 3, 5, 6, 7],
        [5, 0, 1, 2, 3, 4, 6, 7],
        [6, 0, 1, 2, 3, 4, 5, 7],
        [7, 0, 1, 2, 3, 4, 5, 6],
    ];

    impl Recent for Permute {
        #[inline(always)]
        fn new(entries: [u32; 7]) -> Self {
            let [a, b, c, d, e, f, g] = entries.map(u32::cast_signed);
            // SAFETY: AVX2 by the type's invariant.
            Self(unsafe { _mm256_setr_epi32(a, b, c, d, e, f, g, 0) })
        }

        #[inline(always)]
        fn entries(self) -> [u32; 7] {
            let mut lanes = [0u32; 8];
            // SAFETY: AVX2 by the type's invariant; `lanes` is 32 bytes.
            unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), self.0) };
            let [entries @ .., _] = lanes;
            entries
        }

        #[inline(always)]
        fn moved(self, index: usize, new: u32) -> Self {
            #[expect(clippy::indexing_slicing, reason = "masked")]
            let order = &ORDER[index & 7];
            // SAFETY: AVX2 by the type's invariant; `order` is 32 bytes.
            unsafe {
                let with_new = _mm256_blend_epi32::<0x80>(self.0, _mm256_set1_epi32(new.cast_signed()));
                let order = _mm256_loadu_si256(std::ptr::from_ref(order).cast());
                Self(_mm256_permutevar8x32_epi32(with_new, order))
            }
        }

        #[inline(always)]
        fn front(self) -> u32 {
            // SAFETY: AVX2 by the type's invariant.
            unsafe { _mm_cvtsi128_si32(_mm256_castsi256_si128(self.0)) }.cast_unsigned()
        }
    }
}
