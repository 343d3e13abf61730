//! Copies of whole words between places that are known to be large enough: the building blocks of the LZ
//! kernels.
//!
//! ```text
//!   distance 8, length 13      a b c d e f g h │ . . . . . . . . . . . . .
//!   first 8 bytes at once                      │ a b c d e f g h
//! next 8, just written       . . . . . . . . │ a b c d e f g h a b c d e f g h    3 too many, overwritten
//!   later
//! ```
//!
//! Runs are short, so a loop over bytes would mostly mispredict its own end. A fixed number of words costs
//! less, even if most of them are not needed. All copies write more than a run needs and leave the excess to
//! be overwritten; [`MARGIN`] is the limit of that excess.
#![expect(
    unsafe_code,
    reason = "bounds checks per copy cost a large part of the LZ speed, see benches/oodle.rs"
)]
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]

/// Limit of the excess: no copy writes or reads this many bytes after the end of a run.
pub(super) const MARGIN: usize = 32;

/// Copies 8 bytes.
///
/// # Safety
/// 8 bytes can be read at `src` and written at `dst`.
#[inline(always)]
pub(super) unsafe fn copy8(src: *const u8, dst: *mut u8) {
    // SAFETY: by contract; a local value keeps the two accesses apart, so they may overlap.
    unsafe { dst.cast::<u64>().write_unaligned(src.cast::<u64>().read_unaligned()) }
}

/// Copies 16 bytes at once: `src` and `dst` do not overlap in a way that matters, or are at least 16 apart.
///
/// # Safety
/// 16 bytes can be read at `src` and written at `dst`.
#[inline(always)]
pub(super) unsafe fn copy16(src: *const u8, dst: *mut u8) {
    // SAFETY: by contract; a local value keeps the two accesses apart.
    unsafe { dst.cast::<u128>().write_unaligned(src.cast::<u128>().read_unaligned()) }
}

/// Adds 8 bytes to the 8 bytes at `base`, byte by byte, into `dst`.
///
/// # Safety
/// 8 bytes can be read at `src` and `base` and written at `dst`.
#[inline(always)]
pub(super) unsafe fn add8(src: *const u8, base: *const u8, dst: *mut u8) {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    // SAFETY: by contract.
    unsafe {
        let (a, b) = (src.cast::<u64>().read_unaligned(), base.cast::<u64>().read_unaligned());
        // Eight additions in one: the top bit of each byte is left out, so that no carry reaches the next
        // byte, and is added without carry by the exclusive or.
        let sum = ((a & LOW) + (b & LOW)) ^ ((a ^ b) & !LOW);
        dst.cast::<u64>().write_unaligned(sum);
    }
}

/// Adds 8 bytes as [`add8`] does, in vector registers where available. A loop that adds twice per command is
/// faster with it, one that adds once is slower.
///
/// # Safety
/// As [`add8`].
#[inline(always)]
unsafe fn add8_vector(src: *const u8, base: *const u8, dst: *mut u8) {
    // SAFETY: by contract; SSE2 is part of x86-64.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        use core::arch::x86_64::{_mm_add_epi8, _mm_loadl_epi64, _mm_storel_epi64};
        let sum = _mm_add_epi8(_mm_loadl_epi64(src.cast()), _mm_loadl_epi64(base.cast()));
        _mm_storel_epi64(dst.cast(), sum);
    }
    // SAFETY: by contract.
    #[cfg(not(target_arch = "x86_64"))]
    unsafe {
        add8(src, base, dst);
    }
}

/// Copies a run of literals: the first 16 bytes at once, then in steps of 16.
///
/// # Safety
/// `len + MARGIN` bytes can be read at `src` and written at `dst`.
#[inline(always)]
pub(super) unsafe fn copy_literals(src: *const u8, dst: *mut u8, len: usize) {
    // SAFETY: each step starts inside the run (or is the first), so it ends less than 16 bytes after it.
    unsafe {
        // Runs of up to 16 bytes are 97 % of all: they take one copy and a branch that predicts well.
        copy16(src, dst);
        if len > 16 {
            let mut done = 16;
            while done < len {
                copy16(src.add(done), dst.add(done));
                done += 16;
            }
        }
    }
}

/// Adds a run of literals to the bytes `distance` back, in steps of 16 bytes; at least one step.
///
/// # Safety
/// `len + MARGIN` bytes can be read at `src` and written at `dst`; the `distance` bytes before `dst` can be read, and
/// `distance` is at least 8.
#[inline(always)]
pub(super) unsafe fn add_literals(src: *const u8, dst: *mut u8, distance: usize, len: usize) {
    // SAFETY: as in `copy_literals`; bases lie before the bytes they are added to.
    unsafe {
        let base = dst.cast_const().sub(distance);
        // Steps of 8, because bases may be as near as 8 bytes: each step must see what the one before has
        // written.
        add8_vector(src, base, dst);
        if len > 8 {
            add8_vector(src.add(8), base.add(8), dst.add(8));
            let mut done = 16;
            while done < len {
                add8_vector(src.add(done), base.add(done), dst.add(done));
                add8_vector(src.add(done + 8), base.add(done + 8), dst.add(done + 8));
                done += 16;
            }
        }
    }
}

/// Repeats the bytes `distance` back, in steps of 16 bytes; at least one step.
///
/// # Safety
/// `len + MARGIN` bytes can be written at `dst` (and are initialized); the `distance` bytes before `dst` can be read,
/// and `distance` is at least 8, or at least `len`.
#[inline(always)]
pub(super) unsafe fn copy_match(dst: *mut u8, distance: usize, len: usize) {
    // SAFETY: each step starts inside the run (or is the first), so it ends less than 16 bytes after it. Steps
    // of 8 only copy bytes that are written already, as `distance` is at least 8; or else the first step is all,
    // and good for `len`.
    unsafe {
        let src = dst.cast_const().sub(distance);
        // Two words of 8, not one of 16: at a distance of 8 to 15 the second one reads what the first has
        // written.
        copy8(src, dst);
        copy8(src.add(8), dst.add(8));
        // Branches at 16 and 32 bytes measured best: four of five matches end before the first, nine of ten
        // before the second.
        if len > 16 {
            copy8(src.add(16), dst.add(16));
            copy8(src.add(24), dst.add(24));
            if len > 32 {
                copy_long_match(src, dst, distance, len);
            }
        }
    }
}

/// Copies the rest of a match after its first 32 bytes.
///
/// # Safety
/// As [`copy_match`], with `len > 32` and `src == dst - distance`.
#[inline(never)]
unsafe fn copy_long_match(src: *const u8, dst: *mut u8, distance: usize, len: usize) {
    let mut done = 32;
    // SAFETY: as in `copy_match`; steps of 16 are taken only where `distance` is at least 16.
    unsafe {
        // Steps of 16 read nothing that they write themselves.
        if distance >= 16 {
            while done < len {
                copy16(src.add(done), dst.add(done));
                done += 16;
            }
        } else {
            while done < len {
                copy8(src.add(done), dst.add(done));
                copy8(src.add(done + 8), dst.add(done + 8));
                done += 16;
            }
        }
    }
}

/// Asks for the cache line at `at`, which may be anywhere.
#[inline(always)]
pub(super) fn prefetch(at: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing; SSE is part of x86-64.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// Asks for the start of the next page (of 4 KiB): processors that see a run of writes fetch more by
/// themselves, but not beyond the page.
#[inline(always)]
pub(super) fn prefetch_page(at: *const u8) {
    const PAGE: usize = 4096;
    let next = at.wrapping_add(PAGE - at.addr() % PAGE);
    for line in 0..4 {
        prefetch(next.wrapping_add(64 * line));
    }
}
