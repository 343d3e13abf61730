//! Kernel sets: chosen once per scratch, at run time.
#![cfg_attr(
    all(target_arch = "x86_64", not(feature = "safe-only")),
    expect(unsafe_code, reason = "code for processor features can be called only where they are proven")
)]
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]

use alloc::vec::Vec;

/// Set of decoder kernels. All sets produce the same bytes and the same verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Backend {
    /// Bounds-checked slices only: the reference, and the whole decoder under the feature `safe-only`.
    Safe,
    /// Pointer kernels for any processor (SSE2 on x86-64, NEON on aarch64).
    #[cfg(not(feature = "safe-only"))]
    Portable,
    /// Fast kernels, compiled for x86-64 with AVX2 and BMI2. [`Backend::all`] lists them only if this machine
    /// has both.
    #[cfg(all(target_arch = "x86_64", not(feature = "safe-only")))]
    Avx2(Avx2),
}

/// Proof that the processor has AVX2, BMI1, BMI2 and LZCNT.
#[cfg(all(target_arch = "x86_64", not(feature = "safe-only")))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(());

#[cfg(all(target_arch = "x86_64", not(feature = "safe-only")))]
impl Avx2 {
    fn detect() -> Option<Self> {
        #[cfg(feature = "std")]
        let found = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt");
        // Without std the processor cannot be asked, so only the features that the crate was compiled for
        // count.
        #[cfg(not(feature = "std"))]
        let found = cfg!(all(
            target_feature = "avx2",
            target_feature = "bmi1",
            target_feature = "bmi2",
            target_feature = "lzcnt"
        ));
        found.then_some(Self(()))
    }
}

// Never inlined into callers without these features; what it calls is inlined into it, and so compiled with
// them.
#[cfg(all(target_arch = "x86_64", not(feature = "safe-only")))]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
fn run_avx2<T>(work: impl FnOnce() -> T) -> T {
    work()
}

impl Backend {
    /// Runs `work`, compiled for the processor features of this set as far as `work` is inlined.
    #[inline(always)]
    pub(crate) fn run<T>(self, work: impl FnOnce() -> T) -> T {
        match self {
            #[cfg(all(target_arch = "x86_64", not(feature = "safe-only")))]
            Self::Avx2(_) => {
                // SAFETY: the variant holds the proof that the processor has these features.
                unsafe { run_avx2(work) }
            }
            _ => work(),
        }
    }

    /// Returns the fastest set for this machine.
    #[must_use]
    pub fn detect() -> Self {
        Self::all().last().copied().unwrap_or(Self::Safe)
    }

    /// Returns every set that this machine can run, slowest first.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let all = [
            Some(Self::Safe),
            #[cfg(not(feature = "safe-only"))]
            Some(Self::Portable),
            #[cfg(all(target_arch = "x86_64", not(feature = "safe-only")))]
            Avx2::detect().map(Self::Avx2),
        ];
        all.into_iter().flatten().collect()
    }
}
