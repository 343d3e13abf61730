//! Releases that fit the evidence, with the reasons.

use crate::objection::Objection;
use crate::package::convert::to_legacy::{Clue, How};
use crate::version::{Release, Releases};
use std::collections::HashMap;
use std::fmt;

/// Result of a release detection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The assumed release: the newest one that fits, unless others are preferred.
    pub release: &'static Release,
    /// All releases that fit equally well, itself included.
    pub left: Releases,
    /// Evidence, in the order it was examined.
    pub reasons: Vec<Reason>,
}

/// One or more pieces of evidence of the same kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reason {
    /// Kind of evidence.
    pub how: How,
    /// The releases that fit it.
    pub releases: Releases,
    /// Number of pieces, and number of those that contradict.
    pub pieces: (u64, u64),
}

impl Verdict {
    pub(crate) fn new(among: Releases) -> Self {
        let mut this = Self { release: Release::newest(), left: among, reasons: Vec::new() };
        this.leave(among);
        this
    }

    /// True if more than one release fits.
    pub(crate) fn is_open(&self) -> bool {
        self.left.iter().nth(1).is_some()
    }

    /// Narrows the releases by a majority of pieces of evidence.
    pub(crate) fn count(&mut self, how: How, pieces: impl Iterator<Item = Releases>) {
        let pieces: Vec<Releases> = pieces.map(|piece| piece.and(self.left)).collect();
        let (releases, against) = vote(&pieces, self.left);
        // Packages that contradict all remaining releases are no evidence either way.
        let asked = pieces.iter().filter(|piece| !piece.is_empty()).count() as u64;
        if asked > 0 {
            self.reasons.push(Reason { how, releases, pieces: (asked, against) });
            self.leave(releases);
        }
    }

    /// Narrows the releases by one piece of evidence, unless it contradicts better evidence.
    pub(crate) fn follow(&mut self, clue: Option<Clue>) {
        let Some(clue) = clue else { return };
        let both = self.left.and(clue.releases);
        // A clue that excludes nothing is no reason worth reporting.
        if !both.is_empty() && both != self.left {
            self.reasons.push(Reason { how: clue.how, releases: both, pieces: (1, 0) });
            self.leave(both);
        }
    }

    /// Chooses the newest preferred release that fits, if any. The others still count as fitting.
    pub(crate) fn prefer(&mut self, is_preferred: impl Fn(&Release) -> bool) {
        let preferred = self.left.iter().rev().find(|release| is_preferred(release));
        self.release = preferred.unwrap_or(self.release);
    }

    /// The warning to give if games of other fitting releases may reject the output; `takes` is true for releases that
    /// accept it.
    pub(crate) fn warning(
        &self,
        takes: impl Fn(&Release) -> bool,
        game_would_tell: bool,
    ) -> Option<Objection> {
        let others: Vec<_> = self.others().into_iter().filter(|other| !takes(other)).collect();
        let is_uncertain = !others.is_empty() && !self.reasons.is_empty();
        is_uncertain.then_some(Objection::ReleaseUncertain { release: self.release, others, game_would_tell })
    }

    fn leave(&mut self, releases: Releases) {
        self.left = releases;
        self.release = releases.iter().next_back().unwrap_or_else(Release::newest);
    }

    /// The other releases that fit equally well.
    #[must_use]
    pub fn others(&self) -> Vec<&'static Release> {
        self.left.iter().filter(|other| other.name != self.release.name).collect()
    }
}

/// Formats the evidence, such as `39 headers fit UE 5.2, 5.3, 5.4 or 5.5; the data of 17 packages fits UE 5.2`.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.reasons.is_empty() {
            return f.write_str("nothing in the packages says which it was");
        }
        for (at, Reason { how, releases, pieces: (asked, against) }) in self.reasons.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { "; " })?;
            let (plural, verb) = if *asked == 1 { ("", "s") } else { ("s", "") };
            match how {
                How::Layout => write!(f, "{asked} header{plural} fit{verb} {releases}")?,
                How::Assets => write!(f, "the data of {asked} package{plural} fits {releases}")?,
                how => write!(f, "{releases} {how}")?,
            }
            if *against > 0 {
                write!(f, " ({against} of them does not)")?;
            }
        }
        Ok(())
    }
}

/// The releases contradicted by the fewest pieces of evidence, and that number. Pieces that fit none of the releases do
/// not count.
pub(super) fn vote(pieces: &[Releases], among: Releases) -> (Releases, u64) {
    // Thousands of packages have few distinct answers: count equal ones first.
    let mut votes: HashMap<Releases, u64> = HashMap::new();
    for piece in pieces.iter().map(|piece| piece.and(among)).filter(|piece| !piece.is_empty()) {
        *votes.entry(piece).or_default() += 1;
    }
    let against = |release: &Release| -> u64 {
        votes.iter().filter(|(piece, _)| !piece.has(release)).map(|(_, count)| count).sum()
    };
    let least = among.iter().map(against).min().unwrap_or_default();
    (Releases::matching(|release| among.has(release) && against(release) == least), least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(first: &str, last: &str) -> Releases {
        Releases::between(first, last)
    }

    #[test]
    fn most_of_the_packages_decide() {
        let headers =
            [between("5.2", "5.5"), between("5.5", "5.5"), between("5.2", "5.4"), between("5.2", "5.4")];
        let mut verdict = Verdict::new(between("4.26", "6.0"));
        verdict.count(How::Layout, headers.into_iter());
        assert_eq!((verdict.release.name, verdict.left), ("5.4", between("5.2", "5.4")));
        let known = |first, last| Some(Clue { how: How::Container, releases: between(first, last) });
        verdict.follow(known("5.8", "6.0"));
        assert_eq!(verdict.release.name, "5.4", "it contradicts the packages");
        verdict.follow(known("5.0", "5.3"));
        verdict.count(How::Assets, [between("5.2", "5.2")].into_iter());
        assert_eq!(verdict.release.name, "5.2");
        assert!(verdict.others().is_empty());
        let expected = "4 headers fit UE 5.2, 5.3 or 5.4 (1 of them does not); UE 5.2 or 5.3 by the container; \
                        the data of 1 package fits UE 5.2";
        assert_eq!(verdict.to_string(), expected);
    }

    #[test]
    fn without_evidence_all_are_left() {
        let mut verdict = Verdict::new(between("5.4", "5.5"));
        verdict.count(How::Layout, [between("4.0", "4.1")].into_iter());
        assert_eq!(verdict.others().iter().map(|release| release.name).collect::<Vec<_>>(), ["5.4"]);
        assert_eq!(verdict.to_string(), "nothing in the packages says which it was");
    }
}
