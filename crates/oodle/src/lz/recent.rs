//! Recent distances of Kraken (three) and Leviathan (seven), the most recent first.
//!
//! ```text
//!   before        a b c d e f g      command takes entry 3
//!   after         d a b c e f g      it moves to the front, those before it move back by one
//! ```
//!
//! Every command does this, and the next one waits for it: branches would be mispredicted all the time. So
//! entries are moved by conditional moves, or all at once by one shuffle of a vector register.
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]

#[cfg(not(feature = "safe-only"))]
use crate::backend::Backend;
#[cfg(all(target_arch = "x86_64", not(feature = "safe-only")))]
pub(super) use x86::{Permute, Shuffle};

/// Cache that names entries by age: 0 to `N - 1`, or `N` for a new one.
pub(super) trait Recent<const N: usize>: Copy {
    /// Proof that the processor can run this.
    type Proof: Copy;

    /// Cache of these entries.
    fn new(entries: [u32; N], proof: Self::Proof) -> Self;

    /// Returns the entries, the most recent first.
    fn entries(self) -> [u32; N];

    /// Moves entry `index` (or `new`, for `N`) to the front; the last one may be dropped.
    #[must_use]
    fn moved(self, index: usize, new: u32) -> Self;

    /// Returns the entry at the front.
    fn front(self) -> u32;
}

/// Command loop that works with any cache of `N` distances.
#[cfg(not(feature = "safe-only"))]
pub(super) trait CommandLoop<const N: usize> {
    /// Cache in a vector register.
    #[cfg(target_arch = "x86_64")]
    type Vector: Recent<N, Proof = crate::backend::Avx2>;

    /// Runs commands with a cache of type `R`.
    fn run<R: Recent<N>>(self, proof: R::Proof);
}

/// Runs a loop with the best cache that the processor supports, compiled for that processor.
#[cfg(not(feature = "safe-only"))]
#[inline(always)]
pub(super) fn run<const N: usize, L: CommandLoop<N>>(backend: Backend, commands: L) {
    match backend {
        #[cfg(target_arch = "x86_64")]
        Backend::Avx2(proof) => backend.run(
            #[inline(always)]
            || commands.run::<L::Vector>(proof),
        ),
        _ => commands.run::<Scalar<N>>(()),
    }
}

/// Cache in registers, moved by conditional moves.
#[derive(Clone, Copy)]
pub(super) struct Scalar<const N: usize>([u32; N]);

impl<const N: usize> Recent<N> for Scalar<N> {
    type Proof = ();

    #[inline(always)]
    fn new(entries: [u32; N], (): ()) -> Self {
        Self(entries)
    }

    #[inline(always)]
    fn entries(self) -> [u32; N] {
        self.0
    }

    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "indices of a loop over the array")]
    fn moved(self, index: usize, new: u32) -> Self {
        // Starts with the new entry, and replaces it if an age matches.
        let known = |front, age| core::hint::select_unpredictable(index == age, self.0[age], front);
        let front = (0..N).fold(new, known);
        Self(core::array::from_fn(|age| match age {
            // Entries up to the chosen one move back by one; the others stay.
            0 => front,
            _ => core::hint::select_unpredictable(age <= index, self.0[age - 1], self.0[age]),
        }))
    }

    #[inline(always)]
    fn front(self) -> u32 {
        self.entries().first().copied().unwrap_or_default()
    }
}

#[cfg(all(target_arch = "x86_64", not(feature = "safe-only")))]
mod x86 {
    //! One vector register, and a shuffle of its lanes.
    #![expect(unsafe_code, reason = "intrinsics of SSE4.1 and AVX2")]
    #![expect(clippy::many_single_char_names, reason = "seven entries of equal rank")]

    use crate::backend::Avx2;
    use crate::lz::recent::Recent;
    use core::arch::x86_64::{
        __m128i, __m256i, _mm_cvtsi128_si32, _mm_extract_epi32, _mm_insert_epi32, _mm_loadu_si128,
        _mm_setr_epi32, _mm_shuffle_epi8, _mm256_blend_epi32, _mm256_castsi256_si128, _mm256_loadu_si256,
        _mm256_permutevar8x32_epi32, _mm256_set1_epi32, _mm256_setr_epi32, _mm256_storeu_si256,
    };

    /// Three entries. Invariant: only [`Recent::new`] creates one, and takes a proof of AVX2, which implies
    /// SSE4.1.
    #[derive(Clone, Copy)]
    pub(in crate::lz) struct Shuffle(__m128i);

    /// Byte order of each move; lane 3 holds the new entry.
    static BYTES: [[u32; 4]; 4] = [
        [0x0302_0100, 0x0706_0504, 0x0B0A_0908, 0x0F0E_0D0C],
        [0x0706_0504, 0x0302_0100, 0x0B0A_0908, 0x0F0E_0D0C],
        [0x0B0A_0908, 0x0302_0100, 0x0706_0504, 0x0F0E_0D0C],
        [0x0F0E_0D0C, 0x0302_0100, 0x0706_0504, 0x0B0A_0908],
    ];

    impl Recent<3> for Shuffle {
        type Proof = Avx2;

        #[inline(always)]
        fn new(entries: [u32; 3], _: Avx2) -> Self {
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
            let order = &BYTES[index & 3];
            // SAFETY: SSE4.1 by the type's invariant; `order` is 16 bytes.
            unsafe {
                // All four cases alike: the new entry is always inserted, and dropped again by the shuffle if
                // it is not chosen.
                let with_new = _mm_insert_epi32::<3>(self.0, new.cast_signed());
                Self(_mm_shuffle_epi8(with_new, _mm_loadu_si128(core::ptr::from_ref(order).cast())))
            }
        }

        #[inline(always)]
        fn front(self) -> u32 {
            // SAFETY: SSE2 is part of x86-64.
            unsafe { _mm_cvtsi128_si32(self.0) }.cast_unsigned()
        }
    }

    /// Seven entries. Invariant: only [`Recent::new`] creates one, and takes a proof of AVX2.
    #[derive(Clone, Copy)]
    pub(in crate::lz) struct Permute(__m256i);

    /// Lane order of each move; lane 7 holds the new entry.
    static LANES: [[u32; 8]; 8] = [
        [0, 1, 2, 3, 4, 5, 6, 7],
        [1, 0, 2, 3, 4, 5, 6, 7],
        [2, 0, 1, 3, 4, 5, 6, 7],
        [3, 0, 1, 2, 4, 5, 6, 7],
        [4, 0, 1, 2, 3, 5, 6, 7],
        [5, 0, 1, 2, 3, 4, 6, 7],
        [6, 0, 1, 2, 3, 4, 5, 7],
        [7, 0, 1, 2, 3, 4, 5, 6],
    ];

    impl Recent<7> for Permute {
        type Proof = Avx2;

        #[inline(always)]
        fn new(entries: [u32; 7], _: Avx2) -> Self {
            let [a, b, c, d, e, f, g] = entries.map(u32::cast_signed);
            // SAFETY: the caller has proved AVX2.
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
            let order = &LANES[index & 7];
            // SAFETY: AVX2 by the type's invariant; `order` is 32 bytes.
            unsafe {
                // Bit 7 of the blend takes lane 7 from the new entry.
                let with_new = _mm256_blend_epi32::<0x80>(self.0, _mm256_set1_epi32(new.cast_signed()));
                let order = _mm256_loadu_si256(core::ptr::from_ref(order).cast());
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
