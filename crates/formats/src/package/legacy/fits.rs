//! Releases whose header layout fits.

use super::package::Package;
use super::read::{cost, start};
use crate::version::Releases;

impl Package {
    /// Returns the releases that may have written a header: those its versions allow or, without versions,
    /// all whose layouts leave the fewest bytes unexplained. `None` if the bytes are not a header, or no
    /// layout fits.
    #[must_use]
    pub fn releases_that_fit(bytes: &[u8]) -> Option<Releases> {
        let start = start(bytes).ok()?;
        if !start.file_versions.is_unversioned() {
            return Some(Self::parse(bytes).ok()?.summary.releases());
        }
        let (mut least, mut best) = (u64::MAX, Releases::default());
        for release in crate::version::Release::candidates(start.legacy) {
            let Ok(found) = Self::parse_partial(bytes, Some(release)) else { continue };
            let (is_broken, cost) = cost(&found);
            if is_broken || cost > least {
                continue;
            }
            // A better layout discards the equally good ones so far; an equal one joins them.
            if cost < least {
                (least, best) = (cost, Releases::default());
            }
            best = best.or(Releases::of_layout(release));
        }
        (!best.is_empty()).then_some(best)
    }
}
